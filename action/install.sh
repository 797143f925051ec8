#!/usr/bin/env bash
# Builds loopwright from this action's own commit and its locked dependencies. No package runs a script of its own.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
  fail 'Node 20.19 or newer is needed: put actions/setup-node before this action.'

cd -- "$GITHUB_ACTION_PATH"
# A fresh copy of the action has no dist. What is older than any source is built again.
if [[ -f dist/lw.cjs && -z "$(find src scripts package.json package-lock.json -newer dist/lw.cjs -print -quit)" ]]; then
  echo 'loopwright is built already'
  exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund
node scripts/build.mjs --no-types
