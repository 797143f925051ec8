// A scan of a change, for people and for code hosts.
import type { Severity } from "../../contract/evidence.ts";
import type { DiffRule } from "../../guard/diff/rule.ts";
import { BLIND_RULE, type DiffFinding, type DiffScan } from "../../guard/diff/scan.ts";
import { displayLine, visibleText } from "../../std/display-text.ts";
import type { SarifResult } from "../../std/read-sarif.ts";
import { firstOfEach } from "./first-of-each.ts";
import type { Paint } from "./paint.ts";
import { sarifLog } from "./sarif.ts";

const MOST_LINES = 6;
const MOST_CHARS = 160;
const COLORS = { clean: "green", suspect: "yellow", tampering: "red", "cannot-tell": "yellow" } as const;

export function tellScan({ verdict, findings }: DiffScan, files: number, paint: Paint, isAll: boolean): string {
  const head = `${paint(COLORS[verdict], verdict.replace("-", " "))}: ${counted(findings.length, "finding")} in ${counted(files, "changed file")}`;
  const { told, more } = firstOfEach(findings, isAll);
  const rest = more.map(({ rule, severity, count }) => `… ${counted(count, "more finding")} of ${rule} (${severity})`);
  const lines = [head, ...told.flatMap((finding) => tellFinding(finding, paint)), ...(rest.length > 0 ? ["", ...rest, ALL] : [])];
  return `${lines.join("\n")}\n`;
}

function tellFinding({ rule, severity, confidence, file, line, what, why, before, after }: DiffFinding, paint: Paint): readonly string[] {
  const place = displayLine([file, ...(line === undefined ? [] : [line])].join(":"), 300);
  return [
    "",
    `${paint("bold", place)}  ${severity}: ${displayLine(what, 300)}`,
    `  ${displayLine(why, 600)}`,
    ...shown(before, "-").map((text) => `    ${paint("red", text)}`),
    ...shown(after, "+").map((text) => `    ${paint("green", text)}`),
    paint("dim", `  ${rule}, confidence ${confidence}`),
  ];
}

function shown(text: string | undefined, mark: "-" | "+"): readonly string[] {
  if (text === undefined || text === "") return [];
  const lines = visibleText(text).split("\n");
  const cut = lines.length > MOST_LINES ? [`${mark} … ${counted(lines.length - MOST_LINES, "more line")}`] : [];
  return [...lines.slice(0, MOST_LINES).map((line) => `${mark} ${line.slice(0, MOST_CHARS)}`), ...cut];
}

const ALL = "--all tells every one of them.";

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const LEVELS: { readonly [severity in Severity]: SarifResult["level"] } = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
};

export const scanSarif = ({ findings }: DiffScan, rules: readonly DiffRule[], version: string) =>
  sarifLog({
    tool: "loopwright",
    version,
    rules,
    results: findings.map(({ rule, severity, what, why, file, line }) => ({
      ruleId: rule,
      level: LEVELS[severity],
      message: `${displayLine(what, 1_000)}. ${why}`,
      ...placeOf(rule, file, line),
    })),
  });

/** What was not understood has its line in the diff and not in the file, and may be about no file at all. */
function placeOf(rule: string, file: string, line: number | undefined): Pick<SarifResult, "file" | "line"> {
  return { file: file === "" || file === WHOLE_CHANGE ? undefined : file, line: rule === BLIND_RULE ? undefined : line };
}

const WHOLE_CHANGE = "(the change)";
