import { expect, it } from "vitest";
import { createMemoryHouse, type MemoryHouse, specText } from "../../../test/support/memory-house.ts";
import { slotKey, type Waking } from "../../contract/waking.ts";
import { NEXT_WAKING } from "../../journal/loop-facts.ts";
import { readScheduleEntries } from "../../journal/schedule-entries.ts";
import { needsOf } from "../../schedule/candidate.ts";
import { foldSchedule } from "../../schedule/facts.ts";
import { roomFor } from "../../schedule/order.ts";
import { builtIn } from "../crew.ts";
import { readInbox } from "../decisions/inbox.ts";
import { freeLoop, pauseLoop, stopAll } from "../decisions/standing.ts";
import { runSpec } from "../runs/wake.ts";
import { machinePath } from "../settings.ts";
import { createBook } from "./book.ts";
import { addPlaces, removePlaces } from "./tend.ts";
import { readTicks } from "./ticks.ts";
import { viewKnown } from "./view-known.ts";
import { explain, simulate, simulateSpec, tellWaking, viewSchedule, viewTick } from "./view-schedule.ts";

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
  expect(await book.loops()).toMatchObject([{ loop: "fix", moment: Number.NEGATIVE_INFINITY }]);
});

it("still has something to say of a removed loop that something was heard of after its last record", async () => {
  const at = await houseWith();
  const book = createBook(at.house);
  await removePlaces(at.house, "/", ["/l"], "ada");
  const version = (await book.facts("fix"))?.version ?? { own: 0, home: 0 };
  await book.write("fix", version, [{ key: slotKey("fix", NINE), waking: skipped(NINE, NINE) }]);
  expect(await book.loops()).toEqual([]);

  await book.hear("fix", "fix/hand/1", { kind: "hand", by: "ada" }, NINE);

  expect(await book.loops()).toMatchObject([{ loop: "fix", moment: Number.NEGATIVE_INFINITY }]);
});

it("knows without starting anything that the same work waits for a person, as long as base and branch are where they were", async () => {
  const at = await houseWith();
  const { entries } = at;
  const ran = await runSpec(at.house, at.spec(HOURLY), { onlyIfDue: false, again: false }, () => {});
  const run = ran.kind === "ran" ? ran.run : "";
  const round = entries.flatMap(({ record }) => (record.kind === "round-opened" ? [record.round] : []))[0];
  const commit = entries.flatMap(({ record }) =>
    record.kind === "round-closed" && record.evidence.proposal.kind === "commit" ? [record.evidence.proposal.commit] : [],
  )[0];
  const tips = { main: round?.base ?? "", [`loopwright/${round?.id}`]: commit ?? "" };
  const seen = async (moved: object = {}, house: Partial<typeof at.house> = {}): Promise<string | undefined> => {
    const refsOnDisk = async () => ({ head: "main", tips: new Map(Object.entries({ ...tips, ...moved })) });
    return (await createBook({ ...at.house, refsOnDisk, ...house }).facts("fix"))?.sameWork;
  };

  expect(await seen()).toBe(`the proposal of ${run} for the same base still waits for a person`);
  expect(await seen({ main: "0".repeat(40) })).toBe(undefined);
  expect(await seen({ [`loopwright/${round?.id}`]: "0".repeat(40) })).toBe(undefined);
  expect(await seen({}, { refsOnDisk: async () => undefined })).toBe(undefined);
  const decided = (decision: "defer" | "approve") =>
    at.house.journal.append([{ loop: "fix", run, record: { kind: "decided", decision, tree: "t", by: "ada", why: "" } }]);
  await decided("defer");
  expect(await seen()).toContain("still waits");
  await decided("approve");
  expect(await seen()).toBe(undefined);
});

it("waits for the account of a judge that its runs could not end without, as long as a limit of it is in force", async () => {
  const at = createMemoryHouse();
  const registries = { ...at.house.registries, verifiers: [...at.house.registries.verifiers, ...builtIn.verifiers] };
  const house = { ...at.house, registries };
  const judge = { use: "judge", with: { provider: "anthropic", model: "a-judge" } };
  at.files.written.set("/l/fix.loop.json", specText({ ...HOURLY, verifiers: [{ use: "by-eye" }, judge] }));
  await addPlaces(house, "/", ["/l"], "ada");
  const book = createBook(house);
  const [account = ""] = (await book.plan("fix"))?.judges ?? [];
  const seen = (until: number) =>
    house.journal.append([{ loop: "-", run: "-", record: { kind: "limit-seen", account, until: iso(until), run: "other-1" } }]);

  expect((await book.facts("fix"))?.limit).toBe(undefined);
  await seen(NINE + HOUR);
  expect((await book.facts("fix"))?.limit).toEqual({ account, until: NINE + HOUR });
  at.clock.pass(3 * HOUR);
  expect((await book.facts("fix"))?.limit).toBe(undefined);
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
  const daily = at.spec({ trigger: { use: "daily", with: { at: "09:00", zone: "UTC" } } });
  expect((await simulateSpec(house, daily, 30 * HOUR)).slots.map(({ loop, local }) => [loop, local])).toEqual([
    ["fix", "2026-01-05T09:00 UTC"],
    ["fix", "2026-01-06T09:00 UTC"],
  ]);
  const before = at.entries.length;
  expect((await explain(house, "fix", new Date(NINE + 60_000))).lines).toEqual(["2026-01-05T09:00:00.000Z: skipped: a run was still open"]);
  expect((await explain(house, "fix", new Date(NINE - HOUR))).lines[0]).toMatch(/^2026-01-05T08:00 UTC: that was before it was added/);
  const { wakings } = await viewTick(house, new Date(NINE + HOUR + 1));
  expect(wakings.map(({ loop, key, does }) => [loop, key, does])).toEqual([["fix", slotKey("fix", NINE + HOUR), "runs"]]);
  expect(at.entries.length).toBe(before);
});

