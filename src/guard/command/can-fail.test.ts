import { expect, it } from "vitest";
import { canFail } from "./can-fail.ts";

const NEVER: readonly string[] = [
  "true",
  ":",
  "/bin/true",
  "",
  "# TODO: npm test",
  "echo 'TODO: write a check'",
  'echo "Error: no test specified"',
  "printf ok\n",
  "exit 0",
  "exit",
  "npm test || true",
  "npm test || :",
  "npm test || exit 0",
  "npm test; echo done",
  "npm test; exit 0",
  "npm test &",
  "npm test | true",
  "(npm test || true)",
  "{ npm test; true; }",
  "true && echo ok",
  "sh -c 'echo ok'",
  "bash -lc 'npm test || true'",
  "env CI=1 true",
  "command echo ok",
  "echo $HOME",
  "npm test > /dev/null || true",
  "X=1",
  "set -e; true",
  "if npm test; then echo ok; else echo bad; fi",
  // No branch is taken, and that ends well.
  "if npm test; then true; fi",
  'trap "exit 0" EXIT; npm test',
  "trap 'rm -f x; exit 0' EXIT ERR; npm test",
  'node -e "process.exit(0)"',
  `python3 -c "import sys; print('ok'); sys.exit(0)"`,
];

const MAY: readonly string[] = [
  "npm test",
  "npm test && echo ok",
  "echo start && npm test",
  "echo start; npm test",
  "set -e; npm test; echo done",
  "sh -ec 'npm test; echo done'",
  "set -o pipefail; npm test | true",
  "! grep -r TODO src",
  "false",
  "exit 1",
  'echo "Error: no test specified" && exit 1',
  "test -f x",
  "[ -f x ]",
  "if npm test; then true; else false; fi",
  "set -e; (npm test; echo done)",
  "set -e; if true; then npm test; echo done; fi",
  'trap "rm -f x" EXIT; npm test',
  'node -e "require(1)"',
  'node -e "process.exit(1)"',
  'python3 -c "import app"',
  "echo ok > /somewhere/else",
  "$CHECK",
  "sh ./check.sh",
  "npm run check || npm run other",
  "echo 'unclosed",
];

it.each(NEVER)("knows that %j cannot fail", (command) => {
  expect(canFail(command)).toBe(false);
});

it.each(MAY)("takes %j for a check", (command) => {
  expect(canFail(command)).toBe(true);
});

it("looks at the script that a package manager would run, where it is known", () => {
  const scripts = new Map([
    ["test", 'echo "Error: no test specified"'],
    ["check", "npm test"],
    ["real", "vitest run"],
  ]);

  expect(
    ["npm test", "npm run test", "npm t", "yarn test", "pnpm run --silent check", "npm run real", "npm run unknown"].map((run) =>
      canFail(run, scripts),
    ),
  ).toEqual([false, false, false, false, false, true, true]);
});

it("does not follow scripts that call each other for ever", () => {
  expect(canFail("npm test", new Map([["test", "npm test"]]))).toBe(true);
});
