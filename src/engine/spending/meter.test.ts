import { describe, expect, it } from "vitest";
import { createFakeWorld, finishedAs } from "../../../test/support/fake-world.ts";
import { createMemoryJournal } from "../../../test/support/memory-journal.ts";
import { plainPurse } from "../../../test/support/purses.ts";
import type { LoopRecord } from "../../contract/record.ts";
import { Limits, LoopSpec } from "../../contract/spec.ts";
import { capsOf } from "../../guard/budget.ts";
import { outOfTime } from "../worlds/guard-proc.ts";
import { openLaunch } from "./launch.ts";
import type { Purse } from "./spending.ts";

const plainSpec = {
  name: "keep-green",
  intent: "x",
  level: "L2",
  maker: { use: "shell" },
  verifiers: [{ use: "command" }],
};

function launchWith(budget: object = {}, purse: Partial<Purse> = {}, before: readonly LoopRecord[] = []) {
  const journal = createMemoryJournal(before);
  const spec = LoopSpec.parse({ ...plainSpec, budget });
  const { world } = createFakeWorld();
  const open = (isFree = false) =>
    openLaunch({ spec, roundId: "r.1", journal, world, purse: { ...plainPurse, ...purse } }, { maker: "shell", isFree });
  return { journal, open };
}

describe("a launch", () => {
  it("that reports nothing is charged by what it printed and how long it took", async () => {
    const { journal, open } = launchWith();
    const launch = await open();
    launch.add({ ...finishedAs({ kind: "exited", code: 0 }), tookMs: 2000, output: { sha256: "", bytes: 3000, truncated: false } });
    await launch.settle();

    expect(journal.state).toMatchObject({
      used: { microUsd: 25_000, tokens: 1000, launches: 1, rounds: 1 },
      basis: "estimated",
    });
  });

  it("that printed very much is charged no more than was set aside for it, and the record says so", async () => {
    const { journal, open } = launchWith({ usd: "$5" });
    const launch = await open();
    const [reserved] = journal.entries.flatMap(({ record }) => (record.kind === "reserved" ? [record.amounts] : []));
    launch.add({ ...finishedAs({ kind: "exited", code: 0 }), tookMs: 2000, output: { sha256: "", bytes: 2 ** 28, truncated: true } });
    await launch.settle();

    expect(journal.state).toMatchObject({ used: { microUsd: reserved?.microUsd, tokens: reserved?.tokens }, basis: "estimated" });
    await open();
    const notes = journal.entries.flatMap(({ record }) => (record.kind === "settled" ? [record.note] : []));
    expect(notes).toEqual([expect.stringContaining("no more than was set aside for it")]);
  });

  it("that has no model behind it costs nothing, and that is known", async () => {
    const { journal, open } = launchWith();
    const launch = await open();
    launch.meter.free();
    await launch.settle();

    expect(journal.state).toMatchObject({ used: { launches: 1, rounds: 1 }, basis: "reported" });
  });

  it("that cannot spend holds no money and no tokens, so that a crash books none", async () => {
    const { journal, open } = launchWith({ usd: "$5" });

    await open(true);

    const [amounts] = journal.entries.flatMap(({ record }) => (record.kind === "reserved" ? [record.amounts] : []));
    expect(amounts).toEqual({ launches: 1, rounds: 1, timeMs: expect.any(Number) });
  });

  it.each([
    ["zero beside tokens (paperclip#10544)", { usd: 0, tokens: 1000, model: "cheap" }, { microUsd: 2000, tokens: 1000 }, "estimated"],
    ["absent", { tokens: 10 }, { microUsd: 5000, tokens: 10 }, "estimated"],
  ])("whose cost is %s is priced all the same", async (_, usage, used, basis) => {
    const { journal, open } = launchWith();
    const launch = await open();
    await launch.meter.charge(usage);
    await launch.settle();

    expect(journal.state).toMatchObject({ used, basis });
  });

  it("whose cost is negative fails, and is charged an estimate", async () => {
    const { journal, open } = launchWith();
    const launch = await open();

    await expect(launch.meter.charge({ usd: -5 })).rejects.toMatchObject({ code: "maker-failed" });
    await launch.settle();
    expect(journal.state.basis).toBe("estimated");
  });

  it("pays what a maker reports at the end in place of what was worked out for the same calls, and not besides", async () => {
    const { journal, open } = launchWith();
    const launch = await open();
    for (const usage of [{ tokens: 1000 }, { tokens: 3000 }, { tokens: 3000, usd: 0.05 }]) await launch.meter.total(usage);
    await launch.settle();

    expect(journal.state.used).toMatchObject({ microUsd: 50_000, tokens: 3000 });
    expect(journal.state.spent).toEqual({ usd: 0.05, tokens: 3000 });
  });

  it("that counts up is charged only what is new", async () => {
    const { journal, open } = launchWith();
    const launch = await open();
    for (const usd of [0.1, 0.1, 0.25, 0.2]) await launch.meter.total({ usd });
    await launch.settle();

    expect(journal.state.used.microUsd).toBe(250_000);
  });

  it("is over once a cap is reached, at whatever scope, and no other is opened then", async () => {
    const limits = Limits.parse({ day: { usd: "$0.50" } });
    const { open } = launchWith({}, { limits });
    const launch = await open();

    expect([await launch.meter.charge({ usd: 0.4 }), launch.over()]).toEqual(["go-on", undefined]);
    expect(await launch.meter.charge({ usd: 0.2 })).toBe("budget-spent");
    expect(launch.over()).toMatchObject({
      code: "budget-spent",
      message: "$0.60 of $0.50 are taken for all loops today (day.usd in limits.yaml)",
    });
    await launch.settle();
    await expect(open()).rejects.toMatchObject({ code: "budget-spent" });
  });

  it("is over when a command that still runs has used the run's CPU time", async () => {
    const launch = await launchWith({ cpu: "1s" }).open();

    expect(launch.over({ cpuMs: 999 })).toBeUndefined();
    expect(launch.over({ cpuMs: 1000 })).toMatchObject({ message: "1s of CPU of 1s are taken for this run (budget.cpu)" });
  });

  it("is over when it runs away from what the loop is used to", async () => {
    const history = [1, 2, 3].map(() => ({ used: { microUsd: 10_000 }, workedMs: 60_000 }));
    const launch = await launchWith({ usd: "$50.00" }, { history }).open();

    expect(await launch.meter.charge({ usd: 3 })).toBe("budget-spent");
    expect(launch.over()).toMatchObject({ code: "runaway" });
  });
});

