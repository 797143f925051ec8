// What a run measured, round by round, as a small table for a terminal.
import type { MetricsView } from "../../contract/measuring.ts";
import { tellFigure } from "../../std/tell-figure.ts";

/** The newest rounds; a mark says which was proposed as the best, and which held. */
export function tellMetrics({ metrics, rounds, best }: MetricsView, most: number): readonly string[] {
  const head = ["round", ...metrics.map(({ name, isPrimary }) => (isPrimary ? `${name} *` : name)), ""];
  const targets = metrics.some(({ target }) => target !== null)
    ? [
        [
          "target",
          ...metrics.map(({ target, better }) => (target === null ? "" : `${better === "lower" ? "<=" : ">="} ${tellFigure(target)}`)),
          "",
        ],
      ]
    : [];
  const left = Math.max(0, rounds.length - most);
  const body = rounds
    .slice(left)
    .map(({ number, values, holds, isEnough }) => [
      String(number),
      ...metrics.map(({ name }) => tellFigure(values[name] ?? null)),
      [number === best ? "best, proposed" : "", isEnough ? "enough" : holds ? "checks hold" : "checks do not hold"]
        .filter(Boolean)
        .join("; "),
    ]);
  const rows = [head, ...targets, ...body];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return left === 0 ? lines : [...lines, `${left} earlier round(s) are in --json`];
}
