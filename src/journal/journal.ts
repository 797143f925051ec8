import type { Amounts, Cap, Owner, Refusal, ScopeName, Spender } from "../contract/ledger.ts";
import type { ChainPlace } from "../contract/receipt.ts";
import type { Entry, LoopRecord, Range, Reserved, RunOpened } from "../contract/record.ts";
import type { Replayed } from "./ledger.ts";

/** The only memory. It is appended to and read; nothing in it is ever changed. */
export interface Journal {
  append(place: { readonly loop: string; readonly run: string }, record: LoopRecord): Promise<Entry>;
  /** All of one run, oldest first, and which of its records cannot be read any more. */
  story(run: string): Promise<Story>;
  /** The newest record of a kind in a loop. */
  lastOf<K extends LoopRecord["kind"]>(loop: string, kind: K): Promise<Entry<Extract<LoopRecord, { kind: K }>> | undefined>;
  /** The newest records of a kind in a loop that came after that record, newest first. */
  newestOf<K extends LoopRecord["kind"]>(
    loop: string,
    kind: K,
    bounds: { readonly afterSeq: number; readonly most: number },
  ): Promise<readonly Entry<Extract<LoopRecord, { kind: K }>>[]>;
  /** The runs of a loop, newest first. */
  runs(loop: string, most: number): Promise<readonly Entry<RunOpened>[]>;
  /** Runs whose id begins with these characters. */
  runsLike(prefix: string, most: number): Promise<readonly Entry<RunOpened>[]>;
  /** Names of all loops that ever ran. */
  loops(): Promise<readonly string[]>;
  /** Whether a stop was asked for in this run since that record. */
  stopRequestedSince(run: string, seq: number): Promise<boolean>;
  /**
   * Takes something from what is left at every scope, in one transaction with its record, or takes nothing and says which cap
   * it would pass. Reservations of processes that are gone are settled first, at their full size.
   */
  reserve(place: { readonly loop: string; readonly run: string }, ask: Ask): Promise<Answer>;
  /** Settles what a run left open, at its full size. Only the holder of the loop's lock may ask. */
  settleLeftovers(run: string): Promise<readonly Entry[]>;
  /** What is taken, spent and reserved, as the store has it. */
  ledger(): Promise<Replayed>;
  /** What is taken by now in each scope that a round belongs to. */
  taken(place: { readonly loop: string; readonly run: string; readonly round: string; readonly day: string }): Promise<Tallies>;
  /** The journal's own name and its newest record; undefined while it is empty. */
  head(): Promise<ChainPlace | undefined>;
  /** The hashes of these records, as far as they are there. */
  hashesAt(seqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Runs of a loop that something was recorded about after that record, oldest first. */
  runsSince(loop: string, seq: number): Promise<readonly string[]>;
  /** The next entries after that record as lines of an exported chain, a page of them; none at the end. */
  lines(after: number, upTo: number): Promise<{ readonly text: string; readonly last: number } | undefined>;
  /** Reads everything and says what is whole and what is not. */
  inspect(): Promise<Inspection>;
  /** What was found and mended when the journal was opened; undefined when it was whole. */
  readonly mended: string | undefined;
  close(): void;
}

/** The journal for whoever only reads. */
export type JournalReader = Omit<Journal, "append" | "reserve" | "settleLeftovers">;

/** What is asked of the ledger before something is spent. */
export interface Ask {
  readonly roundId: string;
  readonly purpose: string;
  readonly who: Spender;
  readonly wanted: Amounts;
  /** What would do, where less than is wanted is better than nothing. Default: all of it. */
  readonly least?: Amounts;
  readonly caps: readonly Cap[];
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
      readonly entry: Entry<Reserved> /** Of others, because they are gone. */;
      readonly settled: readonly Entry[];
    }
  | { readonly kind: "refused"; readonly refusal: Refusal };

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

/** The journal as one run sees it: what happened so far, and a way to add to it. */
export interface RunJournal {
  readonly loop: string;
  readonly run: string;
  readonly entries: readonly Entry[];
  append(record: LoopRecord): Promise<Entry>;
  reserve(ask: Ask): Promise<Answer>;
  /** What is taken by now in each scope that a round of this run belongs to. */
  taken(round: string, day: string): Promise<Tallies>;
}

export async function openRunJournal(
  journal: Journal,
  { loop, run }: { readonly loop: string; readonly run: string },
): Promise<RunJournal> {
  const entries = [...(await journal.story(run)).entries];
  return {
    loop,
    run,
    entries,
    async append(record) {
      const entry = await journal.append({ loop, run }, record);
      entries.push(entry);
      return entry;
    },
    async reserve(ask) {
      const answer = await journal.reserve({ loop, run }, ask);
      if (answer.kind === "reserved") entries.push(...answer.settled.filter((entry) => entry.run === run), answer.entry);
      return answer;
    },
    taken: (round, day) => journal.taken({ loop, run, round, day }),
  };
}
