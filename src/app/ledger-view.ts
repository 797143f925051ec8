// Answers to "what have all these loops come to": over this home, or over many.
import { LoopError } from "../contract/errors.ts";
import { readRing, sealRotation } from "../receipts/key-ring.ts";
import { type LedgerSummary, summarizeLedger } from "../scoring/ledger-summary.ts";
import { type PublicKey, readPublicKeys } from "../std/ed25519.ts";
import { createFiles } from "../world/files.ts";
import { createSigningKeys } from "../world/signing-keys.ts";
import type { House } from "./compose.ts";
import type { Home } from "./home.ts";
import { journalSource } from "./ledger-runs.ts";
import { collectSources } from "./ledger-sources.ts";

export interface LedgerView extends LedgerSummary {
  /** What was not looked at, and why: then it is not said that all is whole. */
  readonly unseen: readonly string[];
  readonly notes: readonly string[];
}

export async function viewLedger({ journal, home }: House): Promise<LedgerView> {
  return { ...summarizeLedger([await journalSource(journal, home.folder)]), unseen: [], notes: [] };
}

export interface ManyLedgers {
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Files of public keys, besides this home's own. */
  readonly keyFiles: readonly string[];
}

export async function viewLedgers(home: Home, { paths, cwd, keyFiles }: ManyLedgers): Promise<LedgerView> {
  const named = (await Promise.all(keyFiles.map(readKeys))).flat();
  const { sources, unseen, notes } = await collectSources(paths, cwd, [...ownKeys(home), ...named]);
  const summary = summarizeLedger(sources);
  return { ...summary, isWhole: summary.isWhole && unseen.length === 0, unseen, notes };
}

/** None where nothing was signed here yet. A ring that is broken vouches for nobody. */
function ownKeys({ folder }: Home): readonly PublicKey[] {
  const ring = createSigningKeys(folder, { read: readRing, add: sealRotation }).ring();
  return ring.kind === "whole" ? ring.keys : [];
}

async function readKeys(path: string): Promise<readonly PublicKey[]> {
  const text = await createFiles().readText(path);
  const keys = text === undefined ? undefined : readPublicKeys(text);
  if (keys) return keys;
  throw new LoopError("bad-input", `${path} holds no public key`, { retry: "never", hint: "Name a file of public keys in PEM form." });
}
