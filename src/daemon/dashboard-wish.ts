// The dashboard that a daemon serves, where one is wanted and can be had.
import type { Hear } from "../app/page/run-now.ts";
import { isLoopError } from "../contract/errors.ts";
import type { ServedDashboard } from "./http/serve-dashboard.ts";

export interface DashboardWish {
  /** Loops are woken also where it cannot be served. */
  readonly isDispensable: boolean;
  readonly open: (hear: Hear) => Promise<ServedDashboard>;
}

/** A port that somebody else has keeps no loop from waking, unless somebody asked for just that one. */
export async function openDashboard(
  { isDispensable, open }: DashboardWish,
  hear: Hear,
  trouble: (loop: undefined, says: string) => void,
): Promise<ServedDashboard | undefined> {
  try {
    return await open(hear);
  } catch (error) {
    if (!isDispensable || !isLoopError(error)) throw error;
    trouble(undefined, `no dashboard: ${error.message}. ${error.hint} Loops are woken all the same.`);
    return undefined;
  }
}
