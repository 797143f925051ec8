// The text scanner on labelled texts that nobody here wrote: what it misses, what it stops for nothing, and how fast it is.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { scanText, type TextScan, textSignals } from "../src/guard.ts";
import { displayLine } from "../src/std/display-text.ts";
import { compare } from "./measure.ts";

interface Row {
  readonly id: string;
  readonly text: string;
  readonly source: string;
  readonly category: string;
  readonly payload?: string;
  readonly overt?: boolean;
  readonly hard?: boolean;
}

interface Scanned {
  readonly row: Row;
  readonly scan: TextScan;
}

const DATA = resolve("../shared/data/injection/dev");

if (!existsSync(DATA)) {
  console.log(`no labelled texts at ${DATA}: nothing was measured`);
  process.exit(0);
}
const injected = rows("injected.jsonl");
const benign = rows("benign.jsonl");
const overt = injected.filter(({ row }) => row.overt);
const covert = injected.filter(({ row }) => !row.overt);
const falseAlarms = benign.filter(isStopped);

console.log("untrusted text: what is stopped (medium or high)");
console.log(`  overt injections     ${rate(overt)}   must be at least 95%`);
console.log(`  covert injections    ${rate(covert)}`);
console.log(`  benign               ${rate(benign)}   must be at most 2%`);
console.log(`  benign, hard ones    ${rate(benign.filter(({ row }) => row.hard))}`);
console.log(`  benign, the others   ${rate(benign.filter(({ row }) => !row.hard))}`);
table("overt by source", overt, ({ source }) => source);
table("overt by category", overt, ({ category }) => category);
table("covert by source", covert, ({ source }) => source);
table("covert by category", covert, ({ category }) => category);
table("injections by script", injected, scriptOf);
table("benign by source", benign, ({ source }) => source.split(":")[0]!);
table("benign by category", benign, ({ category }) => category);
table("benign by script", benign, scriptOf);
console.log("\n  false alarms");
for (const { row, scan } of falseAlarms) console.log(`    ${scan.severity} ${scan.score} ${row.source}: ${told(scan)}`);
console.log("\n  overt misses");
for (const { row, scan } of overt.filter((one) => !isStopped(one)))
  console.log(`    ${scan.severity} ${scan.score} ${row.source}: ${displayLine(row.payload ?? row.text, 150)}`);
ablation();
await speed();
compareWithRecord();

/** The set was looked at while the signals were made. What each family carries says how much hangs on a few of them. */
function ablation(): void {
  const families = [...new Set(textSignals.map(({ family }) => family))];
  const familyOf = new Map(textSignals.map(({ id, family }) => [id, family]));
  console.log("\n  in how many stopped injections each family has a part");
  for (const family of families) {
    const part = injected.filter((one) => isStopped(one) && one.scan.signals.some(({ id }) => familyOf.get(id) === family)).length;
    console.log(`    ${family.padEnd(16)} ${part}`);
  }
}

async function speed(): Promise<void> {
  const all = benign.map(({ row }) => row.text).join("\n\n");
  const megabyte = all.repeat(Math.ceil(1_000_000 / all.length)).slice(0, 1_000_000);
  console.log("\n  one million characters of the benign texts (target: under 300 ms on an idle machine)");
  const { ours } = await compare(
    9,
    { name: "scanned", work: () => void scanText(megabyte) },
    {
      name: "only normalised (NFKC) and parted into words",
      work: () =>
        void megabyte
          .normalize("NFKC")
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu),
    },
  );
  console.log(`  ${(1_000 / ours).toFixed(1)} MB a second`);
}

/** A change may not make it worse than what was last recorded. */
function compareWithRecord(): void {
  const record: Score = JSON.parse(readFileSync("bench/injection.score.json", "utf8"));
  const missed = (all: readonly Scanned[]): number => all.filter((one) => !isStopped(one)).length;
  const now: Score = { missedOvert: missed(overt), missedCovert: missed(covert), stoppedBenign: falseAlarms.length };
  const worse = Object.entries(now).filter(([name, count]) => count > record[name as keyof Score]); // the same three names
  console.log(`  ${worse.length === 0 ? "not worse" : "WORSE"} than recorded: ${JSON.stringify(now)} against ${JSON.stringify(record)}`);
  if (worse.length > 0) process.exitCode = 1;
}

interface Score {
  readonly missedOvert: number;
  readonly missedCovert: number;
  readonly stoppedBenign: number;
}

function scriptOf({ text, payload }: Row): string {
  const shown = payload ?? text;
  if (/[\u3040-\u30ff]/.test(shown)) return "Japanese";
  if (/[\uac00-\ud7af]/.test(shown)) return "Korean";
  if (/[\u4e00-\u9fff]/.test(shown)) return "Chinese";
  return /[\u0400-\u04ff]/.test(shown) ? "Cyrillic" : "Latin";
}

function isStopped({ scan }: Scanned): boolean {
  return scan.severity === "medium" || scan.severity === "high";
}

function told(scan: TextScan): string {
  return scan.signals.map(({ id, where }) => `${id} “${displayLine(where, 70)}”`).join("; ");
}

function table(title: string, all: readonly Scanned[], by: (row: Row) => string): void {
  console.log(`\n  ${title}`);
  const names = [...new Set(all.map(({ row }) => by(row)))].sort();
  for (const name of names) console.log(`    ${name.padEnd(36)} ${rate(all.filter(({ row }) => by(row) === name))}`);
}

function rows(name: string): readonly Scanned[] {
  return readFileSync(join(DATA, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const row: Row = JSON.parse(line);
      return { row, scan: scanText(row.text) };
    });
}

function rate(all: readonly Scanned[]): string {
  const part = all.filter(isStopped).length;
  return `${((100 * part) / Math.max(1, all.length)).toFixed(1).padStart(5)}%  (${part} of ${all.length})`;
}
