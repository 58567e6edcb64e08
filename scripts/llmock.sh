#!/usr/bin/env bash
# llmock, somebody else's mock of the models' providers: scripted faults, and a verdict on how a client takes them.
# https://github.com/JulienRabault/LLMock
#
#   llmock.sh find      prints the program; fails where it is not installed
#   llmock.sh install   installs it in .tools, which needs Python 3.10 or newer
#   llmock.sh serve     prints the URL, and lives as long as its input is open
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

version=0.2.2
folder="$tools/llmock-$version"
program="$folder/bin/llmock"

installed() { [ -x "$program" ] && [ -f "$folder/complete" ]; }

install() {
  installed && return
  have python3 || die "Python is missing (Debian: apt-get install python3-venv)"
  rm -rf "$folder"
  python3 -m venv "$folder" || die "Python's venv is missing (Debian: apt-get install python3-venv)"
  "$folder/bin/pip" install --quiet --disable-pip-version-check "llmock==$version" ||
    die "pip could not install llmock $version"
  touch "$folder/complete"
}

# answers PORT: whether it serves there.
answers() {
  "$folder/bin/python" - "$1" <<'PYTHON'
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    opener.open(f"http://127.0.0.1:{sys.argv[1]}/health", timeout=5)
except OSError:
    sys.exit(1)
PYTHON
}

stop() {
  [ -n "${server:-}" ] || return 0
  kill -KILL "$server" 2>/dev/null || true
  rm -f "$log"
}

# Ports are taken by others at any time: below those that the system gives to connections, until one is free.
start_on_free_port() {
  local attempt
  log=$(mktemp "${TMPDIR:-/tmp}/truthtable-llmock.XXXXXX")
  for attempt in {1..20}; do
    port=$((20000 + RANDOM % 10000))
    # It calls no tool unasked: what it says is scripted.
    "$program" serve --port "$port" --tool-mode off >"$log" 2>&1 </dev/null &
    server=$!
    while kill -0 "$server" 2>/dev/null; do
      # Who answers is this one: it would have ended, had the port been somebody else's.
      if answers "$port" && kill -0 "$server" 2>/dev/null; then return; fi
      sleep 0.1
    done
    grep -qi "address already in use" "$log" || break
  done
  die "llmock did not start (attempt $attempt): $(cat "$log")"
}

serve() {
  installed || die "llmock is not installed: scripts/llmock.sh install"
  trap stop EXIT
  # Ctrl-C reaches the whole group of processes: the end of the input, which follows, is what counts.
  trap '' INT
  trap 'exit 143' TERM HUP
  start_on_free_port
  say "http://127.0.0.1:$port"
  while read -r; do :; done
}

case ${1:-} in
  find) installed && say "$program" ;;
  install) install ;;
  serve) serve ;;
  *) die "what shall be done? find, install or serve" ;;
esac
