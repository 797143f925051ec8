import { expect, it } from "vitest";
import { appendOne, note, runOpened, tickingClock } from "../../test/support/journals.ts";
import type { LoopRecord } from "../contract/record.ts";
import type { Rest } from "../contract/verdict.ts";
import type { Journal } from "./journal.ts";
import { readLastRun, readStanding, standingDeeds, unsettledRuns } from "./loop-facts.ts";
import { createMemoryJournal } from "./memory-journal.ts";

const REPORT = { sha256: "0".repeat(64), bytes: 0, truncated: false };
const PROPOSED: Rest = { kind: "accept", action: "propose" };
const rested = (rest: Rest): LoopRecord => ({ kind: "run-rested", rest, report: REPORT });
const closed = (how: "acted" | "landed" | "superseded"): LoopRecord => ({ kind: "proposal-settled", how, why: "" });

const open = (): Journal => createMemoryJournal(tickingClock());
const tell = async (journal: Journal, run: string, ...records: readonly LoopRecord[]): Promise<void> =>
  void (await journal.append(records.map((record) => ({ loop: "a", run, record }))));

it("knows nothing of a loop that never ran", async () => {
  const journal = open();
  await appendOne(journal, { loop: "b", run: "b-1" }, runOpened(1));

  expect(await readLastRun(journal, "a")).toBeUndefined();
  expect(await readStanding(journal, "a")).toEqual({ state: "free", barred: undefined, since: undefined, most: "L3" });
});

it("has the last run with all that is on record of it", async () => {
  const journal = open();
  await tell(journal, "a-1", runOpened(1), { kind: "remembered", roundId: "a-1.1", cursors: { main: "1" } }, rested(PROPOSED));
  await tell(journal, "a-2", runOpened(2), { kind: "run-resumed" });
  await tell(journal, "a-1", note("late"));

  const last = await readLastRun(journal, "a");

  const story = await journal.story("a-2");
  expect(last).toEqual({
    loop: "a",
    run: "a-2",
    opened: runOpened(2),
    openedAt: story.entries[0]?.at,
    story,
    state: expect.objectContaining({ resumed: 1, rest: undefined }),
    damaged: [],
  });
});

const paused: LoopRecord = { kind: "loop-paused", by: "ada", why: "holidays" };
const halted: LoopRecord = { kind: "loop-halted", because: "budget", reason: "three times" };
const freed: LoopRecord = { kind: "loop-resumed", by: "ada", why: "" };
const PAUSED = "the loop was paused by ada: holidays";
const HALTED = "the loop is halted (budget): three times";

it.each<readonly [string, readonly LoopRecord[], string | undefined]>([
  ["paused", [paused], PAUSED],
  ["halted", [halted], HALTED],
  ["halted after it was paused", [paused, halted], HALTED],
  ["paused after it was halted", [halted, paused], PAUSED],
  ["freed", [paused, halted, freed], undefined],
  ["paused again", [paused, freed, paused], PAUSED],
  ["halted again", [halted, freed, halted], HALTED],
])("bars a loop that is %s, or not", async (_, records, barred) => {
  const journal = open();
  await tell(journal, "a-standing", ...records);

  const standing = await readStanding(journal, "a");

  expect(standing.barred).toBe(barred);
  expect(standing.state === "free").toBe(barred === undefined);
  expect(standing.since === undefined).toBe(barred === undefined);
});

it("is held at the level that was said last", async () => {
  const journal = open();
  await tell(
    journal,
    "a-standing",
    { kind: "level-held", most: "L2", by: "ada", why: "" },
    { kind: "level-held", most: "L1", by: "ada", why: "" },
  );

  expect((await readStanding(journal, "a")).most).toBe("L1");
});

it("tells which proposals still wait and which deeds still stand, newest first", async () => {
  const journal = open();
  const stuck: Rest = { kind: "halt", because: "budget", reason: "spent" };
  await tell(journal, "a-1", rested(PROPOSED), closed("acted"));
  await tell(journal, "a-2", rested(PROPOSED), closed("landed"), { kind: "reverted", commit: "c", why: "w" });
  await tell(journal, "a-3", rested(stuck));
  await tell(journal, "a-4", rested(PROPOSED), closed("superseded"));
  await tell(journal, "a-5", rested(PROPOSED));
  await tell(journal, "a-6", rested(PROPOSED), rested(PROPOSED));

  const [ends, settled, reverted] = await Promise.all([
    journal.newestOf("a", "run-rested", { most: 9 }),
    journal.newestOf("a", "proposal-settled", { most: 9 }),
    journal.newestOf("a", "reverted", { most: 9 }),
  ]);

  expect([unsettledRuns({ rested: ends, settled }), standingDeeds({ settled, reverted })]).toEqual([["a-6", "a-5"], ["a-1"]]);
  expect(ends.map(({ run }) => run)).toEqual(["a-6", "a-6", "a-5", "a-4", "a-3", "a-2", "a-1"]);
});
