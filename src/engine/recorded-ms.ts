// How much of the time of some work is on record already, with its steps.
import type { Entry } from "../contract/record.ts";

/** What steps have put on record already is not counted twice. */
export const recordedMs = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { record }) => sum + (record.kind === "step-done" ? record.tookMs : 0), 0);
