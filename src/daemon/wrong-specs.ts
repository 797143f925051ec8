// What is wrong now with specs that a home looks after, whoever found it out and whenever.
import type { JournalReader } from "../journal/journal.ts";
import { readHomePlaces, readKnownLoops } from "../journal/known-loops.ts";

export interface WrongSpec {
  /** Undefined for files and folders that no known loop comes from. */
  readonly loop: string | undefined;
  readonly path: string;
  readonly says: string;
}

export async function wrongSpecs(journal: Pick<JournalReader, "newestIn" | "loops" | "entriesAfter">): Promise<readonly WrongSpec[]> {
  const loops = (await readKnownLoops(journal)).filter(({ state }) => state === "wrong");
  const { wrong } = await readHomePlaces(journal);
  return [
    ...loops.map(({ loop, path, problems }) => ({ loop, path, says: problems.join("; ") })),
    ...wrong.map(({ path, problems }) => ({ loop: undefined, path, says: `${path}: ${problems.join("; ")}` })),
  ];
}
