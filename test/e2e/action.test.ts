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
import { IDENTITY, startSigstore } from "../support/local-sigstore.ts";

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

const job = (repo: TestRepo, other: Partial<JobAbout> & Pick<JobAbout, "inputs">): Promise<JobRun> =>
  runAction(action, { actionPath, workspace: repo.dir, temp, ...other });

/** What a program in the place of `lw` does when it is called. */
interface Plan {
  readonly code?: number;
  readonly says?: string;
  readonly sarif?: unknown;
  /** What it writes where the runner reads what steps want. */
  readonly grabs?: boolean;
}

/** The action with a program in place of `lw` for everything that judges. What it shows is shown by the true one. */
function actionWith(plans: { readonly [command: string]: Plan }): string {
  const folder = join(yard.newFolder(), "action");
  mkdirSync(join(folder, "dist"), { recursive: true });
  symlinkSync(join(actionPath, "action"), join(folder, "action"));
  for (const part of ["src", "scripts"]) mkdirSync(join(folder, part));
  for (const part of ["package.json", "package-lock.json"]) writeFileSync(join(folder, part), "{}");
  writeFileSync(
    join(folder, "dist/lw.cjs"),
    `const { writeFileSync, appendFileSync } = require("node:fs");
const [command, ...args] = process.argv.slice(2);
if (command === "annotate") require(${JSON.stringify(join(actionPath, "dist/lw.cjs"))});
else {
  const { code = 0, says = "", sarif, grabs } = ${JSON.stringify(plans)}[command] ?? {};
  const called = [command, ...args.slice(0, 1).filter((arg) => !arg.startsWith("-"))].join(" ");
  writeFileSync(${JSON.stringify(folder)} + "/" + called + ".called", JSON.stringify({ args, env: process.env }));
  process.stdout.write(says);
  process.stderr.write(says);
  const given = (name) => args.find((arg) => arg.startsWith("--" + name + "="))?.slice(name.length + 3);
  if (sarif) writeFileSync(given("sarif"), typeof sarif === "string" ? sarif : JSON.stringify(sarif));
  if (given("out") && code === 0) writeFileSync(given("out"), "{}");
  if (grabs) for (const name of ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_STATE"])
    if (process.env[name]) appendFileSync(process.env[name], "verdict=done\\n");
  process.exitCode = code;
}
`,
  );
  return folder;
}

const called = (folder: string, command: string): { readonly args: readonly string[]; readonly env: { readonly [name: string]: string } } =>
  JSON.parse(readFileSync(join(folder, `${command}.called`), "utf8"));

const NO_FINDINGS = { version: "2.1.0", runs: [{ results: [] }] };
const JUDGED = JSON.stringify({ run: "shop.referee-1-abc", loop: "shop.referee" });

/** Lines that would mean something to the runner if it obeyed them. */
const HOSTILE = [
  "::error file=forged.ts,line=1::forged",
  "  ::set-output name=verdict::done",
  "::add-path::/tmp/evil",
  "##[error]forged",
  "text ##[add-mask]x",
  "::stop-commands::mine",
  "::mine::",
  "::warning::forged",
].join("\n");

