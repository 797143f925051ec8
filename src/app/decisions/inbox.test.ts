import { expect, it } from "vitest";
import { createMemoryHouse, FINISHED, HOLDS, type MemoryHouse, withProposal } from "../../../test/support/memory-house.ts";
import { untrustedText } from "../../contract/text.ts";
import { referee } from "../runs/referee.ts";
import { runSpec } from "../runs/wake.ts";
import { answer, approve, defer, reject } from "./decide.ts";
import { readInbox } from "./inbox.ts";

const RUN = "fix-1-t0001";
const ADA = { by: "ada", why: "", tree: undefined, until: undefined };
const quiet = () => {};

const run = (at: MemoryHouse, more: object = {}, again = false) =>
  runSpec(at.house, at.spec({ budget: { rounds: 1 }, ...more }), { onlyIfDue: false, again }, quiet);
const briefly = async ({ house }: MemoryHouse, which: "due" | "all" = "due") =>
  (await readInbox(house, which)).map(({ id, kind, stage }) => `${kind} ${id} ${stage}`);

/** A maker that does as the name of its loop says. */
const createMixed = (): MemoryHouse =>
  createMemoryHouse({
    made: ({ run }) => (run.startsWith("asks") ? {} : { "src/value.txt": `${run}\n` }),
    edit: async ({ spec: { name } }) =>
      name === "asks" ? { ended: "asked", summary: untrustedText(""), question: untrustedText("Left or right?") } : FINISHED,
    sees: ({ checkout }) => (checkout.work.includes("fails") ? { ...HOLDS, outcome: "refuted", detail: "it does not" } : HOLDS),
  });

it("is empty where nothing ran", async () => {
  expect(await readInbox(createMemoryHouse().house, "all")).toEqual([]);
});

it("shows a proposal with everything that deciding about it takes", async () => {
  const at = await withProposal();

  const [item, ...others] = await readInbox(at.house, "due");

  expect(others).toEqual([]);
  expect(item).toEqual({
    id: RUN,
    loop: "fix",
    kind: "proposal",
    stage: "open",
    since: at.entries.find(({ record }) => record.kind === "run-rested")?.at,
    why: "1 file(s) on main: Make it right.",
    branch: "loopwright/fix-1-t0001.1",
    tree: await at.house.world.mover.treeOf("/repo", at.repo.tip("loopwright/fix-1-t0001.1") ?? ""),
    approvedBy: [],
    next: `lw show ${RUN} --diff, then lw approve ${RUN}`,
  });
});

it("begins with what stands still, then who asks, then who waits longest", async () => {
  const at = createMixed();
  await run(at, { name: "later-named-first" });
  await run(at, { name: "a" });
  await run(at, { name: "asks" });
  for (let time = 0; time < 10 && at.records("loop-halted").length === 0; time++) await run(at, { name: "fails" }, true);

  expect((await readInbox(at.house, "due")).map(({ loop, kind }) => `${kind} ${loop}`)).toEqual([
    "halted fails",
    "question asks",
    "proposal later-named-first",
    "proposal a",
    "needs-you fails",
  ]);
});

it("shows of a loop only how it ended last, and nothing that it got over", async () => {
  let holds = false;
  const at = createMemoryHouse({ sees: () => (holds ? HOLDS : { ...HOLDS, outcome: "refuted", detail: "no" }) });
  await run(at);
  expect(await briefly(at)).toEqual([`needs-you ${RUN} open`]);

  await run(at);
  expect(await briefly(at)).toEqual(["needs-you fix-2-t0002 open"]);

  holds = true;
  await run(at);
  expect(await briefly(at)).toEqual(["proposal fix-3-t0003 open"]);
});

it("shows nothing twice, though its run came to rest more than once", async () => {
  const at = await withProposal();
  const rested = at.entries.find(({ record }) => record.kind === "run-rested");
  await at.house.journal.append([{ loop: "fix", run: RUN, record: rested!.record }]);

  expect(await briefly(at)).toEqual([`proposal ${RUN} open`]);
});

it("hides what is deferred until its time, but from who asks for all", async () => {
  const at = await withProposal();
  await defer(at.house, RUN, { by: "ada", why: "", until: new Date(at.clock.now().getTime() + 3_600_000).toISOString() });

  expect([await briefly(at, "due"), await briefly(at, "all")]).toEqual([[], [`proposal ${RUN} deferred`]]);

  at.clock.pass(3_600_000);
  expect(await briefly(at, "due")).toEqual([`proposal ${RUN} open`]);
});

it("shows what a run that was answered came to afterwards", async () => {
  const turns = ["asked", "finished"];
  const at = createMemoryHouse({
    made: ({ number }) => (number > 1 ? { "src/value.txt": "right\n" } : {}),
    edit: async () =>
      turns.shift() === "asked" ? { ended: "asked", summary: untrustedText(""), question: untrustedText("Left or right?") } : FINISHED,
    sees: () => HOLDS,
  });
  await run(at, { budget: { rounds: 2 } });
  expect(await briefly(at)).toEqual([`question ${RUN} open`]);

  await answer(at.house, RUN, "Left.", "ada");
  expect(await briefly(at)).toEqual([]);
  await run(at, { budget: { rounds: 2 } });

  expect(await briefly(at)).toEqual([`proposal ${RUN} open`]);
});

it("lets go of what was decided and carried out, answered or dismissed", async () => {
  const at = createMixed();
  await run(at, { name: "yes" });
  await run(at, { name: "no" });
  await run(at, { name: "asks" });
  await run(at, { name: "fails" });
  expect(await briefly(at)).toHaveLength(4);

  await approve(at.house, "yes", ADA, quiet);
  await reject(at.house, "no", ADA);
  await answer(at.house, "asks", "left", "ada");
  await reject(at.house, "fails", ADA);

  expect(await briefly(at, "all")).toEqual([]);
});

it("tells that something was approved and waits for more", async () => {
  const at = await withProposal({}, { gate: { all: [{ use: "quorum", with: { people: ["ada", "bea"], needs: 2 } }] } });

  await approve(at.house, RUN, ADA, quiet);

  expect(await readInbox(at.house, "due")).toMatchObject([{ id: RUN, stage: "approved", approvedBy: ["ada"] }]);
});

it("puts first what nobody knows the end of", async () => {
  const at = createMixed();
  await run(at, { name: "a" });
  await run(at, { name: "b" });
  const place = { loop: "b", run: "b-1-t0002" };
  await at.house.journal.append([
    { ...place, record: { kind: "action-began", deed: "d", action: "merge", number: 1, plan: "" } },
    { ...place, record: { kind: "action-unclear", deed: "d", why: "the line broke" } },
  ]);

  const items = await readInbox(at.house, "due");

  expect(items.map(({ loop, stage, why }) => [loop, stage, why])).toEqual([
    ["b", "unclear", "the line broke"],
    ["a", "open", "1 file(s) on main: Make it right."],
  ]);
});

it("does not keep who asked a referee waiting: they have their answer", async () => {
  const at = createMemoryHouse({ sees: () => ({ ...HOLDS, outcome: "refuted", detail: "no" }) });
  const base = at.layRefereed({ "src/value.txt": "by somebody\n" });

  await referee(at.house, { folder: "/repo", cwd: "/repo", base, loop: undefined, head: undefined, by: "ada" }, quiet);

  expect(await briefly(at, "all")).toEqual([]);
});
