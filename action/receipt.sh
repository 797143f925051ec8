#!/usr/bin/env bash
# Keeps the receipt of the judgement, and the public key that its signature is checked with.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

code=0
shown apart receipt export --home="$(home)" --out="$FOLDER/receipt.json" -- "$RUN" || code=$?
# Whoever checks the receipt later must know from elsewhere whose key this is: a job that throws its home away has a new one each time.
apart key export --home="$(home)" >"$FOLDER/loopwright.pub" || rm -f -- "$FOLDER/loopwright.pub"
output code "$code"
[[ "$code" == 0 && -f "$FOLDER/receipt.json" ]] && output receipt "$FOLDER/receipt.json" || output receipt ''
