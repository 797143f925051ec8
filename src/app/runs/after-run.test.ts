import { expect, it } from "vitest";
import { createMemoryHouse, type MemoryHouse } from "../../../test/support/memory-house.ts";
import type { LoopRecord } from "../../contract/record.ts";
import type { Line, Only } from "../../journal/journal.ts";
import { promote } from "../decisions/autonomy.ts";
import { openProposals } from "../decisions/carry-out.ts";
import { approve } from "../decisions/decide.ts";
import type { House } from "../open-house.ts";
import { followLastRun } from "./after-run.ts";
import { runSpec } from "./wake.ts";

const ALONE = { level: "L3", gate: { all: [{ use: "allowlist", with: { allow: ["src/**"] } }] }, box: { maker: { when: "off" } } };
const ADA = { by: "ada", why: "", tree: undefined, until: undefined };
const quiet = () => {};

const runAgain = (at: MemoryHouse, house: House, more: object) => runSpec(house, at.spec(more), { onlyIfDue: false, again: true }, quiet);

/** The same house, whose process dies once the run is at rest, before anything that follows. */
const dyingAtRest = (house: House, run: string): House => ({
  ...house,
  journal: {
    ...house.journal,
    newestOf: (async (loop, kind, about) => {
      const newest = await house.journal.newestOf(loop, kind, about);
      if (kind === "run-rested" && newest.some((entry) => entry.run === run)) throw new Error("killed");
      return newest;
    }) as House["journal"]["newestOf"],
  },
});

/** The same house, whose process dies when its branches move, and when they did. */
function dyingMover(house: House, hasMoved: boolean): House {
  const { mover } = house.world;
  const fastForward: typeof mover.fastForward = async (...move) => {
    if (hasMoved) await mover.fastForward(...move);
    throw new Error("killed");
  };
  const world = { ...house.world, mover: { ...mover, fastForward } };
  return { ...house, world, worldFor: () => world };
}

async function trusted(): Promise<MemoryHouse> {
  const at = createMemoryHouse();
  await runAgain(at, at.house, ALONE);
  await promote(at.house, "fix", { by: "ada", why: "it is ours", anyway: true });
  return at;
}

it.each([
  ["at rest", (house: House) => dyingAtRest(house, "fix-2-t0002")],
  ["before its branch moved", (house: House) => dyingMover(house, false)],
  ["when its branch had moved", (house: House) => dyingMover(house, true)],
] as const)("acts alone once where the process that ran it died %s, and says so", async (_, dying) => {
  const at = await trusted();
  await expect(runAgain(at, dying(at.house), ALONE)).rejects.toThrow("killed");

  const came = await followLastRun(at.house, "fix", quiet);
  const again = await followLastRun(at.house, "fix", quiet);

  expect(came).toMatchObject([{ kind: "came", run: "fix-2-t0002", standstill: { kind: "settled", state: { approvals: [] } } }]);
  expect(again).toEqual([]);
  expect(at.records("action-done").length).toBe(1);
  expect(at.repo.tip("main")).toBe(at.repo.tip("loopwright/fix-2-t0002.1"));
  expect(await openProposals(at.house, "fix")).toEqual([]);
});

it("takes the place of an older proposal where the process died before it could", async () => {
  const at = createMemoryHouse();
  await runAgain(at, at.house, {});
  await expect(runAgain(at, dyingAtRest(at.house, "fix-2-t0002"), {})).rejects.toThrow("killed");
  expect((await openProposals(at.house, "fix")).length).toBe(2);

  const came = await followLastRun(at.house, "fix", quiet);

  expect(came).toEqual([]);
  expect((await openProposals(at.house, "fix")).map(({ round }) => round.run)).toEqual(["fix-2-t0002"]);
});

/** The same house, whose process dies before it would write such a record. */
const dyingOver = (house: House, isLast: (record: LoopRecord) => boolean): House => ({
  ...house,
  journal: {
    ...house.journal,
    append: (async (lines: readonly Line[], only?: Only) => {
      if (lines.some(({ record }) => isLast(record))) throw new Error("killed");
      return house.journal.append(lines, only);
    }) as House["journal"]["append"],
  },
});

it("takes the place of an older proposal also where its own was settled already, and the process died over that", async () => {
  const at = createMemoryHouse();
  await runAgain(at, at.house, { ...ALONE, level: "L2" });
  await promote(at.house, "fix", { by: "ada", why: "it is ours", anyway: true });
  await expect(
    runAgain(
      at,
      dyingOver(at.house, (record) => record.kind === "proposal-settled" && record.how === "superseded"),
      ALONE,
    ),
  ).rejects.toThrow("killed");
  expect((await openProposals(at.house, "fix")).map(({ round }) => round.run)).toEqual(["fix-1-t0001"]);

  expect(await followLastRun(at.house, "fix", quiet)).toEqual([]);

  expect(await openProposals(at.house, "fix")).toEqual([]);
});

it("halts a loop where the process died over the end that was one too many, once", async () => {
  const at = createMemoryHouse({ sees: () => ({ outcome: "refuted", detail: "it does not", output: undefined }) });
  const about = { budget: { rounds: 1 } };
  const dying = dyingOver(at.house, ({ kind }) => kind === "loop-halted");
  while (
    at.records("run-rested").length < 10 &&
    !(await runAgain(at, dying, about).then(
      () => false,
      () => true,
    ))
  );
  expect(at.records("loop-halted")).toEqual([]);

  await followLastRun(at.house, "fix", quiet);
  await followLastRun(at.house, "fix", quiet);

  expect(at.records("loop-halted").length).toBe(1);
});

it("leaves what somebody decided about, and what waits by itself, as they are", async () => {
  const at = createMemoryHouse();
  await runAgain(at, at.house, {});
  const { length } = at.entries;

  expect(await followLastRun(at.house, "fix", quiet)).toEqual([]);
  expect(at.entries.length).toBe(length);

  await approve(at.house, "fix", ADA, quiet);
  expect(await followLastRun(at.house, "fix", quiet)).toEqual([]);
});
