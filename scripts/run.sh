#!/usr/bin/env bash
# Builds what is missing, then serves. The server prints its address as the last line, once it is ready.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
scripts/build.sh
say "Everything is built. Ctrl-C stops the server; it listens on:"
exec target/release/truthtable serve