it("tells of the newest waking up to a moment, whatever caused it", async () => {
  const at = await houseWith();
  const { house } = at;
  const book = createBook(house);
  await book.write("fix", (await book.facts("fix"))!.version, [{ key: slotKey("fix", NINE), waking: skipped(NINE, NINE) }]);
  const event: Waking = {
    kind: "waking",
    fate: "ran",
    cause: { kind: "hand", by: "ada" },
    dueAt: iso(NINE + 60_000),
    reason: "on-time",
    says: "by hand",
    run: "fix-1",
  };
  await house.journal.append([{ loop: "fix", run: "fix/hand/1", record: event }]);
  const told = async (minutes: number) => (await explain(house, "fix", new Date(NINE + minutes * 60_000))).waking?.says;

  expect([await told(0.5), await told(1), await told(30)]).toEqual(["a run was still open", "by hand", "by hand"]);
});

it("says of a run that the next waking stopped that it was", async () => {
  const at = await houseWith({ wake: { overlap: "stop" } });
  const { house } = at;
  const book = createBook(house);
  const ran: Waking = { ...skipped(NINE, NINE), fate: "ran", reason: "on-time", says: "on time", run: "fix-1" };
  await book.write("fix", (await book.facts("fix"))!.version, [{ key: slotKey("fix", NINE), waking: ran }]);
  const told = async () => (await viewSchedule(house, "fix"))[0]!.last.map(tellWaking);

  expect(await told()).toEqual(["2026-01-05T09:00:00.000Z: ran (fix-1): on time"]);
  await house.journal.append([{ loop: "fix", run: "fix-1", record: { kind: "stop-requested", by: NEXT_WAKING } }]);
  expect(await told()).toEqual([
    "2026-01-05T09:00:00.000Z: ran (fix-1): on time; its run was stopped for the next one (wake.overlap: stop)",
  ]);
  const report = { sha256: "", bytes: 0, truncated: false };
  await house.journal.append([
    { loop: "fix", run: "fix-1", record: { kind: "run-rested", rest: { kind: "accept", action: "propose" }, report } },
  ]);
  expect(await told()).toEqual(["2026-01-05T09:00:00.000Z: ran (fix-1): on time"]);
});

it("says that the spec was wrong also where it was mended with another trigger", () => {
  const known = (triggerHash: string) =>
    ({ kind: "loop-known", path: "/l", by: "ada", specHash: triggerHash, triggerHash, sha256: "" }) as const;
  const records = [known("a"), { kind: "loop-wrong", path: "/l", problems: ["no such day"] } as const, known("b")];
  const { closings } = foldSchedule(
    records.map((record, index) => ({ seq: index + 1, at: iso(NINE + index), run: "fix-standing", record })),
  );

  expect(closings.map(({ reason, says }) => [reason, says])).toEqual([
    ["changed", "its spec is not valid: no such day; it was mended with another trigger"],
  ]);
});

it("says of a loop that only happenings wake what keeps it, and what woke it last", async () => {
  const at = await houseWith({ trigger: { use: "loop", with: { name: "scan" } } });
  const says = "it waits for the loop scan, which this home does not know: add its spec with `lw add`, or name another";

  expect((await explain(at.house, "fix", undefined)).lines[0]).toBe(`now: ${says}`);
  expect((await viewSchedule(at.house, "fix"))[0]?.why).toBe(says);
  expect((await explain(at.house, "fix", at.house.clock.now())).lines[0]).toBe("nothing that happened was to wake it at or before then");
});

it("says that nothing is woken while the machine's file cannot be read, wherever somebody asks why", async () => {
  const at = await houseWith();
  at.files.written.set(machinePath(at.house.home.folder), "[");

  const why = expect.stringMatching(
    /machine\.yaml cannot be used: .*Nothing new is woken while it cannot be read: mend it or take it away$/,
  );
  expect((await explain(at.house, "fix", undefined)).lines[0]).toEqual(why);
  expect((await viewSchedule(at.house, "fix"))[0]?.why).toEqual(why);
  expect((await viewKnown(at.house)).loops[0]?.why).toEqual(why);
});

it("names the repository that another run writes to by its path", async () => {
  const at = await houseWith();
  const plan = await createBook(at.house).plan("fix");
  const candidate = { ...plan!, kind: "start", dueAt: NINE, unservedSince: NINE, probes: undefined } as const;

  const room = roomFor([plan!], { runs: 9, writersPerTarget: 1, perMaker: {} });

  expect(room.lacks({ ...candidate, ...needsOf(plan!) })?.says).toBe(`another run writes to ${plan?.repo}`);
  expect(plan?.repo).toMatch(/^\//);
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
