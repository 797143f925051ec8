#!/usr/bin/env bash
# Signs the receipt with the identity of this job. Nothing is attested by that: it is when somebody has verified it.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

bundle="$FOLDER/receipt.sigstore.json"
code=0
# Unlike the steps before, this one may ask for the job's identity. It runs nothing of the change.
shown lw receipt sign --sigstore --fulcio-url="$INPUT_FULCIO_URL" --rekor-url="$INPUT_REKOR_URL" \
  --home="$(home)" --out="$bundle" -- "$RUN" || code=$?
if [[ "$code" == 0 && -n "$INPUT_TRUSTED_ROOT" ]]; then
  cd -- "$INPUT_WORKING_DIRECTORY"
  shown lw receipt verify --sigstore="$bundle" --identity="$INPUT_IDENTITY" --issuer="$INPUT_ISSUER" \
    --trusted-root="$INPUT_TRUSTED_ROOT" -- "$RECEIPT" || code=$?
fi
output code "$code"
# What does not verify is not handed on.
[[ "$code" == 0 ]] || rm -f -- "$bundle"
[[ -f "$bundle" ]] && output bundle "$bundle" || output bundle ''
