// What serving the Model Context Protocol takes besides the house: pages of the records, the guard with its policies, and the scanner of diffs.
import { environmentOf, type Variables } from "../contract/around.ts";
import type { PolicyReading } from "../guard/command/policy.ts";
import { userFolder } from "./home.ts";
import { policyIn } from "./open-guard.ts";
import { scanDiff } from "./open-scans.ts";
import type { PageHouse } from "./page/act.ts";
import { type Hear, hearInJournal } from "./page/run-now.ts";
import type { Scanned } from "./scans/scan-diff.ts";

export interface McpTools {
  readonly house: PageHouse;
  readonly policy: () => Promise<PolicyReading>;
  readonly scanDiff: (text: string) => Promise<Scanned>;
  readonly hear: Hear;
}

/** So long a policy counts as it was read last: who changes it is obeyed a moment later. */
const FRESH_MS = 250;

export const openMcp = (house: PageHouse, folder: string, env: Variables): McpTools => ({
  house,
  policy: readOften(house.clock, () => policyIn({ project: folder, user: userFolder(environmentOf(env)) })),
  scanDiff: (text) => scanDiff(text),
  hear: hearInJournal(house),
});

function readOften<T>({ monotonicMs }: PageHouse["clock"], read: () => Promise<T>): () => Promise<T> {
  let last: { readonly atMs: number; readonly read: Promise<T> } | undefined;
  return () => {
    const nowMs = monotonicMs();
    if (!last || nowMs - last.atMs > FRESH_MS) last = { atMs: nowMs, read: read() };
    return last.read;
  };
}
