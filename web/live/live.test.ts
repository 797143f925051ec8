import fc from "fast-check";
import { expect, it } from "vitest";
import type { LiveEvent } from "../../src/contract/api.ts";
import { type Connection, foldConnection, type Happening, mayDecide, NOT_YET, waitBeforeTry } from "./connection.ts";
import { NOTHING_READ, readEvents, type Unread } from "./events.ts";
import { holdRows } from "./hold.ts";

const record = (id: number): LiveEvent => ({
  event: "record",
  id,
  data: { seq: id, at: "2026-11-17T06:00:00Z", loop: "fix", run: "fix-1", kind: "round-opened", hash: "ab" },
});
const heard = (event: LiveEvent): Happening => ({ kind: "heard", event, atMs: 1 });
const beat = (seq: number): Happening => heard({ event: "beat", data: { seq, at: "2026-11-17T06:00:00Z" } });
const greeted = (seq: number, since = "then"): Happening => ({ kind: "greeted", seq, since, atMs: 1 });
const after = (...happenings: readonly Happening[]): Connection => happenings.reduce(foldConnection, NOT_YET);

it("says how many records came in while it was away, and that none is missing", () => {
  const back = after(
    greeted(48_190),
    { kind: "lost" },
    greeted(48_193),
    heard(record(48_191)),
    heard(record(48_192)),
    heard(record(48_193)),
    beat(48_193),
  );

  expect([back.kind, back.seq, back.back]).toEqual([
    "live",
    48_193,
    { from: 48_191, to: 48_193, count: 3, isWhole: true, wasRestarted: false },
  ]);
});

it("never says that none is missing when a number was left out", () => {
  const back = after(greeted(5), { kind: "lost" }, greeted(8), heard(record(6)), heard(record(8)), beat(8));

  expect(back.back).toEqual({ from: 6, to: 8, count: 2, isWhole: false, wasRestarted: false });
});

it("tells of another server in the place of the one before", () => {
  expect(after(greeted(5, "one"), { kind: "lost" }, greeted(5, "two")).back).toEqual({
    from: 6,
    to: 5,
    count: 0,
    isWhole: true,
    wasRestarted: true,
  });
});

it("lets nobody decide while it is away, or has not read everything", () => {
  expect(mayDecide(after(greeted(5)))).toBe(true);
  expect(mayDecide(after(greeted(5), { kind: "lost" }))).toBe(false);
  expect(mayDecide(after(greeted(5), { kind: "lost" }, greeted(7), heard(record(6))))).toBe(false);
  expect(mayDecide(NOT_YET)).toBe(false);
});

it("counts a record once that was sent twice", () => {
  expect(after(greeted(5), heard(record(6)), heard(record(6))).seq).toBe(6);
});

it("comes back whole exactly if every number came in", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 11, max: 30 }), { maxLength: 20 }), (numbers) => {
      const sorted = numbers.toSorted((one, other) => one - other);
      const head = sorted.at(-1) ?? 10;
      const end = after(greeted(10), { kind: "lost" }, greeted(head), ...sorted.map((id) => heard(record(id))), beat(head));
      expect(end.back?.isWhole).toBe(sorted.length === head - 10);
    }),
  );
});

it("waits longer after each try, and never long", () => {
  expect([1, 2, 3, 4, 9].map(waitBeforeTry)).toEqual([1000, 2000, 4000, 8000, 8000]);
});

it("reads the same events however the stream was cut", () => {
  const stream = `: warm\n\nid: 7\nevent: record\ndata: ${JSON.stringify({ seq: 7 })}\n\nevent: beat\r\ndata: {"seq":7}\r\n\r\nevent: other\ndata: {}\n\nevent: beat\ndata: no\n\n`;
  const whole = readEvents(NOTHING_READ, stream).events;
  expect(whole).toEqual([
    { event: "record", id: 7, data: { seq: 7 } },
    { event: "beat", data: { seq: 7 } },
  ]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length })), (cuts) => {
      const at = [0, ...cuts.toSorted((one, other) => one - other), stream.length];
      const events: LiveEvent[] = [];
      let unread: Unread = NOTHING_READ;
      for (const [index, from] of at.slice(0, -1).entries()) {
        const read = readEvents(unread, stream.slice(from, at[index + 1]));
        unread = read.unread;
        events.push(...read.events);
      }
      expect(events).toEqual(whole);
    }),
  );
});

it("keeps rows in their places while somebody reads them, and tells how many wait", () => {
  const keyOf = (item: { readonly id: string; readonly n: number }): string => item.id;
  const first = holdRows(
    undefined,
    [
      { id: "a", n: 1 },
      { id: "b", n: 1 },
    ],
    keyOf,
    true,
  );
  const fresh = [
    { id: "c", n: 1 },
    { id: "b", n: 2 },
  ];

  expect(holdRows(first, fresh, keyOf, true)).toEqual({
    rows: [
      { item: { id: "a", n: 1 }, isGone: true },
      { item: { id: "b", n: 2 }, isGone: false },
    ],
    waiting: 1,
  });
  expect(holdRows(first, fresh, keyOf, false)).toEqual({
    rows: [
      { item: { id: "c", n: 1 }, isGone: false },
      { item: { id: "b", n: 2 }, isGone: false },
    ],
    waiting: 0,
  });
});
