// What starting costs: CPU time of commands that only read, of help and of the hook, beside an empty Node program.
// `npm run bench start-up --node <program>` says the same for another Node.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median, ms, must } from "./measure.ts";

const TIMES = 25;
/** What counts as quick: so many times bare Node; newer ones start in a blink, and there so much over it. */
const MOST_RATIO = 2;
const MOST_OVER_MS = 70;

interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly input?: string;
  /** Whether the bound is for it; the others must only not become slower. */
  readonly isBound: boolean;
}

const lw = resolve("dist/lw.cjs");
const folder = mkdtempSync(join(tmpdir(), "lw-bench-"));
const home = join(folder, "demo", "home");
const question = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test && git status | head" },
  cwd: resolve("."),
});
const programs: readonly Program[] = [
  { name: "lw status", args: [lw, "status", "--home", home], isBound: true },
  { name: "lw show", args: [lw, "show", "demo-fix", "--home", home], isBound: true },
  { name: "lw inbox", args: [lw, "inbox", "--home", home], isBound: true },
  { name: "lw guard", args: [lw, "guard", "npm test && git status | head"], isBound: true },
  { name: "lw --help", args: [lw, "--help"], isBound: false },
  { name: "lw hook run claude-code", args: [lw, "hook", "run", "claude-code"], input: question, isBound: false },
];

try {
  must(process.execPath, [lw, "demo", "--dir", join(folder, "demo")], folder);
  for (const node of nodes()) tell(node);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function nodes(): readonly string[] {
  const at = process.argv.indexOf("--node");
  const other = at === -1 ? undefined : process.argv[at + 1];
  return [process.execPath, ...(other === undefined ? [] : [resolve(other)])];
}

/** All take turns, so that what else the machine does falls on all of them alike. */
function tell(node: string): void {
  const nothing: Program = { name: "node -e 0", args: ["-e", "0"], isBound: false };
  const measured = [nothing, ...programs].map((program) => ({ program, took: [] as number[] }));
  for (const { program } of measured) cpuMs(node, program);
  for (let turn = 0; turn < TIMES; turn++) for (const { program, took } of measured) took.push(cpuMs(node, program));
  const bare = median(measured[0]!.took);
  const version = must(node, ["--version"], ".").trim();
  const bound = version.startsWith("v20.") ? bare * MOST_RATIO : bare + MOST_OVER_MS;
  console.log(`start-up on Node ${version}: CPU time, medians of ${TIMES}; the bound is ${ms(bound).trim()}`);
  for (const { program, took } of measured) {
    const cpu = median(took);
    const held = program.isBound ? `   ${cpu <= bound ? "holds" : "TOO SLOW"}` : "";
    console.log(`  ${program.name.padEnd(26)} ${ms(cpu)}   × ${(cpu / bare).toFixed(2)}   over bare ${ms(cpu - bare)}${held}`);
  }
  console.log("");
}

/** Of the process and of all that it started and waited for; Node itself does not tell it of its children, and bash does. */
function cpuMs(node: string, { name, args, input }: Program): number {
  const timed = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
  const { status, stderr } = spawnSync("bash", ["-c", timed, "bash", node, ...args], { cwd: folder, input: input ?? "", encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  const [user = 0, system = 0] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1000;
}
