import { expect, it } from "vitest";
import { createMemoryHouse, type MemoryHouse, type MemoryHouseAbout, specText } from "../../../test/support/memory-house.ts";
import { LoopError } from "../../contract/errors.ts";
import { untrustedText } from "../../contract/text.ts";
import { slotKey } from "../../contract/waking.ts";
import { NEXT_WAKING } from "../../journal/loop-facts.ts";
import { pauseLoop } from "../decisions/standing.ts";
import { createBook } from "../loops/book.ts";
import { addPlaces, wakeByHand } from "../loops/tend.ts";
import { viewOf } from "../records/views.ts";
import { resumeWoken, runWoken } from "./woken.ts";

const HOUR = 3_600_000;
/** The house opens at 08:00 on that day. */
const NINE = Date.UTC(2026, 0, 5, 9);
const KEY = slotKey("fix", NINE);
const quiet = () => {};
const iso = (at: number): string => new Date(at).toISOString();

/** A house that looks after a loop which is due every hour, at a moment past nine. */
async function dueHouse(more: object = {}, about: MemoryHouseAbout = {}): Promise<MemoryHouse> {
  const at = createMemoryHouse(about);
  at.files.written.set("/l/fix.loop.json", specText({ trigger: { use: "every", with: { interval: "1h" } }, ...more }));
  await addPlaces(at.house, "/", ["/l"], "ada");
  at.clock.pass(HOUR);
  await createBook(at.house).keepTicks({ last: NINE - 1_000, awake: NINE - HOUR });
  return at;
}

const wake = ({ house }: MemoryHouse, key = KEY) => runWoken(house, { loop: "fix", key }, quiet);

it("opens the run together with the record of its waking, and says in it what woke it", async () => {
  const at = await dueHouse();

  const result = await wake(at);

  expect(result).toMatchObject({ kind: "ran", outcome: { kind: "rested", rest: { kind: "accept", action: "propose" } } });
  const first = at.entries.findIndex(({ record }) => record.kind === "waking");
  const [waking, opened] = at.entries.slice(first, first + 2);
  const cause = { kind: "slot", slot: "2026-01-05T09:00:00.000Z", local: "2026-01-05T09:00 UTC" };
  expect(waking).toMatchObject({
    loop: "fix",
    run: KEY,
    record: { kind: "waking", fate: "ran", reason: "on-time", cause, run: opened?.run, since: "2026-01-05T09:00:00.000Z" },
  });
  expect(opened?.record).toMatchObject({ kind: "run-opened", waking: { key: KEY, causes: [cause] } });
  expect((await viewOf(at.house, opened?.run ?? "")).cause).toEqual({ key: KEY, causes: [cause] });
  expect(at.orders[0]?.brief).toContain("## What woke this loop\n\n- it was time: 2026-01-05T09:00 UTC\n");
});

it("runs no key twice, whoever asks", async () => {
  const at = await dueHouse();
  await wake(at);

  expect(await wake(at)).toEqual({ kind: "not-started", started: { kind: "overtaken" } });
  expect(at.records("run-opened").length).toBe(1);
});

it("writes with its own waking what came due meanwhile and joins it", async () => {
  const at = await dueHouse();
  at.clock.pass(HOUR);
  await createBook(at.house).keepTicks({ last: NINE + HOUR - 1_000, awake: NINE - HOUR });

  expect((await wake(at)).kind).toBe("ran");

  expect(
    at.entries.flatMap(({ run, record }) => (record.kind === "waking" ? [[run, record.fate, record.since, record.into]] : [])),
  ).toEqual([
    [slotKey("fix", NINE + HOUR), "coalesced", iso(NINE + HOUR), KEY],
    [KEY, "ran", iso(NINE + HOUR), undefined],
  ]);
  expect((await createBook(at.house).facts("fix"))?.open).toEqual([]);
  expect(at.orders[0]?.brief).toContain("- it was time: 2026-01-05T09:00 UTC\n- it was time: 2026-01-05T10:00 UTC\n");
});

it("refuses a key that is not due, and a loop that nobody looks after", async () => {
  const at = await dueHouse();

  const [later, odd] = [slotKey("fix", NINE + HOUR), slotKey("fix", NINE + 1)];
  expect([await wake(at, later), await wake(at, odd), await wake(at, "fix/hand/t9")]).toEqual(
    [later, odd, "fix/hand/t9"].map((key) => ({
      kind: "not-started",
      started: { kind: "failed", retry: "never", says: `${key} is not due` },
    })),
  );
  expect(await runWoken(at.house, { loop: "other", key: "other/hand/1" }, quiet)).toEqual({
    kind: "not-started",
    started: { kind: "overtaken" },
  });
  expect(at.records("run-opened")).toEqual([]);
});

