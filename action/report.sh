#!/usr/bin/env bash
# Shows what was found, and says in one word how it ended.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ended="referee=${REFEREE:-},ledger=${LEDGER:-},receipt=${RECEIPT_CODE:-}"
[[ "$INPUT_SIGSTORE" == true ]] && ended="$ended,sigstore=${SIGSTORE:-}"
sarif="${SARIF:-/nonexistent/referee.sarif}"

lw annotate "$sarif" --ended "$ended" || true
lw annotate "$sarif" --summary --ended "$ended" >>"$GITHUB_STEP_SUMMARY" || true
answer="$(mktemp "$RUNNER_TEMP/loopwright-XXXXXX")"
code=0
lw annotate "$sarif" --json --ended "$ended" >"$answer" || code=$?
output verdict "$(field "$answer" verdict)"
output exit-code "$code"
