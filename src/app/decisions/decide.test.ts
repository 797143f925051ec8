import { expect, it } from "vitest";
import { createMemoryHouse, HOLDS, type MemoryHouse, type MemoryHouseAbout, withProposal } from "../../../test/support/memory-house.ts";
import type { Entry } from "../../contract/record.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Line, Only, Overtaken } from "../../journal/journal.ts";
import type { House } from "../open-house.ts";
import { resumeRun, runSpec } from "../runs/wake.ts";
import { amend, answer, approve, defer, reject } from "./decide.ts";
import { loopStanding } from "./standing.ts";

const RUN = "fix-1-t0001";
const BRANCH = "loopwright/fix-1-t0001.1";
const ADA = { by: "ada", why: "looks right", tree: undefined, until: undefined };
const quiet = () => {};

const decisionsIn = ({ entries }: MemoryHouse): readonly { readonly decision: string; readonly by: string }[] =>
  entries.flatMap(({ record }) => (record.kind === "decided" ? [{ decision: record.decision, by: record.by }] : []));

/** The same house, where somebody is quicker than whoever writes with a condition next. */
function outrunBy(house: House, quicker: () => Promise<unknown>): House {
  let isFirst = true;
  function append(lines: readonly Line[]): Promise<readonly Entry[]>;
  function append(lines: readonly Line[], only: Only | undefined): Promise<readonly Entry[] | Overtaken>;
  async function append(lines: readonly Line[], only?: Only): Promise<readonly Entry[] | Overtaken> {
    if (only !== undefined && isFirst) {
      isFirst = false;
      await quicker();
    }
    return house.journal.append(lines, only);
  }
  return { ...house, journal: { ...house.journal, append } };
}

it("moves base to what was approved, after it was verified again", async () => {
  const at = await withProposal();
  const { length } = at.claims;

  const decided = await approve(at.house, RUN, ADA, quiet);

  expect(decided).toMatchObject({ run: RUN, loop: "fix", standstill: { kind: "settled" } });
  expect(at.repo.tip("main")).toBe(at.repo.tip(BRANCH));
  expect(at.claims).toHaveLength(length + 1);
  expect(at.records("proposal-settled")).toMatchObject([{ how: "acted" }]);
});

it("signs for what came of a decision", async () => {
  const at = await withProposal();

  await approve(at.house, RUN, ADA, quiet);

  const receipted = at.records("receipted").map((record) => record.kind === "receipted" && record.number);
  expect([receipted, at.entries.at(-1)?.record.kind]).toEqual([[0, 1], "checkpointed"]);
});

it("finds the proposal by the start of its run and by its loop", async () => {
  const [byStart, byLoop] = [await withProposal(), await withProposal()];

  expect((await approve(byStart.house, "fix-1", ADA, quiet)).run).toBe(RUN);
  expect((await approve(byLoop.house, "fix", ADA, quiet)).run).toBe(RUN);
});

it("moves nothing where what was approved does not hold any more", async () => {
  const sights = [HOLDS, { ...HOLDS, outcome: "refuted" as const, detail: "one test fails" }];
  const at = await withProposal({ sees: () => sights.shift() ?? HOLDS });

  const { standstill } = await approve(at.house, RUN, ADA, quiet);

  expect(standstill?.kind).toBe("waits");
  expect(standstill?.why).toContain("does not hold");
  expect(at.repo.tip("main")).toBe(at.base);
});

it("puts it on a base that moved, verifies it there, and moves it with the yes that it had", async () => {
  const at = await withProposal();
  const moved = at.repo.commit({ "README.md": "more\n" });

  const { standstill } = await approve(at.house, RUN, ADA, quiet);

  const now = at.repo.tip("main") ?? "";
  expect(standstill).toMatchObject({
    kind: "settled",
    state: { commit: now, refreshed: { base: moved }, recheck: { base: moved, holds: true } },
  });
  expect(at.repo.filesOf(now)).toMatchObject({ "README.md": "more\n" });
});

it("moves nothing where base changed the same lines since, and says what to do", async () => {
  const at = await withProposal();
  const moved = at.repo.commit({ "src/value.txt": "somebody else's\n" });

  const { standstill } = await approve(at.house, RUN, ADA, quiet);

  expect(standstill).toMatchObject({
    kind: "waits",
    why: "base has moved since this was verified, and the same lines were changed there: src/value.txt; `lw run` has it made again from where base is now",
  });
  expect(at.repo.tip("main")).toBe(moved);
});

