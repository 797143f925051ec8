// What was spent, day by day and against the caps, and what the month will come to if it goes on like this.
import type { Meter, SpendDocument } from "../../contract/api.ts";
import type { SpendBy } from "../../contract/views.ts";
import { capsOf } from "../../guard/budget.ts";
import { readSpentKey, talliesAt, tallyKeys } from "../../journal/ledger.ts";
import { viewSpending } from "../records/spending.ts";
import { loadLimits } from "../settings.ts";
import { meterOf } from "./meters.ts";
import type { PageRecords } from "./page-records.ts";
import { factsOf } from "./read-loops.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
/** From there on a cap is near, in hundredths of it. */
const NEAR = 80;
const MOST_NEAR = 20;
/** Fewer days with spending say nothing about a month. */
const LEAST_DAYS = 3;

export async function readSpendDocument(records: PageRecords, by: SpendBy, since: string | undefined): Promise<SpendDocument> {
  const asOf = await records.memo.catchUp();
  const view = await viewSpending(records, by, since);
  const limits = await loadLimits(records);
  const { spent, taken } = await records.journal.ledger();
  const perDay = new Map<string, number>();
  for (const [key, { microUsd = 0 }] of spent) {
    const { day } = readSpentKey(key);
    perDay.set(day, (perDay.get(day) ?? 0) + microUsd);
  }
  const days = lastDays(view.today).map((day) => ({ day, microUsd: perDay.get(day) ?? 0 }));
  const talliesOf = (loop: string) => talliesAt(tallyKeys({ loop, run: "", round: "", day: view.today }), (key) => taken.get(key) ?? {});
  const machine = capsOf({ budget: {} as never, level: "L2" }, limits).filter(
    ({ scope }) => scope === "machine-day" || scope === "machine-month",
  ); // the budget is not asked for
  return {
    ...view,
    asOf,
    zone: limits.zone,
    days,
    forecast: forecastOf(view.today, perDay),
    meters: machine.flatMap((cap) => meterOf(cap, talliesOf(""))),
    near: await nearCaps(),
  };

  /** Only loops that spent something this month can be near a cap. */
  async function nearCaps(): Promise<SpendDocument["near"]> {
    const month = view.today.slice(0, 7);
    const loops = new Set([...spent.keys()].map(readSpentKey).flatMap(({ loop, day }) => (day.startsWith(month) ? [loop] : [])));
    const meters = await Promise.all(
      [...loops].map(async (loop) => {
        const { opened } = await factsOf(records, loop);
        const caps = opened ? capsOf(opened.record.spec, limits).filter(({ scope }) => scope === "loop-day" || scope === "loop-month") : [];
        return caps.flatMap((cap) => meterOf(cap, talliesOf(loop))).map((meter) => ({ loop, meter }));
      }),
    );
    return meters
      .flat()
      .filter(({ meter }) => meter.most > 0 && meter.taken * 100 >= meter.most * NEAR)
      .toSorted((one, other) => shareOf(other.meter) - shareOf(one.meter))
      .slice(0, MOST_NEAR);
  }
}

const shareOf = ({ taken, most }: Meter): number => taken / most;

function lastDays(today: string): readonly string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: DAYS }, (_, index) => new Date(end - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10));
}

/** What is spent this month, and as much a day as on the days so far for those that are left. */
export function forecastOf(today: string, perDay: ReadonlyMap<string, number>): SpendDocument["forecast"] {
  const month = today.slice(0, 7);
  const days = [...perDay].filter(([day]) => day.startsWith(month));
  const dayOfMonth = Number(today.slice(8, 10));
  if (days.length < LEAST_DAYS) return null;
  const soFar = days.reduce((sum, [, microUsd]) => sum + microUsd, 0);
  const inMonth = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate();
  const microUsd = Math.round((soFar / dayOfMonth) * inMonth);
  return { month, microUsd, soFar, because: `a forecast: the mean of the ${dayOfMonth} day(s) so far, for all ${inMonth} days` };
}
