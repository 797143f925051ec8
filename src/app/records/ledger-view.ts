// Answers to "what have all these loops come to": over this home, or over many.
import { type LedgerSummary, summarizeLedger } from "../../scoring/ledger-summary.ts";
import type { Home } from "../home.ts";
import type { House } from "../open-house.ts";
import { journalSource } from "./ledger-runs.ts";
import { collectSources, keysOf } from "./ledger-sources.ts";
import { readKeyFiles } from "./receipts.ts";

export interface LedgerView extends LedgerSummary {
  /** What was not looked at, and why: then it is not said that all is whole. */
  readonly unseen: readonly string[];
  readonly notes: readonly string[];
}

export async function viewLedger({ journal, home, signing }: House): Promise<LedgerView> {
  const signed = { log: signing.log.text() ?? "", keys: keysOf(home.folder) };
  return { ...summarizeLedger([await journalSource(journal, home.folder, signed)]), unseen: [], notes: [] };
}

export interface ManyLedgers {
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Files of public keys, besides this home's own. */
  readonly keyFiles: readonly string[];
}

export async function viewLedgers(home: Home, { paths, cwd, keyFiles }: ManyLedgers): Promise<LedgerView> {
  const keys = [...keysOf(home.folder), ...(await readKeyFiles(keyFiles))];
  const { sources, unseen, notes } = await collectSources(paths, cwd, keys);
  const summary = summarizeLedger(sources);
  return { ...summary, isWhole: summary.isWhole && unseen.length === 0, unseen, notes };
}