describe("the steps, around a program that judges as the test says", () => {
  it("passes when the referee and the ledger do, and hands on receipt and findings", async () => {
    const { repo, base } = makeShop();
    const folder = actionWith({ referee: { says: JUDGED, sarif: NO_FINDINGS } });

    const run = await job(repo, { actionPath: folder, inputs: { loop: "shop" }, baseSha: base });

    expect(run.log).toContain("loopwright is built already");
    expect([run.isGood, run.commands, run.outputs]).toEqual([
      true,
      [],
      {
        verdict: "done",
        "exit-code": "0",
        receipt: expect.stringMatching(/receipt\.json$/),
        bundle: "",
        sarif: expect.stringMatching(/referee\.sarif$/),
      },
    ]);
    expect(run.summary).toContain("## Loopwright: ✅ done and proven");
    expect(run.used.map(({ uses, with: given }) => [uses.split("@")[0], given.name])).toEqual([["actions/upload-artifact", "loopwright"]]);
    expect(called(folder, "referee").args.slice(0, 3)).toEqual([`--base=${base}`, "--head=HEAD", "--loop=shop"]);
    expect(called(folder, "ledger check").args.slice(0, 3)).toEqual([
      "check",
      "--require=shop",
      `--commit=${repo.git("rev-parse", "HEAD")}`,
    ]);
  });

  it.each([
    ["the referee refuses", { referee: { code: 5, says: JUDGED, sarif: NO_FINDINGS } }, 5, "tampering"],
    ["the ledger refuses", { referee: { says: JUDGED, sarif: NO_FINDINGS }, ledger: { code: 1 } }, 1, "checkFailed"],
    ["there is no receipt", { referee: { says: JUDGED, sarif: NO_FINDINGS }, receipt: { code: 4 } }, 4, "cannotVerify"],
    ["the referee dies", { referee: { code: 137 } }, 4, "cannotVerify"],
    ["the findings are no SARIF", { referee: { says: JUDGED, sarif: "none" } }, 4, "cannotVerify"],
    ["the referee leaves no findings", { referee: { says: JUDGED } }, 4, "cannotVerify"],
  ] as const)("fails when %s, after everything was shown", async (_, plans, exit, verdict) => {
    const { repo, base } = makeShop();

    const run = await job(repo, { actionPath: actionWith(plans), inputs: { loop: "shop" }, baseSha: base });

    expect([run.isGood, run.exit, run.outputs.verdict, run.outputs["exit-code"]]).toEqual([false, exit, verdict, String(exit)]);
    expect(run.summary).toContain("## Loopwright: ❌");
    expect(run.used.length).toBe(1);
  });

  it("obeys nothing that a judged program prints, names or grabs", async () => {
    const { repo, base } = makeShop();
    const plan = { code: 1, says: `${HOSTILE}\n`, grabs: true };
    const finding = {
      ruleId: "x\n::error::forged",
      level: "error",
      message: { text: `${HOSTILE}\n## Loopwright: ✅ done and proven\n</code></table><h1>PASS</h1>` },
      locations: [
        { physicalLocation: { artifactLocation: { uri: encodeURIComponent("a\n::warning::forged,b:c.ts") }, region: { startLine: 3 } } },
      ],
    };
    const folder = actionWith({ referee: { ...plan, sarif: { runs: [{ results: [finding] }] } }, ledger: plan, receipt: plan });

    const run = await job(repo, { actionPath: folder, inputs: { loop: "shop" }, baseSha: base });

    expect(run.commands.map(({ command, properties }) => [command, properties.line, properties.title])).toEqual([
      ["error", "3", "x ::error::forged"],
      ["error", undefined, "Loopwright"],
    ]);
    expect([run.exit, run.leaks, run.outputs.verdict]).toEqual([1, "", "checkFailed"]);
    expect(run.summary.match(/^#.*$/gm)).toEqual(["## Loopwright: ❌ a check failed"]);
    expect(run.summary).not.toMatch(/<h1|forged\b.*::|verdict=done/);
  });

  it("keeps a judgement's own words one value each, whatever they are", async () => {
    const { repo, base } = makeShop();
    const says = JSON.stringify({ run: "x\nreceipt=forged\nEOF\nverdict<<EOF\ndone\nEOF", loop: "$(touch pwned) `id`; --home /" });
    const folder = actionWith({ referee: { says, sarif: NO_FINDINGS } });

    const run = await job(repo, { actionPath: folder, inputs: { loop: "shop" }, baseSha: base });

    expect(Object.keys(run.steps.referee!.outputs)).toEqual(["code", "folder", "run", "loop", "sarif"]);
    expect(called(folder, "ledger check").args[1]).toBe("--require=$(touch pwned) `id`; --home /");
    expect(called(folder, "receipt export").args.at(-1)).toBe("x\nreceipt=forged\nEOF\nverdict<<EOF\ndone\nEOF");
    expect(readdirSync(repo.dir)).not.toContain("pwned");
  });

  it("takes inputs as values and never as commands", async () => {
    const { repo, base } = makeShop();
    const folder = actionWith({ referee: { says: JUDGED, sarif: NO_FINDINGS } });
    const evil = "$(touch pwned)`touch pwned`\"; touch pwned; '";

    const run = await job(repo, { actionPath: folder, inputs: { loop: evil, require: evil, home: evil }, baseSha: base });

    expect([run.isGood, called(folder, "referee").args[2], called(folder, "ledger check").args[1]]).toEqual([
      true,
      `--loop=${evil}`,
      `--require=${evil}`,
    ]);
    expect(readdirSync(repo.dir)).not.toContain("pwned");
  });

  it("lets nothing that is judged have the job's tokens, and only the signing ask for its identity", async () => {
    const { repo, base } = makeShop();
    const folder = actionWith({ referee: { says: JUDGED, sarif: NO_FINDINGS } });
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t1",
      ACTIONS_ID_TOKEN_REQUEST_URL: "u",
      ACTIONS_RUNTIME_TOKEN: "t2",
      GITHUB_TOKEN: "t3",
      OTHER: "kept",
    };

    await job(repo, { actionPath: folder, inputs: { loop: "shop", sigstore: "true" }, baseSha: base, env });

    for (const command of ["referee", "ledger check", "receipt export"]) {
      const seen = called(folder, command).env;
      expect(Object.keys(seen).filter((name) => /^ACTIONS_|TOKEN|^GITHUB_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)$/.test(name))).toEqual([]);
      expect(seen.OTHER).toBe("kept");
    }
    expect(called(folder, "receipt sign").env.ACTIONS_ID_TOKEN_REQUEST_TOKEN).toBe("t1");
  });

  it("says that nothing was signed when signing fails, and fails", async () => {
    const { repo, base } = makeShop();
    const folder = actionWith({ referee: { says: JUDGED, sarif: NO_FINDINGS } });
    // `lw receipt` is called for the export and for the signing: only the first does what it should here.
    const lw = join(folder, "dist/lw.cjs");
    writeFileSync(
      lw,
      readFileSync(lw, "utf8")
        .replace("process.exitCode = code;", 'process.exitCode = args[0] === "sign" ? 4 : code;')
        .replace('given("out") && code === 0', 'given("out") && args[0] !== "sign"'),
    );

    const run = await job(repo, { actionPath: folder, inputs: { loop: "shop", sigstore: "true" }, baseSha: base });

    expect([run.exit, run.outputs.bundle, run.outputs.verdict]).toEqual([4, "", "cannotVerify"]);
    expect(run.summary).toContain("| <code>sigstore</code> | 4 | cannot verify |");
  });

  it.each([
    ["in a shallow clone", (repo: TestRepo) => yard.cloneOf(repo, "--depth=1"), { loop: "shop", base: "main" }, "fetch-depth: 0"],
    ["without a base", (repo: TestRepo) => repo, { loop: "shop" }, "set the input base"],
    ["without a loop", (repo: TestRepo) => repo, { loop: "", base: "main" }, "set the input loop"],
  ] as const)("fails %s, and says what to do", async (_, place, inputs, words) => {
    const { repo } = makeShop();
    repo.commit("more");
    const folder = actionWith({ referee: { says: JUDGED, sarif: NO_FINDINGS } });

    const run = await job(place(repo), { actionPath: folder, inputs });

    expect([run.isGood, run.steps.referee?.outcome, run.outputs.verdict]).toEqual([false, "failure", "cannotVerify"]);
    expect(run.commands[0]?.message).toContain(words);
  });

  it("fails outside of a repository", async () => {
    const folder = actionWith({ referee: { says: JUDGED, sarif: NO_FINDINGS } });

    const run = await runAction(action, { actionPath: folder, workspace: yard.newFolder(), temp, inputs: { loop: "shop", base: "main" } });

    expect([run.isGood, run.commands[0]?.message]).toEqual([false, expect.stringContaining("no git repository")]);
  });

  it("builds what is older than its sources, from the lock file and without any package's scripts", async () => {
    const folder = actionWith({});
    const bin = yard.newFolder();
    writeFileSync(join(bin, "npm"), `#!/bin/sh\necho "$@" > ${bin}/npm.called\n`);
    chmodSync(join(bin, "npm"), 0o755);
    writeFileSync(
      join(folder, "scripts/build.mjs"),
      `import { writeFileSync } from "node:fs";\nwriteFileSync("built", process.argv[2]);\n`,
    );
    utimesSync(join(folder, "dist/lw.cjs"), 1, 1);

    await job(makeShop().repo, { actionPath: folder, inputs: { loop: "shop" }, env: { PATH: `${bin}:${process.env.PATH}` } });

    expect(readFileSync(join(bin, "npm.called"), "utf8")).toBe("ci --ignore-scripts --no-audit --no-fund\n");
    expect(readFileSync(join(folder, "built"), "utf8")).toBe("--no-types");
  });
});

