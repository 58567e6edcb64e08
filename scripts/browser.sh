#!/usr/bin/env bash
# Finds a browser that the tests can start: Playwright's own, then an installed Chromium or Chrome. Prints
# `playwright` for the first kind, the program's path for the second; fails where there is none.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

# Started for real: a browser's file can be there while the libraries that it needs are not.
starts() {
  (cd end2end && BROWSER_PATH=$1 timeout 60 node --input-type=module -e '
    import { chromium } from "@playwright/test";
    const browser = await chromium.launch({ executablePath: process.env.BROWSER_PATH || undefined });
    await browser.close();
  ') >/dev/null 2>&1
}

if starts ""; then
  echo playwright
  exit
fi
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  path=$(command -v "$name") || continue
  if starts "$path"; then
    echo "$path"
    exit
  fi
  warn "$path does not start"
done
exit 1