it("takes a tree that is not proposed any more for something that nobody saw", async () => {
  const at = await withProposal();

  await expect(approve(at.house, RUN, { ...ADA, tree: "0123456789abcdef" }, quiet)).rejects.toMatchObject({ code: "bad-input" });
  await expect(reject(at.house, RUN, { ...ADA, tree: "0123456789abcdef" })).rejects.toMatchObject({ code: "bad-input" });

  expect(decisionsIn(at)).toEqual([]);
});

it("does not approve what somebody pushed onto the branch unseen, and takes it over with amend", async () => {
  const at = await withProposal();
  const pushed = at.repo.commit({ "src/value.txt": "by a reviewer\n" }, BRANCH);

  await expect(approve(at.house, RUN, ADA, quiet)).rejects.toMatchObject({ code: "bad-input" });
  expect(decisionsIn(at)).toEqual([]);

  await amend(at.house, RUN, ADA);
  const { standstill } = await approve(at.house, RUN, ADA, quiet);
  expect([standstill?.kind, at.repo.tip("main")]).toEqual(["settled", pushed]);
  expect(at.claims.at(-1)?.proposal.commit).toBe(pushed);
});

it.each<readonly [string, (at: MemoryHouse) => void]>([
  ["nothing new is on the branch", () => {}],
  ["the branch is gone", ({ repo }) => repo.removeBranch(BRANCH)],
  ["what is on it does not come after base", ({ repo }) => repo.point(BRANCH, orphan(repo))],
])("refuses to amend where %s", async (_, happen) => {
  const at = await withProposal();
  happen(at);

  await expect(amend(at.house, RUN, ADA)).rejects.toMatchObject({ code: "bad-input" });

  expect(at.records("amended")).toEqual([]);
});

/** A commit that has nothing in common with base. */
function orphan(repo: MemoryHouse["repo"]): string {
  const main = repo.tip("main")!;
  repo.removeBranch("main");
  const commit = repo.commit({ "src/value.txt": "from nowhere\n" }, "orphan");
  repo.point("main", main);
  return commit;
}

it("lets one of two win who decide at once, and tells the other", async () => {
  const at = await withProposal();
  const late = outrunBy(at.house, () => reject(at.house, RUN, { by: "bea", why: "no", tree: undefined }));

  await expect(approve(late, RUN, ADA, quiet)).rejects.toMatchObject({
    code: "bad-input",
    message: `the proposal of ${RUN} is rejected already`,
    hint: `Rejected by bea: no. Nothing was changed; \`lw show ${RUN}\` tells more.`,
  });

  expect(decisionsIn(at)).toEqual([{ decision: "reject", by: "bea" }]);
  expect(at.repo.tip("main")).toBe(at.base);
});

it("hears both where what they decide goes together", async () => {
  const at = await withProposal({}, { gate: { all: [{ use: "quorum", with: { people: ["ada", "bea"], needs: 2 } }] } });
  const late = outrunBy(at.house, () => approve(at.house, RUN, { ...ADA, by: "bea" }, quiet));

  const { standstill } = await approve(late, RUN, ADA, quiet);

  expect(decisionsIn(at)).toEqual([
    { decision: "approve", by: "bea" },
    { decision: "approve", by: "ada" },
  ]);
  expect([standstill?.kind, at.repo.tip("main")]).toEqual(["settled", at.repo.tip(BRANCH)]);
});

it("writes the decision down where another process has the loop, and leaves the rest to it", async () => {
  const at = await withProposal();
  const lock = await at.house.locks.hold("loop fix", { ms: 0 });

  const decided = await approve(at.house, RUN, ADA, quiet);

  expect([decided.standstill, decisionsIn(at), at.repo.tip("main")]).toEqual([undefined, [{ decision: "approve", by: "ada" }], at.base]);
  await lock?.release();
  await runSpec(at.house, at.spec(), { onlyIfDue: false, again: false }, quiet);
  expect(at.records("proposal-settled")[0]).toMatchObject({ how: "acted" });
});

