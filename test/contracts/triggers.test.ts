// What every trigger promises: options that are checked, instants by the laws of slots, and the same answer whenever it is asked.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Slots } from "../../src/contract/trigger.ts";
import { triggers } from "../../src/triggers/index.ts";
import { promisesOf } from "../support/part-suite.ts";
import { tries } from "../support/tries.ts";

/** Options with which each trigger wakes; a new one adds its own here. */
const HAPPY: { readonly [trigger: string]: readonly unknown[] } = {
  manual: [{}],
  every: [{ interval: "1s" }, { interval: "90m", from: "2026-03-01T12:00:00Z" }, { interval: "366d" }],
  cron: [
    { schedule: "*/7 * * * *", zone: "Australia/Lord_Howe" },
    { schedule: "30 2 * * *", zone: "Europe/Berlin" },
    { schedule: "0 0 29 2 *" },
    { schedule: "15 23 LW,15W * fri#2", zone: "America/Nuuk" },
  ],
  daily: [
    { at: "00:00", zone: "America/Santiago" },
    { at: ["02:30", "03:00", "14:00"], zone: "Europe/Berlin" },
  ],
  weekly: [
    { on: "sun", at: "02:30", zone: "Europe/Berlin" },
    { on: ["mon", "sat"], at: ["09:00", "17:30"] },
  ],
  git: [{ ref: "main" }, { ref: "refs/tags/v1", remote: "origin", every: "30s" }],
  files: [{ paths: ["**/*.md"] }, { paths: ["a", "b/**"], folder: "docs", rest: "500ms" }],
  webhook: [
    { address: "fix", secret: "HOOK_SECRET" },
    { address: "fix", secret: "HOOK_SECRET", form: "github", events: ["push"] },
  ],
  loop: [{ name: "other" }, { name: "other", endings: ["halted"] }],
  inbox: [{}, { of: ["decided"] }],
  any: [
    { of: [{ use: "git", with: { ref: "main" } }, { use: "inbox" }] },
    {
      of: [
        { use: "daily", with: { at: ["06:00", "12:00"], zone: "Europe/Berlin" } },
        { use: "cron", with: { schedule: "0 * * * *", zone: "Europe/Berlin" } },
        { use: "every", with: { interval: "45m" } },
        { use: "loop", with: { name: "other" } },
      ],
    },
  ],
};

const MINUTE = 60_000;
/** Years for those who wake rarely, months for those who wake often. */
const instantFor = (slots: Slots): fc.Arbitrary<number> =>
  fc.oneof(
    isDense(slots, Date.UTC(2024, 0, 1), Date.UTC(2030, 0, 1))
      ? fc.integer({ min: Date.UTC(2026, 2, 1), max: Date.UTC(2026, 10, 10) })
      : fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) }),
    // Around changes of clocks, and on the edges of slots.
    fc
      .tuple(
        fc.constantFrom("2026-03-29T01:00Z", "2026-10-25T01:00Z", "2026-09-06T04:00Z", "2026-04-04T15:00Z"),
        fc.integer({ min: -3000, max: 3000 }),
      )
      .map(([text, minutes]) => Date.parse(text) + minutes * MINUTE),
  );

const isDense = (slots: Slots, since: number, until: number): boolean => (slots.due(since, until, 0).older?.count ?? 0) > 5000;

it("gives every trigger a name of its own", () => {
  expect(new Set(triggers.map(({ name }) => name)).size).toBe(triggers.length);
});

describe.each(triggers.map((trigger) => [trigger.name, trigger] as const))("%s", (name, trigger) => {
  promisesOf(trigger);

  const wakers = (HAPPY[name] ?? []).map((options) => ({ options, waker: trigger.configure(options) }));

  it("wakes by something, or says that nothing does", () => {
    expect(wakers.length).toBeGreaterThan(0);
    if (name !== "manual") for (const { waker } of wakers) expect(waker.slots !== undefined || waker.hears.length > 0).toBe(true);
  });

  it("gives the same when its options are read again, filled in", () => {
    for (const { options, waker } of wakers) {
      const filled = trigger.options.parse(options);

      expect(trigger.options.parse(filled)).toEqual(filled);
      expect(trigger.configure(filled).hears).toEqual(waker.hears);
      // It is kept as JSON, so that what it hears must be such.
      expect(JSON.parse(JSON.stringify(waker.hears))).toEqual(waker.hears.map((hearing) => JSON.parse(JSON.stringify(hearing))));
    }
  });

  for (const { options, waker } of wakers) {
    const { slots } = waker;
    if (!slots) continue;

    it(`keeps the laws of slots with ${JSON.stringify(options)}`, () => {
      const again = trigger.configure(options).slots!;
      const instant = instantFor(slots);

      fc.assert(
        fc.property(instant, instant, instant, fc.integer({ min: 0, max: 30 }), (x, y, z, most) => {
          const [a = 0, b = 0, c = 0] = [x, y, z].sort((one, other) => one - other);
          const due = slots.due(a, c, most);

          // Pure: no answer depends on what was asked before, or of whom.
          expect(again.due(a, c, most)).toEqual(due);

          // Strictly ascending, inside (a, c], and the next one after it.
          const told = [...(due.older ? [due.older.first, ...(due.older.count > 1 ? [due.older.last] : [])] : []), ...due.newest];
          expect(told).toEqual([...new Set(told)].sort((one, other) => one - other));
          expect(told.every((slot) => slot > a && slot <= c && Number.isInteger(slot))).toBe(true);
          expect(due.newest.length).toBeLessThanOrEqual(most);
          if (due.older) expect(due.newest.length).toBe(most);
          if (due.next !== undefined) expect(due.next).toBeGreaterThan(c);

          // The count of the whole is the sum of its parts, and is what one gets one by one.
          const count = (since: number, until: number): number => slots.due(since, until, 0).older?.count ?? 0;
          expect(count(a, c)).toBe(count(a, b) + count(b, c));
          expect(count(a, c)).toBe((due.older?.count ?? 0) + due.newest.length);
          if (isDense(slots, a, c)) return;
          const all = (since: number, until: number): readonly number[] => slots.due(since, until, 5000).newest;
          expect(all(a, c)).toEqual([...all(a, b), ...all(b, c)]);
          expect(all(a, c).slice(all(a, c).length - due.newest.length)).toEqual(due.newest);

          // Who goes from next to next meets every one.
          const first = slots.due(a, a, 0).next;
          expect(all(a, c)[0]).toBe(first !== undefined && first <= c ? first : undefined);
        }),
        tries(20),
      );
    });
  }
});
