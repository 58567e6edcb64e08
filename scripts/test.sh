#!/usr/bin/env bash
# Runs every check, also after one has failed, and ends with one line: `N passed, N failed` (`, N skipped` where
# something could not run). With CI set, what cannot run counts as failed. A stage whose own tests cannot be
# counted is one test.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

# The browser's WASM after gzip, in bytes.
wasm_budget=$((640 * 1024))

logs="$CARGO_TARGET_DIR/test-logs"
mkdir -p "$logs"
rm -f "$logs/result"
passed=0 failed=0 skipped=0
summary=()

# Test binaries that speak with a server as its guests do: they run on each of the two databases.
both_databases=(agent_loop booking_changes import personas random refunds routes safety sessions streaming)
# Tests that need PostgreSQL, whatever the others run on, are in modules of this name; and those that need llmock.
needs_postgres=on_postgres::
needs_llmock=llmock::

# record NAME PASSED FAILED SKIPPED [WHY]
record() {
  passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
  local verdict=ok
  [ "$4" -gt 0 ] && verdict=skipped
  [ "$3" -gt 0 ] && verdict=FAILED
  summary+=("$(printf '  %-8s %s: %d passed, %d failed%s' "$verdict" "$1" "$2" "$3" "${5:+ ($5)}")")
}

# cannot_run NAME COUNT WHY
cannot_run() {
  warn "$1: $3"
  if [ -n "${CI:-}" ]; then record "$1" 0 "$2" 0 "$3"; else record "$1" 0 0 "$2" "$3"; fi
}

# check NAME COMMAND…: a stage that counts as one test.
check() {
  local name=$1
  shift
  say "== $name"
  if "$@"; then record "$name" 1 0 0; else record "$name" 0 1 0; fi
}

# start_postgres: a private one, for as long as this script lives; its URL, or nothing, in TRUTHTABLE_TEST_POSTGRES.
start_postgres() {
  [ -z "${TRUTHTABLE_TEST_POSTGRES:-}" ] || return 0
  scripts/postgres.sh find >/dev/null 2>&1 || return 0
  # Nothing there outlives the machine: it need not wait for the disk.
  coproc POSTGRES { scripts/postgres.sh serve fsync=off; }
  if read -r TRUTHTABLE_TEST_POSTGRES <&"${POSTGRES[0]}"; then
    export TRUTHTABLE_TEST_POSTGRES
  else
    unset TRUTHTABLE_TEST_POSTGRES
    record "PostgreSQL" 0 1 0 "it did not start"
  fi
}

# count_tests CARGO-ARGUMENTS…
count_tests() { cargo test --locked "$@" --list 2>/dev/null | grep -c ': test$' || true; }

