#!/usr/bin/env bash
# Judges the commit that is checked out against the base. A judgement of any kind is a good end of this step: the last step passes it on.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd -- "$INPUT_WORKING_DIRECTORY"
[[ -n "$INPUT_LOOP" ]] || fail 'There is no loop to judge by: set the input loop.'
[[ -n "$INPUT_BASE" ]] || fail 'There is nothing to compare with: this is no pull request, so set the input base.'
git rev-parse --git-dir >/dev/null 2>&1 || fail 'There is no git repository here: put actions/checkout before this action.'
[[ "$(git rev-parse --is-shallow-repository)" == false ]] ||
  fail 'This is a shallow clone, and what the change began from is not in it: give actions/checkout fetch-depth: 0.'

folder="$(mktemp -d "$RUNNER_TEMP/loopwright-XXXXXX")"
judge() {
  apart referee --base="$INPUT_BASE" --head=HEAD --loop="$INPUT_LOOP" --home="$(home)" --sarif="$folder/referee.sarif" --json \
    >"$folder/referee.json"
}
code=0
shown judge || code=$?

output code "$code"
output folder "$folder"
output run "$(field "$folder/referee.json" run)"
# A referee writes under a name of its own, beside the loop's.
loop="$(field "$folder/referee.json" loop)"
output loop "${loop%.referee}"
[[ -f "$folder/referee.sarif" ]] && output sarif "$folder/referee.sarif" || output sarif ''
