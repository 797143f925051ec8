import { afterEach, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { witness } from "./witness.ts";

// A project whose tests are shell scripts: every test/*.test.sh is a test, and `double` is what they test.
let ground: ProvingGround | undefined;
afterEach(() => ground?.remove());

const RUNNER = `n=0; bad=0
for f in test/*.test.sh; do
  n=$((n+1)); name=$(basename "$f" .test.sh)
  sh "$f" >/dev/null 2>&1; code=$?
  if [ $code = 0 ]; then echo "ok $n - $name"; elif [ $code = 99 ]; then echo "ok $n - $name # SKIP"; else echo "not ok $n - $name"; bad=1; fi
done
echo "1..$n"; exit $bad
`;
const BROKEN = 'echo "$1$1"\n';
const MENDED = "echo $(($1 * 2))\n";
const expects = (input: number, output: number) => `[ "$(sh double ${input})" = ${output} ]\n`;

const BASE = { "run.sh": RUNNER, double: BROKEN, "test/zero.test.sh": "[ -f double ]\n", "test/two.test.sh": expects(2, 4) };

async function prove(base: { readonly [path: string]: string }, proposed: { readonly [path: string]: string }, options: object = {}) {
  ground = await createProvingGround(base, proposed);
  const { outcome, detail } = await proveWith(witness, { run: "sh run.sh", results: { format: "tap" }, ...options }, ground);
  return { outcome, detail, runs: ground.commands.length };
}

it("holds when a test that failed on base passes on the proposal", async () => {
  expect(await prove(BASE, { double: MENDED })).toEqual({
    outcome: "holds",
    detail: "tests that fail without the change and pass with it (1): two\ntests that passed and still pass: 1",
    runs: 2,
  });
});

it("holds when a new test fails on base and passes on the proposal", async () => {
  expect(
    await prove({ "run.sh": RUNNER, double: BROKEN, "test/zero.test.sh": "true\n" }, { double: MENDED, "test/new.test.sh": expects(3, 6) }),
  ).toEqual({
    outcome: "holds",
    detail: "tests that fail without the change and pass with it (1): new\ntests that passed and still pass: 1",
    runs: 3,
  });
});

it("is refuted when only the test was changed to make it pass", async () => {
  const { outcome, detail } = await prove(BASE, { "test/two.test.sh": "true\n" });

  expect([outcome, detail]).toEqual([
    "refuted",
    "no test fails without the change and passes with it\ntests that pass without the change as well, and show nothing (1): two",
  ]);
});

it("is refuted when the failing test was made to be skipped", async () => {
  expect((await prove(BASE, { "test/two.test.sh": "exit 99\n" })).detail).toBe("tests that ran on base and are skipped now (1): two");
});

it("hands over a test in quarantine that failed in every run of the proposal and not on base", async () => {
  const base = { ...BASE, "test/wavers.test.sh": "[ ! -f spoilt ]\n" };
  ground = await createProvingGround(base, { double: MENDED, spoilt: "" });
  const { claim, world } = ground;
  const { outcome, detail } = await proveWith(
    witness,
    { run: "sh run.sh", results: { format: "tap" } },
    { claim: { ...claim, quarantined: ["wavers"] }, world },
  );

  expect([outcome, detail.split("\n")[0]]).toEqual([
    "unknown",
    "tests that base cannot make up its mind about failed in every one of 4 runs of the proposal, and passed on base: wavers",
  ]);
});

it.each([
  ["an impossible total", '<testsuite tests="NaN"><testcase name="two"/></testsuite>'],
  ["a total without end", '<testsuite tests="1e999"><testcase name="two"/></testsuite>'],
  ["a total below nothing", '<testsuite tests="-1"><testcase name="two"/></testsuite>'],
  ["results of last year", '<testsuite tests="1" timestamp="2001-01-02T03:04:05Z"><testcase name="two"/></testsuite>'],
])("proves nothing by %s", async (_, written) => {
  const run =
    'if [ -f mended ]; then cp kept.xml results.xml; else printf \'<testsuite tests="1"><testcase name="two"><failure/></testcase></testsuite>\' > results.xml; exit 1; fi\n';
  const results = { format: "junit", file: "results.xml" };

  expect((await prove({ ...BASE, "run.sh": run }, { mended: "", "kept.xml": written }, { results })).outcome).toBe("unknown");
});

it("compares exit codes where the spec asks for no results", async () => {
  expect(await prove(BASE, { double: MENDED }, { results: undefined })).toEqual({
    outcome: "holds",
    detail:
      "red without the change, green with it: exit 1 on base, 0 on the proposal; only exit codes were compared, since the spec asks for no `results`",
    runs: 2,
  });
});

it("runs no trial of the tests where nothing needs to be mended", async () => {
  const refactored = { double: `# tidied\n${BROKEN}`, "test/new.test.sh": "true\n" };

  expect(await prove({ ...BASE, "test/two.test.sh": expects(1, 11) }, refactored, { expect: "unchanged" })).toEqual({
    outcome: "holds",
    detail: "2 tests passed on base and still pass; none is gone, skipped or broken",
    runs: 2,
  });
});

it("does not know what was tested when the proposal's run writes to tracked files that base's leaves alone", async () => {
  const rewrites = "printf 'echo $(($1 * 2))\\n' > double.new; cp double.new double\n";

  expect(await prove(BASE, { double: 'echo "$1$1" # no better\n', "test/a.test.sh": rewrites })).toMatchObject({
    outcome: "unknown",
    detail: "files of the proposal were written to while it was checked, so that something else was checked: double",
  });
});

it("does not mind tracked files that the checks write to on base as well", async () => {
  const habit = { ...BASE, "run.sh": `echo built > built.txt\n${RUNNER}`, "built.txt": "old\n" };

  expect((await prove(habit, { double: MENDED })).outcome).toBe("holds");
});
