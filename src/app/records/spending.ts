// Answers to "what did it cost" and "what would it": from the ledger, and from a spec.
import { LoopError } from "../../contract/errors.ts";
import { type Amounts, type Basis, MEASURES } from "../../contract/ledger.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { SpendBy, SpendLine, SpendView } from "../../contract/views.ts";
import { capsOf, tellAmount } from "../../guard/budget.ts";
import { plus, readSpentKey, type SpentLine, talliesAt, tallyKeys } from "../../journal/ledger.ts";
import { dayIn, isDay } from "../../std/day.ts";
import type { Records } from "../open-records.ts";
import { loadLimits } from "../settings.ts";

const SPEND_BY: readonly SpendBy[] = ["loop", "day", "maker", "model"];

export async function viewSpending(
  records: Pick<Records, "journal" | "clock" | "home" | "texts">,
  by: SpendBy,
  since: string | undefined,
): Promise<SpendView> {
  const { spent, taken, open, day } = await records.journal.ledger();
  const limits = await loadLimits(records);
  const now = dayIn(limits.zone, records.clock.now());
  const today = day !== undefined && day > now ? day : now;
  const all = [...spent]
    .map(([key, amounts]) => ({ line: readSpentKey(key), amounts }))
    .filter(({ line }) => since === undefined || line.day >= since);
  const keys = [...new Set(all.map(({ line }) => keyOf(line, by)))].sort();
  const tallies = talliesAt(tallyKeys({ loop: "", run: "", round: "", day: today }), (key) => taken.get(key) ?? {});
  const caps = capsOf({ budget: {} as LoopSpec["budget"], level: "L2" }, limits); // only the machine's are shown
  return {
    by,
    since: since ?? null,
    lines: keys.map((key) =>
      summed(
        key,
        all.filter(({ line }) => keyOf(line, by) === key),
      ),
    ),
    total: summed("total", all),
    reserved: [...open.values()].map(({ left }) => left).reduce(plus, {}),
    today,
    machine: caps.flatMap(({ scope, measure, written, from }) =>
      scope === "machine-day" || scope === "machine-month"
        ? [{ cap: from, taken: tellAmount(measure, tallies[scope][measure] ?? 0), most: written }]
        : [],
    ),
  };
}

const keyOf = (line: SpentLine, by: SpendBy): string => line[by] ?? "unknown";

function summed(key: string, lines: readonly { readonly line: SpentLine; readonly amounts: Amounts }[]): SpendLine {
  const on = (basis: Basis): number =>
    lines.filter(({ line }) => line.basis === basis).reduce((sum, { amounts }) => sum + (amounts.microUsd ?? 0), 0);
  return {
    key,
    amounts: lines.map(({ amounts }) => amounts).reduce(plus, {}),
    microUsdBy: { reported: on("reported"), estimated: on("estimated"), unknown: on("unknown") },
  };
}

/** One line each, with every measure; for spreadsheets. Texts are quoted, and none can be taken for a formula. */
export function spendCsv({ by, lines }: SpendView): string {
  const head = [by, ...MEASURES, "reportedMicroUsd", "estimatedMicroUsd", "unknownMicroUsd"];
  const rows = lines.map(({ key, amounts, microUsdBy: { reported, estimated, unknown } }) => [
    quoted(key),
    ...MEASURES.map((measure) => amounts[measure] ?? 0),
    reported,
    estimated,
    unknown,
  ]);
  return [head, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

const quoted = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export interface CostView {
  readonly loop: string;
  readonly basis: "history" | "spec";
  /** What it rests on, in words. */
  readonly because: string;
  readonly runs: number;
  /** Between the usual run and the dearest. Without a history only the most is known. */
  readonly usual: Amounts | null;
  readonly most: Amounts;
}

const HISTORY = 20;

export async function viewCost(records: Pick<Records, "journal" | "clock" | "home" | "texts">, spec: LoopSpec): Promise<CostView> {
  const loop = spec.name;
  const limits = await loadLimits(records);
  const day = dayIn(limits.zone, records.clock.now());
  const runs = await records.journal.newestOf(loop, "run-opened", { most: HISTORY });
  const tallies = await Promise.all(runs.map(({ run }) => records.journal.taken({ loop, run, round: "", day })));
  const used = tallies.map(({ run }) => run).filter((amounts) => Object.keys(amounts).length > 0);
  const caps = capsOf(spec, limits);
  const allowed = Object.fromEntries(caps.filter(({ scope }) => scope === "run").map(({ measure, most }) => [measure, most]));
  if (used.length === 0) {
    const because = "no run of it is in the ledger: this is the most that one run may use by its budget";
    return { loop, basis: "spec", because, runs: 0, usual: null, most: { ...allowed, rounds: spec.budget.rounds } };
  }
  const each = (choose: (amounts: readonly number[]) => number): Amounts =>
    Object.fromEntries(
      MEASURES.flatMap((measure) => {
        const amount = choose(used.map((amounts) => amounts[measure] ?? 0));
        return amount > 0 ? [[measure, amount]] : [];
      }),
    );
  const because = `the last ${used.length} run(s): the median, and the most of each`;
  return { loop, basis: "history", because, runs: used.length, usual: each(median), most: each((amounts) => Math.max(...amounts)) };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

export function readSpendBy(text: string | undefined): SpendBy {
  const by = SPEND_BY.find((one) => one === (text ?? "loop"));
  if (by) return by;
  throw new LoopError("bad-input", `--by takes ${SPEND_BY.join(", ")}, and not ${text}`, { retry: "never", hint: "Write e.g. --by day." });
}

export function readSince(text: string | undefined): string | undefined {
  if (text === undefined || isDay(text)) return text;
  throw new LoopError("bad-input", `--since takes a day, and not ${text}`, { retry: "never", hint: "Write e.g. --since 2026-11-01." });
}
