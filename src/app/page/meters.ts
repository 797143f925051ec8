// What is taken of a loop's caps, as meters.
import type { Meter } from "../../contract/api.ts";
import type { Cap } from "../../contract/ledger.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { capsOf, tellAmount } from "../../guard/budget.ts";
import type { Tallies } from "../../journal/journal.ts";
import { dayIn } from "../../std/day.ts";
import type { Records } from "../open-records.ts";
import { loadLimits } from "../settings.ts";

type Reading = Pick<Records, "journal" | "clock" | "home" | "texts">;

/** Of one run and its loop; without a run, of the loop alone. */
export async function metersOf(
  records: Reading,
  spec: LoopSpec,
  { loop, run }: { readonly loop: string; readonly run?: string },
): Promise<readonly Meter[]> {
  const limits = await loadLimits(records);
  const tallies = await records.journal.taken({ loop, run: run ?? "", round: "", day: dayIn(limits.zone, records.clock.now()) });
  return capsOf(spec, limits).flatMap((cap) => (cap.scope === "run" && run === undefined ? [] : meterOf(cap, tallies)));
}

/** Caps on single calls and rounds are not met over time, and have no meter. */
export function meterOf({ scope, measure, most, written, from }: Cap, tallies: Tallies): readonly Meter[] {
  if (scope === "call" || scope === "round") return [];
  const taken = tallies[scope][measure] ?? 0;
  return [{ scope, measure, taken, most, takenSays: tellAmount(measure, taken), mostSays: written, from }];
}
