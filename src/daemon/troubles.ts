// What is wrong now, kept where other processes can read it: whoever asks why a loop does not wake need not read the daemon's log.
import type { Trouble } from "../app/records/troubles.ts";

export interface Troubles {
  /** Something is wrong there, or is in order again. */
  mark(where: string, trouble: { readonly loop?: string; readonly says: string } | undefined): void;
  /** When all that was marked is written. */
  written(): Promise<void>;
}

/** So many are kept; the log has them all. */
const MOST = 200;
const LONGEST = 500;

export function createTroubles(now: () => Date, write: (troubles: readonly Trouble[]) => Promise<void>): Troubles {
  const open = new Map<string, Trouble>();
  let writing: Promise<void> = keep();

  /** What cannot be written now is written with the next; the log has it. */
  async function keep(): Promise<void> {
    await write([...open.values()].slice(0, MOST)).catch(() => {});
  }

  return {
    mark(where, trouble) {
      const before = open.get(where);
      if (before?.says === trouble?.says.slice(0, LONGEST)) return;
      if (trouble) open.set(where, { ...trouble, says: trouble.says.slice(0, LONGEST), since: before?.since ?? now().toISOString() });
      else open.delete(where);
      writing = writing.then(keep);
    },
    written: () => writing,
  };
}