# rust_tests NAME CARGO-ARGUMENTS…: a stage that counts as what `cargo test` counts.
rust_tests() {
  local name=$1 log="$logs/rust.log" status=0 counts
  shift
  say "== $name"
  cargo test --locked --no-fail-fast "$@" | tee "$log" || status=$?
  # The result lines alone: "test result: ok. 5 passed; 0 failed; 0 ignored; …"
  read -r -a counts < <(awk '
    /^test result: / { for (i = 2; i <= NF; i++) sum[$i] += $(i - 1) }
    END { print sum["passed;"] + 0, sum["failed;"] + 0, sum["ignored;"] + 0 }
  ' "$log")
  # It did not compile, or was ended from outside: nothing was counted as failed, but it has.
  if [ "$status" -ne 0 ] && [ "${counts[1]}" -eq 0 ]; then counts[1]=1; fi
  if [ "$status" -eq 0 ] && [ "${counts[0]}" -eq 0 ]; then
    warn "$name: no tests were found"
    counts[1]=1
  fi
  record "$name" "${counts[@]}"
}

# The server's crates never reach the browser.
wasm_dependencies() {
  local tree forbidden
  tree=$(cargo tree --locked -p frontend --target wasm32-unknown-unknown -e normal --prefix none) || return 1
  forbidden=$(grep -E '^(jsonschema|schemars|tokio|sqlx|sqlx-core|reqwest|axum|hyper|server) v' <<<"$tree" | sort -u) || true
  [ -z "$forbidden" ] && return
  say "The browser's part must not depend on:" "$forbidden"
  say "cargo tree -p frontend --target wasm32-unknown-unknown -e normal -i NAME tells through what."
  return 1
}

wasm_size() {
  local file="$site/pkg/truthtable.wasm" size
  size=$(gzip -9c "$file" | wc -c) || return 1
  say "$((size / 1024)) KiB after gzip, of $((wasm_budget / 1024)) KiB allowed; $(($(wc -c <"$file") / 1024)) KiB before."
  [ "$size" -le "$wasm_budget" ]
}

install_packages() {
  # npm writes that hidden lockfile at the end of an installation.
  [ end2end/node_modules/.package-lock.json -nt end2end/package-lock.json ] || (cd end2end && npm ci)
}

browser_tests() {
  local name="browser tests" results="$logs/browser.json" browser status=0 count counts
  say "== $name"
  if ! browser=$(scripts/browser.sh); then
    say "No browser was found. One of these two commands gets one:" \
      "    sudo apt-get install chromium" \
      "    cd end2end && npx playwright install --with-deps chromium"
    count=$(cd end2end && npx playwright test --list | awk '/^Total: / { print $2 }') || count=1
    cannot_run "$name" "$count" "no browser"
    return
  fi
  say "browser: $browser"
  [ "$browser" = playwright ] && browser=""
  rm -f "$results"
  (cd end2end && BROWSER_PATH=$browser RESULTS_FILE=$results npx playwright test) || status=$?
  read -r -a counts < <(node -e '
    const { stats } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(stats.expected, stats.unexpected + stats.flaky, stats.skipped);
  ' "$results" 2>/dev/null || echo 0 1 0)
  if [ "$status" -ne 0 ] && [ "${counts[1]}" -eq 0 ]; then counts[1]=1; fi
  record "$name" "${counts[@]}"
}

if ! { cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1; then rustup component add rustfmt clippy; fi

need_wasm_target

check "formatting" cargo fmt --all --check
# The two sides of Leptos in two calls: in one, cargo would switch on both for `app`.
check "clippy, server side" cargo clippy --locked --workspace --exclude frontend --all-targets -- -D warnings
check "clippy, browser side" cargo clippy --locked -p frontend --target wasm32-unknown-unknown -- -D warnings
check "no server crates in the browser" wasm_dependencies
rust_tests "shared crate, as the browser has it" -p shared

# The same packages in every call: cargo would build them anew for others.
server_side=(--workspace --exclude frontend)
# The server as it is built for tests in which it dies, and what they run with: they mostly wait.
with_faults=("${server_side[@]}" --features server/fault-points --test=crashes)
crashes=(-- --test-threads=6)
on_both=("${both_databases[@]/#/--test=}")
left_out=()
say "== llmock for tests"
if ! why=$(scripts/llmock.sh install 2>&1); then
  left_out+=(--skip "$needs_llmock")
  cannot_run "tests with llmock" "$(count_tests "${server_side[@]}" --test=llmock --)" "${why##*error: }"
fi
start_postgres
if [ -n "${TRUTHTABLE_TEST_POSTGRES:-}" ]; then
  say "== PostgreSQL for tests: $TRUTHTABLE_TEST_POSTGRES"
  TRUTHTABLE_TEST_DATABASE=sqlite rust_tests "Rust tests, server side" "${server_side[@]}" -- "${left_out[@]}"
  TRUTHTABLE_TEST_DATABASE=postgres rust_tests "Rust tests on PostgreSQL" "${server_side[@]}" "${on_both[@]}"
  TRUTHTABLE_TEST_DATABASE=postgres rust_tests "operator's commands on PostgreSQL" \
    "${server_side[@]}" --test=command_line handovers::
  rust_tests "server that dies at every point, on both databases" "${with_faults[@]}" "${crashes[@]}"
else
  left_out+=(--skip "$needs_postgres")
  TRUTHTABLE_TEST_DATABASE=sqlite rust_tests "Rust tests, server side" "${server_side[@]}" -- "${left_out[@]}"
  without=$(count_tests "${server_side[@]}" --lib --bins --tests -- "$needs_postgres")
  on_both_count=$(count_tests "${server_side[@]}" "${on_both[@]}" --)
  rust_tests "server that dies at every point" "${with_faults[@]}" "${crashes[@]}" --skip "$needs_postgres"
  deaths_count=$(count_tests "${with_faults[@]}" -- "$needs_postgres")
  commands_count=$(count_tests "${server_side[@]}" --test=command_line -- handovers::)
  cannot_run "Rust tests on PostgreSQL" $((without + on_both_count + commands_count + deaths_count)) \
    "PostgreSQL was not found: get it with \`sudo apt-get install postgresql\`"
fi

say "== release build"
if ! scripts/build.sh; then
  record "release build" 0 1 0
  record "browser tests" 0 1 0 "nothing to test: the build failed"
elif ! have_node; then
  record "release build" 1 0 0
  for name in "size of the browser's WASM" "browser tests"; do
    cannot_run "$name" 1 "Node $node_wanted or newer is needed"
  done
else
  record "release build" 1 0 0
  check "size of the browser's WASM" wasm_size
  check "packages of the browser tests" install_packages
  check "types of the browser tests" npm --prefix end2end run --silent types
  browser_tests
fi

say "" "${summary[@]}" ""
line="$passed passed, $failed failed"
[ "$skipped" -gt 0 ] && line+=", $skipped skipped"
say "$line" | tee "$logs/result"
[ "$failed" -eq 0 ]
