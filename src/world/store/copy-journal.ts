// A copy of somebody's journal to read in: whoever reads a journal may mend it, and this one is not ours to write to.
import { constants, existsSync } from "node:fs";
import { chmod, copyFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeOwnFolder } from "../files/temporary.ts";

export const JOURNAL_FILE = "journal.db";

export const CHECKPOINT_FILE = "checkpoints.jsonl";

/** Everything that SQLite and we read beside it. What SQLite shares between processes is made anew. */
const FILES = [JOURNAL_FILE, `${JOURNAL_FILE}-wal`, `${JOURNAL_FILE}-journal`, "journal.head", CHECKPOINT_FILE];
const MOST_TRIES = 5;

export type JournalCopy =
  | { readonly kind: "copied"; readonly folder: string; readonly remove: () => Promise<void> }
  | { readonly kind: "unreadable"; readonly why: string };

/** Nothing is locked: a journal that was written to meanwhile is copied again, since the files must be of one moment. */
export async function copyJournal(home: string): Promise<JournalCopy> {
  if (existsSync(join(home, "journal.mending"))) return { kind: "unreadable", why: "it is being mended, or was left in the middle of it" };
  // A journal that is not there is not one without records.
  if (!existsSync(join(home, JOURNAL_FILE))) return { kind: "unreadable", why: "it is not there" };
  const folder = await realpath(await makeOwnFolder("journal", tmpdir()));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const before = await lookAt(home);
      for (const { name, isThere } of before) {
        if (isThere) await copyWritable(join(home, name), join(folder, name));
        else await rm(join(folder, name), { force: true });
      }
      if (sameFiles(before, await lookAt(home))) return { kind: "copied", folder, remove };
    }
  } catch (error) {
    await remove();
    return { kind: "unreadable", why: `it could not be copied for reading (${error instanceof Error ? error.message : String(error)})` };
  }
  await remove();
  return { kind: "unreadable", why: "it is written to all the time: try again when its loops rest" };
}

/** The copy is ours, whoever may write to the original. */
async function copyWritable(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
}

interface Look {
  readonly name: string;
  readonly isThere: boolean;
  readonly as: string;
}

const lookAt = (home: string): Promise<readonly Look[]> =>
  Promise.all(
    FILES.map(async (name) => {
      const found = await stat(join(home, name), { bigint: true }).catch(() => undefined);
      if (found && !found.isFile()) throw new Error(`${name} is not a plain file`);
      return { name, isThere: found !== undefined, as: found ? `${found.ino} ${found.size} ${found.mtimeNs}` : "" };
    }),
  );

const sameFiles = (before: readonly Look[], after: readonly Look[]): boolean => before.every(({ as }, index) => as === after[index]!.as);
