#!/usr/bin/env bash
# Puts the release site together: site.sh WASM WASM_BINDGEN WASM_OPT. An empty WASM_OPT leaves out making the
# file smaller. Leptos' page asks for pkg/truthtable.{js,wasm,css}: the name is in .cargo/config.toml.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
wasm=$1 bindgen=$2 optimizer=$3

name=truthtable
parts="$CARGO_TARGET_DIR/site-parts"

# What rustc's wasm32 target uses (its section `target_features`), by name: with --all-features wasm-opt writes
# what browsers refuse.
optimizer_flags=(-Oz)
for feature in bulk-memory bulk-memory-opt call-indirect-overlong multivalue mutable-globals \
  nontrapping-float-to-int reference-types sign-ext; do
  optimizer_flags+=("--enable-$feature")
done

# The two slow tools run again only where their input or they themselves have changed.
fingerprint=$({ sha256sum <"$wasm"; "$bindgen" --version; echo "$optimizer ${optimizer_flags[*]}"; } | sha256sum)
if [ "$fingerprint" != "$(cat "$parts/fingerprint" 2>/dev/null)" ]; then
  rm -rf "$parts"
  "$bindgen" "$wasm" --target web --no-typescript --out-dir "$parts" --out-name "$name"
  mv "$parts/${name}_bg.wasm" "$parts/$name.wasm"
  if [ -n "$optimizer" ]; then
    say "      making the file smaller, about 1 minute"
    if "$optimizer" "${optimizer_flags[@]}" "$parts/$name.wasm" -o "$parts/$name.small.wasm"; then
      mv "$parts/$name.small.wasm" "$parts/$name.wasm"
    else
      warn "wasm-opt failed: the browser's file will be twice as big"
      fingerprint="to be tried again"
    fi
  fi
  printf '%s' "$fingerprint" >"$parts/fingerprint"
fi

# inline CSS: prints a style sheet with its `@import "./x.css";` lines replaced by what they name.
inline() {
  local line folder
  folder=$(dirname "$1")
  while IFS= read -r line || [ -n "$line" ]; do
    if [[ $line =~ ^@import\ +\"(\./)?([^\":]+\.css)\"\;\ *$ ]]; then
      inline "$folder/${BASH_REMATCH[2]}"
    elif [[ $line =~ ^[[:space:]]*@import ]]; then
      die "$1: only lines like @import \"./x.css\"; can be put together, not: $line"
    else
      printf '%s\n' "$line"
    fi
  done <"$1"
}

# Built aside and exchanged at the end: a server that runs never sees half a site.
next="$site.next"
rm -rf "$next"
mkdir -p "$next/pkg"
cp -R public/. "$next/"
cp -Rp "$parts/." "$next/pkg/"
rm "$next/pkg/fingerprint"
inline style/main.css >"$next/pkg/$name.css"
inline style/gallery.css >"$next/pkg/gallery.css"
rm -rf "$site"
mv "$next" "$site"
