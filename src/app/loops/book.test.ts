import { expect, it } from "vitest";
import { createMemoryHouse, type MemoryHouse, specText } from "../../../test/support/memory-house.ts";
import { slotKey, type Waking } from "../../contract/waking.ts";
import { readScheduleEntries } from "../../journal/schedule-entries.ts";
import { foldSchedule } from "../../schedule/facts.ts";
import { readInbox } from "../decisions/inbox.ts";
import { freeLoop, pauseLoop, stopAll } from "../decisions/standing.ts";
import { runSpec } from "../runs/wake.ts";
import { createBook } from "./book.ts";
import { addPlaces, removePlaces } from "./tend.ts";
import { readTicks } from "./ticks.ts";
import { explain, simulate, viewSchedule, viewTick } from "./view-schedule.ts";

const HOUR = 3_600_000;
const NINE = Date.UTC(2026, 0, 5, 9);
const HOURLY = { trigger: { use: "every", with: { interval: "1h" } } };
const iso = (at: number): string => new Date(at).toISOString();

async function houseWith(more: object = {}): Promise<MemoryHouse> {
  const at = createMemoryHouse();
  at.files.written.set("/l/fix.loop.json", specText({ ...HOURLY, ...more }));
  await addPlaces(at.house, "/", ["/l"], "ada");
  return at;
}

const skipped = (slot: number, since: number): Waking => ({
  kind: "waking",
  fate: "skipped",
  cause: { kind: "slot", slot: iso(slot), local: iso(slot) },
  dueAt: iso(slot),
  reason: "overlap",
  says: "a run was still open",
  since: iso(since),
});

it("writes wakings only if their keys are free and nothing else was written of the loop", async () => {
  const at = await houseWith();
  const [one, other] = [createBook(at.house), createBook(at.house)];
  const version = (await one.facts("fix"))?.version ?? { own: 0, home: 0 };
  const line = { key: slotKey("fix", NINE), waking: skipped(NINE, NINE) };

  expect(await one.write("fix", version, [line])).toBe("written");
  expect(await other.write("fix", version, [line])).toBe("overtaken");
  const now = (await other.facts("fix"))?.version ?? version;
  expect(await other.write("fix", now, [line])).toBe("overtaken");
  expect(at.records("waking").length).toBe(1);
});

it("knows by what it remembers what another process reads anew, whatever happened", async () => {
  const at = await houseWith();
  const { house } = at;
  const book = createBook(house);
  const seen = async () => {
    const [mine, anew] = [await book.facts("fix"), await createBook(house).facts("fix")];
    // Times are functions, which are never the same.
    expect(JSON.parse(JSON.stringify(mine))).toEqual(JSON.parse(JSON.stringify(anew)));
    return mine;
  };

  await seen();
  await pauseLoop(house, "fix", "ada", "holidays");
  expect((await seen())?.barred).toMatchObject({ reason: "paused" });
  await book.setBack(NINE + HOUR, NINE);
  await freeLoop(house, "fix", "ada", "");
  expect((await seen())?.closings).toHaveLength(1);
  const version = (await seen())?.version ?? { own: 0, home: 0 };
  await book.write("fix", version, [{ key: slotKey("fix", NINE), waking: skipped(NINE, NINE + 60_000) }]);
  expect((await seen())?.closings).toEqual([]);
  await book.hear("fix", "fix/hand/1", { kind: "hand", by: "ada" }, NINE);
  expect((await seen())?.events).toMatchObject([{ key: "fix/hand/1" }]);
  at.files.written.set("/l/fix.loop.json", "{");
  await addPlaces(house, "/", ["/l"], "ada");
  expect((await seen())?.barred).toMatchObject({ reason: "not-valid" });
  await removePlaces(house, "/", ["/l"], "ada");
  expect((await seen())?.life).toBe("removed");
  expect(await book.loops()).toEqual([{ loop: "fix", moment: Number.NEGATIVE_INFINITY }]);
});

it("reads a long history from its newest end, and gets the same", async () => {
  const at = await houseWith();
  const { journal } = at.house;
  for (let n = 0; n < 300; n++) {
    const slot = NINE + n * HOUR;
    await journal.append([{ loop: "fix", run: slotKey("fix", slot), record: skipped(slot, slot) }]);
  }
  await pauseLoop(at.house, "fix", "ada", "");

  const few = await readScheduleEntries(journal, "fix");
  const all = await journal.entriesAfter(0, 10_000, { loop: "fix" });

  expect(few.length).toBeLessThan(5);
  const [mine, whole] = [foldSchedule(few), foldSchedule(all)];
  expect({ ...mine, recent: [] }).toEqual({ ...whole, recent: [] });
});