it("tells who has what it needs, and takes nothing from them", async () => {
  const at = await dueHouse();
  const { locks, identityOf } = at.house;
  const started = async () => {
    const result = await wake(at);
    return result.kind === "not-started" && result.started.kind === "busy" ? result.started.with : result.kind;
  };

  const loop = await locks.hold("loop fix", { ms: 0 });
  expect(await started()).toBe("loop");
  await loop?.release();
  const target = await locks.hold(`target ${await identityOf("/repo")}`, { ms: 0 });
  expect(await started()).toBe("target");
  await target?.release();
  const places = [await locks.hold("place 0", { ms: 0 }), await locks.hold("place 1", { ms: 0 })];
  expect(await started()).toBe("machine");
  await places[1]?.release();

  expect(await started()).toBe("ran");
  expect([
    await locks.isHeld("place 1"),
    await locks.isHeld("loop fix"),
    await locks.isHeld(`target ${await identityOf("/repo")}`),
  ]).toEqual([false, false, false]);
});

it("has room for as many writers of a repository as the machine's file says", async () => {
  const at = await dueHouse();
  at.files.written.set("/nowhere/home/machine.yaml", "perTarget: 2\n");
  await at.house.locks.hold(`target ${await at.house.identityOf("/repo")}`, { ms: 0 });

  expect((await wake(at)).kind).toBe("ran");
});

it("starts nothing new while the machine's file cannot be read, and says so", async () => {
  const at = await dueHouse();
  at.files.written.set("/nowhere/home/machine.yaml", "runs: none\n");

  expect(await wake(at)).toMatchObject({
    kind: "not-started",
    started: { kind: "failed", retry: "never", says: expect.stringContaining("machine.yaml cannot be used: runs") },
  });
});

it("does not go by a spec that is another than the one that is known, nor by a loop that was paused meanwhile", async () => {
  const at = await dueHouse();
  const text = at.files.written.get("/l/fix.loop.json") ?? "";

  at.files.written.set("/l/fix.loop.json", text.replace("Make it right.", "Make it otherwise."));
  expect(await wake(at)).toEqual({ kind: "not-started", started: { kind: "overtaken" } });
  at.files.written.set("/l/fix.loop.json", text);
  await pauseLoop(at.house, "fix", "ada", "holidays");
  expect(await wake(at)).toEqual({ kind: "not-started", started: { kind: "overtaken" } });

  expect(at.records("run-opened")).toEqual([]);
});

it("writes down that it was skipped where the last proposal for the same base still waits", async () => {
  const at = await dueHouse();
  await wake(at);
  at.clock.pass(HOUR);
  const key = slotKey("fix", NINE + HOUR);

  expect(await wake(at, key)).toEqual({ kind: "not-started", started: { kind: "overtaken" } });
  const skipped = at.entries.find(({ run }) => run === key)?.record;
  expect(skipped).toMatchObject({ kind: "waking", fate: "skipped", reason: "wip", since: "2026-01-05T10:00:00.000Z" });
});

it("hands the causes of all that joined it to the run, strangers' words only as they were admitted", async () => {
  const at = await dueHouse({ trigger: { use: "manual" } });
  const { journal } = at.house;
  const webhook = {
    kind: "webhook",
    address: "/hooks/x",
    delivery: "d1",
    sha256: "00",
    event: untrustedText("push"),
    ref: untrustedText("refs/heads/main"),
    subject: untrustedText("fix the <b>build</b>"),
  } as const;
  const key = "fix/hook//hooks/x/d1";
  const later = "fix/hook//hooks/x/d2";
  await journal.append([{ loop: "fix", run: key, record: { kind: "heard", cause: webhook } }]);
  await journal.append([{ loop: "fix", run: later, record: { kind: "heard", cause: { ...webhook, delivery: "d2", subject: null } } }]);
  await journal.append([
    {
      loop: "fix",
      run: later,
      record: {
        kind: "waking",
        fate: "coalesced",
        cause: { ...webhook, delivery: "d2", subject: null },
        dueAt: "2026-01-05T08:00:00.000Z",
        reason: "joined",
        says: `joined ${key}`,
        into: key,
      },
    },
  ]);

  const result = await wake(at, key);

  expect(result.kind).toBe("ran");
  const view = await viewOf(at.house, result.kind === "ran" ? result.run : "");
  expect(view.cause?.causes.map((cause) => (cause.kind === "webhook" ? cause.delivery : cause.kind))).toEqual(["d1", "d2"]);
  expect(view.rounds[0]?.evidence?.taint).toEqual({ kind: "tainted", by: ["the webhook /hooks/x"] });
  const brief = at.orders[0]?.brief ?? "";
  expect(brief).toContain("## What woke this loop\n\n- a delivery to /hooks/x\n- a delivery to /hooks/x\n");
  expect(brief).toContain("subject: fix the <b>build</b>");
});

it("answers what somebody asked for by hand", async () => {
  const at = await dueHouse({ trigger: { use: "manual" } });
  const key = await wakeByHand(at.house, "fix", "ada");

  expect((await wake(at, key)).kind).toBe("ran");
  expect(at.entries.find(({ run, record }) => run === key && record.kind === "waking")?.record).toMatchObject({
    fate: "ran",
    reason: "by-hand",
    cause: { kind: "hand", by: "ada" },
  });
});