describe("a launch of a called loop", () => {
  const calledFrom = (time: string): Partial<Purse> => {
    const caps = capsOf(LoopSpec.parse({ ...plainSpec, budget: { time } }), Limits.parse({}));
    const place = { loop: "caller", run: "caller-1-abcde", roundId: "caller-1-abcde.1", worker: "one" };
    return { above: [{ ...place, caps, share: [], beside: 1, tide: { count: () => 0 } }] };
  };

  it("has all that is left of its caller's time: what it set aside itself is there for it to use", async () => {
    const first = launchWith({}, calledFrom("40s"));
    expect((await first.open()).timeLeftMs).toBe(40_000);

    const [reserved] = first.journal.entries.flatMap(({ record }) => (record.kind === "reserved" ? [record.amounts] : []));
    expect(reserved?.timeMs).toBe(40_000);
  });

  it("has not what others used of it or hold, and its own cap holds as well", async () => {
    const { open } = launchWith({}, calledFrom("5m"));
    await open();

    // The first holds a tenth of its own 30 minutes.
    expect((await open()).timeLeftMs).toBe(120_000);
    expect((await launchWith({ time: "20s" }, calledFrom("1m")).open()).timeLeftMs).toBe(20_000);
  });

  it("that ran out of time is told whose cap it was, and how much of it there was", async () => {
    const launch = await launchWith({}, calledFrom("40s")).open();
    expect(outOfTime(LoopSpec.parse(plainSpec).budget, "the maker was done", launch.timeBy)).toMatchObject({
      message:
        "the 40s of caller-1-abcde, which called it, were over before the maker was done: 0ms of it were used or set aside already, and 40s were left (budget.time)",
      hint: expect.stringContaining("in the spec of caller"),
    });
    expect(outOfTime(LoopSpec.parse(plainSpec).budget, "the maker was done", (await launchWith().open()).timeBy).message).toBe(
      "the run's 30m were over before the maker was done",
    );
  });
});

describe("a model call", () => {
  it("is reserved before and settled after, and what is not told stays at its reserved size", async () => {
    const { journal, open } = launchWith();
    const launch = await open();
    const [known, unknown, half] = await Promise.all(
      [1, 2, 3].map(() => launch.meter.reserve({ purpose: "a vote", usd: 0.2, tokens: 1000 })),
    );
    if (known?.kind !== "reserved" || unknown?.kind !== "reserved" || half?.kind !== "reserved") throw new Error("refused");
    await launch.meter.settle(known.reservation, { usd: 0.05, tokens: 500 });
    await launch.meter.settle(unknown.reservation, "unknown");
    await launch.meter.settle(half.reservation, { usd: 0.05 });
    await launch.settle();

    expect(journal.state).toMatchObject({ used: { microUsd: 300_000, tokens: 2500, calls: 3 }, basis: "unknown" });
  });

  it("is refused with the numbers when it would pass a cap", async () => {
    const { open } = launchWith({ usd: "$1.00" });
    const launch = await open();

    expect(await launch.meter.reserve({ purpose: "x", usd: 1.5 })).toMatchObject({
      kind: "refused",
      why: "$0.00 of $1.00 are taken for this run, and $1.50 more are asked for (budget.usd)",
    });
    expect(await launch.meter.reserve({ purpose: "x", usd: 2.5 })).toMatchObject({ kind: "refused", refusal: { cap: { scope: "call" } } });
    expect((await launch.meter.reserve({ purpose: "x", usd: 1 })).kind).toBe("reserved");
  });

  it("that was refused and never made costs nothing, however long its maker took", async () => {
    const { journal, open } = launchWith({ usd: "$1.00" });
    const launch = await open();
    await launch.meter.reserve({ purpose: "x", usd: 1.5 });
    launch.add({ ...finishedAs({ kind: "exited", code: 0 }), tookMs: 60_000, output: { sha256: "", bytes: 3000, truncated: false } });
    await launch.settle();

    expect(journal.state).toMatchObject({ used: { launches: 1, rounds: 1 }, basis: "reported" });
    expect(journal.state.used.microUsd ?? 0).toBe(0);
  });

  it("of which nothing is known could cost all that one call may", async () => {
    const { journal, open } = launchWith();
    const launch = await open();
    await launch.meter.reserve({ purpose: "x" });

    expect(journal.records.findLast(({ kind }) => kind === "reserved")).toMatchObject({ amounts: { microUsd: 2_000_000, calls: 1 } });
  });
});

it("counters go on where they were after a crash", async () => {
  const first = launchWith({ launches: 2 });
  await first.open();
  const second = launchWith({ launches: 2 }, {}, first.journal.records);
  await second.open();

  expect(second.journal.records.map((record) => (record.kind === "reserved" ? record.amounts.rounds : 0))).toEqual([1, undefined]);
  await expect(launchWith({ launches: 2 }, {}, second.journal.records).open()).rejects.toMatchObject({
    message: "2 launches of 2 are taken for this run (budget.launches)",
  });
});
