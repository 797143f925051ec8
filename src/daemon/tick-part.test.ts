import { expect, it } from "vitest";
import { type Ticker, tickPart } from "./tick-part.ts";

const SECOND = 1000;
const WAITS = { loop: "a", says: "this machine has its 2 runs" };
const NOON = Date.parse("2026-01-05T12:00:00Z");

/** A beat every half second, as where the journal is followed; says at which seconds there was a tick. */
async function beats(
  seconds: number,
  ticker: Partial<Ticker>,
  clockAt = (ms: number): number => NOON + ms,
  told: string[] = [],
): Promise<readonly number[]> {
  let ms = 0;
  const ticked: number[] = [];
  const part = tickPart(
    { now: () => new Date(clockAt(ms)), monotonicMs: () => ms },
    {
      begin: async () => {},
      noticed: () => {},
      noticedAll: () => {},
      settled: async () => {},
      next: () => undefined,
      ...ticker,
      tick: async (now) => {
        ticked.push(ms / SECOND);
        return ticker.tick?.(now) ?? { waiting: [], problems: [] };
      },
    },
    { trouble: () => {}, waits: (one) => told.push(`${one.loop}: ${one.says}`) },
  );
  for (; ms <= seconds * SECOND; ms += 500) await part.turn().catch(() => {});
  return ticked;
}

it("ticks now and then where nothing is due, so that a gap is known by the last one", async () => {
  expect(await beats(40, {})).toEqual([0, 15, 30]);
});

it("ticks as soon as something is due", async () => {
  let next = NOON + 3 * SECOND;
  const tick = async (now: number) => {
    if (now >= next) next += 60 * SECOND;
    return { waiting: [], problems: [] };
  };

  expect(await beats(10, { next: () => next, tick })).toEqual([0, 3]);
});

it("ticks in every beat while somebody waits for room, and after one that failed", async () => {
  expect(await beats(1, { tick: async () => ({ waiting: [WAITS], problems: [] }) })).toEqual([0, 0.5, 1]);
  expect(
    await beats(1, {
      tick: async () => {
        throw new Error("the store is gone");
      },
    }),
  ).toEqual([0, 0.5, 1]);
});

it("ticks when the clock was set back", async () => {
  expect(await beats(4, {}, (ms) => (ms < 2 * SECOND ? NOON + ms : NOON - 7200 * SECOND + ms))).toEqual([0, 2]);
});

it("tells once of a wait that lasts, and again of the next", async () => {
  const told: string[] = [];
  const isWaiting = (now: number): boolean => now < NOON + 12 * SECOND || now > NOON + 20 * SECOND;
  const tick = async (now: number) => ({ waiting: isWaiting(now) ? [WAITS] : [], problems: [] });

  await beats(45, { tick, next: () => NOON }, undefined, told);

  expect(told).toEqual(["a: this machine has its 2 runs", "a: this machine has its 2 runs"]);
});