it("hears of something once, and says what became of it", async () => {
  const at = await houseWith();
  const book = createBook(at.house);
  const cause = { kind: "hand", by: "ada" } as const;

  expect(await book.hear("fix", "fix/hand/1", cause, NINE)).toEqual({ kind: "heard" });
  expect(await book.hear("fix", "fix/hand/1", cause, NINE)).toEqual({ kind: "known", waking: undefined });
});

it("keeps the last tick, and does without one that cannot be read", async () => {
  const at = await houseWith();
  const book = createBook(at.house);
  expect(await book.ticks()).toBeUndefined();

  await book.keepTicks({ last: 2, awake: 1 });
  expect(await readTicks(at.house)).toEqual({ last: 2, awake: 1 });
  at.files.written.set("/nowhere/home/ticks.json", "torn");
  expect(await readTicks(at.house)).toBeUndefined();
});

it("counts proposals that wait, tells caps that are used up, and what is stopped", async () => {
  const at = await houseWith({ budget: { loop: { day: { rounds: 1 } } } });
  await runSpec(at.house, at.spec({ ...HOURLY, budget: { loop: { day: { rounds: 1 } } } }), { onlyIfDue: false, again: false }, () => {});
  await stopAll(at.house, "ada");

  const facts = await createBook(at.house).facts("fix");

  expect(facts).toMatchObject({
    proposals: 1,
    openRun: undefined,
    caps: { says: "1 rounds of 1 are taken for this loop today (budget.loop.day.rounds)", until: Date.UTC(2026, 0, 6) },
    barred: { reason: "all-stopped" },
  });
});

it("tells once that something expected did not come, and keeps it in the inbox until it does", async () => {
  const at = await houseWith();
  const book = createBook(at.house);
  const absence = { base: NINE, deadline: NINE + HOUR, ending: "any" as const, says: "it was to have come to rest by ten" };

  await book.tellAbsence("fix", absence);
  await book.tellAbsence("fix", absence);

  expect(at.records("absence-told").length).toBe(1);
  expect((await readInbox(at.house, "due")).map(({ id, why }) => [id, why])).toEqual([["fix", "it was to have come to rest by ten"]]);
  await runSpec(at.house, at.spec(HOURLY), { onlyIfDue: false, again: false }, () => {});
  expect((await readInbox(at.house, "due")).map(({ kind }) => kind)).toEqual(["proposal"]);
});

it("says when a loop wakes next, what its spec would do, and why it did not run at a time", async () => {
  const at = await houseWith({ wake: { within: [{ from: "00:00", to: "10:30" }] } });
  const { house } = at;
  const version = (await createBook(house).facts("fix"))?.version ?? { own: 0, home: 0 };
  await createBook(house).write("fix", version, [{ key: slotKey("fix", NINE), waking: skipped(NINE, NINE) }]);

  expect((await simulate(house, "fix", 3 * HOUR)).slots.map(({ local, isOpen }) => [local, isOpen])).toEqual([
    ["2026-01-05T09:00 UTC", true],
    ["2026-01-05T10:00 UTC", true],
    ["2026-01-05T11:00 UTC", false],
  ]);
  expect((await viewSchedule(house, undefined)).map(({ loop, next, why, last }) => [loop, next?.local, why, last.length])).toEqual([
    ["fix", "2026-01-05T09:00 UTC", null, 1],
  ]);
  const before = at.entries.length;
  expect((await explain(house, "fix", new Date(NINE + 60_000))).lines).toEqual(["2026-01-05T09:00:00.000Z: skipped: a run was still open"]);
  expect((await explain(house, "fix", new Date(NINE - HOUR))).lines[0]).toMatch(/^2026-01-05T08:00 UTC: that was before it was added/);
  const { wakings } = await viewTick(house, new Date(NINE + HOUR + 1));
  expect(wakings.map(({ loop, key, does }) => [loop, key, does])).toEqual([["fix", slotKey("fix", NINE + HOUR), "runs"]]);
  expect(at.entries.length).toBe(before);
});

it("puts a loop before people that is stopped for its own next time again and again", async () => {
  const at = await houseWith();
  const book = createBook(at.house);
  const version = (await book.facts("fix"))?.version ?? { own: 0, home: 0 };

  expect(await book.pause("fix", version, "its runs are longer than its interval")).toBe("written");

  expect(await book.facts("fix")).toMatchObject({ barred: { reason: "halted" } });
  expect(await readInbox(at.house, "due")).toMatchObject([
    { kind: "halted", why: "the loop is halted (overlap): its runs are longer than its interval", next: "lw resume fix" },
  ]);
});
