// The daemon's heartbeat: look, listen, tick, sleep, until it should stop; then let what runs come to an end.
import type { Clock, Stop } from "../contract/clock.ts";
import type { Ping } from "./ping.ts";
import type { TellSight } from "./sights.ts";

export interface BeatWorld {
  readonly clock: Clock;
  readonly sleepUnless: (ms: number, stop: Stop) => Promise<void>;
  /** One after the other, in each beat. One that fails is told, and keeps none of the others from its turn. */
  readonly parts: readonly Part[];
  readonly ping: Ping;
  readonly tell: TellSight;
  /** What is wrong now with one of the parts; undefined once it is in order. */
  readonly mark: (where: string, trouble: { readonly says: string } | undefined) => void;
}

export interface Part {
  readonly name: string;
  /** When it wants its turn, on the wall clock; undefined where only what happens brings it. */
  readonly next: () => number | undefined;
  readonly turn: () => Promise<void>;
  /** All others stand on it: while it fails, none of those after it has its turn. */
  readonly isGround?: true;
}

/** Timers wrap after weeks, and stand still while a machine sleeps. */
export const LONGEST_SLEEP_MS = 15_000;
/** So that a beat which always has something to do leaves room for everything else. */
const SHORTEST_SLEEP_MS = 5;
/** While what all stand on fails, nobody's turn comes, however long it is due. */
const GROUNDLESS_SLEEP_MS = 500;

export interface Beat {
  /** Beats until it is asked to stop. */
  until(stop: Stop): Promise<void>;
  /** Beats once. */
  once(): Promise<void>;
  /** The next beat comes at once. */
  hurry(): void;
}

export function createBeat({ clock, sleepUnless, parts, ping, tell, mark }: BeatWorld): Beat {
  let isHurried = false;
  let isGroundless = false;
  let cutShort = (): void => {};
  /** Told once, and again when it is another trouble. */
  const troubles = new Map<string, string>();

  async function once(): Promise<void> {
    isHurried = false;
    isGroundless = false;
    const failures: string[] = [];
    for (const { name, turn, isGround } of parts) {
      try {
        await turn();
        if (troubles.delete(name)) tell({ kind: "in-order", says: name });
        mark(name, undefined);
      } catch (error) {
        const says = `${name}: ${error instanceof Error ? error.message : String(error)}`;
        failures.push(says);
        mark(name, { says });
        if (troubles.get(name) !== says) tell({ kind: "trouble", says });
        troubles.set(name, says);
        isGroundless = isGround === true;
        if (isGroundless) break;
      }
    }
    ping.ticked(failures.length === 0 ? undefined : failures.join("\n"));
  }

  function restMs(): number {
    if (isGroundless) return GROUNDLESS_SLEEP_MS;
    if (isHurried) return SHORTEST_SLEEP_MS;
    const now = clock.now().getTime();
    const moments = parts.flatMap(({ next }) => next() ?? []);
    return Math.max(SHORTEST_SLEEP_MS, Math.min(LONGEST_SLEEP_MS, ...moments.map((moment) => moment - now)));
  }

  return {
    once,
    async until(stop) {
      while (!stop.asked()) {
        await once();
        if (stop.asked()) return;
        // Whoever hurries while we rest ends the rest.
        const listeners = new Set<() => void>();
        cutShort = () => {
          for (const listener of listeners) listener();
        };
        await sleepUnless(restMs(), {
          asked: () => stop.asked() || isHurried,
          onAsk(listener) {
            listeners.add(listener);
            const end = stop.onAsk(listener);
            return () => {
              listeners.delete(listener);
              end();
            };
          },
        });
        cutShort = () => {};
      }
    },
    hurry() {
      isHurried = true;
      cutShort();
    },
  };
}
