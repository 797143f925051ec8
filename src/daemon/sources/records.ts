// What wakes a loop from the journal itself: another loop came to rest, or a person answered or decided.

import type { Entry } from "../../contract/record.ts";
import type { Hearing } from "../../contract/trigger.ts";
import { type Cause, recordKey } from "../../contract/waking.ts";
import type { JournalReader } from "../../journal/journal.ts";
import { LONGEST_CHAIN } from "../../schedule/chains.ts";
import { endingOf } from "../../schedule/expectations.ts";
import type { HeardBook, News } from "../heard.ts";

export type RecordHearing = Extract<Hearing, { kind: "loop" | "inbox" }>;

export interface RecordListener {
  readonly loop: string;
  /** The record since which it listens. */
  readonly life: number;
  readonly hearing: RecordHearing;
}

/** The kinds of records that can wake somebody. */
export const WAKING_KINDS = ["run-rested", "answered", "decided"] as const;

type Reader = Pick<JournalReader, "newestOf" | "entriesAfter">;

export interface RecordWorld {
  readonly journal: Reader;
  readonly book: HeardBook;
}

const PAGE = 200;

/** Writes down what a listener missed while nobody listened for it. */
export async function catchUpOn({ journal, book }: RecordWorld, listener: RecordListener, upTo: number): Promise<void> {
  const { loop, life, hearing } = listener;
  const of = { loop: hearing.kind === "loop" ? hearing.loop : loop, kinds: WAKING_KINDS };
  let after = Math.max(life, await lastHeard(journal, loop));
  for (;;) {
    const page = await journal.entriesAfter(after, PAGE, of);
    for (const entry of page) {
      if (entry.seq > upTo) return;
      for (const news of await newsFrom(journal, entry, [listener])) await book.hear(news);
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

/** The number of the newest record that woke it, or was to. */
async function lastHeard(journal: Reader, loop: string): Promise<number> {
  const heard = await journal.newestOf(loop, "heard", { most: PAGE });
  const last = heard.find(({ record: { cause } }) => cause.kind === "loop" || cause.kind === "inbox");
  return last ? Number(last.run.slice(last.run.lastIndexOf("/") + 1)) : 0;
}

/** What one record wakes, of those who listen. */
export async function newsFrom(journal: Reader, entry: Entry, listeners: readonly RecordListener[]): Promise<readonly News[]> {
  const concerned = listeners.filter(({ life, hearing, loop }) => entry.seq > life && isMeant(hearing, loop, entry));
  if (concerned.length === 0) return [];
  const chain = entry.record.kind === "run-rested" ? [...(await chainOf(journal, entry.loop, entry.run)), entry.loop] : [];
  return concerned.flatMap(({ loop }): readonly News[] => {
    const cause = causeOf(entry, chain);
    if (!cause) return [];
    const news = { loop, key: recordKey(loop, entry.seq), cause };
    return chain.length > LONGEST_CHAIN ? [{ ...news, barred: "chain" }] : [news];
  });
}

function isMeant(hearing: RecordHearing, loop: string, { record, loop: of }: Entry): boolean {
  if (hearing.kind === "loop")
    return record.kind === "run-rested" && of === hearing.loop && hearing.endings.includes(endingOf(record.rest));
  return of === loop && (record.kind === "answered" || record.kind === "decided") && hearing.of.includes(record.kind);
}

function causeOf({ loop, run, record }: Entry, chain: readonly string[]): Cause | undefined {
  if (record.kind === "run-rested") return { kind: "loop", loop, run, ending: endingOf(record.rest), chain };
  if (record.kind === "answered" || record.kind === "decided") return { kind: "inbox", run, what: record.kind, by: record.by };
  return undefined;
}

/** Which loops had woken one another before this run, the oldest first. */
export async function chainOf(journal: Pick<JournalReader, "newestOf">, loop: string, run: string): Promise<readonly string[]> {
  const wakings = await journal.newestOf(loop, "waking", { most: PAGE });
  const cause = wakings.find(({ record }) => record.run === run)?.record.cause;
  return cause?.kind === "loop" || cause?.kind === "git" ? (cause.chain ?? []) : [];
}
