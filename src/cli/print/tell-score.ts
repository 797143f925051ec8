// A score in words: the sum, then each dimension with what it stands on.
import type { CompatAnswer, DimensionScore, LintAnswer, MeasuredAnswer } from "../../contract/score.ts";
import { DIMENSIONS } from "../../scoring/les/dimensions.ts";
import { displayLine } from "../../std/display-text.ts";
import { columns, type Paint } from "./paint.ts";

const MOST_ROWS = 20;

export function tellScore(answer: LintAnswer | MeasuredAnswer, isExplained: boolean, paint: Paint): string {
  const of = answer.kind === "lint" ? answer.file : (answer.run ?? answer.loop);
  const lines = [
    `${paint("bold", displayLine(of, 200))}  ${tellSum(answer, paint)}`,
    `  ${answer.label}${answer.kind === "measured" ? tellRuns(answer) : ""}`,
    "",
    ...columns(DIMENSIONS.map((dimension) => ["", dimension, ...tellDimension(answer.dimensions[dimension], isExplained, paint)])),
    ...(answer.kind === "lint" ? answer.refused.map(({ at, says }) => `  refused   ${displayLine(`${at}: ${says}`, 160)}`) : []),
    ...(answer.kind === "measured" && answer.run === null ? tellOver(answer) : []),
    ...answer.notes.map((note) => `  ${paint("dim", displayLine(note, 300))}`),
  ];
  return `${lines.join("\n")}\n`;
}

function tellSum({ display, band, ...answer }: LintAnswer | MeasuredAnswer, paint: Paint): string {
  if (display === null) return paint("yellow", "no score: nothing was measured");
  const interval = answer.kind === "measured" && answer.interval !== null ? ` ± ${(answer.interval * 100).toFixed(1)}` : "";
  return paint(display >= 60 ? "green" : "yellow", `${display.toFixed(1)}${interval}  ${band}`);
}

const tellRuns = ({ runs, unmeasured }: MeasuredAnswer): string =>
  `, ${runs} run(s)${unmeasured > 0 ? `; ${unmeasured} more showed nothing that can be measured` : ""}`;

function tellDimension(dimension: DimensionScore, isExplained: boolean, paint: Paint): readonly string[] {
  if (dimension.basis === "missing") return ["   -", "missing", paint("dim", displayLine(dimension.why, 300))];
  const figure = (dimension.value * 100).toFixed(1).padStart(5);
  if (!isExplained) return [figure, dimension.basis, ""];
  return [figure, dimension.basis, displayLine(`${dimension.how} (weight ${dimension.weight})`, 500)];
}

function tellOver({ over, versions }: MeasuredAnswer): readonly string[] {
  if (over.length < 2) return [];
  return [
    "",
    ...(versions.length > 1
      ? columns(
          versions
            .slice(-MOST_ROWS)
            .map(({ specHash, since, runs, display }) => [
              "",
              `spec ${specHash.slice(0, 12)}`,
              `since ${since}`,
              `${runs} run(s)`,
              display.toFixed(1),
            ]),
        )
      : []),
    ...columns(over.slice(-MOST_ROWS).map(({ run, at, display, ending }) => ["", at, run, display.toFixed(1), ending])),
    ...(over.length > MOST_ROWS ? [`  … and ${over.length - MOST_ROWS} before them; --json has all`] : []),
  ];
}

export function tellCompat({ tool, results, skipped, notes }: CompatAnswer, isExplained: boolean, paint: Paint): string {
  const digits = tool === "loopctl" ? 1 : 4;
  const lines = [
    ...results
      .slice(0, MOST_ROWS)
      .flatMap(({ of, score, published, dimensions }) => [
        `${paint("bold", displayLine(of, 120))}  ${score.toFixed(digits)} by ${tool}${published === null ? "" : `; its file says ${published}`}`,
        ...(isExplained || results.length === 1
          ? columns(DIMENSIONS.map((dimension) => ["", dimension, dimensions[dimension].toFixed(4)]))
          : []),
      ]),
    ...(results.length > MOST_ROWS ? [`… and ${results.length - MOST_ROWS} more; --json has all`] : []),
    ...skipped
      .slice(0, MOST_ROWS)
      .map(({ of, why }) => `${paint("yellow", "not scored")}  ${displayLine(of, 120)}: ${displayLine(why, 200)}`),
    ...notes.map((note) => paint("dim", `  ${note}`)),
  ];
  return `${lines.join("\n")}\n`;
}
