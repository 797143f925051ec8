import { afterAll, beforeAll, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { command } from "./command.ts";

// The `command` verifier with `results`, in real shells.
let ground: ProvingGround;
beforeAll(async () => {
  ground = await createProvingGround({ "a.txt": "a\n" }, { "out/results.tap": "1..1\nok 1 - planted\n" });
});
afterAll(() => ground.remove());

const TAP = { results: { format: "tap" } };
const FILE = { results: { format: "tap", file: "out/results.tap" } };

async function prove(run: string, options: object) {
  const { outcome, detail } = await proveWith(command, { run, ...options }, ground);
  return { outcome, detail };
}

const tap = (...points: readonly string[]) => `printf '1..${points.length}\\n${points.map((point) => `${point}\\n`).join("")}'`;

it.each<readonly [string, string, string, string]>([
  ["holds when all agree", tap("ok 1 - a", "ok 2 - b # SKIP"), "holds", ": 1 passed, 1 skipped"],
  ["names what failed", `${tap("ok 1 - a", "not ok 2 - b")}; exit 1`, "refuted", ": 1 passed, 1 failed\nfailed: b"],
  [
    "does not know when it exits zero over a failed test: one of the two is forged",
    tap("ok 1 - a", "not ok 2 - b"),
    "unknown",
    ", and its results name tests that failed, so one of the two is not true: 1 passed, 1 failed\nfailed: b",
  ],
  [
    "does not know when it fails over tests that all passed",
    `${tap("ok 1 - a")}; exit 3`,
    "unknown",
    ", and its results name no test that failed, so something other than a test did, or one of the two is not true: 1 passed",
  ],
  [
    "does not know when the process left in the middle with exit zero",
    "printf '1..3\\nok 1 - a\\n'; exit 0",
    "unknown",
    ", and its results cannot be relied on: its plan says 3 tests, and 1 came",
  ],
  [
    "does not know when nothing was printed",
    "exit 0",
    "unknown",
    ", and its results cannot be relied on: it has no plan, so it may be cut off; it names no test",
  ],
  ["does not know when every test was skipped", tap("ok 1 - a # SKIP"), "unknown", ", and no test passed, so nothing was shown: 1 skipped"],
  [
    "is refuted when it fails before there are results",
    "echo boom; exit 1",
    "refuted",
    ": no tests (not complete: it has no plan, so it may be cut off; it names no test)\nboom",
  ],
])("%s", async (_, run, outcome, detail) => {
  const seen = await prove(run, TAP);

  expect(seen.outcome).toBe(outcome);
  expect(seen.detail).toMatch(/^`[^`]*` exited \d/);
  expect(seen.detail.replace(/^`[^`]*` exited \d/, "").slice(0, detail.length)).toBe(detail);
});

it("reads the results from a file, and only from one that the command wrote itself", async () => {
  expect(await prove("true", FILE)).toEqual({
    outcome: "unknown",
    detail:
      "`true` exited 0, and its results cannot be relied on: the command wrote no out/results.tap, or no plain file of at most 32 MiB",
  });
  expect((await prove(`mkdir -p out && ${tap("ok 1 - a")} > out/results.tap`, FILE)).outcome).toBe("holds");
});

it("does not follow a link in the file's place", async () => {
  const link = `${tap("ok 1 - a")} > $HOME/forged.tap; mkdir -p out; ln -s $HOME/forged.tap out/results.tap`;

  expect((await prove(link, FILE)).outcome).toBe("unknown");
});

it("does not follow a folder that leads out of the copy, and says so", async () => {
  const { outcome, detail } = await prove(`rm -rf out; ln -s "$HOME" out; ${tap("ok 1 - a")} > out/results.tap`, FILE);

  expect(outcome).toBe("unknown");
  expect(detail).toBe('the path "out/results.tap" leads out of the copy or into its .git');
});

it("names twenty failed tests and counts the others", async () => {
  const points = Array.from({ length: 30 }, (_, n) => `not ok ${n + 1} - t${n + 1}`);

  const { detail } = await prove(`${tap(...points)}; exit 1`, TAP);

  expect(detail).toContain("failed: t1; t2; ");
  expect(detail).toContain("; t20; and 10 more");
});

it.each(["/etc/passwd", "../x", "a/../../x", "a//b", ".", "a/./b"])("refuses %s as a place for results", (file) => {
  expect(() => command.configure({ run: "x", results: { format: "tap", file } })).toThrow("must be a path inside the repository");
});

it.each(["report.xml", "a/b/report.xml", ".reports/x", "..x/y"])("takes %s as a place for results", (file) => {
  expect(() => command.configure({ run: "x", results: { file } })).not.toThrow();
});
