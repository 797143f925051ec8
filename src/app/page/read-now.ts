// The first page: what runs, what waits, what wakes next, what came to rest.
import type { NextWaking, NowView, RunningRun, RunRow, TalkLine } from "../../contract/api.ts";
import { isCalledLoop } from "../../contract/calling.ts";
import { Level } from "../../contract/spec.ts";
import type { EntryOf } from "../../journal/journal.ts";
import { viewRun } from "../../journal/views.ts";
import { isRunning } from "../records/views.ts";
import { tellTrigger } from "./graph.ts";
import { metersOf } from "./meters.ts";
import type { PageRecords } from "./page-records.ts";
import { readCards } from "./read-inbox.ts";
import { factsOf, type LoopFacts, readNextDue } from "./read-loops.ts";
import { readRow } from "./read-run.ts";

/** What is heard of runs while they go on; nothing of it is on record. */
export interface Hearsay {
  talk(run: string): readonly TalkLine[];
  step(run: string): { readonly step: string; readonly since: string } | undefined;
}

const FIRST = 3;
const NEXT = 8;
const RESTED = 12;
const MOST_RUNNING = 50;
const LOOK = 5_000;

export async function readNow(records: PageRecords, hearsay: Hearsay): Promise<NowView> {
  const asOf = await records.memo.catchUp();
  const { journal, clock, killSwitch } = records;
  const loops = (await journal.loops()).filter((loop) => !isCalledLoop(loop));
  const facts = await Promise.all(loops.map(async (loop) => ({ loop, facts: await factsOf(records, loop) })));
  const open = facts.flatMap(({ facts: { opened, rest } }) => (opened && rest?.run !== opened.run ? [opened] : [])).slice(0, MOST_RUNNING);
  const [running, cards, next, rested, isAllStopped] = await Promise.all([
    Promise.all(open.map((entry) => readRunning(records, entry, hearsay))),
    readCards(records),
    readNext(records, facts),
    readRested(records),
    killSwitch.isOn(),
  ]);
  const due = cards.filter(({ stage }) => stage !== "deferred");
  const runs = running.flatMap((run) => run ?? []);
  return {
    asOf,
    at: clock.now().toISOString(),
    says: tellNow({
      waiting: due.length,
      running: runs.filter(({ state }) => state === "running").length,
      isAllStopped,
      loops: loops.length,
    }),
    isAllStopped,
    running: runs,
    waiting: { count: due.length, first: due.slice(0, FIRST) },
    next,
    rested,
    loops: loops.length,
  };
}

function tellNow({
  waiting,
  running,
  isAllStopped,
  loops,
}: {
  readonly waiting: number;
  readonly running: number;
  readonly isAllStopped: boolean;
  readonly loops: number;
}): string {
  if (loops === 0) return "No loop has run yet.";
  const waits = waiting === 0 ? "Nothing waits for you" : waiting === 1 ? "One thing waits for you" : `${waiting} things wait for you`;
  if (isAllStopped) return `Everything is stopped. ${waits}.`;
  const runs = running === 0 ? "nothing is running" : running === 1 ? "one loop is running" : `${running} loops are running`;
  return `${waits}; ${runs}.`;
}

async function readRunning(
  records: PageRecords,
  { run, loop, record }: EntryOf<"run-opened">,
  hearsay: Hearsay,
): Promise<RunningRun | undefined> {
  const view = viewRun({ loop, run }, await records.journal.story(run));
  if (!view || view.rest) return undefined;
  const round = view.rounds.at(-1);
  return {
    run,
    loop,
    intent: view.intent,
    level: Level.catch("L1").parse(view.level),
    state: (await isRunning(records, loop)) ? "running" : "interrupted",
    openedAt: view.openedAt,
    lastAt: view.lastAt,
    round: round?.number ?? 0,
    mostRounds: record.spec.budget.rounds,
    steps: round?.steps ?? [],
    step: hearsay.step(run) ?? null,
    spend: (await metersOf(records, record.spec, { loop, run })).filter(({ scope }) => scope === "run"),
    microUsd: view.used.microUsd ?? 0,
    basis: view.cost.basis,
    talk: hearsay.talk(run).slice(-20),
  };
}

async function readNext(
  records: PageRecords,
  all: readonly { readonly loop: string; readonly facts: LoopFacts }[],
): Promise<readonly NextWaking[]> {
  const wakings = await Promise.all(
    all.map(async ({ loop, facts }): Promise<readonly NextWaking[]> => {
      const at = await readNextDue(records, loop, facts);
      if (at === null || !facts.spec) return [];
      return [{ loop, at, trigger: tellTrigger(facts.spec.trigger), barred: facts.wrong ?? facts.standing.barred ?? null }];
    }),
  );
  return wakings
    .flat()
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .slice(0, NEXT);
}

async function readRested(records: PageRecords): Promise<readonly RunRow[]> {
  const { entries } = await records.journal.entriesBefore(
    Number.MAX_SAFE_INTEGER,
    { most: RESTED * 2, look: LOOK },
    { kinds: ["run-rested"] },
  );
  const first = [...new Map(entries.map((entry) => [entry.run, entry])).values()].slice(0, RESTED);
  const rows = await Promise.all(first.map((entry) => readRow(records, entry)));
  return rows.flatMap((row) => row ?? []);
}
