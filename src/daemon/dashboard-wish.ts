// The dashboard that a daemon serves, where one is wanted and can be had.
import { isLoopError } from "../contract/errors.ts";
import type { DashboardHands, ServedDashboard } from "./http/serve-dashboard.ts";

export interface DashboardWish {
  /** Loops are woken also where it cannot be served. */
  readonly isDispensable: boolean;
  readonly open: (hands: DashboardHands) => Promise<ServedDashboard>;
}

/** A port that somebody else has keeps no loop from waking, unless somebody asked for just that one. */
export async function openDashboard(
  { isDispensable, open }: DashboardWish,
  hands: DashboardHands,
  trouble: (loop: undefined, says: string) => void,
): Promise<ServedDashboard | undefined> {
  try {
    return await open(hands);
  } catch (error) {
    if (!isDispensable || !isLoopError(error)) throw error;
    trouble(undefined, `no dashboard: ${error.message}. ${error.hint} Loops are woken all the same.`);
    return undefined;
  }
}
