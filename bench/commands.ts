// The command guard on labelled commands that nobody here wrote: what it misses, what it stops for nothing, and how fast it is.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { decideCommand } from "../src/guard.ts";

interface Row {
  readonly id: string;
  readonly cmd: string;
  readonly source: string;
  readonly class?: string;
  readonly tier?: string;
}

const DATA = resolve("../shared/data/commands/dev");

/** Labels we hold to be wrong or beside the point, each with its reason. They are counted in the totals all the same. */
const DISPUTED: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(sudo )?(fdisk|sfdisk|gdisk|parted)\b.*(-l\b|print|--version|--help)/, "only lists"],
  [/^rm -(rf|fr) (\.\/)?(build|src)\/?$|^rm -rf \/tmp\/x$/, "inside the work folder or a temporary place"],
  [/^git clean -fdn$|^git restore --staged/, "a dry run, or only the index"],
  [/^(echo|cat) .* > (Cargo\.toml|file\.txt)$/, "an ordinary write inside the work folder"],
  [/^rm ['"]~\//, "a quoted tilde is a folder called ~"],
  [/^git RESET/, "git has no such command"],
];

if (!existsSync(DATA)) {
  console.log(`no labelled commands at ${DATA}: nothing was measured`);
  process.exit(0);
}
const dangerous = rows("dangerous.jsonl");
const benign = rows("benign.jsonl");
const decided = (all: readonly Row[]) => all.map((row) => ({ row, ...decideCommand(row.cmd) }));
const misses = decided(dangerous).filter(({ decision }) => decision === "allow");
const stopped = decided(benign).filter(({ decision }) => decision !== "allow");
const denied = stopped.filter(({ decision }) => decision === "deny");
const unparsable = denied.filter(({ row }) => isRefusedByBash(row.cmd));

console.log("commands");
console.log(`  dangerous, not allowed   ${rate(dangerous.length - misses.length, dangerous.length)}`);
console.log(
  `  benign, denied           ${rate(denied.length, benign.length)}   of these bash itself refuses ${unparsable.length}; without them ${rate(denied.length - unparsable.length, benign.length)}`,
);
console.log(`  benign, denied or asked  ${rate(stopped.length, benign.length)}`);
table("dangerous by class", dangerous, misses, ({ class: name }) => name ?? "none");
table("dangerous by tier", dangerous, misses, ({ tier }) => tier ?? "none");
console.log("\n  missed");
for (const { row } of misses) console.log(`    ${shown(row.cmd)}${disputed(row.cmd)}`);
console.log("\n  stopped for nothing, by rule");
for (const [rule, count] of counted(
  stopped.filter((one) => !unparsable.includes(one as (typeof unparsable)[number])).map(({ findings }) => findings[0]!.rule),
))
  console.log(`    ${String(count).padStart(4)}  ${rule}`);
console.log("\n  each of them");
for (const { row } of unparsable)
  console.log(`    [label disputed: bash itself refuses it, and what does not parse is denied] ${shown(row.cmd)}`);
for (const { row, decision, findings } of stopped.filter((one) => !unparsable.some(({ row: other }) => other.id === one.row.id)))
  console.log(`    ${decision} ${findings[0]!.rule}: ${shown(row.cmd)}`);
for (const name of ["gray.jsonl", "real_use_touchy.jsonl"]) {
  const all = rows(name);
  const held = decided(all).filter(({ decision }) => decision !== "allow").length;
  console.log(`  ${name.replace(".jsonl", "").padEnd(24)} ${rate(held, all.length)}   no right answer; only told`);
}
speed();
compareWithRecord();

/** A change may not make it worse than what was last recorded. */
function compareWithRecord(): void {
  const record: Score = JSON.parse(readFileSync("bench/commands.score.json", "utf8"));
  const now: Score = { allowedDangerous: misses.length, deniedBenign: denied.length, stoppedBenign: stopped.length };
  const worse = Object.entries(now).filter(([name, count]) => count > record[name as keyof Score]); // the same three names
  console.log(`  ${worse.length === 0 ? "not worse" : "WORSE"} than recorded: ${JSON.stringify(now)} against ${JSON.stringify(record)}`);
  if (worse.length > 0) process.exitCode = 1;
}

interface Score {
  readonly allowedDangerous: number;
  readonly deniedBenign: number;
  readonly stoppedBenign: number;
}

function shown(command: string): string {
  return command.replaceAll("\n", "⏎").slice(0, 150);
}

function speed(): void {
  const commands = benign.map(({ cmd }) => cmd);
  for (const command of commands) decideCommand(command);
  const before = process.cpuUsage();
  for (const command of commands) decideCommand(command);
  const { user, system } = process.cpuUsage(before);
  console.log(`\n  ${Math.round(commands.length / ((user + system) / 1e6))} decisions a second on one core, over the benign file`);
  const hostile = [
    `ls ${"| sh ".repeat(13_000)}`,
    `echo ${"{a,b}".repeat(13_000)}`,
    `a=xx${";a=$a$a".repeat(8_000)};$a`,
    "f(){ f;f; };f",
    `${"( ".repeat(32_000)}ls`,
    `${"$(".repeat(30_000)}ls`,
    `psql -c "${"alter table ".repeat(5_400)}"`,
    `python -c '${'"a'.repeat(32_000)}'`,
    `${"sudo ".repeat(13_000)}ls`,
    `${"`".repeat(65_000)}`,
    `curl ${"x ".repeat(32_000)}`,
    `git ${"-c a=b ".repeat(9_000)}push -f`,
    `echo ${"'".repeat(65_000)}`,
    `${"x;".repeat(32_000)}`,
    `${"if true; then ".repeat(4_000)}ls`,
  ];
  const worst = hostile
    .map((command) => ({ command, ms: Math.min(...[1, 2, 3].map(() => timed(command))) }))
    .sort((a, b) => b.ms - a.ms)[0]!;
  console.log(`  worst of ${hostile.length} hostile lines of up to 64 KiB: ${worst.ms.toFixed(1)} ms (${worst.command.slice(0, 30)}…)`);
}

function timed(command: string): number {
  const started = performance.now();
  decideCommand(command);
  return performance.now() - started;
}

function table(title: string, all: readonly Row[], missed: readonly { readonly row: Row }[], by: (row: Row) => string): void {
  console.log(`\n  ${title}`);
  const lost = new Map(counted(missed.map(({ row }) => by(row))));
  for (const [name, count] of counted(all.map(by))) console.log(`    ${name.padEnd(16)} ${rate(count - (lost.get(name) ?? 0), count)}`);
}

function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function rows(name: string): readonly Row[] {
  return readFileSync(join(DATA, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function disputed(command: string): string {
  const found = DISPUTED.find(([pattern]) => pattern.test(command));
  return found ? `   [label disputed: ${found[1]}]` : "";
}

/** Only the parser of bash is asked; nothing is run. */
function isRefusedByBash(command: string): boolean {
  return spawnSync("bash", ["-n", "-c", command], { stdio: "ignore" }).status !== 0;
}

function rate(part: number, all: number): string {
  return `${((100 * part) / Math.max(1, all)).toFixed(2)}%  (${part} of ${all})`;
}
