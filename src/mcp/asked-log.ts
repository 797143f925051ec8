// Puts on record what clients ask: what moves something before it does, the rest a few at a time. Where that cannot be written, nothing is answered.
import type { AskedOne } from "../contract/client-asked.ts";
import { LoopError } from "../contract/errors.ts";
import { untrustedText } from "../contract/text.ts";
import type { Journal, Line } from "../journal/journal.ts";
import { HOME_PLACE } from "../journal/known-loops.ts";

export interface Noted extends AskedOne {
  readonly client: string;
}

export interface AskedLog {
  /** Refuses where what was asked before could not be written, until it can. */
  readonly mustWork: () => Promise<void>;
  /** It is on record within a second, or when this is closed. */
  readonly note: (asked: Noted) => void;
  /** It is on record when this resolves. */
  readonly now: (asked: Noted) => Promise<void>;
  readonly close: () => Promise<void>;
}

const EVERY_MS = 500;
const MOST_TOGETHER = 200;
/** As many wait to be written and no more: then whoever asks waits too. */
const MOST_WAITING = 1_000;

export function createAskedLog(
  over: string,
  {
    journal,
    repeat,
  }: { readonly journal: Pick<Journal, "append">; readonly repeat: (ms: number, work: () => void) => { end: () => void } },
): AskedLog {
  let waiting: readonly Noted[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown;

  const write = (): Promise<void> => {
    writing = writing.then(async () => {
      const taken = waiting;
      if (taken.length === 0) return;
      waiting = [];
      try {
        await journal.append(linesOf(over, taken));
        failure = undefined;
      } catch (error) {
        // What could not be written is tried again, before anything that comes later.
        waiting = [...taken, ...waiting];
        failure = error;
      }
    });
    return writing;
  };
  const timer = repeat(EVERY_MS, () => void write());

  return {
    async mustWork() {
      if (failure !== undefined || waiting.length >= MOST_WAITING) await write();
      if (failure !== undefined) throw cannotWrite(failure);
    },
    note(asked) {
      waiting = [...waiting, asked];
      if (waiting.length >= MOST_TOGETHER) void write();
    },
    async now(asked) {
      waiting = [...waiting, asked];
      await write();
      if (failure !== undefined) throw cannotWrite(failure);
    },
    async close() {
      timer.end();
      await write();
    },
  };
}

/** Those of one client that stand together, in one record. */
function linesOf(over: string, noted: readonly Noted[]): readonly Line[] {
  const groups: { readonly client: string; readonly asked: AskedOne[] }[] = [];
  for (const { client, ...asked } of noted) {
    const last = groups.at(-1);
    if (last?.client === client && last.asked.length < MOST_TOGETHER) last.asked.push(asked);
    else groups.push({ client, asked: [asked] });
  }
  return groups.map(({ client, asked }) => ({
    ...HOME_PLACE,
    record: { kind: "client-asked", over, client: untrustedText(client), asked },
  }));
}

const cannotWrite = (cause: unknown): LoopError =>
  new LoopError("store-unusable", "what is asked cannot be put on record, and so nothing is answered", {
    retry: "later",
    hint: "Look at the home with `lw doctor`: its disk may be full, or it may not be written to.",
    cause,
  });
