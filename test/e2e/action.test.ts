// The GitHub Action, by running its steps: everything but GitHub itself, and other people's actions, is real.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { type Action, type JobAbout, type JobRun, runAction } from "../support/action-runner.ts";
import { createYard, type TestRepo } from "../support/git-repo.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const text = readFileSync(join(ROOT, "action.yml"), "utf8");
const action: Action = parse(text);
const workflow = parse(readFileSync(join(ROOT, "examples/github-workflow.yml"), "utf8"));
const { steps } = action.runs;

describe("action.yml", () => {
  it("is composite, and every step of ours is a file that stops at the first mistake", () => {
    expect(action.runs.using).toBe("composite");
    expect(
      steps
        .filter(({ run }) => run !== undefined)
        .map(({ shell, run }) => [shell, /^bash "\$GITHUB_ACTION_PATH\/action\/[a-z]+\.sh"$/.test(run!)]),
    ).toEqual(steps.filter(({ run }) => run !== undefined).map(() => ["bash", true]));
    expect(readFileSync(join(ROOT, "action/common.sh"), "utf8")).toContain("set -euo pipefail");
    const scripts = readdirSync(join(ROOT, "action")).filter((file) => file !== "common.sh");
    expect(scripts.filter((file) => !readFileSync(join(ROOT, "action", file), "utf8").includes('/common.sh"'))).toEqual([]);
    expect(scripts.toSorted()).toEqual(steps.flatMap(({ run }) => /action\/([a-z]+\.sh)/.exec(run ?? "")?.[1] ?? []).toSorted());
  });

  it("uses other people's actions by their full commit only, with the version beside it", () => {
    const lines = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, line]) => line!);

    expect(lines.length).toBe(steps.filter(({ uses }) => uses).length);
    expect(lines.filter((line) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it("puts nothing from outside into a script: values come by the environment", () => {
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
    expect(readdirSync(join(ROOT, "action")).filter((file) => readFileSync(join(ROOT, "action", file), "utf8").includes("${{"))).toEqual(
      [],
    );
  });

  it("gives its own example of a workflow: pinned, with the least permissions, and only inputs that there are", () => {
    const [checkout, referee] = workflow.jobs.referee.steps;

    expect(workflow.on).toBe("pull_request");
    expect(workflow.permissions).toEqual({ contents: "read", "security-events": "write", "id-token": "write" });
    expect([checkout.uses, referee.uses].filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    expect(checkout.with).toEqual({ "fetch-depth": 0, "persist-credentials": false });
    expect(Object.keys(referee.with).filter((name) => !(name in action.inputs))).toEqual([]);
  });
});

let actionPath: string;
beforeAll(() => {
  actionPath = realpathSync(mkdtempSync(join(tmpdir(), "lw-action-")));
  for (const part of ["action", "src", "scripts", "package.json", "package-lock.json"])
    cpSync(join(ROOT, part), join(actionPath, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(ROOT, "node_modules"), join(actionPath, "node_modules"));
  // What was built for all end-to-end tests stands in for a build in the job: it is newer than the sources, and the step says so.
  cpSync(join(inject("build").folder, "dist"), join(actionPath, "dist"), { recursive: true });
});
afterAll(() => rmSync(actionPath, { recursive: true, force: true }));

const yard = createYard();
let temp: string;
beforeEach(() => {
  temp = join(yard.newFolder(), "runner");
  mkdirSync(temp);
});
afterEach(() => yard.clear());

const job = (repo: TestRepo, other: Partial<JobAbout> & Pick<JobAbout, "inputs">): JobRun =>
  runAction(action, { actionPath, workspace: repo.dir, temp, ...other });

const LOOP = (check: string) => `name: shop
intent: Keep the shop right.
level: L2
target: { repo: ., base: main }
maker: { use: scripted, with: { scenes: [] } }
verifiers:
  - use: command
    with: { run: ${JSON.stringify(check)} }
`;

const GOOD = "export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n";
const TEST =
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "../src/total.js";\ntest("empty", () => assert.equal(total([]), 0));\n';

/** A shop whose test is red, with a loop that asks for it to be green. */
function makeShop(check = "node --test"): { readonly repo: TestRepo; readonly base: string } {
  const repo = yard.newRepo();
  const base = repo.commit("A shop with a bug", {
    files: {
      "package.json": '{ "name": "shop", "type": "module", "private": true }\n',
      ".loopwright/shop.loop.yaml": LOOP(check),
      "src/total.js": GOOD.replace(", 0)", ")"),
      "test/total.test.js": TEST,
    },
  });
  return { repo, base };
}