it("tells whose no came between a yes and what would have followed from it", async () => {
  const at: MemoryHouse = createMemoryHouse({
    sees: () => {
      if (at.records("decided").length === 1) noes.push(reject(at.house, RUN, { by: "bea", why: "no", tree: undefined }));
      return HOLDS;
    },
  });
  const noes: Promise<unknown>[] = [];
  await runSpec(at.house, at.spec(), { onlyIfDue: false, again: false }, quiet);

  await expect(approve(at.house, RUN, ADA, quiet)).rejects.toMatchObject({
    message: `the proposal of ${RUN} is rejected already`,
    hint: expect.stringContaining("Rejected by bea: no."),
  });

  await Promise.all(noes);
  expect([noes.length, at.repo.tip("main")]).toEqual([1, at.base]);
});

it("tells who comes later what was decided, by whom, and what came of it", async () => {
  const at = await withProposal();
  await approve(at.house, RUN, ADA, quiet);

  await expect(reject(at.house, RUN, { by: "bea", why: "", tree: undefined })).rejects.toMatchObject({
    message: `the proposal of ${RUN} is acted already`,
    hint: expect.stringMatching(/^Approved by ada; main moved from .* Nothing was changed/),
  });
});

it("closes a proposal that was rejected, once and for all", async () => {
  const at = await withProposal();

  await reject(at.house, RUN, ADA);

  await expect(approve(at.house, RUN, ADA, quiet)).rejects.toMatchObject({ message: `the proposal of ${RUN} is rejected already` });
  await expect(reject(at.house, RUN, ADA)).rejects.toMatchObject({ code: "bad-input" });
  expect(decisionsIn(at)).toEqual([{ decision: "reject", by: "ada" }]);
});

it("holds an L3 loop lower after a no, and an L2 loop not", async () => {
  const [bold, plain] = [await withProposal({}, { level: "L3" }), await withProposal()];

  for (const { house } of [bold, plain]) await reject(house, RUN, ADA);

  expect([(await loopStanding(bold.house, "fix")).most, (await loopStanding(plain.house, "fix")).most]).toEqual(["L2", "L3"]);
});

it("lets an approval run out", async () => {
  const at = await withProposal();
  const lock = await at.house.locks.hold("loop fix", { ms: 0 });
  await approve(at.house, RUN, { ...ADA, until: new Date(at.clock.now().getTime() + 60_000).toISOString() }, quiet);
  await lock?.release();
  at.clock.pass(120_000);

  const result = await runSpec(at.house, at.spec(), { onlyIfDue: false, again: false }, quiet);

  expect([result.kind, at.repo.tip("main")]).toEqual(["waiting", at.base]);
});

it("keeps a deferred proposal, which can still be approved", async () => {
  const at = await withProposal();

  await defer(at.house, RUN, { by: "ada", why: "later", until: "2027-01-01T00:00:00.000Z" });
  const { standstill } = await approve(at.house, RUN, ADA, quiet);

  expect(standstill?.kind).toBe("settled");
});

const asking: MemoryHouseAbout = {
  made: () => ({}),
  edit: async ({ spec: { intent }, brief }) =>
    brief.includes("Left or right?") && brief.includes("left")
      ? { ended: "finished", summary: untrustedText(intent) }
      : { ended: "asked", summary: untrustedText(""), question: untrustedText("Left or right?") },
};

it("gives an answer to the run that asked, which goes on with it", async () => {
  const at = createMemoryHouse(asking);
  await runSpec(at.house, at.spec(), { onlyIfDue: false, again: false }, quiet);

  expect(await answer(at.house, "fix", "left", "ada")).toEqual({ run: RUN, loop: "fix" });

  expect(at.records("answered")).toEqual([{ kind: "answered", text: "left", by: "ada" }]);
  await expect(answer(at.house, "fix", "left", "ada")).rejects.toMatchObject({ code: "bad-input" });
  expect(await resumeRun(at.house, "fix", quiet)).toMatchObject({ run: RUN });
  expect(at.orders.at(-1)?.brief).toContain("left");
});

it("refuses an answer to who asked nothing", async () => {
  const at = await withProposal();

  await expect(answer(at.house, RUN, "left", "ada")).rejects.toMatchObject({ message: `the run ${RUN} has asked nothing` });
});

it("takes from the inbox what is no proposal, by a no to its run", async () => {
  const at = createMemoryHouse(asking);
  await runSpec(at.house, at.spec(), { onlyIfDue: false, again: false }, quiet);

  const decided = await reject(at.house, RUN, ADA);

  expect([decided, decisionsIn(at)]).toEqual([{ run: RUN, loop: "fix", standstill: undefined }, [{ decision: "reject", by: "ada" }]]);
});
