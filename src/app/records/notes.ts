// The notes of a loop: what is in its notebook, and how somebody empties it.
import { type KeptNote, recallNotes } from "../../journal/notes.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";

export const viewNotes = ({ journal }: Pick<Records, "journal">, loop: string): Promise<readonly KeptNote[]> => recallNotes(journal, loop);

/** Those of before count no more. A round that is under way has seen them already, so the loop need not rest. */
export async function clearNotes(house: Pick<House, "journal">, loop: string): Promise<number> {
  const before = await viewNotes(house, loop);
  // Of no run: it happened between them.
  if (before.length > 0)
    await house.journal.append([{ loop, run: `${loop}-notes`, record: { kind: "notes-cleared", by: "lw notes --clear" } }]);
  return before.length;
}
