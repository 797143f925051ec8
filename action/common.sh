# What the steps of the action share. Sourced, not run.
set -euo pipefail

lw() { node "$GITHUB_ACTION_PATH/dist/lw.cjs" "$@"; }

# A field of a JSON file, when it is a text; else nothing.
field() {
  node -e 'const { readFileSync } = require("node:fs");
    try { const value = JSON.parse(readFileSync(process.argv[1], "utf8"))[process.argv[2]]; if (typeof value === "string") process.stdout.write(value); } catch {}' "$1" "$2"
}

random() { od -An -v -N24 -tx1 /dev/urandom | tr -d ' \n'; }

# Ends the step with words that the job shows. They are our own: nothing of a stranger's is in them.
fail() {
  printf '::error title=Loopwright::%s\n' "$1"
  exit 1
}

# A value that nobody chose the end mark of: it may hold anything, and stays one output.
output() {
  local mark
  mark="loopwright-$(random)"
  printf '%s<<%s\n%s\n%s\n' "$1" "$mark" "$2" "$mark" >>"$GITHUB_OUTPUT"
}

# What a stranger prints is shown and not obeyed: the runner takes no commands until it reads a mark that only this shell knows.
# Both streams go one way, since the runner reads two of them in no order.
shown() {
  local mark code=0
  mark="$(random)"
  printf '::stop-commands::%s\n' "$mark"
  "$@" 2>&1 || code=$?
  printf '\n::%s::\n' "$mark"
  return "$code"
}

# Without the files and tokens that make a program part of this job: what is judged may run code of whoever wrote the change.
apart() {
  local name
  local -a without=()
  for name in $(compgen -e); do
    case "$name" in
      ACTIONS_* | GITHUB_ENV | GITHUB_PATH | GITHUB_OUTPUT | GITHUB_STATE | GITHUB_STEP_SUMMARY | GITHUB_TOKEN | GH_TOKEN | SIGSTORE_ID_TOKEN)
        without+=(-u "$name")
        ;;
    esac
  done
  env "${without[@]}" node "$GITHUB_ACTION_PATH/dist/lw.cjs" "$@"
}

home() { printf '%s' "${INPUT_HOME:-$RUNNER_TEMP/loopwright-home}"; }
