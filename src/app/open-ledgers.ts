// Ledgers as they lie on this machine: files of lines, and the journals of other homes, each looked at in a copy.
import { join } from "node:path";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { readRing } from "../receipts/key-ring.ts";
import { createFiles } from "../world/files/files.ts";
import { findFiles, kindAt } from "../world/files/find-files.ts";
import { readChunks } from "../world/files/read-chunks.ts";
import { readInputLines } from "../world/files/read-input.ts";
import { systemClock } from "../world/machine/clock.ts";
import { CHECKPOINT_FILE, copyJournal, JOURNAL_FILE } from "../world/store/copy-journal.ts";
import { readKeyRing } from "../world/store/signing-keys.ts";
import { createStore } from "../world/store/store.ts";
import type { Home } from "./home.ts";
import { keysIn } from "./open-receipts.ts";
import { keysOf, type Ledgers } from "./records/ledger-sources.ts";
import { type LedgerView, viewLedgersBy } from "./records/ledger-view.ts";

export interface ManyLedgers {
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Files of public keys, besides this home's own. */
  readonly keyFiles: readonly string[];
}

/** What all ledgers under these paths come to. */
export async function viewLedgers(home: Home, { paths, cwd, keyFiles }: ManyLedgers): Promise<LedgerView> {
  const keys = [...keysOf(readKeyRing(home.folder, readRing)), ...(await keysIn(keyFiles))];
  return viewLedgersBy(ledgers, paths, cwd, keys);
}

const { readText } = createFiles();

const ledgers: Ledgers = {
  kindAt,
  findFiles,
  lines: readInputLines,
  chunks: readChunks,
  readText,
  journalFile: JOURNAL_FILE,
  async lookAtHome(folder, look) {
    const copy = await copyJournal(folder);
    if (copy.kind === "unreadable") return copy;
    try {
      const journal = await openSqliteJournal(createStore(copy.folder), systemClock);
      try {
        const log = (await readText(join(copy.folder, CHECKPOINT_FILE))) ?? "";
        return await look({ journal, log, ring: readKeyRing(folder, readRing) });
      } finally {
        journal.close();
      }
    } finally {
      await copy.remove();
    }
  },
};