it("takes up an interrupted run before anything else of its loop", async () => {
  let isWell = false;
  const at = await dueHouse(
    {},
    {
      edit: async () => {
        if (isWell) return { ended: "finished", summary: untrustedText("done") };
        throw new LoopError("maker-rate-limited", "try at noon", { retry: "later", hint: "Wait.", until: "2026-01-05T12:00:00.000Z" });
      },
    },
  );
  await wake(at);
  const [run] = at.entries.filter(({ record }) => record.kind === "run-opened").map((entry) => entry.run);
  expect((await createBook(at.house).facts("fix"))?.openRun).toMatchObject({
    run,
    isWorkedOn: false,
    notBefore: Date.UTC(2026, 0, 5, 12),
    isAskedToStop: false,
  });
  at.clock.pass(HOUR);
  expect(await wake(at, slotKey("fix", NINE + HOUR))).toEqual({ kind: "not-started", started: { kind: "overtaken" } });

  isWell = true;
  expect(await resumeWoken(at.house, { loop: "fix", run: "another" }, quiet)).toEqual({
    kind: "not-started",
    started: { kind: "overtaken" },
  });
  expect(await resumeWoken(at.house, { loop: "fix", run: run ?? "" }, quiet)).toMatchObject({ kind: "ran", run });
  expect((await createBook(at.house).facts("fix"))?.openRun).toBeUndefined();
});

it("opens one run of two that are woken for one key at once", async () => {
  const at = await dueHouse();

  const results = await Promise.all([wake(at), wake(at)]);

  expect(results.map(({ kind }) => kind).toSorted()).toEqual(["not-started", "ran"]);
  expect(at.records("run-opened").length).toBe(1);
});

/** A house whose maker works until somebody stops it, and is asked to by its loop's next waking. */
async function stoppingHouse(asks: (at: MemoryHouse, run: string) => Promise<unknown>): Promise<MemoryHouse> {
  const at: MemoryHouse = await dueHouse(
    { wake: { overlap: "stop" } },
    {
      edit: async ({ round }) => {
        if (round.run.startsWith("fix-4")) return { ended: "finished", summary: untrustedText("done") };
        await asks(at, round.run);
        at.tick();
        await new Promise((resolve) => setImmediate(resolve));
        throw new LoopError("interrupted", "stopped", { retry: "later", hint: "Go on with `lw resume`." });
      },
    },
  );
  return at;
}

const asksByNext = ({ house }: MemoryHouse, run: string) =>
  house.journal.append([{ loop: "fix", run, record: { kind: "stop-requested", by: NEXT_WAKING } }]);

const nextKey = (at: MemoryHouse, hours: number): string => {
  at.clock.pass(HOUR);
  return slotKey("fix", NINE + hours * HOUR);
};

it("gives up the run that was stopped for the next waking, so that this one has its run", async () => {
  const at = await stoppingHouse(asksByNext);

  expect(await wake(at)).toMatchObject({ kind: "ran", outcome: { kind: "rested", rest: { kind: "halt", because: "stopped" } } });
  expect((await createBook(at.house).facts("fix"))?.openRun).toBeUndefined();

  expect(await wake(at, nextKey(at, 1))).toMatchObject({ kind: "ran", run: expect.stringMatching(/^fix-2-/) });
});

it("takes a run up again that somebody else stopped", async () => {
  const at = await stoppingHouse(({ house }, run) =>
    house.journal.append([{ loop: "fix", run, record: { kind: "stop-requested", by: "lw stop" } }]),
  );

  expect(await wake(at)).toMatchObject({ kind: "ran", outcome: { kind: "paused" } });
  expect((await createBook(at.house).facts("fix"))?.openRun).toMatchObject({ isWorkedOn: false });
});

it("gives up a run whose process died after it was asked to make way", async () => {
  const at = await stoppingHouse(async () => {});
  await wake(at);
  const run = (await createBook(at.house).facts("fix"))?.openRun?.run ?? "";
  await asksByNext(at, run);

  expect(await resumeWoken(at.house, { loop: "fix", run }, quiet)).toMatchObject({
    kind: "ran",
    outcome: { kind: "rested", rest: { kind: "halt", because: "stopped" } },
  });
});

it("counts the runs in a row that made way, up to the last that is over, and from when somebody saw to the loop", async () => {
  const at = await stoppingHouse(asksByNext);
  const stops = async () => (await createBook(at.house).facts("fix"))?.stopsInARow;
  await wake(at);
  await wake(at, nextKey(at, 1));

  expect(await stops()).toBe(2);
  await at.house.journal.append([{ loop: "fix", run: "fix-standing", record: { kind: "loop-resumed", by: "ada", why: "" } }]);
  expect(await stops()).toBe(0);
  await wake(at, nextKey(at, 2));
  expect(await stops()).toBe(1);
  await wake(at, nextKey(at, 3));
  expect(await stops()).toBe(0);
});
