// A comparison in words, in eighty columns: a row for each figure, what can be told of it, and why not where it cannot.
import type { CompareAnswer, ComparedRuns, ComparedSpecs, FigureRow, ShareRow } from "../../contract/compare.ts";
import { DIMENSIONS } from "../../scoring/les/dimensions.ts";
import { displayLine } from "../../std/display-text.ts";
import { columns, type Paint, wrapped } from "./paint.ts";

const WIDTH = 80;
const LONGEST_NAME = 60;
const MOST_PARTS = 12;

export const tellCompared = (answer: CompareAnswer, paint: Paint): string =>
  `${(answer.kind === "runs" ? tellRuns(answer, paint) : tellSpecs(answer, paint)).join("\n")}\n`;

function tellRuns(answer: ComparedRuns, paint: Paint): readonly string[] {
  const { a, b, proven, figures, verdict, notes, confidence } = answer;
  const rows = [proven, ...figures];
  return [
    headOf("A", a, paint),
    headOf("B", b, paint),
    "",
    ...columns([
      ["", "", "A", "B", "B - A", ""],
      ["", "proven", shareOf(proven.a), shareOf(proven.b), "", verdictOf(proven, paint)],
      ...figures.map((row) => ["", row.name, spreadOf(row.a, row.unit), spreadOf(row.b, row.unit), shiftOf(row), verdictOf(row, paint)]),
    ]),
    "",
    paint("bold", verdict),
    ...rows
      .filter((row) => row.verdict === "cannot-tell")
      .flatMap(({ name, why }) => wrapped(`${name}: ${why}.`, WIDTH - 2).map((line) => `  ${line}`)),
    ...paragraph(
      `Medians; B - A is the middle of all differences with where it lies. Exact tests of ranks and shares; all rows together are wrong at most ${Math.round((1 - confidence) * 100)} times in 100.`,
      paint,
    ),
    ...notes.flatMap((note) => paragraph(note, paint)),
  ];
}

const paragraph = (text: string, paint: Paint): readonly string[] =>
  wrapped(displayLine(text, 400), WIDTH - 2).map((line) => `  ${paint("dim", line)}`);

function headOf(side: string, { asked, runs, unmeasured, endings }: ComparedRuns["a"], paint: Paint): string {
  const ended = Object.entries(endings)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ");
  const more = unmeasured > 0 ? `, ${unmeasured} more show nothing` : "";
  return displayLine(`${paint("bold", side)}  ${asked.slice(0, LONGEST_NAME)}: ${runs.length} run(s)${more}; ${ended || "none"}`, 200);
}

const shareOf = ({ hits, runs }: ShareRow["a"]): string => `${hits}/${runs}`;

function spreadOf({ median }: FigureRow["a"], unit: FigureRow["unit"]): string {
  return median === null ? "-" : shown(median, unit);
}

function shown(value: number, unit: FigureRow["unit"]): string {
  switch (unit) {
    case "usd":
      return `${value < 0 ? "-" : ""}$${Math.abs(value).toFixed(Math.abs(value) < 1 ? 4 : 2)}`;
    case "seconds":
      return `${value.toFixed(Math.abs(value) < 10 ? 2 : 0)}s`;
    case "points":
    case "rounds":
      return value.toFixed(1);
  }
}

function shiftOf({ difference, interval, unit }: FigureRow): string {
  if (difference === null) return "-";
  return `${shown(difference, unit)}${interval === null ? "" : ` (${shown(interval[0], unit)} to ${shown(interval[1], unit)})`}`;
}

function verdictOf(row: FigureRow | ShareRow, paint: Paint): string {
  switch (row.verdict) {
    case "same":
      return "same";
    case "cannot-tell":
      return paint("yellow", "cannot tell");
    case "a-higher":
    case "b-higher": {
      const isLower = "better" in row && row.better === "lower";
      const side = row.verdict === "a-higher" ? "A" : "B";
      return paint("green", isLower ? `${side === "A" ? "B" : "A"} lower` : `${side} higher`);
    }
  }
}

function tellSpecs({ a, b, only, verdict, notes }: ComparedSpecs, paint: Paint): readonly string[] {
  const figure = (value: number | null, of = (one: number): string => String(one)): string => (value === null ? "-" : of(value));
  const row = (name: string, of: (spec: ComparedSpecs["a"]) => string): readonly string[] => ["", name, of(a), of(b)];
  return [
    displayLine(`${paint("bold", "A")}  ${a.asked.slice(0, LONGEST_NAME)} (${a.loop})`, 200),
    displayLine(`${paint("bold", "B")}  ${b.asked.slice(0, LONGEST_NAME)} (${b.loop})`, 200),
    "",
    ...columns([
      ["", "", "A", "B"],
      row("lint score", ({ lint }) => figure(lint, (one) => one.toFixed(1))),
      ...DIMENSIONS.map((dimension) =>
        row(`  ${dimension}`, ({ dimensions }) => figure(dimensions[dimension] ?? null, (one) => (one * 100).toFixed(1))),
      ),
      row("level of the taxonomy", ({ level }) => String(level)),
      row("makers", ({ makers }) => String(makers)),
      row("checks (could say no)", ({ checks, refusing }) => `${checks} (${refusing})`),
      row("guards", ({ guards }) => String(guards)),
      row("rounds at most", ({ rounds }) => figure(rounds)),
      row("dollars at most", ({ usd }) => figure(usd, (one) => `$${one.toFixed(2)}`)),
      row("model calls at most", ({ calls }) => figure(calls)),
      row("ways through it", ({ ways }) => String(ways)),
    ]),
    "",
    ...onlyLines("only A", only.a),
    ...onlyLines("only B", only.b),
    ...wrapped(verdict, WIDTH).map((line) => paint("bold", line)),
    ...notes.flatMap((note) => paragraph(note, paint)),
  ];
}

function onlyLines(head: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_PARTS ? `, and ${names.length - MOST_PARTS} more` : "";
  const text = `${head}: ${names
    .slice(0, MOST_PARTS)
    .map((name) => displayLine(name, 40))
    .join(", ")}${more}`;
  return wrapped(text, WIDTH - 2).map((line) => `  ${line}`);
}
