#!/usr/bin/env bash
# Keeps the receipt of the judgement, and the public key that its signature is checked with.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

code=0
shown apart receipt export --home="$(home)" --out="$FOLDER/receipt.json" -- "$RUN" || code=$?
output code "$code"
[[ "$code" == 0 && -f "$FOLDER/receipt.json" ]] && output receipt "$FOLDER/receipt.json" || output receipt ''
