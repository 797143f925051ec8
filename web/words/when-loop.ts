// What wakes a loop and what keeps it from waking, as the lists say it.
import type { LoopRow } from "../../src/contract/api.ts";

const LEVELS = { L1: "reports", L2: "proposes and you decide", L3: "acts alone within its allowlist" } as const;

export const levelSays = (level: LoopRow["level"]): string => (level === null ? "no level on record" : `${level}, ${LEVELS[level]}`);

/** How it stands: waiting comes before everything else that it does. */
export function needsSay({ waiting, barred }: Pick<LoopRow, "waiting" | "barred">): string | undefined {
  if (waiting > 0) return waiting === 1 ? "1 waits for you" : `${waiting} wait for you`;
  return barred ?? undefined;
}
