// Findings in a GitHub job: annotations beside the lines, and a summary. Whatever a stranger wrote stays text in both.
import { EXIT, type ExitName } from "../../contract/exit.ts";
import { displayLine } from "../../std/display-text.ts";
import type { SarifResult } from "../../std/read-sarif.ts";

/** How one step of the job ended; undefined when nobody heard of its end. */
export interface StepEnd {
  readonly step: string;
  readonly code: number | undefined;
}

/** GitHub shows a few annotations of a step, and cuts a summary that is too large. */
const MOST_ANNOTATIONS = 50;
const MOST_ROWS = 100;
const COMMANDS = { error: "error", warning: "warning", note: "notice" } as const;
const ORDER = ["error", "warning", "note"] as const;

/** The worst first, one workflow command a line, and nothing else on any line. */
export function annotations(results: readonly SarifResult[]): string {
  const sorted = worstFirst(results);
  const rest = sorted.length - MOST_ANNOTATIONS;
  const lines = sorted.slice(0, MOST_ANNOTATIONS).map(annotation);
  return [...lines, ...(rest > 0 ? [`::notice::${data(`${rest} more findings are in the SARIF file`)}`] : [])]
    .map((line) => `${line}\n`)
    .join("");
}

function annotation({ ruleId, level, message, file, line }: SarifResult): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(displayLine(file, 1_000))}`]),
    ...(file === undefined || line === undefined ? [] : [`line=${line}`]),
    `title=${property(displayLine(ruleId, 100))}`,
  ];
  return `::${COMMANDS[level]} ${properties.join(",")}::${data(displayLine(message, 2_000))}`;
}

/** As the runner reads it back: first the percent sign, then what would end the line or the property. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** What the steps come to: the first end that is not good. Who says nothing has proven nothing. */
export function verdictOf(ends: readonly StepEnd[]): ExitName {
  if (ends.length === 0) return "cannotVerify";
  return ends.map(exitNameOf).find((name) => name !== "done") ?? "done";
}

const NAMES = new Map(Object.entries(EXIT).map(([name, { code }]) => [code as number, name as ExitName]));

const exitNameOf = ({ code }: StepEnd): ExitName => (code === undefined ? "cannotVerify" : (NAMES.get(code) ?? "cannotVerify"));

/** A section of the job's summary. Undefined results are findings that could not be read. */
export function jobSummary(ends: readonly StepEnd[], results: readonly SarifResult[] | undefined): string {
  const verdict = verdictOf(ends);
  return [
    `## Loopwright: ${verdict === "done" ? "✅" : "❌"} ${EXIT[verdict].means}`,
    "",
    "| step | ended | which means |",
    "| --- | --- | --- |",
    ...ends.map((end) => `| ${inert(end.step)} | ${end.code ?? "not heard of"} | ${EXIT[exitNameOf(end)].means} |`),
    "",
    ...(results === undefined ? ["The findings could not be read."] : tellResults(results)),
    "",
  ].join("\n");
}

function tellResults(results: readonly SarifResult[]): readonly string[] {
  if (results.length === 0) return ["No findings."];
  const rest = results.length - MOST_ROWS;
  return [
    "| level | where | rule | what |",
    "| --- | --- | --- | --- |",
    ...worstFirst(results)
      .slice(0, MOST_ROWS)
      .map(({ level, file, line, ruleId, message }) => `| ${level} | ${placeOf(file, line)} | ${inert(ruleId)} | ${inert(message)} |`),
    ...(rest > 0 ? ["", `${rest} more are in the SARIF file.`] : []),
  ];
}

const placeOf = (file: string | undefined, line: number | undefined): string =>
  file === undefined ? "" : inert(line === undefined ? file : `${file}:${line}`);

/** Characters by their numbers cannot make Markdown or HTML, wherever they stand. */
const inert = (text: string): string =>
  `<code>${displayLine(text, 300).replace(/[^A-Za-z0-9 ]/gu, (char) => `&#${char.codePointAt(0)};`)}</code>`;

const worstFirst = (results: readonly SarifResult[]): readonly SarifResult[] =>
  results.toSorted((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level));
