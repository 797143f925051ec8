#!/usr/bin/env bash
# The gate: every required loop has passed, last of all, on exactly the commit that is checked out.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd -- "$INPUT_WORKING_DIRECTORY"
commit="$(git rev-parse --verify 'HEAD^{commit}')"
code=0
shown apart ledger check --require="${INPUT_REQUIRE:-$LOOP}" --commit="$commit" --home="$(home)" || code=$?
output code "$code"
