// What was heard goes on record before anybody is thanked for it: once for each key, and many at a time in one write.
import type { Entry } from "../contract/record.ts";
import type { Cause, Waking } from "../contract/waking.ts";
import { isOvertaken, type Journal, type JournalReader, type Only } from "../journal/journal.ts";

/** Something that happened, and by what it is known for ever. */
export interface News {
  readonly loop: string;
  readonly key: string;
  readonly cause: Cause;
  readonly barred?: "own-work" | "chain";
}

export type Heard =
  | { readonly kind: "new" }
  /** It is on record already, by this key; with what became of it, where that is known by now. */
  | { readonly kind: "known"; readonly key: string; readonly fate: Pick<Waking, "fate" | "says"> | undefined };

/** Writes down what was heard; resolves once it is on record. */
export interface HeardBook {
  hear(news: News): Promise<Heard>;
}

const MOST_AT_ONCE = 200;
const MOST_TRIES = 20;

type Writer = Pick<Journal, "append"> & Pick<JournalReader, "story">;

interface Waiting {
  readonly news: News;
  readonly answer: (heard: Heard) => void;
  readonly fail: (error: unknown) => void;
}

/** While one write goes on, whatever comes meanwhile waits for the next, and goes out with it: a burst costs a few writes. */
export function createHeardBook(journal: Writer, told: (news: News) => void): HeardBook {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      try {
        const heard = await hearAll(
          journal,
          batch.map(({ news }) => news),
        );
        for (const [index, { news, answer }] of batch.entries()) {
          const one = heard[index]!;
          answer(one);
          if (one.kind === "new") told(news);
        }
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
  }

  return {
    hear: (news) =>
      new Promise((answer, fail) => {
        waiting.push({ news, answer, fail });
        if (isWriting) return;
        isWriting = true;
        writeAll().finally(() => {
          isWriting = false;
        });
      }),
  };
}

/** In the order in which they were told. The same key twice among them is one new and one known. */
export async function hearAll(journal: Writer, all: readonly News[]): Promise<readonly Heard[]> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const known = await knownAmong(journal, all);
    const fresh = all.filter(({ key }, index) => !known.has(key) && all.findIndex((other) => other.key === key) === index);
    const written = fresh.length === 0 ? [] : await journal.append(fresh.map(lineOf), fresh.map(onlyIfFree));
    if (isOvertaken(written)) continue;
    const isFresh = new Set(fresh);
    return all.map((news) => (isFresh.has(news) ? { kind: "new" } : { kind: "known", key: news.key, fate: known.get(news.key)?.fate }));
  }
  throw new Error("others wrote the same keys again and again");
}

async function knownAmong(journal: Writer, all: readonly News[]): Promise<ReadonlyMap<string, { readonly fate: Waking | undefined }>> {
  const known = new Map<string, { readonly fate: Waking | undefined }>();
  for (const { key } of all) {
    if (known.has(key)) continue;
    const { entries } = await journal.story(key);
    if (entries.length > 0) known.set(key, { fate: fateIn(entries) });
  }
  return known;
}

/** The newest counts. */
export function fateIn(entries: readonly Entry[]): Waking | undefined {
  return entries.flatMap(({ record }) => (record.kind === "waking" ? [record] : [])).at(-1);
}

const lineOf = ({ loop, key, cause, barred }: News) => ({
  loop,
  run: key,
  record: { kind: "heard", cause, ...(barred ? { barred } : {}) } as const,
});

const onlyIfFree = ({ loop, key }: News): Only => ({ in: { loop, run: key }, kinds: ["heard", "waking"], newest: 0 });
