import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attendance, absenceNow, deadlineOf, isMetBy } from "./expectations.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);
const at = (hours: number): string => new Date(START + hours * HOUR).toISOString();
const DAILY = { ending: "proven", within: "25h" } as const;
const attendance = (more: Partial<Attendance> = {}): Attendance => ({
  ...{ loop: "fix", rested: undefined, known: at(0), freed: undefined, isPaused: false, told: undefined },
  ...more,
});
const lateAt = (hours: number, more: Partial<Attendance> = {}) => absenceNow(DAILY, attendance(more), new Date(at(hours)));

describe("what is expected of a loop", () => {
  it("is late at the deadline and not before it, and says so in words", () => {
    expect(lateAt(24.9)).toBeUndefined();
    expect(lateAt(25)).toEqual({
      loop: "fix",
      since: at(0),
      deadline: at(25),
      ending: "proven",
      says: `it should come to rest with something proven at least once in 25h, has not since ${at(0)}`,
    });
    expect(lateAt(27)?.says).toBe(
      `it should come to rest with something proven at least once in 25h, has not since ${at(0)}, and is late by 2h 00m`,
    );
  });

  it.each<readonly [string, Partial<Attendance>, string]>([
    ["a rest as it should be", { rested: at(5) }, at(30)],
    ["a change of its spec", { rested: at(5), known: at(9) }, at(34)],
    ["being freed", { rested: at(5), freed: at(7) }, at(32)],
    ["nothing older than that", { rested: at(5), freed: at(3) }, at(30)],
  ])("counts from %s", (_, more, deadline) => {
    expect(deadlineOf(DAILY, attendance(more)).deadline.toISOString()).toBe(deadline);
  });

  it("is told once for each time it is waited for", () => {
    expect(lateAt(30, { told: at(0) })).toBeUndefined();
    expect(lateAt(60, { rested: at(31), told: at(0) })?.since).toBe(at(31));
  });

  it("is nothing while somebody paused it", () => {
    expect(lateAt(100, { isPaused: true })).toBeUndefined();
  });

  it("is met by the ends that it names", () => {
    const rests = [
      { kind: "accept", action: "propose" },
      { kind: "nothing-to-do", reason: "" },
      { kind: "escalate", because: "gap", reason: "" },
      { kind: "halt", because: "bug", reason: "" },
    ] as const;
    const met = (["proven", "nothing-to-do", "handed-over", "halted", "any"] as const).map(
      (ending) => rests.filter((rest) => isMetBy(ending, rest)).length,
    );

    expect(met).toEqual([1, 1, 1, 1, 4]);
  });

  it("is told exactly once for each base, however often it is looked at", () => {
    const rests = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 8 });
    const looks = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(rests, looks, (gaps, steps) => {
        const rested = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
        let now = 0;
        let told: string | undefined;
        const bases: string[] = [];
        for (const step of steps) {
          now += step;
          const last = rested.findLast((time) => time <= now);
          const found = lateAt(now, { rested: last === undefined ? undefined : at(last), told });
          if (!found) continue;
          told = found.since;
          bases.push(found.since);
          expect(now * HOUR + START).toBeGreaterThanOrEqual(Date.parse(found.deadline));
        }

        expect(new Set(bases).size).toBe(bases.length);
      }),
    );
  });
});
