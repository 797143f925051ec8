// A run that read outsiders' text is tainted: what it may do is bounded, whatever the scanner thought of the text.
import type { Taint, Trust } from "../../contract/text.ts";

type Level = "L1" | "L2" | "L3";

/** Clean as long as every text came from somebody we trust. */
export function taintOf(read: readonly { readonly source: string; readonly trust: Trust }[]): Taint {
  const by = [...new Set(read.filter(({ trust }) => trust === "outsider").map(({ source }) => source))];
  return by.length === 0 ? { kind: "clean" } : { kind: "tainted", by };
}

/** The level a run may use: never more than the spec's, and once tainted never more than the cap. */
export const cappedLevel = (level: Level, cap: Level, taint: Taint): Level => (taint.kind === "tainted" && cap < level ? cap : level);
