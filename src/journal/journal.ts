import type { Entry, LoopRecord, Range, RunOpened } from "../contract/record.ts";

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
  /** Reads everything and says what is whole and what is not. */
  inspect(): Promise<Inspection>;
  /** What was found and mended when the journal was opened; undefined when it was whole. */
  readonly mended: string | undefined;
  close(): void;
}

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
  };
}
