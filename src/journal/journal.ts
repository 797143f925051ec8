// The journal as a port: what can be read of it, and the few ways to add to it.
import type { Amounts, Cap, Owner, Refusal, ScopeName, Spender } from "../contract/ledger.ts";
import type { ChainPlace } from "../contract/receipt.ts";
import type { Entry, LoopRecord, Range, Reserved } from "../contract/record.ts";
import type { CapsAbove, Replayed } from "./ledger.ts";

/** What can be read of the only memory. */
export interface JournalReader {
  /** All of one run, oldest first, and which of its records cannot be read any more. */
  story(run: string): Promise<Story>;
  /** The newest records of a kind in a loop, newest first. */
  newestOf<K extends Kind>(loop: string, kind: K, page: Page): Promise<readonly EntryOf<K>[]>;
  /** The newest record of each of these kinds in each of these loops, in no order: one reading for what would else be many. */
  newestIn(loops: readonly string[], kinds: readonly Kind[]): Promise<readonly Newest[]>;
  /** The records after that one, oldest first; those after a page are asked for by the number of its last. None at the end. */
  entriesAfter(sequence: number, most: number, of?: Of): Promise<readonly Entry[]>;
  /** The records before that one, newest first. So many are looked at, whether they are meant or not: no page costs more than that. */
  entriesBefore(sequence: number, page: Looking, of?: Of): Promise<Looked>;
  /** Runs whose id begins with these characters. */
  runsLike(prefix: string, most: number): Promise<readonly EntryOf<"run-opened">[]>;
  /** Names of all loops that ever ran. */
  loops(): Promise<readonly string[]>;
  /** The journal's own name and its newest record; undefined while it is empty. */
  head(): Promise<ChainPlace | undefined>;
  /** The hashes of these records, as far as they are there. */
  hashesAt(seqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The next entries after that record as lines of an exported chain, a page of them; none at the end. */
  lines(after: number, upTo: number): Promise<{ readonly text: string; readonly last: number } | undefined>;
  /** Reads everything and says what is whole and what is not. */
  inspect(): Promise<Inspection>;
  /** What is taken, spent and reserved, as the store has it. */
  ledger(): Promise<Replayed>;
  /** What is taken by now in each scope that a round belongs to. */
  taken(place: Place & { readonly round: string; readonly day: string }): Promise<Tallies>;
  /** How much of that is only set aside, for what still goes on. */
  held(place: Place & { readonly round: string; readonly day: string }): Promise<Tallies>;
  /** What was found and mended when the journal was opened; undefined when it was whole. */
  readonly mended: string | undefined;
}

/** The only memory. It is appended to and read; nothing in it is ever changed. */
export interface Journal extends JournalReader {
  /** Writes all of the lines, one after the other, or none of them. */
  append(lines: readonly Line[]): Promise<readonly Entry[]>;
  /** The same, where nobody wrote first: all that is asked must still be so. */
  append(lines: readonly Line[], only: Only | readonly Only[] | undefined): Promise<readonly Entry[] | Overtaken>;
  /** The line as it would be on record if it were written now, for whoever goes by it before it is written. Refuses what cannot be. */
  draft(line: Line): Draft;
  /**
   * Takes something from what is left at every scope, in one transaction with its record, or takes nothing and says which cap
   * it would pass. Reservations of processes that are gone are settled first, at their full size. The lines before it are written
   * in the same transaction, and whatever the answer is.
   */
  reserve(place: Place, ask: Ask, before?: readonly Line[]): Promise<Answer>;
  /** Settles what a run left open, at its full size. Only the holder of the loop's lock may ask. */
  settleLeftovers(run: string): Promise<readonly Entry[]>;
  close(): void;
}

export type Kind = LoopRecord["kind"];
export type EntryOf<K extends Kind> = Entry<Extract<LoopRecord, { kind: K }>>;

/** The newest of its kind in its loop. */
export interface Newest {
  readonly entry: Entry;
  /** The number of the first of that kind there. */
  readonly first: number;
}

export interface Place {
  readonly loop: string;
  readonly run: string;
}

/** A record and where it belongs. */
export interface Line extends Place {
  readonly record: LoopRecord;
  /** When it happened, where that was before it is written. */
  readonly at?: string;
}

export type Draft = Required<Line>;

/** Between these records, both left out; the beginning and the end where they are not named. */
export interface Page {
  readonly after?: number;
  readonly before?: number;
  readonly most: number;
}

/** How many are wanted, and how many are looked at for them. */
export interface Looking {
  readonly most: number;
  readonly look: number;
}

export interface Looked {
  readonly entries: readonly Entry[];
  /** Where to look on: before this record. 0 at the beginning of the journal. */
  readonly next: number;
}

/** Only what belongs there, and is of one of these kinds. */
export interface Of {
  readonly loop?: string;
  readonly run?: string;
  readonly kinds?: readonly Kind[];
}

/** Only if the newest record of these kinds there is still this one; 0 where there was none. */
export interface Only {
  readonly in: { readonly loop: string; readonly run?: string };
  readonly kinds: readonly Kind[];
  readonly newest: number;
}

/** Somebody wrote first, and so nothing was written. */
export interface Overtaken {
  readonly kind: "overtaken";
  /** The number of what is newest there now; 0 where nothing is. */
  readonly newest: number;
}

/** What was asked of a write, one by one. */
export const asked = (only: Only | readonly Only[] | undefined): readonly Only[] =>
  only === undefined ? [] : "kinds" in only ? [only] : only;

export const isOvertaken = (answer: readonly Entry[] | Overtaken): answer is Overtaken => "kind" in answer;

/** The newest record of a kind in a loop. */
export async function lastOf<K extends Kind>(
  journal: Pick<JournalReader, "newestOf">,
  loop: string,
  kind: K,
): Promise<EntryOf<K> | undefined> {
  const [last] = await journal.newestOf(loop, kind, { most: 1 });
  return last;
}

/** Which records are looked at, the last one left out. */
export function windowOf(top: number, sequence: number, { look }: Looking): { readonly from: number; readonly to: number } {
  const to = Math.max(1, Math.min(sequence, top + 1));
  return { from: Math.max(1, to - Math.max(0, look)), to };
}

/** What was found there, and where to look on: behind the last one where there may be more, else below the window. */
export function pageOf(entries: readonly Entry[], from: number, { most }: Looking): Looked {
  const last = entries.at(-1);
  const next = last && entries.length >= most ? last.seq : from;
  return { entries, next: next <= 1 ? 0 : next };
}

/** So many loops are read together: others who write do not wait for all of them. */
const LOOPS_TOGETHER = 500;

/** The newest record of each of these kinds, of every loop that has one; loops in the order of their names. */
export async function newestByLoop(
  journal: Pick<JournalReader, "loops" | "newestIn">,
  kinds: readonly Kind[],
): Promise<ReadonlyMap<string, readonly Newest[]>> {
  const loops = await journal.loops();
  const found = new Map<string, Newest[]>(loops.map((loop) => [loop, []]));
  for (let at = 0; at < loops.length; at += LOOPS_TOGETHER)
    for (const newest of await journal.newestIn(loops.slice(at, at + LOOPS_TOGETHER), kinds)) found.get(newest.entry.loop)?.push(newest);
  return found;
}

/** Of a few entries, the one of a kind. */
export const entryOf = <K extends Kind>(newest: readonly Newest[], kind: K): EntryOf<K> | undefined =>
  newest.map(({ entry }) => entry).find((entry): entry is EntryOf<K> => entry.record.kind === kind);

const PAGE = 256;

/** What is recorded in a loop and of none of its runs: a waking has its key in the place of a run. */
const IS_NO_RUNS: ReadonlySet<Kind> = new Set<Kind>(["waking", "heard", "loop-known", "loop-wrong", "loop-removed", "absence-told"]);

/** Runs of a loop that something was recorded about after that record, in the order of what came first. */
export async function runsSince(journal: Pick<JournalReader, "entriesAfter">, loop: string, sequence: number): Promise<readonly string[]> {
  const runs = new Set<string>();
  let after = sequence;
  for (;;) {
    const entries = await journal.entriesAfter(after, PAGE, { loop });
    for (const { run, record } of entries) if (!IS_NO_RUNS.has(record.kind)) runs.add(run);
    const last = entries.at(-1);
    if (!last) return [...runs];
    after = last.seq;
  }
}

/** What is asked of the ledger before something is spent. */
export interface Ask {
  readonly roundId: string;
  readonly purpose: string;
  readonly who: Spender;
  readonly wanted: Amounts;
  /** What would do, where less than is wanted is better than nothing. Default: all of it. */
  readonly least?: Amounts;
  readonly caps: readonly Cap[];
  /** The runs above, nearest first: it must have room in all of them. */
  readonly above?: readonly CapsAbove[];
  /** The reservation it may be taken out of. */
  readonly within?: number;
  /** Today in the user's zone. */
  readonly today: string;
  readonly owner: Owner;
  readonly isGone: (owner: Owner) => boolean;
}

export type Answer =
  | {
      readonly kind: "reserved";
      readonly entry: Entry<Reserved>;
      /** Of others, because they are gone. */
      readonly settled: readonly Entry[];
      /** The lines before it, where some were given. */
      readonly before?: readonly Entry[];
    }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly before?: readonly Entry[] };

/** What is taken in each scope. */
export type Tallies = { readonly [S in Exclude<ScopeName, "call">]: Amounts };

export interface Story {
  readonly entries: readonly Entry[];
  readonly damaged: readonly number[];
}

export interface Inspection {
  readonly entries: number;
  readonly whole: boolean;
  readonly damage: readonly Damage[];
}

export interface Damage extends Range {
  readonly problem: string;
}
