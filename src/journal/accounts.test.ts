import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryLocks } from "../world/store/memory-locks.ts";
import { accountsUsedUp, createAccounts, limitRecords, openLimits, usableFrom, weighReset } from "./accounts.ts";
import type { Line } from "./journal.ts";
import { createMemoryJournal } from "./memory-journal.ts";

const NOON = Date.UTC(2026, 0, 5, 12);
const at = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString();
const seen = (account: string, minutes: number, until: number): Line => ({
  loop: "-",
  run: "-",
  at: at(minutes),
  record: { kind: "limit-seen", account, until: at(until), run: "fix-1-abcde" },
});
const over = (account: string, minutes: number, sequence: number): Line => ({
  loop: "-",
  run: "-",
  at: at(minutes),
  record: { kind: "limit-over", account, seen: sequence, run: "fix-2-abcde" },
});
const entriesOf = async (...lines: readonly Line[]) => createMemoryJournal({ now: () => new Date(NOON) }).append(lines);

describe("accounts that are used up", () => {
  it("are those whose limit has not passed, each once, until the latest time that was told", async () => {
    const entries = await entriesOf(seen("a", 0, 60), seen("a", 1, 30), seen("b", 2, 10), seen("c", 3, 90));

    expect(accountsUsedUp(entries, new Date(at(20)))).toEqual([
      { account: "a", until: at(60), seen: 2, seenAt: at(1) },
      { account: "c", until: at(90), seen: 4, seenAt: at(3) },
    ]);
  });

  it("are free again once a call after the limit came to something, and not by one from before it", async () => {
    const entries = await entriesOf(seen("a", 0, 60), over("a", 61, 1), seen("a", 70, 130), seen("b", 0, 60), over("b", 1, 0));

    expect(openLimits(entries).map(({ account, seen: sequence }) => [account, sequence])).toEqual([
      ["a", 3],
      ["b", 4],
    ]);
  });

  it("stay to be tried after their time has passed, until somebody did", async () => {
    const entries = await entriesOf(seen("a", 0, 60));

    expect(accountsUsedUp(entries, new Date(at(61)))).toEqual([]);
    expect(openLimits(entries)).toHaveLength(1);
  });

  it("are read from the home's own place, and tried by one at a time", async () => {
    const journal = createMemoryJournal({ now: () => new Date(NOON) });
    const accounts = createAccounts(journal, createMemoryLocks());

    await accounts.sawLimit("a", at(60), "fix-1-abcde");
    const limit = await accounts.limitOn("a");
    const first = await accounts.holdToTry("a");
    const second = await accounts.holdToTry("a");
    await accounts.sawGood(limit!, "fix-1-abcde");
    await first?.release();

    expect(limit).toEqual({ account: "a", until: at(60), seen: 1, seenAt: at(0) });
    expect([first !== undefined, second]).toEqual([true, undefined]);
    expect([await accounts.limitOn("a"), await accounts.limitOn("b")]).toEqual([undefined, undefined]);
    expect((await limitRecords(journal)).map(({ loop, run }) => `${loop} ${run}`)).toEqual(["- -", "- -"]);
  });
});

describe("a loop that waits for a limit", () => {
  it("goes on at the same time whenever it is asked, not before the limit passes, and at most five minutes later", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 20_000 }), (loop, minutes) => {
        const limit = { seenAt: at(0), until: at(minutes) };
        const laterMs = usableFrom(limit, loop).getTime() - Date.parse(limit.until);

        expect(usableFrom(limit, loop)).toEqual(usableFrom(limit, loop));
        expect(laterMs).toBeGreaterThanOrEqual(0);
        expect(laterMs).toBeLessThanOrEqual(Math.min(5, minutes / 10) * 60_000);
      }),
    );
  });

  it("does not go on with all others at once", () => {
    const limit = { seenAt: at(0), until: at(300) };
    const times = new Set(Array.from({ length: 30 }, (_, index) => usableFrom(limit, `loop-${index}`).getTime()));

    expect(times.size).toBeGreaterThan(25);
  });
});

describe("the time that a limit is said to pass at", () => {
  const now = new Date(at(0));

  it.each([
    ["in an hour", at(60), "in-force"],
    ["in 14 days", at(14 * 24 * 60), "in-force"],
    ["in more than 14 days", at(14 * 24 * 60 + 1), "doubtful"],
    ["this very moment", at(0), "passing"],
    ["a minute ago", at(-1), "passing"],
    ["longer ago", at(-2), "doubtful"],
    ["never told", undefined, "doubtful"],
    ["no time", "soon", "doubtful"],
  ])("%s", (_, until, weighed) => {
    expect(weighReset(until, now)).toBe(weighed);
  });
});
