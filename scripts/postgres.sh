#!/usr/bin/env bash
# A private PostgreSQL for tests: in a temporary folder, on a free port of 127.0.0.1, for anybody on this machine.
#
#   postgres.sh find            prints the folder of PostgreSQL's programs; fails where there is none
#   postgres.sh serve [SETTING=VALUE…]
#                               prints the URL, without a database's name, and lives as long as its input is open.
#                               A line of the input is an order, answered with `done`:
#                                 stop    ends every connection
#                                 crash   without writing anything down; the next start recovers
#                                 start   at the same address again
#   postgres.sh with COMMAND…   runs the command beside one, with its URL in TRUTHTABLE_TEST_POSTGRES
set -euo pipefail

say() { printf '%s\n' "$@"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Debian keeps initdb and pg_ctl out of PATH, a folder for each version.
find_programs() {
  local folder
  for folder in "$(dirname "$(command -v initdb 2>/dev/null || echo none/none)")" \
    $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV); do
    if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ] && [ -x "$folder/postgres" ]; then
      say "$folder"
      return
    fi
  done
  return 1
}

# PostgreSQL refuses to run as root.
as_owner() {
  if [ "$(id -u)" -ne 0 ]; then
    "$@"
  else
    setpriv --reuid="$owner" --regid="$(id -g "$owner")" --clear-groups -- "$@"
  fi
}

# make_cluster SETTING=VALUE…
make_cluster() {
  folder=$(mktemp -d "${TMPDIR:-/tmp}/truthtable-postgres.XXXXXX")
  if [ "$(id -u)" -eq 0 ]; then
    owner=postgres
    id "$owner" >/dev/null 2>&1 || owner=nobody
    chown "$owner" "$folder"
  fi
  # From a folder that the owner may read.
  cd "$folder"
  as_owner "$programs/initdb" --pgdata="$folder/data" --username=postgres --auth=trust \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$folder/initdb.log" 2>&1 ||
    die "initdb failed: $(cat "$folder/initdb.log")"
  cat >>"$folder/data/postgresql.conf" <<'CONF'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
shared_buffers = 32MB
max_wal_size = 256MB
logging_collector = off
CONF
  [ "$#" -eq 0 ] || say "$@" >>"$folder/data/postgresql.conf"
}

# control WHAT OPTIONS…
control() { as_owner "$programs/pg_ctl" "$1" --silent --wait --timeout=60 --pgdata="$folder/data" "${@:2}"; }
start() { control start --log="$folder/log" --options="-p $port"; }

# Ports are taken by others at any time: below those that the system gives to connections, until one is free.
start_on_free_port() {
  local attempt
  for attempt in {1..20}; do
    port=$((20000 + RANDOM % 10000))
    start >"$folder/start.log" 2>&1 && return
    grep -q "Address already in use" "$folder/log" 2>/dev/null || break
    : >"$folder/log"
  done
  die "PostgreSQL did not start (attempt $attempt): $(cat "$folder/start.log" "$folder/log" 2>/dev/null)"
}

remove_cluster() {
  [ -n "${folder:-}" ] || return 0
  [ ! -f "$folder/data/postmaster.pid" ] || control stop --mode=immediate >/dev/null 2>&1 || true
  cd /
  rm -rf "$folder"
}

serve() {
  trap remove_cluster EXIT
  # Ctrl-C reaches the whole group of processes: the end of the input, which follows, is what counts.
  trap '' INT
  trap 'exit 143' TERM HUP
  # What the caller's own PostgreSQL is set to is not for this one.
  unset "${!PG@}"
  export LC_ALL=C
  make_cluster "$@"
  start_on_free_port
  say "postgres://postgres@127.0.0.1:$port"
  local order
  while read -r order; do
    case $order in
      stop) control stop --mode=fast ;;
      crash) control stop --mode=immediate ;;
      start) start ;;
      *) die "no such order: $order" ;;
    esac </dev/null >&2
    say done
  done
}

run_with() {
  coproc CLUSTER { "$0" serve; }
  read -r TRUTHTABLE_TEST_POSTGRES <&"${CLUSTER[0]}" || die "PostgreSQL did not start"
  export TRUTHTABLE_TEST_POSTGRES
  local status=0 cluster=$CLUSTER_PID
  "$@" || status=$?
  exec {CLUSTER[1]}>&-
  wait "$cluster" || true
  return "$status"
}

programs=$(find_programs) || die "PostgreSQL was not found (Debian: apt-get install postgresql)"
case ${1:-} in
  find) say "$programs" ;;
  serve) shift && serve "$@" ;;
  with) shift && run_with "$@" ;;
  *) die "what shall be done? find, serve or with" ;;
esac
