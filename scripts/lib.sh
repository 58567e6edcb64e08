# shellcheck shell=bash disable=SC2034
# What every script here shares. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1

# Results are looked for in `target` of this clone, and .cargo/config.toml alone decides the compiler's
# flags: what a shell or an outer make has set would move the one or replace the other.
export CARGO_TARGET_DIR="$root/target"
unset CARGO_BUILD_TARGET RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS MAKEFLAGS MFLAGS

tools="$root/.tools"
site="$root/target/site"

say() { printf '%s\n' "$@"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

have() { command -v "$1" >/dev/null 2>&1; }

# at_least WANTED ACTUAL: compares version numbers.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# Node's npm packages (wasm-opt, the browser tests) need this Node or a newer one.
node_wanted=20
have_node() { have node && have npm && at_least "$node_wanted" "$(node --version | tr -d v)"; }

# The version of a crate in Cargo.lock.
locked_version() {
  awk -v name="name = \"$1\"" '$0 == name { getline; gsub(/version = |"/, ""); print; exit }' Cargo.lock
}

# The compiler's part for the browser's code.
need_wasm_target() {
  [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] && return
  have rustup || die "Rust's wasm32-unknown-unknown target is missing, and there is no rustup to add it"
  rustup target add wasm32-unknown-unknown
}
