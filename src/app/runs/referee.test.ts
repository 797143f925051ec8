import { expect, it } from "vitest";
import { createMemoryHouse, HOLDS, type MemoryHouse, specText } from "../../../test/support/memory-house.ts";
import { LoopError } from "../../contract/errors.ts";
import type { RunOpened } from "../../contract/record.ts";
import { specHash } from "../../spec/read-spec.ts";
import { stopAll } from "../decisions/standing.ts";
import { REFEREE_GONE } from "./plan-waking.ts";
import { type RefereeOrder, referee } from "./referee.ts";

const quiet = () => {};
const CHANGE = { "src/value.txt": "by somebody\n" };

const orderOn = (base: string, more: Partial<RefereeOrder> = {}): RefereeOrder => ({
  ...{ folder: "/repo", cwd: "/repo", base, loop: undefined, head: undefined, by: "ada" },
  ...more,
});

function openedIn({ entries }: MemoryHouse): RunOpened {
  const opened = entries.map(({ record }) => record).findLast((record) => record.kind === "run-opened");
  if (!opened) throw new TypeError("no run was opened");
  return opened;
}

it("judges what lies in the checkout, calls no maker, proposes nothing and moves nothing", async () => {
  const at = createMemoryHouse();
  const base = at.layRefereed(CHANGE);

  const judged = await referee(at.house, orderOn(base), quiet);

  expect(judged).toMatchObject({ kind: "judged", run: "fix.referee-1-t0001", outcome: { kind: "rested", rest: { kind: "accept" } } });
  expect([at.orders, at.repo.tip("main"), at.claims[0]?.proposal.changes.map(({ path }) => path)]).toEqual([[], base, ["src/value.txt"]]);
  expect(at.entries.at(-1)?.record.kind).toBe("checkpointed");
});

it("records the spec as it was written on base, with its hash, and holds to its own terms all the same", async () => {
  const refuted = { ...HOLDS, outcome: "refuted" as const, detail: "one test fails" };
  const at = createMemoryHouse({ sees: () => refuted });
  const written = { target: { repo: ".", base: "main" }, budget: { rounds: 5 } };
  const base = at.layRefereed(CHANGE, written);

  const judged = await referee(at.house, orderOn(base), quiet);

  const opened = openedIn(at);
  const { spec, hash } = at.spec(written);
  expect([opened.spec, opened.specHash, specHash(opened.spec)]).toEqual([spec, hash, hash]);
  expect(opened.referee).toMatchObject({ of: "work-tree", by: "ada" });
  expect(judged).toMatchObject({ outcome: { rest: { kind: "escalate" } } });
  expect(at.records("round-opened")).toHaveLength(1);
});

it("goes by the spec on base, whatever the change says about it", async () => {
  const at = createMemoryHouse();
  const base = at.layRefereed({ ...CHANGE, "fix.loop.json": specText({ intent: "Anything goes." }) });

  const judged = await referee(at.house, orderOn(base), quiet);

  expect(openedIn(at).spec.intent).toBe("Make it right.");
  // Nobody may change the rules that they are judged by.
  expect(judged).toMatchObject({ outcome: { rest: { kind: "escalate", because: "outside-level" } } });
});

it("goes by the spec on base also where a commit before the head changed it", async () => {
  const at = createMemoryHouse();
  const base = at.layRefereed({});
  const head = at.repo.commit({ ...CHANGE, "fix.loop.json": specText({ intent: "Anything goes." }) }, "work");

  await referee(at.house, orderOn(base, { head }), quiet);

  expect(openedIn(at).spec.intent).toBe("Make it right.");
});

it("has nothing to judge where nothing changed, and opens no run", async () => {
  const at = createMemoryHouse();
  const base = at.layRefereed({});

  expect(await referee(at.house, orderOn(base), quiet)).toEqual({ kind: "nothing", since: `${base} (${base.slice(0, 12)})` });

  expect(at.records("run-opened")).toEqual([]);
});

it("judges a commit alone, and not what lies beside it", async () => {
  const at = createMemoryHouse();
  const base = at.layRefereed({ "src/other.txt": "not asked about\n" });
  const head = at.repo.commit(CHANGE, "work");

  await referee(at.house, orderOn(base, { head }), quiet);

  expect(openedIn(at).referee).toMatchObject({ of: "commit", commit: head });
  expect(at.claims[0]?.proposal.changes.map(({ path }) => path)).toEqual(["src/value.txt"]);
});

it("gives up what an earlier referee left open, and judges what is there now", async () => {
  const at: MemoryHouse = createMemoryHouse({
    sees: () => {
      if (at.claims.length > 1) return HOLDS;
      throw new LoopError("model-failed", "try at noon", { retry: "later", hint: "Wait." });
    },
  });
  const base = at.layRefereed(CHANGE);
  expect(await referee(at.house, orderOn(base), quiet)).toMatchObject({ outcome: { kind: "paused" } });

  const judged = await referee(at.house, orderOn(base), quiet);

  expect(judged).toMatchObject({ run: "fix.referee-2-t0002", outcome: { rest: { kind: "accept" } } });
  expect(at.records("run-rested")).toMatchObject([{ rest: REFEREE_GONE }, { rest: { kind: "accept" } }]);
});

it.each<readonly [string, object, Partial<RefereeOrder>, string]>([
  ["a loop that can prove nothing", { verifiers: [{ use: "by-eye", with: { run: "true" } }] }, {}, "cannot-judge"],
  ["a base that is not there", {}, { base: "gone" }, "ref-missing"],
  ["a head that is not there", {}, { head: "gone" }, "ref-missing"],
  ["a loop that is not on base", {}, { loop: "other" }, "bad-input"],
])("does not judge by %s, and opens no run", async (_, more, order, code) => {
  const at = createMemoryHouse();
  const base = at.layRefereed(CHANGE, more);

  await expect(referee(at.house, orderOn(base, order), quiet)).rejects.toMatchObject({ code });

  expect(at.entries).toEqual([]);
});

it("says that the spec must be on base where nothing of it is", async () => {
  const at = createMemoryHouse();
  at.repo.lay(CHANGE);

  await expect(referee(at.house, orderOn(at.base), quiet)).rejects.toMatchObject({
    code: "bad-input",
    message: `base (${at.base.slice(0, 12)}) has no loop whose verifiers judge commits`,
  });
});

it("judges nothing while everything is stopped", async () => {
  const at = createMemoryHouse();
  const base = at.layRefereed(CHANGE);
  await stopAll(at.house, "ada");

  await expect(referee(at.house, orderOn(base), quiet)).rejects.toMatchObject({ code: "loop-held" });

  expect([at.entries, at.claims]).toEqual([[], []]);
});

it("waits for another referee of the same loop, no longer than until everything stops", async () => {
  const at = createMemoryHouse();
  const base = at.layRefereed(CHANGE);
  await at.house.locks.hold("loop fix.referee", { ms: 0 });

  const waiting = referee(at.house, orderOn(base), quiet);
  at.house.stop.ask();

  await expect(waiting).rejects.toMatchObject({ code: "loop-busy" });
});

it("tells of what changed in the checkout while it was judged", async () => {
  const at: MemoryHouse = createMemoryHouse({
    sees: () => {
      at.repo.lay({ ...CHANGE, "src/late.txt": "meanwhile\n" });
      return HOLDS;
    },
  });
  const base = at.layRefereed(CHANGE);

  const judged = await referee(at.house, orderOn(base), quiet);

  expect(judged).not.toMatchObject({ outcome: { rest: { kind: "accept" } } });
  expect(JSON.stringify(at.records("round-closed"))).toContain("src/late.txt");
});
