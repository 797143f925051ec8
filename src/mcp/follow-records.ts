// Looks at what was written since, and tells whoever listens which addresses say something else now.
import type { House } from "../app/open-house.ts";
import { HOME_PLACE } from "../journal/known-loops.ts";
import { INBOX_URI, uriOfLoop, uriOfRun } from "./resources.ts";

export type HearUri = (uri: string) => Promise<void> | void;

export interface Following {
  /** Gives back what takes the listener away again. */
  readonly on: (listener: HearUri) => () => void;
  readonly end: () => void;
}

const EVERY_MS = 1_000;
const PAGE = 500;

export function followRecords({ journal, repeat }: Pick<House, "journal" | "repeat">): Following {
  const listeners = new Set<HearUri>();
  /** Undefined until it is known from where on somebody listens. */
  let seq: number | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    const top = (await journal.head())?.seq ?? 0;
    if (seq === undefined) {
      seq = top;
      return;
    }
    // What cannot be read is passed over, and a home that was put back is followed from where it is.
    const entries = top > seq ? await journal.entriesAfter(seq, PAGE) : [];
    seq = entries.at(-1)?.seq ?? top;
    const about = entries.filter(({ loop }) => loop !== HOME_PLACE.loop);
    const uris = new Set(about.flatMap(({ run, loop }) => [uriOfRun(run), `${uriOfRun(run)}/evidence`, uriOfLoop(loop)]));
    if (about.length > 0) uris.add(INBOX_URI);
    // One that is gone keeps nobody else from hearing it.
    for (const uri of uris) await Promise.allSettled([...listeners].map(async (listener) => listener(uri)));
  }

  function turn(): void {
    if (isLooking || listeners.size === 0) return;
    isLooking = true;
    look()
      .catch(() => {}) // whoever asks is told what is wrong
      .finally(() => {
        isLooking = false;
      });
  }

  const timer = repeat(EVERY_MS, turn);
  return {
    on(listener) {
      listeners.add(listener);
      if (listeners.size === 1) {
        seq = undefined;
        turn();
      }
      return () => listeners.delete(listener);
    },
    end: () => timer.end(),
  };
}
