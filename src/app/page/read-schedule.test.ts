import { expect, it } from "vitest";
import { createMemoryHouse } from "../../../test/support/memory-house.ts";
import type { Waking } from "../../contract/waking.ts";
import { pageRecords } from "./page-records.ts";
import { boundsOf, readSchedule } from "./read-schedule.ts";

it.each([
  ["2026-01-05", "UTC", 24],
  ["2026-03-29", "Europe/Berlin", 23],
  ["2026-10-25", "Europe/Berlin", 25],
  ["2026-07-01", "Asia/Kathmandu", 24],
])("knows where %s begins and ends in %s", (day, zone, hours) => {
  const { from, to } = boundsOf(day, zone);

  expect((to - from) / 3_600_000).toBe(hours);
  expect(new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(from)).toBe(day);
});

it("tells of every waking of a day what became of it and why, and of no other day", async () => {
  const { house } = createMemoryHouse();
  const slot = (at: string) => ({ kind: "slot", slot: at, local: at }) as const;
  const waking = (at: string, more: Partial<Waking>): Waking => ({
    kind: "waking",
    fate: "ran",
    cause: slot(at),
    dueAt: at,
    reason: "on-time",
    says: "It was time.",
    ...more,
  });
  const write = (at: string, more: Partial<Waking>) =>
    house.journal.append([{ loop: "fix", run: `fix/slot/${at}`, at, record: waking(at, more) }]);
  await write("2026-01-04T23:00:00.000Z", {});
  await write("2026-01-05T01:00:00.000Z", { run: "fix-1" });
  await write("2026-01-05T02:00:00.000Z", { fate: "skipped", reason: "overlap", says: "A run was open." });
  await write("2026-01-05T03:00:00.000Z", {
    fate: "missed",
    reason: "nothing-was-running",
    says: "Nothing was running.",
    covers: { first: "2026-01-05T02:30:00.000Z", count: 2 },
  });
  await write("2026-01-06T01:00:00.000Z", {});

  const day = await readSchedule(pageRecords(house), { day: "2026-01-05", zone: "UTC" });

  expect(day.tally).toEqual({ ran: 1, skipped: 1, missed: 3, coalesced: 0, failed: 0, planned: 0 });
  expect(day.says).toBe("5 waking(s), every one accounted for: 1 skipped, 3 missed.");
  expect(day.lanes.map(({ loop, marks }) => [loop, marks.map(({ kind, reason, says, run }) => [kind, reason, says, run])])).toEqual([
    [
      "fix",
      [
        ["ran", "on-time", "It was time.", "fix-1"],
        ["skipped", "overlap", "A run was open.", null],
        ["missed", "nothing-was-running", "Nothing was running.", null],
      ],
    ],
  ]);
  await expect(readSchedule(pageRecords(house), { zone: "Nowhere/City" })).rejects.toThrow("no time zone");
});
