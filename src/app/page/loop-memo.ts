// What was worked out of a loop's records, kept until one more of them is written: pages that ask again cost nothing.
import type { JournalReader } from "../../journal/journal.ts";

export interface LoopMemo {
  /** Takes in what was written since; gives back the number of the newest record. Everything that is asked for afterwards is at least as new. */
  catchUp(): Promise<number>;
  /** What was made of a loop under this name, or what is made of it now. */
  get<T>(loop: string, name: string, make: () => Promise<Made<T>>): Promise<T>;
}

export interface Made<T> {
  readonly value: T;
  /** From then on it is another, although nothing is written, in milliseconds of UTC. */
  readonly until?: number | undefined;
}

interface Slot {
  readonly made: Promise<Made<unknown>>;
}

const PAGE = 256;
/** More records than these at once, and it is cheaper to begin anew. */
const MOST_CAUGHT_UP = 20_000;

export function createLoopMemo(journal: Pick<JournalReader, "entriesAfter" | "head">, now: () => Date): LoopMemo {
  const slots = new Map<string, Map<string, Slot>>();
  let seq: number | undefined;
  let turn: Promise<number> | undefined;

  async function takeIn(): Promise<number> {
    const top = (await journal.head())?.seq ?? 0;
    if (seq === undefined || top - seq > MOST_CAUGHT_UP || top < seq) {
      slots.clear();
      seq = top;
      return top;
    }
    while (seq < top) {
      const entries = await journal.entriesAfter(seq, PAGE);
      for (const { loop } of entries) slots.delete(loop);
      // Records that cannot be read are passed over; nothing is known of whom they were about.
      if (entries.length === 0) slots.clear();
      seq = entries.at(-1)?.seq ?? top;
    }
    return seq;
  }

  return {
    catchUp() {
      turn ??= takeIn().finally(() => {
        turn = undefined;
      });
      return turn;
    },
    async get<T>(loop: string, name: string, make: () => Promise<Made<T>>): Promise<T> {
      const ofLoop = slots.get(loop) ?? new Map<string, Slot>();
      slots.set(loop, ofLoop);
      const known = await ofLoop.get(name)?.made;
      if (known && (known.until === undefined || known.until > now().getTime())) return known.value as T; // made under the same name
      const made = make();
      ofLoop.set(name, { made });
      // What failed is tried again by the next who asks.
      made.catch(() => ofLoop.delete(name));
      return (await made).value;
    },
  };
}
