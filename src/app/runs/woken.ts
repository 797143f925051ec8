// The child's side of a waking: takes what the run needs, decides anew, and opens the run together with the record of its waking.
import { resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { Cause } from "../../contract/waking.ts";
import type { Watch } from "../../contract/watch.ts";
import { isOvertaken } from "../../journal/journal.ts";
import { readKnownLoop } from "../../journal/known-loops.ts";
import { readLastRun } from "../../journal/loop-facts.ts";
import { createRunJournal, openRunJournal } from "../../journal/run-journal.ts";
import { tickTime } from "../../schedule/due.ts";
import { lookAt } from "../../schedule/look.ts";
import type { Started, WakingLine } from "../../schedule/ports.ts";
import { assembleCrew } from "../crew.ts";
import { fallBackIfNeeded } from "../decisions/autonomy.ts";
import { carryOutApproved, settleOpen } from "../decisions/carry-out.ts";
import { createBook, lineIn, onlyIf } from "../loops/book.ts";
import { writesTo } from "../loops/loop-plan.ts";
import type { House } from "../open-house.ts";
import { workSigned } from "../records/sign.ts";
import { loadMachine } from "../settings.ts";
import { describeRun, finish, follow, mustBeFree, newRunId, type RunResult } from "./begin-run.ts";
import { giveUp } from "./give-up.ts";
import { asRecorded, type LoadedSpec, loadSpecBy } from "./load-spec.ts";
import { mustHaveAll, openRun, policyFor, telling } from "./open-run.ts";
import { changedBudget, isToldTheSame, planResuming } from "./plan-waking.ts";
import { takeRoom } from "./room.ts";
import { inputsOf, takeInputs } from "./take-inputs.ts";

/** Why no run was opened, for who started this process. */
export type NotStarted = Exclude<Started, { kind: "started" }>;

export type WokenResult = RunResult | { readonly kind: "not-started"; readonly started: NotStarted };

const not = (started: NotStarted): WokenResult => ({ kind: "not-started", started });
const OVERTAKEN: NotStarted = { kind: "overtaken" };

/** Runs a loop that the home looks after, for a key that is due; whatever keeps it is an answer, and no failure. */
export async function runWoken(
  house: House,
  { loop, key }: { readonly loop: string; readonly key: string },
  watch: Watch,
): Promise<WokenResult> {
  return alone(house, loop, watch, async (loaded) => {
    const book = createBook(house);
    const [plan, facts, ticks] = [await book.plan(loop), await book.facts(loop), await book.ticks()];
    if (!plan || !facts) return not({ kind: "failed", retry: "never", says: `no loop that this home looks after is called ${loop}` });
    const { entries: said } = await house.journal.story(key);
    if (said.some(({ seq, record }) => record.kind === "waking" && facts.withdrawn.get(key) !== seq)) return not(OVERTAKEN);
    const time = tickTime(house.world.clock.now().getTime(), ticks);
    const { first, lines, decided } = lookAt(loop, plan, facts, time, { kind: "start" });
    if (!decided.some(({ due }) => due.key === key)) return not({ kind: "failed", retry: "never", says: `${key} is not due` });
    // What goes before it is for the scheduler to see to. What came due meanwhile and joins it, say, is written with it.
    if (first?.due.key !== key || facts.openRun) return not(OVERTAKEN);

    const line: WakingLine = { key, waking: first.waking, ...(first.instead === undefined ? {} : { instead: first.instead }) };
    const crew = assembleCrew(loaded.spec, house.registries);
    const causes = [first.waking.cause, ...(await joinedTo(house, loop, key, lines))];
    const described = await describeRun(
      house,
      { ...loaded, ...asRecorded(house, loaded.spec) },
      crew,
      await readLastRun(house.journal, loop),
      takeInputs(house, loaded.spec, inputsOf(loaded.spec, causes)),
    );
    const opened: RunOpened = { ...described, waking: { key, causes } };
    await fallBackIfNeeded(house, loop);
    const waiting = (await settleOpen(house, loop, watch)).find(
      (proposed) =>
        proposed.opened.repo === opened.repo &&
        proposed.round.base === opened.base.commit &&
        isToldTheSame(proposed.opened.inputs, opened.inputs),
    );
    if (waiting) {
      // The same work on the same base would be done again, as long as nobody has decided about it.
      const says = `the proposal of ${waiting.round.run} for the same base still waits for a person`;
      const skipped = { ...line, waking: { ...line.waking, fate: "skipped", reason: "wip", says } } as const;
      await book.write(loop, facts.version, [...lines, skipped]);
      return not(OVERTAKEN);
    }
    await mustHaveAll(house, opened, crew);
    const run = newRunId(house, opened);
    const policy = await policyFor(house, opened);
    // Before anything is on record: what cannot be read refuses the run, and leaves none open.
    await openRun(house, crew, { opened, journal: await openRunJournal(house.journal, { loop, run }), policy, watch });
    await house.world.workshop.sweep(loop, run);
    const wakings = [...lines, { ...line, waking: { ...line.waking, run } }];
    const all = [...wakings.map(lineIn(loop)), { loop, run, record: opened }];
    const written = await house.journal.append(all, onlyIf(loop, facts.version, wakings));
    if (isOvertaken(written)) return not(OVERTAKEN);
    written.forEach(telling(watch));
    const journal = createRunJournal(house.journal, { loop, run }, written.slice(wakings.length), telling(watch));
    return follow(house, await openRun(house, crew, { opened, journal, policy, watch }));
  });
}

/** Takes up an interrupted run of a loop, under the same locks. */
export async function resumeWoken(
  house: House,
  { loop, run }: { readonly loop: string; readonly run: string },
  watch: Watch,
): Promise<WokenResult> {
  return alone(house, loop, watch, async (loaded) => {
    const plan = planResuming(await readLastRun(house.journal, loop));
    if (plan?.last.run !== run) return not(OVERTAKEN);
    const { last } = plan;
    if (plan.kind === "give-up") return { kind: "ran", run: last.run, outcome: await giveUp(house, plan, watch) };
    const recorded = asRecorded(house, loaded.spec);
    const budget = changedBudget(last.opened.spec, recorded.spec);
    const isSame = last.opened.specHash === recorded.hash || last.opened.specHash === loaded.hash || budget !== undefined;
    if (!isSame) {
      const rest = { kind: "halt", because: "stopped", reason: "the spec was changed while this run was interrupted" } as const;
      return { kind: "ran", run: last.run, outcome: await giveUp(house, { last, rest }, watch) };
    }
    return finish(house, last, assembleCrew(loaded.spec, house.registries), budget, { watch });
  });
}

/** Works on a loop whose spec is the one that is known, with its lock, its repository and a place of the machine. */
async function alone(house: House, loop: string, watch: Watch, work: (loaded: LoadedSpec) => Promise<WokenResult>): Promise<WokenResult> {
  const result = await underLocks(house, loop, watch, work);
  // Whoever approved something meanwhile was told that it is carried out when this rests.
  if (result.kind === "ran") await carryOutApproved(house, loop, watch);
  return result;
}

async function underLocks(
  house: House,
  loop: string,
  watch: Watch,
  work: (loaded: LoadedSpec) => Promise<WokenResult>,
): Promise<WokenResult> {
  try {
    const machine = await loadMachine(house, house.cores);
    const lock = await house.locks.hold(`loop ${loop}`, { ms: 0 });
    if (!lock) return not({ kind: "busy", with: "loop", says: `the loop ${loop} is already running in another process` });
    try {
      await mustBeFree(house, loop);
      const loaded = await loadKnown(house, loop);
      if (!loaded) return not(OVERTAKEN);
      const { spec, folder } = loaded;
      const target = writesTo(spec, house.registries) ? await house.identityOf(resolve(folder, spec.target.repo)) : undefined;
      const room = await takeRoom(house, { target, perTarget: machine.perTarget, places: machine.runs });
      if (room.kind === "busy") return not(room);
      try {
        return await workSigned(house, loop, watch, () => work(loaded));
      } finally {
        await room.lock.release();
      }
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    if (error.code === "loop-held") return not(OVERTAKEN);
    return not({ kind: "failed", retry: error.retry, says: `${error.message.replace(/[^.!?:]$/, "$&.")} ${error.hint}` });
  }
}

/** The spec in its file, if it still is the one that was made known; undefined where it has to be looked at again first. */
async function loadKnown(house: House, loop: string): Promise<LoadedSpec | undefined> {
  const known = await readKnownLoop(house.journal, loop);
  if (known?.state !== "known") return undefined;
  const loading = await loadSpecBy(house.texts, known.path, "/", house.registries);
  return loading.kind === "loaded" && loading.loaded.hash === known.good.record.specHash && loading.loaded.spec.name === loop
    ? loading.loaded
    : undefined;
}

const MOST_JOINED = 100;

/** The causes of the keys that were coalesced into this one, or are just now, oldest first. */
async function joinedTo(
  { journal }: Pick<House, "journal">,
  loop: string,
  key: string,
  lines: readonly WakingLine[],
): Promise<readonly Cause[]> {
  const before = (await journal.newestOf(loop, "waking", { most: MOST_JOINED })).map(({ record }) => record).toReversed();
  return [...before, ...lines.map(({ waking }) => waking)].filter(({ into }) => into === key).map(({ cause }) => cause);
}
