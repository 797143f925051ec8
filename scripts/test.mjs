// The whole test command: types, lint, unused code, unit and end-to-end tests; it closes with the plain line `N passed, N failed`.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), ".."));
const reports = mkdtempSync(join(tmpdir(), "lw-test-"));
let passed = 0;
let failed = 0;
/** Cases that were left out because this machine makes no box, by the group's own word for it. */
let unboxed = 0;
let whyUnboxed = "";

await Promise.all([
  check("types", ["node_modules/typescript/bin/tsc", "--noEmit"]).then(() =>
    check("types of the page", ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "web"]),
  ),
  check("lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."])
    .then(() => check("unused code", ["node_modules/knip/bin/knip.js"]))
    .then(() => check("build", ["scripts/build.mjs"])),
]);
suite(["unit"], 2);
// Most of what the first of these start sleeps, hangs or waits to be ended, and the others wait for the programs that they start: on two
// cores three of them at once leave none idle, and together nobody waits at the end of either for the longest.
suite(["real", "e2e"], 3);
// One browser serves one file of tests after the other; it is most of the work.
suite(["web"], 2);

rmSync(reports, { recursive: true, force: true });
if (unboxed > 0) console.log(`\nno box: ${whyUnboxed}; ${unboxed} cases that need one were skipped`);
else console.log(`\nbox: ${boxHere()}; no case was skipped for lack of one`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** One thing that must succeed counts as one test. What it says is shown when it is done, so that two of them do not mix their words. */
function check(name, args) {
  const startedMs = performance.now();
  return new Promise((done) => {
    const said = [];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
    child.on("close", (status) => {
      process.stdout.write(Buffer.concat(said));
      console.log(`${status === 0 ? "ok" : "FAILED"}  ${name}  ${((performance.now() - startedMs) / 1000).toFixed(1)}s`);
      if (status === 0) passed++;
      else failed++;
      done();
    });
  });
}

/** Runs some projects of vitest; a runner that ends without a report has failed, however it ended. */
function suite(projects, workers) {
  const report = join(reports, `${projects.join("-")}.json`);
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--maxWorkers",
    String(workers),
    "--reporter",
    "default",
    "--reporter",
    "json",
    "--outputFile.json",
    report,
  ];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  const counts = read(report);
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
  for (const { fullName, status: how } of (counts.testResults ?? []).flatMap((file) => file.assertionResults)) {
    const [, why] = /\(skipped: no box: (.*?)\) /.exec(fullName) ?? [];
    if (why === undefined || how === "passed") continue;
    unboxed++;
    whyUnboxed = why;
  }
  if (status !== 0 && counts.numFailedTests === 0) failed++;
}

/** As the built program sees it. */
function boxHere() {
  const { stdout } = spawnSync(process.execPath, ["dist/lw.js", "doctor", "--json"], { encoding: "utf8" });
  try {
    const { detail } = JSON.parse(stdout).checks.find(({ name }) => name === "sandbox");
    return detail.split(" was tried")[0];
  } catch {
    return "unknown";
  }
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 };
  }
}
