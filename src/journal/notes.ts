// What makers wrote down for those who come after them. Never stored as such: folded from what was noted and what was thrown away. Pure.
import type { Entry, LoopRecord, Noted } from "../contract/record.ts";
import type { Untrusted } from "../contract/text.ts";
import { type EntryOf, type JournalReader, lastOf } from "./journal.ts";

export interface KeptNote {
  readonly run: string;
  readonly roundId: string;
  readonly at: string;
  readonly isTainted: boolean;
  readonly text: Untrusted;
  readonly under?: string;
  readonly by?: string;
}

/** Records with notes that are looked at; older ones are forgotten. */
const MOST_RECORDS = 200;
/** Records that say what was refused push nothing out, as long as they are not many times more. */
const MOST_PAGES = 10;

/** The notes of a loop, of all its runs, newest first. */
export async function recallNotes(journal: Pick<JournalReader, "newestOf">, loop: string): Promise<readonly KeptNote[]> {
  const cleared = await lastOf(journal, loop, "notes-cleared");
  const noted = await newestNoted(journal, loop, cleared?.seq ?? 0);
  if (noted.every(({ record }) => record.version === undefined)) return notesFrom(noted);
  const undone = await journal.newestOf(loop, "undone", { most: MOST_RECORDS });
  const isUndone = ({ run, record }: Entry<Noted>): boolean =>
    undone.some((entry) => entry.run === run && entry.record.version === record.version);
  return notesFrom(noted.filter((entry) => !isUndone(entry)));
}

async function newestNoted(journal: Pick<JournalReader, "newestOf">, loop: string, after: number): Promise<readonly EntryOf<"noted">[]> {
  const found: EntryOf<"noted">[] = [];
  let before: number | undefined;
  for (let page = 0; page < MOST_PAGES && found.length < MOST_RECORDS; page++) {
    const looked = await journal.newestOf(loop, "noted", { after, most: MOST_RECORDS, ...(before === undefined ? {} : { before }) });
    found.push(...looked.filter(({ record }) => record.notes.length > 0));
    before = looked.at(-1)?.seq;
    if (looked.length < MOST_RECORDS) break;
  }
  return found.slice(0, MOST_RECORDS);
}

/** The same of what one run sees of itself. */
export function notesIn(entries: readonly Entry[]): readonly KeptNote[] {
  const from = entries.findLastIndex(({ record }) => record.kind === "notes-cleared") + 1;
  return notesFrom(entries.slice(from).filter(isNoted).reverse());
}

const isNoted = (entry: Entry<LoopRecord>): entry is Entry<Noted> => entry.record.kind === "noted";

/** Newest first. A note that says the same again is one: a step that was done twice after a crash wrote it twice. */
function notesFrom(newestFirst: readonly Entry<Noted>[]): readonly KeptNote[] {
  const all = newestFirst.flatMap(({ run, at, record: { roundId, isTainted, notes, under, by } }) =>
    notes
      .map((text) => ({
        run,
        roundId,
        at,
        isTainted,
        text,
        ...(under === undefined ? {} : { under }),
        ...(by === undefined ? {} : { by }),
      }))
      .reverse(),
  );
  const seen = new Set<string>();
  const nameOf = ({ under = "", text }: KeptNote): string => `${under}\n${text}`;
  return all.filter((note) => !seen.has(nameOf(note)) && seen.add(nameOf(note)));
}
