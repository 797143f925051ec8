// How far something that moves has been read: the newest movement on record, found by its number alone.
import type { Entry } from "../../contract/record.ts";
import { isOvertaken, type Journal, type JournalReader } from "../../journal/journal.ts";

export interface Cursor {
  /** Which movement it is; 0 is none yet, but the first sight. */
  readonly number: number;
  readonly state: string | null;
  readonly seq: number;
}

/** The key of each movement, by its number. */
export type KeyAt = (number: number) => string;

type Stories = Pick<JournalReader, "story">;

/** Movements have no gaps between them, so that the newest is found in as many questions as its number has digits. */
export async function readCursor(journal: Stories, keyAt: KeyAt): Promise<Cursor | undefined> {
  let found = await movementAt(journal, keyAt, 0);
  if (!found) return undefined;
  let step = 1;
  for (let next = await movementAt(journal, keyAt, step); next; next = await movementAt(journal, keyAt, found.number + step)) {
    found = next;
    step *= 2;
  }
  for (; step >= 1; step = Math.floor(step / 2)) found = (await movementAt(journal, keyAt, found.number + step)) ?? found;
  return found;
}

async function movementAt(journal: Stories, keyAt: KeyAt, number: number): Promise<Cursor | undefined> {
  const { entries } = await journal.story(keyAt(number));
  return entries.flatMap((entry) => cursorOf(entry, number)).at(-1);
}

function cursorOf({ record, seq }: Entry, number: number): readonly Cursor[] {
  if (record.kind === "first-seen") return [{ number, state: record.state, seq }];
  if (record.kind !== "heard") return [];
  if (record.cause.kind === "git") return [{ number, state: record.cause.to, seq }];
  return record.cause.kind === "files" ? [{ number, state: record.cause.state, seq }] : [];
}

/** From here on it is watched. Undefined where somebody else set it first. */
export async function setCursor(
  journal: Pick<Journal, "append">,
  sight: { readonly loop: string; readonly key: string; readonly number: number; readonly what: string; readonly state: string | null },
): Promise<Cursor | undefined> {
  const { loop, key, number, what, state } = sight;
  const written = await journal.append([{ loop, run: key, record: { kind: "first-seen", what, state } }], {
    in: { loop, run: key },
    kinds: ["heard", "first-seen"],
    newest: 0,
  });
  const [entry] = isOvertaken(written) ? [] : written;
  return entry && { number, state, seq: entry.seq };
}

const PAGE = 50;

/**
 * The record by which a loop began to be woken as it is now: what was seen before it belongs to another life or another trigger. Edits of
 * other things change nothing about it.
 */
export async function lifeOf(journal: Pick<JournalReader, "newestOf">, loop: string): Promise<number> {
  const [removed] = await journal.newestOf(loop, "loop-removed", { most: 1 });
  let first: { readonly seq: number; readonly triggerHash: string } | undefined;
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await journal.newestOf(loop, "loop-known", { before, after: removed?.seq ?? 0, most: PAGE });
    for (const { seq, record } of page) {
      if (first && first.triggerHash !== record.triggerHash) return first.seq;
      first = { seq, triggerHash: record.triggerHash };
      before = seq;
    }
    if (page.length < PAGE) return first?.seq ?? 0;
  }
}