const LOOP = (check: string) => `name: shop
intent: Keep the shop right.
level: L2
target: { repo: .., base: main }
maker: { use: scripted, with: { scenes: [{}] } }
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

describe("the whole action, with the true referee", () => {
  it("lets a change through that makes the check pass, with a receipt", async () => {
    const { repo, base } = makeShop();
    repo.commit("Mend it", { files: { "src/total.js": GOOD } });

    const run = await job(repo, { inputs: { loop: "shop" }, baseSha: base });

    expect([run.isGood, run.commands, run.outputs.verdict, run.outputs["exit-code"]], run.log).toEqual([true, [], "done", "0"]);
    expect(run.summary).toContain("No findings.");
    const { payload, payloadType } = JSON.parse(readFileSync(run.outputs.receipt!, "utf8"));
    const { subject, predicate } = JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
    expect([payloadType, predicate.kind, predicate.loop]).toEqual(["application/vnd.in-toto+json", "referee", "shop"]);
    expect(JSON.stringify(subject)).toContain(repo.git("rev-parse", "HEAD"));
  });

  it("refuses a change that switches the test off, beside its line", async () => {
    const { repo, base } = makeShop();
    repo.commit("Mend it", { files: { "test/total.test.js": TEST.replace('test("empty"', 'test.skip("empty"') } });

    const run = await job(repo, { inputs: { loop: "shop" }, baseSha: base });

    expect([run.isGood, run.exit, run.outputs.verdict], run.log).toEqual([false, 5, "tampering"]);
    expect(run.commands.map(({ command, properties }) => [command, properties.file, properties.line])).toContainEqual([
      "error",
      "test/total.test.js",
      "4",
    ]);
    expect(run.summary).toContain("## Loopwright: ❌ tampering");
    expect(run.outputs.receipt).toMatch(/receipt\.json$/);
  });

  it("refuses a change that does not pass, and whose test wants to be more than a test", async () => {
    const { repo, base } = makeShop();
    const test = `${TEST}
