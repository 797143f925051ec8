// What differs about a process itself: who it is, how it was called, by whom, and what lies beside it. Each tried by a real command that looks.
import { afterEach, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { chooseConditions, readMeans } from "./conditions.ts";
import { isomorphic } from "./isomorphic.ts";

let ground: ProvingGround | undefined;
afterEach(() => ground?.remove());

async function prove(
  files: { readonly [path: string]: string },
  options: { readonly run: string; readonly conditions: readonly string[] },
) {
  ground = await createProvingGround({ "a.txt": "a\n" }, files);
  const { outcome, detail } = await proveWith(isomorphic, options, ground);
  return [outcome, detail.split("\n")[0]!];
}

const askedOf = (run: string, ...names: Parameters<typeof chooseConditions>[0]) =>
  chooseConditions(names, { means: readMeans("means:timeout"), run, pinned: {}, goFlags: undefined });

it.each([
  ["user", "another USER and LOGNAME", '[ "$USER" != somebody ]\n'],
  ["parent", "another parent process", '! grep -q timeout "/proc/$PPID/comm"\n'],
  ["git", "a .git that is a file and names a folder elsewhere, as in a worktree", "[ -d .git ]\n"],
])("finds a gap where a check goes by its %s", async (condition, what, script) => {
  expect(await prove({ "check.sh": script }, { run: "sh check.sh", conditions: [condition] })).toEqual([
    "gap",
    `holds under the usual conditions, and not with ${what}: \`sh check.sh\` exited 1`,
  ]);
});

it("finds a gap where a check goes by the arguments of its runner", async () => {
  const files = { "test/a.test.js": 'if (process.execArgv.some((word) => word.startsWith("--title"))) process.exitCode = 1;\n' };

  const [outcome, detail] = await prove(files, { run: "node --test", conditions: ["arguments"] });

  expect([outcome, detail]).toEqual(["gap", expect.stringMatching(/^holds under the usual conditions, and not with one argument more/)]);
});

it("leaves git as useful as it was, and what is beside it as it is", async () => {
  const script = "git rev-parse --verify --quiet HEAD >/dev/null && git diff --quiet && test -f a.txt\n";

  expect((await prove({ "check.sh": script }, { run: "sh check.sh", conditions: ["user", "parent", "git"] }))[0]).toBe("holds");
});

it.each([
  ["pytest -q", "pytest --color=no -q"],
  ["python3 -m pytest tests", "python3 -m pytest --color=no tests"],
  ["node --enable-source-maps --test test/", "node --title=tests --enable-source-maps --test test/"],
  ["npx jest", "npx jest --no-colors"],
  ["mocha --recursive", "mocha --no-color --recursive"],
  ["go test -json ./...", "go test -count=1 -json ./..."],
])("gives %s one argument more", (run, more) => {
  expect(askedOf(run, "arguments").conditions.map(({ wrap }) => wrap(run))).toEqual([more]);
});

it.each(["npm test", "pytest && echo ok", "pytest > out", "node build.js", "pytest-watch", "go test $(list)", "sh check.sh"])(
  "leaves the arguments of %s alone, and says so",
  (run) => {
    expect(askedOf(run, "arguments", "parent")).toEqual({
      conditions: [expect.objectContaining({ name: "parent" })],
      leftOut: ["one argument more, which changes nothing (no argument is known that changes nothing of what this command does)"],
    });
  },
);
