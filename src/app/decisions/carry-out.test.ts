import { expect, it } from "vitest";
import { createMemoryHouse, FINISHED, HOLDS, type MemoryHouse, runTrusted, withProposal } from "../../../test/support/memory-house.ts";
import { LoopError } from "../../contract/errors.ts";
import { proposedIn } from "../../engine/proposed.ts";
import type { House } from "../open-house.ts";
import { viewOf } from "../records/views.ts";
import { runSpec } from "../runs/wake.ts";
import { carryOutApproved, openProposals, rehearse, settleGone, settleOpen, supersede } from "./carry-out.ts";
import { approve, defer } from "./decide.ts";
import { pauseLoop } from "./standing.ts";

const RUN = "fix-1-t0001";
const BRANCH = "loopwright/fix-1-t0001.1";
const ADA = { by: "ada", why: "", tree: undefined, until: undefined };
const ALONE = { level: "L3", gate: { all: [{ use: "allowlist", with: { allow: ["src/**"] } }] }, box: { maker: { when: "off" } } };
const quiet = () => {};

const openRuns = async ({ house }: MemoryHouse): Promise<readonly string[]> =>
  (await openProposals(house, "fix")).map(({ round }) => round.run);
const runAgain = (at: MemoryHouse, more: object = {}) => runSpec(at.house, at.spec(more), { onlyIfDue: false, again: true }, quiet);

/** The same house, whose branches cannot be moved: the first try dies when it was done or before. */
function dyingMover(house: House, fate: "done" | "not-done"): House {
  const { mover } = house.world;
  const world = {
    ...house.world,
    mover: {
      ...mover,
      fastForward: async (...move: Parameters<typeof mover.fastForward>) => {
        if (fate === "done") await mover.fastForward(...move);
        throw new Error("killed");
      },
    },
  };
  return { ...house, world, worldFor: () => world };
}

/** The same house, whose process dies when a decision is on record and nothing was done about it. */
const dyingLocks = (house: House): House => ({ ...house, locks: { ...house.locks, hold: () => Promise.reject(new Error("killed")) } });

const commitOf = ({ entries }: MemoryHouse, run: string): string =>
  proposedIn(entries.filter((entry) => entry.run === run))?.state.commit ?? "";

it("lists what waits, newest first, and nothing that was settled", async () => {
  const at = await withProposal();
  await defer(at.house, RUN, { by: "ada", why: "", until: "2027-01-01T00:00:00.000Z" });
  at.repo.commit({ "src/value.txt": "by a reviewer\n" }, BRANCH);
  await runAgain(at);

  expect(await openRuns(at)).toEqual(["fix-2-t0002", RUN]);

  await approve(at.house, "fix-2-t0002", ADA, quiet);
  expect(await openRuns(at)).toEqual([RUN]);
});

it("supersedes what nobody touched, and leaves what somebody decided about meanwhile", async () => {
  const at = await withProposal();
  const lock = await at.house.locks.hold("loop fix", { ms: 0 });
  const before = await openProposals(at.house, "fix");
  await approve(at.house, RUN, ADA, quiet);
  await lock?.release();

  await supersede(at.house, "fix", "fix-2-later", before);

  expect(at.records("proposal-settled")).toEqual([]);
});

it("supersedes nothing that holds a reviewer's commits", async () => {
  const at = await withProposal();
  at.repo.commit({ "src/value.txt": "by a reviewer\n" }, BRANCH);

  await supersede(at.house, "fix", "fix-2-later", await openProposals(at.house, "fix"));

  expect(at.records("proposal-settled")).toEqual([]);
});

it("acts alone at L3 inside its allowlist once somebody let it, and waits for a human outside of it", async () => {
  const inside = createMemoryHouse();
  const outside = createMemoryHouse({ made: () => ({ "docs/a.md": "more\n" }) });

  for (const at of [inside, outside]) await runTrusted(at, ALONE);

  expect([inside.repo.tip("main"), outside.repo.tip("main")]).toEqual([inside.repo.tip("loopwright/fix-2-t0002.1"), outside.base]);
  expect([inside.records("decided"), await openRuns(outside)]).toEqual([[], ["fix-2-t0002"]]);
});

it("does not act alone at L3 on a check that had nothing to look at, and says why", async () => {
  const at = createMemoryHouse({ sees: () => ({ ...HOLDS, emptyHanded: "no call could be noted" }) });

  await runTrusted(at, ALONE);

  expect([at.repo.tip("main"), await openRuns(at)]).toEqual([at.base, ["fix-2-t0002"]]);
  expect((await viewOf(at.house, "fix-2-t0002")).alone).toEqual({
    kind: "not",
    why: "by-eye found nothing that it could look at: no call could be noted",
  });
});

it("moves nothing of a loop that is paused, though it was approved", async () => {
  const at = await withProposal();
  await pauseLoop(at.house, "fix", "bea", "");

  const { standstill } = await approve(at.house, RUN, ADA, quiet);

  expect([standstill?.kind, at.repo.tip("main")]).toEqual(["waits", at.base]);
});

it.each(["done", "not-done"] as const)("finds out after a crash that a move was %s, and does it no second time", async (fate) => {
  const at = await withProposal();
  await expect(approve(dyingMover(at.house, fate), RUN, ADA, quiet)).rejects.toThrow("killed");
  expect(at.records("action-began")).toHaveLength(1);

  const { standstill } = await approve(at.house, RUN, ADA, quiet);

  expect([standstill?.kind, at.repo.tip("main")]).toEqual(["settled", at.repo.tip(BRANCH)]);
  expect([at.records("action-began").length, at.records("action-done").length]).toEqual([fate === "done" ? 1 : 2, 1]);
});