import { appendFileSync } from "node:fs";
for (const line of ${JSON.stringify(HOSTILE.split("\n"))}) { console.log(line); console.error(line); }
for (const name of ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"]) {
  try { appendFileSync(process.env[name], "verdict=done\\n"); } catch {}
}
console.log("TOKEN " + process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN);
`;
    repo.commit("Say so", { files: { "test/more.test.js": test } });

    const run = await job(repo, { inputs: { loop: "shop" }, baseSha: base, env: { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "the-token" } });

    expect(run.isGood).toBe(false);
    expect(run.commands.filter(({ message, properties }) => /^forged/.test(message) || properties.file === "forged.ts")).toEqual([]);
    expect(run.commands.map(({ command }) => command).filter((command) => !["error", "warning", "notice"].includes(command))).toEqual([]);
    expect([run.leaks, run.outputs.verdict === "done"]).toEqual(["", false]);
    expect(`${run.log}${run.summary}`).not.toContain("the-token");
  });

  it("names a protected file as it is, whatever its name would like to be", async () => {
    const { repo, base } = makeShop();
    const name = "secrets/a\n::error file=forged.ts::forged\n## PASS |x|`y`<b>,line=9:key.pem";
    repo.commit("Mend it", { files: { "src/total.js": GOOD, [name]: "x\n" } });

    const run = await job(repo, { inputs: { loop: "shop" }, baseSha: base });

    expect([run.isGood, run.exit], run.log).toEqual([false, 7]);
    expect(run.commands.filter(({ properties }) => properties.file === "forged.ts")).toEqual([]);
    expect(run.commands.map(({ command }) => command).filter((command) => !["error", "warning", "notice"].includes(command))).toEqual([]);
    expect(run.summary.match(/^#.*$/gm)).toEqual(["## Loopwright: ❌ outside the allowlist"]);
    expect(run.summary).not.toContain("<b>");
  });

  it("fails when the base is not there, when nothing changed, and when another loop is required", async () => {
    const { repo, base } = makeShop();
    repo.commit("Mend it", { files: { "src/total.js": GOOD } });
    const folders = ["a", "b", "c"].map((name) => join(temp, name));
    for (const folder of folders) mkdirSync(folder);

    const runs = [
      await job(repo, { temp: folders[0]!, inputs: { loop: "shop", base: "0123456789012345678901234567890123456789" } }),
      await job(repo, { temp: folders[1]!, inputs: { loop: "shop", base: "HEAD" } }),
      await job(repo, { temp: folders[2]!, inputs: { loop: "shop", require: "shop,other" }, baseSha: base }),
    ];

    expect(runs.map(({ isGood, outputs }) => [isGood, outputs.verdict === "done"])).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ]);
    expect(runs[2]?.summary).toContain("| <code>referee</code> | 0 | done and proven |");
  });

  it("signs the receipt as the job, and passes only if what it signed verifies against the pinned identity", async () => {
    const { repo, base } = makeShop();
    repo.commit("Mend it", { files: { "src/total.js": GOOD } });
    const sigstore = await startSigstore();
    const folders = ["true", "false"].map((name) => join(temp, name));
    for (const folder of folders) mkdirSync(folder);
    const root = join(temp, "trusted_root.json");
    writeFileSync(root, sigstore.trustedRoot);
    const inputs = { loop: "shop", sigstore: "true", "fulcio-url": sigstore.url, "rekor-url": sigstore.url, "trusted-root": root };
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: `${sigstore.url}/token`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "bearer" };

    const good = await job(repo, { temp: folders[0]!, inputs: { ...inputs, identity: IDENTITY }, baseSha: base, env });
    const bad = await job(repo, { temp: folders[1]!, inputs: { ...inputs, identity: `${IDENTITY}2` }, baseSha: base, env });
    sigstore.close();

    expect([good.isGood, good.outputs.verdict, JSON.parse(readFileSync(good.outputs.bundle!, "utf8")).mediaType], good.log).toEqual([
      true,
      "done",
      "application/vnd.dev.sigstore.bundle.v0.3+json",
    ]);
    expect([bad.isGood, bad.exit, bad.outputs.bundle, bad.outputs.verdict]).toEqual([false, 5, "", "tampering"]);
    expect(bad.summary).toContain("| <code>sigstore</code> | 5 | tampering |");
  });
});
