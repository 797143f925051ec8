// Answers to "what have all these loops come to": over this home, or over many.
import { type LedgerSummary, summarizeLedger } from "../../scoring/ledger-summary.ts";
import type { PublicKey } from "../../std/ed25519.ts";
import type { House } from "../open-house.ts";
import { journalSource } from "./ledger-runs.ts";
import { collectSources, keysOf, type Ledgers } from "./ledger-sources.ts";

export interface LedgerView extends LedgerSummary {
  /** What was not looked at, and why: then it is not said that all is whole. */
  readonly unseen: readonly string[];
  readonly notes: readonly string[];
}

export async function viewLedger({ journal, home, signing }: House): Promise<LedgerView> {
  const signed = { log: signing.log.text() ?? "", keys: keysOf(signing.keys.ring()) };
  return { ...summarizeLedger([await journalSource(journal, home.folder, signed)]), unseen: [], notes: [] };
}

/** With the keys that count. */
export async function viewLedgersBy(
  ledgers: Ledgers,
  paths: readonly string[],
  cwd: string,
  keys: readonly PublicKey[],
): Promise<LedgerView> {
  const { sources, unseen, notes } = await collectSources(ledgers, paths, cwd, keys);
  const summary = summarizeLedger(sources);
  return { ...summary, isWhole: summary.isWhole && unseen.length === 0, unseen, notes };
}