it("says what an action would do, and does nothing", async () => {
  const at = await withProposal();
  const { length } = at.entries;

  const plans = await rehearse(at.house, "fix");

  expect(plans).toEqual([{ action: "merge", says: `move main to ${at.repo.tip(BRANCH)?.slice(0, 12)}` }]);
  expect([at.entries.length, at.repo.tip("main")]).toEqual([length, at.base]);
});

it("says what would be refused", async () => {
  const at = await withProposal();
  at.repo.commit({ "README.md": "more\n" });

  expect(await rehearse(at.house, "fix")).toEqual([{ action: "merge", says: "would be refused: main is elsewhere" }]);
});

it.each<readonly [string, (at: MemoryHouse) => void, string]>([
  ["merged", ({ repo }) => repo.point("main", repo.tip(BRANCH)!), "landed"],
  ["thrown away", ({ repo }) => repo.removeBranch(BRANCH), "withdrawn"],
])("writes down once what somebody %s by hand", async (_, happen, how) => {
  const at = await withProposal();
  happen(at);

  await settleGone(at.house, "fix");
  await settleGone(at.house, "fix");

  expect(at.records("proposal-settled")).toMatchObject([{ how }]);
  expect(at.entries.at(-1)?.record.kind).toBe("checkpointed");
});

it("takes nothing for gone where the repository cannot be read", async () => {
  const at = await withProposal();
  const unreadable = () => Promise.reject(new LoopError("git-failed", "no", { retry: "later", hint: "Look." }));
  const { mover } = at.house.world;
  const world = { ...at.house.world, mover: { ...mover, branchTip: unreadable } };

  await settleGone({ ...at.house, world }, "fix");

  expect(at.records("proposal-settled")).toEqual([]);
});

it("carries on with the others where one proposal cannot be carried out", async () => {
  const at = await withProposal({}, { verifiers: [{ use: "by-eye", with: { secret: `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}` } }] });
  at.repo.commit({ "src/value.txt": "by a reviewer\n" }, BRANCH);
  await runAgain(at);
  const second = "loopwright/fix-2-t0002.1";
  at.repo.point("main", at.repo.tip(second)!);

  const open = await settleOpen(at.house, "fix", quiet);

  expect(open.map(({ round }) => round.run)).toEqual([RUN]);
  expect(at.entries.filter(({ record }) => record.kind === "proposal-settled").map(({ run }) => run)).toEqual(["fix-2-t0002"]);
});

it("carries out what was approved while the loop ran, once that rests", async () => {
  const at: MemoryHouse = await withProposal({
    edit: async ({ round: { run } }) => {
      if (run !== RUN) expect((await approve(at.house, RUN, ADA, quiet)).standstill).toBeUndefined();
      return FINISHED;
    },
  });

  await runAgain(at);

  expect([at.repo.tip("main"), await openRuns(at)]).toEqual([at.repo.tip(BRANCH), ["fix-2-t0002"]]);
  expect(at.entries.findLast(({ run }) => run === RUN)?.record.kind).toBe("receipted");
});

it("carries out what was approved while another proposal of the loop was carried out", async () => {
  const others: Promise<unknown>[] = [];
  const at: MemoryHouse = createMemoryHouse({
    sees: () => {
      // While the one is verified again, whoever decides about the other finds the loop taken.
      if (at.records("decided").length === 1 && others.length === 0) others.push(approve(at.house, RUN, ADA, quiet));
      return HOLDS;
    },
  });
  await runAgain(at, { act: [] });
  at.repo.commit({ "src/value.txt": "by a reviewer\n" }, BRANCH);
  await runAgain(at, { act: [] });
  at.repo.point(BRANCH, commitOf(at, RUN));

  await approve(at.house, "fix-2-t0002", ADA, quiet);
  await Promise.all(others);

  expect([others.length, await openRuns(at)]).toEqual([1, []]);
});

it.each(["before anything moved", "while it moved"] as const)(
  "finishes an approval that was killed %s, when asked to go on",
  async (when) => {
    const at = await withProposal();
    const dead = when === "while it moved" ? dyingMover(at.house, "not-done") : dyingLocks(at.house);
    await expect(approve(dead, RUN, ADA, quiet)).rejects.toThrow("killed");
    expect(at.repo.tip("main")).toBe(at.base);

    const came = await carryOutApproved(at.house, "fix", quiet);
    const again = await carryOutApproved(at.house, "fix", quiet);

    expect(came).toMatchObject([{ kind: "came", run: RUN, loop: "fix", standstill: { kind: "settled" } }]);
    expect([again, at.repo.tip("main")]).toEqual([[], at.repo.tip(BRANCH)]);
  },
);

it("asks once about what was approved and still waits", async () => {
  const at = await withProposal({}, { gate: { all: [{ use: "quorum", with: { people: ["ada", "bea"], needs: 2 } }] } });
  await approve(at.house, RUN, ADA, quiet);

  expect(await carryOutApproved(at.house, "fix", quiet)).toMatchObject([{ kind: "came", standstill: { kind: "waits" } }]);
  expect(at.repo.tip("main")).toBe(at.base);
});
