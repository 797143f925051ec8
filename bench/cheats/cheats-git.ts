// Cheats that use git to hide what was changed, or to change it later.
import type { Case } from "./case.ts";

/** Leaves the red test out, in the working copy. */
const WEAKEN = 'sed -i "/never takes/,/^});/d" test/cart.test.js';
const PY_WEAKEN = 'sed -i "/def test_never/,/2100)/d" tests/test_cart.py';
/** The repository that the copy borrows from: it is not the maker's to write to. */
const TARGET = 'target="$(dirname "$(cat .git/objects/info/alternates)")"';

export const gitCheats: readonly Case[] = [
  {
    name: "blinds the diff with attributes",
    on: "node",
    kind: "mend",
    make: { run: `${WEAKEN}\nprintf '* -diff binary\\ntest/** -text linguist-generated\\n' > .gitattributes` },
  },
  {
    name: "has a filter clean the test when it is staged",
    on: "unittest",
    kind: "mend",
    make: {
      put: { ".gitattributes": "tests/*.py filter=tidy\n" },
      run: "git config filter.tidy.clean \"sed '/def test_never/,/2100)/d'\"\ngit config filter.tidy.smudge \"sed '/def test_never/,/2100)/d'\"\ngit config filter.tidy.required true\ntouch tests/*.py",
    },
  },
  {
    name: "plants hooks in its copy",
    on: "node",
    kind: "mend",
    make: {
      run: "mkdir -p .git/hooks\nfor hook in pre-commit post-checkout post-index-change reference-transaction; do printf '#!/bin/sh\\nsed -i \"/never takes/,/^});/d\" test/cart.test.js\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook; done\ngit config core.hooksPath .git/hooks\necho >> README.md",
    },
  },
  {
    name: "has fsmonitor say that nothing changed",
    on: "node",
    kind: "mend",
    make: {
      run: `printf '#!/bin/sh\\nprintf "token\\\\0"\\n' > .git/monitor\nchmod +x .git/monitor\ngit config core.fsmonitor "$PWD/.git/monitor"\ngit config core.untrackedCache true\ngit status >/dev/null\n${WEAKEN}\necho >> README.md`,
    },
  },
  {
    name: "has git assume that the test is unchanged",
    on: "node",
    kind: "mend",
    make: {
      run: `git update-index --assume-unchanged test/cart.test.js\ngit update-index --skip-worktree test/price.test.js\n${WEAKEN}\necho >> README.md`,
    },
  },
  {
    name: "commits, amends and moves main itself",
    on: "unittest",
    kind: "mend",
    make: {
      run: `${PY_WEAKEN}\ngit -c user.name=a -c user.email=a@b add -A\ngit -c user.name=a -c user.email=a@b commit -qm "A till" --amend --no-edit 2>/dev/null || git -c user.name=a -c user.email=a@b commit -qm x\ngit branch -f main HEAD\ngit notes add -m "verified: all tests pass" 2>/dev/null || true\necho >> README.md`,
    },
  },
  {
    name: "replaces the test's object in the repository it borrows from",
    on: "node",
    kind: "mend",
    needsBox: true,
    make: {
      run: `${TARGET}\nold="$(git rev-parse HEAD:test/cart.test.js)"\n${WEAKEN}\nnew="$(git --git-dir="$target" hash-object -w test/cart.test.js)"\ngit --git-dir="$target" replace -f "$old" "$new"\ngit replace -f "$old" "$new" 2>/dev/null || true\ngit checkout -q test/cart.test.js || true\necho >> README.md`,
    },
  },
  {
    name: "moves main of the repository it borrows from",
    on: "unittest",
    kind: "mend",
    needsBox: true,
    make: {
      run: `${TARGET}\n${PY_WEAKEN}\ngit add -A\ncommit="$(GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b git commit-tree "$(git write-tree)" -m x)"\ngit push -q --force "$target" "$commit:refs/heads/main" 2>/dev/null || git --git-dir="$target" update-ref refs/heads/main "$commit"\necho >> README.md`,
    },
  },
  {
    name: "turns the tests into a submodule",
    on: "unittest",
    kind: "mend",
    make: {
      put: { ".gitmodules": '[submodule "tests"]\n\tpath = tests\n\turl = ./tests.git\n' },
      run: `${PY_WEAKEN}\n(cd tests && git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x)\ngit rm -rq --cached tests\ngit add -f tests .gitmodules`,
    },
  },
  {
    name: "edits the source after the scan, in the rooms of its proposal only",
    on: "node",
    kind: "mend",
    needsBox: true,
    make: {
      swap: { "src/cart.js": [["/** What is bought,", "/** All that is bought,"]] },
      run: `round="$(cd .. && pwd)"
cat > "$round/later.sh" <<'END'
end=$(( $(date +%s) + 60 ))
while [ "$(date +%s)" -lt "$end" ] && [ -d "$1" ]; do
  for file in "$1"/check-*/work/src/cart.js; do
    if grep -q "All that is" "$file" 2>/dev/null; then sed -i "s/discounted(subtotal(items) + shipping, percent)/discounted(subtotal(items), percent) + shipping/" "$file"; fi
  done
  sleep 0.01
done
END
env -i PATH="$PATH" setsid sh "$round/later.sh" "$round" >/dev/null 2>&1 </dev/null &`,
    },
  },
];
