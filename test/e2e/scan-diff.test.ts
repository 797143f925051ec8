// The diff scanner through its doors: text, file, repository, disk, lines, and what code hosts read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";

const TEST =
  'import { expect, it } from "vitest";\nimport { sum } from "./sum.ts";\n\nit("adds", () => {\n  expect(sum(1, 2)).toBe(3);\n});\n\nit("adds nothing", () => {\n  expect(sum()).toBe(0);\n});\n';
const LESS = TEST.slice(0, TEST.indexOf('it("adds nothing"'));

/** A commit, and one after it that lost a test. */
function loseTest({ repo }: Place): void {
  repo.commit("one", { files: { "src/sum.ts": "export const sum = (...all) => 0;\n", "src/sum.test.ts": TEST } });
  repo.commit("two", { files: { "src/sum.ts": "export const sum = (...all) => 3;\n", "src/sum.test.ts": LESS } });
}

function addFeature({ repo }: Place): void {
  repo.commit("one", { files: { "src/sum.ts": "export const sum = (...all) => 0;\n" } });
  repo.commit("two", {
    files: { "src/sum.ts": "export const sum = (...all) => all.reduce((a, b) => a + b, 0);\n", "src/sum.test.ts": TEST },
  });
}

describe("lw scan-diff", () => {
  it.each([
    ["an honest change", addFeature, 0, "clean"],
    ["a change that lost a test", loseTest, 5, "tampering"],
  ])("sees %s the same through every door", (_what, change, exit, verdict) =>
    inPlace(async (place) => {
      change(place);
      const diff = `${place.repo.git("diff", "HEAD~1")}\n`;
      const file = place.write("change.diff", diff);
      place.repo.git("reset", "--quiet", "--soft", "HEAD~1");
      const onDisk = await place.json(["scan-diff", "--repo", place.repo.dir, "--worktree"]);
      place.repo.commit("two again");

      const answers = [
        onDisk,
        await place.json(["scan-diff"], { input: diff }),
        await place.json(["scan-diff", "-"], { input: diff }),
        await place.json(["scan-diff", file]),
        await place.json(["scan-diff", "--repo", place.repo.dir, "--base", "HEAD~1", "--head", "main"]),
        await place.json(["scan-diff", "--base", "HEAD~1"], { cwd: place.repo.dir }),
      ];

      expect(answers.map((answer) => [answer.exit, answer.said.verdict])).toEqual(answers.map(() => [exit, verdict]));
    }),
  );

  it("tells people where, what and why", () =>
    inPlace(async (place) => {
      loseTest(place);

      const { exit, stdout } = await place.lw(["scan-diff", "--base", "HEAD~1"], { cwd: place.repo.dir });

      expect(exit).toBe(5);
      expect(stdout).toMatch(/^tampering: \d+ findings? in 2 changed files\n/);
      expect(stdout).toMatch(/\nsrc\/sum\.test\.ts(:\d+)? {2}high: /);
    }));

  it("sees a change that .gitattributes would hide from git diff", () =>
    inPlace(async (place) => {
      place.repo.write(".gitattributes", "*.ts -diff\n");
      loseTest(place);

      expect(place.repo.git("diff", "HEAD~1")).toContain("Binary files");
      expect((await place.lw(["scan-diff", "--base", "HEAD~1"], { cwd: place.repo.dir })).exit).toBe(5);
    }));

  it("sees on disk what git was told to ignore", () =>
    inPlace(async (place) => {
      place.repo.commit("one", { files: { "src/sum.test.ts": TEST } });
      place.repo.git("update-index", "--assume-unchanged", "src/sum.test.ts");
      place.repo.write("src/sum.test.ts", LESS);

      expect(place.repo.git("status", "--short")).toBe("");
      expect((await place.lw(["scan-diff", "--worktree"], { cwd: place.repo.dir })).exit).toBe(5);
    }));

  it("cannot tell of a diff that it does not fully understand", () =>
    inPlace(async (place) => {
      const input = "diff --git a/x.js b/x.js\n--- a/x.js\n+++ b/x.js\n@@ -1,9 +1,9 @@\n-a\n+b\n";

      const answer = await place.json(["scan-diff"], { input });

      expect([answer.exit, answer.said.verdict, answer.said.findings.length]).toEqual([4, "cannot-tell", 1]);
    }));

  it("answers many diffs in their order, also lines that it cannot read", () =>
    inPlace(async (place) => {
      loseTest(place);
      const bad = `${place.repo.git("diff", "HEAD~1")}\n`;
      const good = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-a\n+b\n";
      const input = `${JSON.stringify({ id: "bad", diff: bad })}\nnonsense\n${JSON.stringify({ id: 7, diff: good })}\n{"id":"none"}\n${JSON.stringify({ id: "half", diff: `${good}+c\n` })}`;

      const { exit, stdout } = await place.lw(["scan-diff", "--jsonl"], { input });

      const answers = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(exit).toBe(5);
      expect(answers.map(({ id, verdict }) => [id, verdict])).toEqual([
        ["bad", "tampering"],
        [null, "cannot-tell"],
        [7, "clean"],
        ["none", "cannot-tell"],
        ["half", "cannot-tell"],
      ]);
      expect(answers.flatMap(({ findings }) => findings).map((finding) => Object.keys(finding).join())).toEqual(
        answers.flatMap(({ findings }) => findings).map(() => "rule,severity,confidence,file,line,why"),
      );
    }));

  it("prints SARIF that names the rule, the file and the line", () =>
    inPlace(async (place) => {
      loseTest(place);

      const { exit, stdout } = await place.lw(["scan-diff", "--base", "HEAD~1", "--sarif"], { cwd: place.repo.dir });

      const log = JSON.parse(stdout);
      expect([exit, log.version]).toEqual([5, "2.1.0"]);
      const { tool, results } = log.runs[0];
      expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe("src/sum.test.ts");
      expect(tool.driver.rules[results[0].ruleIndex].id).toBe(results[0].ruleId);
    }));

  it("lists its rules with their examples", () =>
    inPlace(async (place) => {
      const { said } = await place.json(["scan-diff", "rules"]);

      expect(Object.keys(said.rules[0])).toEqual(["id", "severity", "why", "examples"]);
    }));

  it("reads diffs that are no UTF-8", () =>
    inPlace(async (place) => {
      const path = join(place.dir, "latin.diff");
      writeFileSync(path, Buffer.from("--- a/caf\u00e9.md\n+++ b/caf\u00e9.md\n@@ -1 +1 @@\n-a\n+\u00e9\n", "latin1"));

      const answer = await place.json(["scan-diff", path]);

      expect([answer.exit, answer.said.verdict, answer.said.files]).toEqual([0, "clean", 1]);
    }));

  it.each([
    ["nothing on stdin", [], 64],
    ["no such file", ["nowhere.diff"], 64],
    ["two files", ["a", "b"], 64],
    ["a repository without a base", ["--repo", "."], 64],
    ["two ends", ["--base", "a", "--head", "b", "--worktree"], 64],
    ["a file and a repository", ["x.diff", "--base", "a"], 64],
    ["no repository", ["--base", "main"], 64],
  ])("refuses %s", (_what, args, exit) => inPlace(async (place) => expect((await place.lw(["scan-diff", ...args])).exit).toBe(exit)));

  it("refuses a base that is not there, and says what to name", () =>
    inPlace(async (place) => {
      place.repo.commit("one");

      const { exit, stderr } = await place.lw(["scan-diff", "--base", "nowhere"], { cwd: place.repo.dir });

      expect(exit).toBe(64);
      expect(stderr).toContain("has no commit or tree called nowhere");
    }));

  it("takes an empty file for a change of nothing, and says so", () =>
    inPlace(async (place) => {
      const { exit, stdout, stderr } = await place.lw(["scan-diff", place.write("empty.diff", "")]);

      expect([exit, stdout, stderr]).toEqual([
        0,
        "clean: 0 findings in 0 changed files\n",
        "note: nothing changed, so there was nothing to look at\n",
      ]);
    }));
});
