// Follows the journal: what others write is heard here, a few moments after it is on record.
import type { Entry } from "../contract/record.ts";
import type { JournalReader, Kind } from "../journal/journal.ts";
import type { HeardBook } from "./heard.ts";
import type { TellSight } from "./sights.ts";
import { newsFrom, type RecordListener, WAKING_KINDS } from "./sources/records.ts";

/** What changes something about waking. */
const FOLLOWED = [
  "waking",
  "heard",
  "run-opened",
  "run-rested",
  "answered",
  "decided",
  "proposal-settled",
  "loop-known",
  "loop-wrong",
  "loop-removed",
  "loop-paused",
  "loop-halted",
  "loop-resumed",
  "place-added",
  "place-removed",
  "limit-seen",
] as const satisfies readonly Kind[];

const PAGE = 500;

export interface Follower {
  /** Everything that came since the last time, oldest first, a page at a time. What is not taken for good comes again. */
  read(take: (entries: readonly Entry[]) => Promise<void>): Promise<void>;
  readonly seq: () => number;
}

/** From now on. */
export async function followJournal(journal: Pick<JournalReader, "entriesAfter" | "head">): Promise<Follower> {
  let seq = (await journal.head())?.seq ?? 0;
  return {
    seq: () => seq,
    async read(take) {
      for (;;) {
        const entries = await journal.entriesAfter(seq, PAGE, { kinds: FOLLOWED });
        const last = entries.at(-1);
        if (!last) return;
        await take(entries);
        seq = last.seq;
      }
    },
  };
}

const WAKES = new Set<string>(WAKING_KINDS);
const CHANGES_SPECS = new Set<string>(["place-added", "place-removed", "loop-known", "loop-wrong", "loop-removed"]);

export interface Following {
  readonly listeners: () => readonly RecordListener[];
  readonly book: HeardBook;
  readonly noticed: (loop: string) => void;
  /** The specs are to be looked at. */
  readonly hasten: () => void;
  readonly tell: TellSight;
}

/** What others wrote changes who may wake, and wakes those who wait for it. */
export function takeIn(
  journal: Pick<JournalReader, "newestOf" | "entriesAfter">,
  follower: Follower,
  { listeners, book, noticed, hasten, tell }: Following,
): Promise<void> {
  return follower.read(async (entries) => {
    for (const entry of entries) {
      if (WAKES.has(entry.record.kind)) for (const news of await newsFrom(journal, entry, listeners())) await book.hear(news);
      if (CHANGES_SPECS.has(entry.record.kind)) hasten();
      // Its own wakings it knows of.
      if (entry.record.kind !== "waking") noticed(entry.loop);
      tellEntry(entry, tell);
    }
  });
}

function tellEntry({ loop, run, record }: Entry, tell: TellSight): void {
  if (record.kind !== "waking" || record.fate === "ran") return;
  const { fate, reason, says } = record;
  tell({ kind: "not-woken", loop, key: run, fate, reason, says });
}
