// Looks at every source when its time comes, a few at once; one that fails is looked at less often, and harms no other.
import type { Clock } from "../contract/clock.ts";
import type { Lookout } from "../contract/lookout.ts";
import type { Source } from "./sources/source.ts";

export interface SourcesWorld {
  readonly clock: Clock;
  readonly lookout: Lookout;
  readonly tell: (loop: string, what: string) => void;
  /** What cannot be looked at now; undefined once it can. */
  readonly mark: (where: string, trouble: { readonly loop: string; readonly says: string } | undefined) => void;
  /** Wakes whoever sleeps until the next moment. */
  readonly hurry: () => void;
}

export interface WatchedSources {
  /** In the place of those before; what is the same goes on. */
  replace(sources: readonly { readonly id: string; readonly make: () => Source }[]): void;
  /** Looks at what is due, and waits until it was looked at. */
  lookAtDue(): Promise<void>;
  /** Somebody said *look*: those nearby are due now. */
  look(): void;
  /** When the next is due, on the monotonic clock. */
  nextMs(): number | undefined;
  close(): void;
}

const AT_ONCE = 8;
const LONGEST_BACKOFF_MS = 15 * 60_000;

interface Watched {
  readonly source: Source;
  dueMs: number;
  fails: number;
  lacks: string | undefined;
  folders: string;
  unwatch: () => void;
}

export function watchSources({ clock, lookout, tell, mark, hurry }: SourcesWorld): WatchedSources {
  const watched = new Map<string, Watched>();

  function hasten(one: Watched): void {
    one.dueMs = Math.min(one.dueMs, clock.monotonicMs());
    hurry();
  }

  async function lookAt(id: string, one: Watched): Promise<void> {
    const { source } = one;
    one.dueMs = Number.POSITIVE_INFINITY;
    try {
      const { againMs = source.everyMs, lacks } = await source.look();
      // Somebody may have said *look* meanwhile.
      one.dueMs = Math.min(one.dueMs, clock.monotonicMs() + Math.min(againMs, source.everyMs));
      if (one.fails > 0) tell(source.loop, `${source.name} can be looked at again`);
      one.fails = 0;
      if (lacks !== undefined && lacks !== one.lacks) tell(source.loop, lacks);
      if (lacks === undefined && one.lacks !== undefined) tell(source.loop, `${source.name} is there now`);
      one.lacks = lacks;
      mark(id, lacks === undefined ? undefined : { loop: source.loop, says: lacks });
      watchFolders(one);
    } catch (error) {
      const says = `${source.name} could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
      if (one.fails === 0) tell(source.loop, says);
      mark(id, { loop: source.loop, says });
      one.fails += 1;
      one.dueMs = clock.monotonicMs() + Math.min(LONGEST_BACKOFF_MS, source.everyMs * 2 ** Math.min(one.fails, 10));
    }
  }

  function watchFolders(one: Watched): void {
    const folders = one.source.folders();
    const names = folders.join("\n");
    if (names === one.folders) return;
    one.unwatch();
    one.folders = names;
    one.unwatch = lookout.watch(folders, () => hasten(one));
  }

  return {
    replace(sources) {
      const ids = new Set(sources.map(({ id }) => id));
      for (const [id, one] of watched) {
        if (ids.has(id)) continue;
        one.unwatch();
        watched.delete(id);
        mark(id, undefined);
      }
      for (const { id, make } of sources) {
        if (watched.has(id)) continue;
        watched.set(id, { source: make(), dueMs: clock.monotonicMs(), fails: 0, lacks: undefined, folders: "", unwatch: () => {} });
      }
    },
    async lookAtDue() {
      const nowMs = clock.monotonicMs();
      const due = [...watched].filter(([, { dueMs }]) => dueMs <= nowMs);
      const next = due.values();
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, due.length) }, async () => {
          for (const [id, one] of next) await lookAt(id, one);
        }),
      );
    },
    look() {
      for (const one of watched.values()) if (one.source.isNear) hasten(one);
    },
    nextMs: () =>
      [...watched.values()].reduce<number | undefined>(
        (first, { dueMs }) => (first === undefined || dueMs < first ? dueMs : first),
        undefined,
      ),
    close() {
      for (const { unwatch } of watched.values()) unwatch();
      watched.clear();
    },
  };
}
