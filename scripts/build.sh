#!/usr/bin/env bash
# Builds everything that serving needs, step by step: the release site in target/site and the server
# target/release/truthtable. What is fresh is not made again. `--site` leaves the server out.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

plan=("this machine's tools" "wasm-bindgen" "wasm-opt" "the browser's part" "the server")
[ "${1:-}" = --site ] && plan=("${plan[@]:0:4}")

# step NUMBER TEXT: says what happens now and what is still to come.
step() {
  local rest=("${plan[@]:$1}") later=""
  [ ${#rest[@]} -gt 0 ] && later="; still to come: $(printf '%s, ' "${rest[@]}" | sed 's/, $//')"
  say "[$1/${#plan[@]}] ${plan[$1 - 1]}: $2$later"
}

# --- 1. this machine's tools ---------------------------------------------------------------------
step 1 "checking"
wanted_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if ! have cargo || ! have rustc; then die "Rust is missing; $wanted_rust or newer is needed: https://rustup.rs"; fi
rust=$(rustc --version | cut -d' ' -f2)
at_least "$wanted_rust" "$rust" || die "Rust $wanted_rust or newer is needed, this is $rust: rustup update stable"
have cc || die "a C compiler is missing: apt-get install build-essential"
need_wasm_target

# --- 2. wasm-bindgen -----------------------------------------------------------------------------
# It writes the JavaScript around the WASM and must be of the very version of the crate.
bindgen_version=$(locked_version wasm-bindgen)
bindgen=""
for candidate in "$tools/bin/wasm-bindgen" wasm-bindgen; do
  if have "$candidate" && [ "$("$candidate" --version)" = "wasm-bindgen $bindgen_version" ]; then
    bindgen=$candidate
    break
  fi
done
if [ -n "$bindgen" ]; then
  step 2 "$bindgen_version is there"
else
  step 2 "compiling $bindgen_version, about 4 minutes, only this once"
  install_bindgen() {
    CARGO_TARGET_DIR="$tools/build" cargo install wasm-bindgen-cli --version "=$bindgen_version" \
      --bin wasm-bindgen --root "$tools" --force "$@"
  }
  # A registry's copy can lack a version that the tool's own lockfile names.
  install_bindgen --locked || { warn "its lockfile does not resolve here: trying without"; install_bindgen; }
  rm -rf "$tools/build"
  bindgen="$tools/bin/wasm-bindgen"
fi

# --- 3. wasm-opt ---------------------------------------------------------------------------------
optimizer_version=132.0.0
optimizer="$tools/wasm-opt-$optimizer_version/node_modules/.bin/wasm-opt"
if ! have_node; then
  step 3 "left out"
  warn "without Node $node_wanted or newer there is no wasm-opt: the browser's file will be twice as big"
  optimizer=""
elif [ -x "$optimizer" ]; then
  step 3 "$optimizer_version is there"
else
  step 3 "installing $optimizer_version from npm, some seconds"
  if ! npm install --prefix "$tools/wasm-opt-$optimizer_version" --no-audit --no-fund --loglevel=error \
    "binaryen@$optimizer_version"; then
    warn "npm could not install wasm-opt: the browser's file will be twice as big"
    optimizer=""
  fi
fi

# --- 4. the browser's part -----------------------------------------------------------------------
wasm="$CARGO_TARGET_DIR/wasm32-unknown-unknown/wasm-release/frontend.wasm"
time="compiling, about 4 minutes the first time"
[ -f "$wasm" ] && time="compiling what has changed"
step 4 "$time"
cargo build -p frontend --lib --profile wasm-release --target wasm32-unknown-unknown
scripts/site.sh "$wasm" "$bindgen" "$optimizer"

# --- 5. the server -------------------------------------------------------------------------------
if [ "${1:-}" != --site ]; then
  server="$CARGO_TARGET_DIR/release/truthtable"
  time="compiling, about 8 minutes the first time"
  [ -f "$server" ] && time="compiling what has changed"
  step 5 "$time"
  cargo build --release -p server --bin truthtable
fi
