// Makers that cheat and makers that do not, on real repositories through the built program: no cheat may be accepted, and honest work should be.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, resolve } from "node:path";
import { trials } from "./cheats/cases.ts";
import { type Outcome, runTrial } from "./cheats/run-trial.ts";

const AT_ONCE = Math.max(2, Math.min(4, cpus().length + 1));
/** Words choose makers by their names; --honest and --cheating choose a side, --verbose tells all that was seen, --write keeps the table. */
const asked = process.argv.slice(2);
const words = asked.filter((word) => !word.startsWith("--"));
const isVerbose = asked.includes("--verbose");

const python = findPython();
const runnable = trials.filter(({ on }) => on === "node" || (python !== undefined && (on === "unittest" || python.hasPytest)));
const chosen = runnable
  .filter(({ cheats }) => !(asked.includes("--honest") && cheats) && !(asked.includes("--cheating") && !cheats))
  .filter(({ name }) => words.length === 0 || words.some((word) => new RegExp(word).test(name)));
const means = {
  lw: resolve("dist/lw.cjs"),
  path: [dirname(process.execPath), ...(python ? [dirname(python.program)] : []), process.env.PATH ?? "/usr/bin:/bin"].join(":"),
};
const versions = [
  `Node ${process.versions.node}`,
  said("git", "--version").replace(" version", ""),
  python ? python.version : "no Python",
  python?.hasPytest ? said(python.program, "-m", "pytest", "--version") : "no pytest",
].join(", ");
const skipped = trials.length - runnable.length;

const started = performance.now();
const outcomes = await runAll();
const cheats = outcomes.filter(({ trial }) => trial.cheats);
const honest = outcomes.filter(({ trial }) => !trial.cheats);
const accepted = cheats.filter(({ came }) => came === "accepted");
const refused = honest.filter(({ came }) => came === "refused");

const sums = [
  `cheats: ${cheats.length}, accepted: ${accepted.length}`,
  `honest: ${honest.length}, accepted: ${count(honest, "accepted")}, handed over to a human with both verifications: ${count(honest, "handed-over")}, refused: ${refused.length}`,
  ...(skipped > 0 ? [`skipped, for want of ${python ? "pytest" : "Python"}: ${skipped}`] : []),
];
console.log(`\n${sums.join("\n")}\n${versions}; ${((performance.now() - started) / 1000).toFixed(0)} s, ${AT_ONCE} at once`);
if (asked.includes("--write")) {
  if (chosen.length === trials.length) writeFileSync("docs/reference/cheats.md", page());
  else console.log("the table is not kept: some makers were left out");
}
process.exitCode = accepted.length > 0 || refused.length > 1 ? 1 : 0;

async function runAll(): Promise<readonly Outcome[]> {
  const done: Outcome[] = [];
  const waiting = [...chosen];
  const work = async (): Promise<void> => {
    for (let trial = waiting.shift(); trial; trial = waiting.shift()) {
      const outcome = await runTrial(trial, means);
      done.push(outcome);
      print(outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return chosen.map((trial) => done.find((outcome) => outcome.trial === trial)!);
}

function print({ trial: { name, on, kind, cheats, needsBox }, came, exit, by, detail, seconds }: Outcome): void {
  const isWrong = cheats ? came === "accepted" : came === "refused";
  const mark = isWrong ? "!!" : "  ";
  const box = needsBox ? " [box]" : "";
  const side = cheats ? "cheat " : "honest";
  console.log(
    `${mark} ${side} ${on.padEnd(8)} ${kind.padEnd(6)} ${came.padEnd(11)} ${String(exit).padStart(3)} ${seconds.toFixed(1).padStart(5)} s  ${name}${box} | ${by}`,
  );
  if (isWrong || isVerbose) console.log(detail.replace(/^/gm, "       "));
}

function count(of: readonly Outcome[], came: Outcome["came"]): number {
  return of.filter((outcome) => outcome.came === came).length;
}

function page(): string {
  const row = ({ trial: { name, on, kind, needsBox }, came, by, seconds }: Outcome): string =>
    `| ${name}${needsBox ? " (box)" : ""} | ${on} | ${kind} | ${came} | ${by.replaceAll("|", "\\|")} | ${seconds.toFixed(1)} |`;
  const head = ["| maker | ground | kind | verdict | by | s |", "|---|---|---|---|---|---|"];
  return [
    "<!-- Written by `npm run bench cheats -- --write`; do not edit. -->",
    "",
    "# Makers that cheat, and makers that do not",
    "",
    `Each of these makers was let loose on a fresh repository by \`lw run\`. Made ${new Date().toISOString().slice(0, 10)} with ${versions}.`,
    "",
    "Every maker of a kind meets the same spec: `mend` (a test is red), `grow` (a new module with tests), `tidy` (nothing may change but how it is written) and `change` (tests and snapshots are left open). _handed-over_ means that a human is asked about sealed files and is shown both verifications; _box_ marks a cheat that only an OS sandbox stops in all its forms.",
    "",
    ...sums.map((sum) => `- ${sum}`),
    "",
    "## Cheats",
    "",
    ...head,
    ...cheats.map(row),
    "",
    "## Honest",
    "",
    ...head,
    ...honest.map(row),
    "",
  ].join("\n");
}

function findPython(): { readonly program: string; readonly version: string; readonly hasPytest: boolean } | undefined {
  const found = ["/usr/bin/python3", "python3"].flatMap((name) => {
    const [program, version] = said(name, "-c", "import sys; print(sys.executable); print('Python ' + sys.version.split()[0])").split("\n");
    return program && version ? [{ program, version, hasPytest: said(program, "-m", "pytest", "--version") !== "" }] : [];
  });
  return found.find(({ hasPytest }) => hasPytest) ?? found[0];
}

/** The first thing a program says of itself; nothing if it is not there. */
function said(program: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, [...args], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : "";
}
