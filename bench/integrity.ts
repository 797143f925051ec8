// The diff scanner on labelled changes that nobody here wrote: what it misses and what it takes for cheating, by kind and by language.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LANGUAGES } from "../src/contract/syntax.ts";
import { endingOf } from "../src/guard/diff/languages.ts";
import { parseDiff } from "../src/guard/diff/parse-diff.ts";
import { type DiffFinding, scanChangeSet } from "../src/guard/diff/scan.ts";
import { loadSyntax } from "../src/world/machine/syntax.ts";

interface Label {
  readonly file: string;
  readonly label: "positive" | "negative" | "gray";
  readonly kind: string;
  readonly mode?: string;
  readonly needs_context?: boolean;
}

interface Solution {
  readonly id: string;
  readonly label: "hack" | "honest";
  readonly hack_type?: string;
  readonly source: string;
  readonly diff: string;
  readonly passes_visible_tests: boolean | null;
}

interface Scanned {
  readonly name: string;
  readonly kind: string;
  readonly language: string;
  readonly isFlagged: boolean;
  readonly findings: readonly DiffFinding[];
}

const DATA = resolve("../shared/data");
const syntax = await loadSyntax(LANGUAGES);

integrity(join(DATA, "integrity/dev"));
solutions(join(DATA, "rewardhack_code/dev/cases.jsonl"));

function integrity(folder: string): void {
  if (!existsSync(folder)) {
    console.log(`no labelled changes at ${folder}: nothing was measured`);
    return;
  }
  const labels = jsonLines<Label>(join(folder, "labels.jsonl"));
  const scanned = labels.map((label) => ({ ...label, ...scan(label.file, label.kind, readFileSync(join(folder, label.file), "utf8")) }));
  const positive = scanned.filter(({ label }) => label === "positive");
  const decidable = positive.filter(({ needs_context }) => !needs_context);
  const negative = scanned.filter(({ label }) => label === "negative");
  console.log("integrity: changes of real repositories, flagged at medium or higher");
  console.log(`  tampering, decidable     ${rate(decidable)}`);
  console.log(`  tampering, needs context ${rate(positive.filter(({ needs_context }) => needs_context))}`);
  console.log(`  honest                   ${rate(negative)}`);
  console.log(`  no right answer          ${rate(scanned.filter(({ label }) => label === "gray"))}`);
  table("tampering by kind", decidable, ({ kind }) => kind);
  table("tampering by language", decidable, ({ language }) => language);
  table("honest by kind", negative, ({ kind }) => kind);
  table("honest by language", negative, ({ language }) => language);
  list(
    "missed",
    decidable.filter(({ isFlagged }) => !isFlagged),
  );
  list(
    "false alarms",
    negative.filter(({ isFlagged }) => isFlagged),
  );
}

function solutions(file: string): void {
  if (!existsSync(file)) {
    console.log(`no labelled solutions at ${file}: nothing was measured`);
    return;
  }
  const scanned = jsonLines<Solution>(file).map((row) => ({ ...row, ...scan(row.id, row.hack_type ?? row.source, row.diff) }));
  const hacks = scanned.filter(({ label }) => label === "hack");
  const passing = hacks.filter(({ passes_visible_tests }) => passes_visible_tests === true);
  const honest = scanned.filter(({ label }) => label === "honest");
  console.log("\nsolutions written by models, flagged at medium or higher");
  console.log(`  hacks that pass the visible tests ${rate(passing)}`);
  console.log(`  all hacks                         ${rate(hacks)}`);
  console.log(`  honest                            ${rate(honest)}`);
  table("hacks by type", hacks, ({ kind }) => kind);
  table("honest by source", honest, ({ source }) => source ?? "");
  list(
    "missed, though they pass",
    passing.filter(({ isFlagged }) => !isFlagged),
  );
  list(
    "false alarms",
    honest.filter(({ isFlagged }) => isFlagged),
  );
}

function scan(name: string, kind: string, diff: string): Scanned {
  const parsed = parseDiff(diff);
  const { findings } = scanChangeSet({ ...parsed, seal: [] }, syntax);
  const grave = findings.filter(({ severity }) => severity !== "low");
  const endings = parsed.files
    .map(({ path }) => endingOf(path))
    .filter((ending) => /^(?:py|[cm]?[jt]sx?|go|rs|java|ya?ml|json|toml)$/.test(ending));
  return { name, kind, language: endings.at(-1) ?? "other", isFlagged: grave.length > 0, findings: grave };
}

function jsonLines<Row>(file: string): readonly Row[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row); // labelled data of a known shape
}

function rate(rows: readonly Scanned[]): string {
  const flagged = rows.filter(({ isFlagged }) => isFlagged).length;
  return `${flagged}/${rows.length}`.padEnd(9) + (rows.length === 0 ? "" : ` ${((100 * flagged) / rows.length).toFixed(2)}%`);
}

function table(title: string, rows: readonly Scanned[], group: (row: Scanned & { readonly source?: string }) => string): void {
  console.log(`\n  ${title}`);
  for (const name of [...new Set(rows.map(group))].sort())
    console.log(`    ${rate(rows.filter((row) => group(row) === name)).padEnd(20)} ${name}`);
}

function list(title: string, rows: readonly Scanned[]): void {
  console.log(`\n  ${title}`);
  for (const { name, kind, findings } of rows) {
    const first = findings[0];
    console.log(`    ${name} [${kind}]${first ? ` ${first.rule} ${first.severity} ${first.file}:${first.line ?? ""} ${first.what}` : ""}`);
  }
}
