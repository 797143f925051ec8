#!/usr/bin/env bash
# Ends the job as the change deserves.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ "${CODE:-}" =~ ^[0-9]{1,3}$ ]] || fail 'The change was not judged.'
[[ "$CODE" == 0 && "$VERDICT" == done ]] && exit 0
[[ "$CODE" == 0 ]] && fail 'The change was not judged.'
printf '::error title=Loopwright::The change is refused (%s); the summary of the job says why.\n' "$CODE"
exit "$CODE"
