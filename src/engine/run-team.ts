// Runs the workers of a team: each try is a step on record, those that do not wait for each other work side by side, and what they
// made is laid into the round's own copy. A crash repeats nothing that was finished.

import type { ArtifactRef } from "../contract/artifacts.ts";
import type { BoxFact } from "../contract/commands.ts";
import type { CrewMaker } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { Proof } from "../contract/evidence.ts";
import type { TextFound } from "../contract/files.ts";
import type { Amounts } from "../contract/ledger.ts";
import type { ChildFact, FilesKind, JoinFact, Talk, TeamFact } from "../contract/proposal.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Join, Team, Worker } from "../contract/spec.ts";
import { fileOf, flowsInto } from "../contract/team-graph.ts";
import { type Admitted, untrustedText } from "../contract/text.ts";
import type { Workspace } from "../contract/workshop.ts";
import { shareOf, softReached } from "../guard/budget.ts";
import { findingOf, guardsAt, type Hit, isHeld, passGuards, tellHits } from "../guard/spec-guards.ts";
import { admit } from "../guard/text/admit.ts";
import { displayLine } from "../std/display-text.ts";
import { parseDuration } from "../std/duration.ts";
import { compileAllowing } from "../std/glob.ts";
import { canonicalJson } from "../std/hash.ts";
import { misfit } from "../std/json-shape.ts";
import { leastOf as leastBox } from "./box-wish.ts";
import type { Brief } from "./brief.ts";
import { isShortOfBudget } from "./call-loop.ts";
import { callMaker } from "./call-makers.ts";
import { callWorker, isItsTurn, taintNow } from "./call-worker.ts";
import { heededBy, instructionsOf } from "./instructions.ts";
import type { Order } from "./launch-maker.ts";
import { commitMessage, workerPlace } from "./names.ts";
import { openNotebook } from "./notebook.ts";
import { examinationOf, readHeed, readTold } from "./read-outside.ts";
import type { Run } from "./run.ts";
import { layWork, type WorkMade } from "./show-work.ts";
import { isShareSpent, usedBy } from "./spending/share.ts";
import { openTide } from "./steps.ts";
import { isGood, leastOf, nextMoves, teamOf } from "./team.ts";
import {
  AT_ONCE,
  type Bench,
  type End,
  type JoinEnd,
  MOST_RESULT,
  mostBytes,
  resultsOf,
  type Tried,
  type WorkerEnd,
} from "./team-bench.ts";
import { verifyWork } from "./verify.ts";
import { roomForEach, writeWorkerBrief } from "./worker-brief.ts";
import { takeFields } from "./worker-fields.ts";

/** How a worker's own try ended: only a loop that is called can have nothing to do. */
type Ended = Exclude<Tried, { readonly kind: "uncalled" }>;

type Assembled = Talk & { readonly box: BoxFact; readonly team: TeamFact };

export async function workAsTeam<K extends FilesKind>(
  round: Round,
  run: Run<K>,
  order: Order,
  crew: ReadonlyMap<string, CrewMaker<K>>,
): Promise<Assembled> {
  const step = run.steps(round.id);
  const { clock } = run.world;
  const team = teamOf(run.opened.spec);
  const bench: Bench<K> = {
    round,
    run,
    order,
    crew,
    team,
    ends: new Map(),
    worked: openTide(clock),
    spent: openTide(clock),
    checked: new Map(),
    closing: [],
    toldBy: new Map(),
    again: run.journal.entries.filter(({ record }) => isEndByBudget(record, round)).length,
  };
  // Counted once, before several could count it at the same moment.
  const before = run.journal.result(round.id, "make");
  if (!before) {
    await run.meter.round(round, "team");
    await runWorkers(bench)
      .finally(() => run.journal.write())
      .finally(() => Promise.all(bench.closing));
  }
  return step("make", () => assemble(bench));
}

const isEndByBudget = (record: LoopRecord, { id }: Round): boolean =>
  record.kind === "round-failed" && record.roundId === id && record.code === "budget-spent";

/** What follows from what others made, by a name of its own each time that the round goes on with more budget. */
const again = <K extends FilesKind>({ again: times }: Bench<K>, step: string): string => (times === 0 ? step : `${step}+${times}`);

async function runWorkers<K extends FilesKind>(bench: Bench<K>): Promise<void> {
  const { team, ends } = bench;
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  for (;;) {
    const kinds = new Map([...ends].map(([id, { end }]) => [id, { kind: end.kind }] as const));
    const { start, skip, join } = nextMoves(team, kinds, new Set(running.keys()));
    for (const { id, why } of skip) ends.set(id, { of: "worker", end: await skipped(bench, id, why) });
    for (const id of join) ends.set(id, { of: "join", end: await joined(bench, id, team.joins![id]!) });
    if (skip.length + join.length > 0) continue;
    // If one must wait or cannot go on, the others finish what they began, and nobody begins any more.
    const isEnding = failures.length > 0 || [...ends.values()].some(endsAll);
    const begun = isEnding ? [] : isThrottled(bench) ? start.slice(0, running.size === 0 ? 1 : 0) : start;
    for (const id of begun) {
      const work = runWorker(bench, id, team.workers[id]!)
        .then((end) => void ends.set(id, { of: "worker", end }))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(id));
      running.set(id, work);
    }
    if (running.size === 0) break;
    // What has just ended is on record with what those who begin set aside, or by itself where that may be long.
    if (!begun.some((id) => team.workers[id]?.spec === undefined)) await bench.run.journal.write();
    await Promise.race(running.values());
  }
  // What passes is waited for; what does not is told first.
  if (failures.length > 0) throw failures.find((error) => !(error instanceof LoopError) || error.retry === "never") ?? failures[0];
}

/** Where a guard ends the run nobody begins any more. */
const endsAll = ({ end }: End): boolean =>
  "guarded" in end && (end.guarded ?? []).some(({ then }) => then === "halt" || then === "escalate");

/** Past the line from which on the run goes easy: one at a time, and nobody twice. */
const isThrottled = <K extends FilesKind>({ run }: Bench<K>): boolean =>
  run.opened.spec.budget.soft?.then === "throttle" && softReached(run.opened.spec, run.journal.state.used) !== undefined;

const skipped = <K extends FilesKind>(bench: Bench<K>, id: string, why: string): Promise<WorkerEnd> =>
  bench.run.steps(bench.round.id).light(again(bench, `worker-${id}.0`), async () => ({ kind: "skipped" as const, why, tries: 0 }));

async function runWorker<K extends FilesKind>(bench: Bench<K>, id: string, worker: Worker): Promise<WorkerEnd> {
  const step = bench.run.steps(bench.round.id);
  const held = await heldBack(bench, id);
  if (held !== undefined) return skipped(bench, id, held);
  const turn = await isItsTurn(bench, worker, (other) => checksHold(bench, other));
  if (turn !== true) return step.light(again(bench, `worker-${id}.0`), async () => ({ ...turn, tries: 0 }));
  if (worker.spec) {
    await bench.run.journal.write();
    const number = callsBefore(bench, id) + 1;
    const came = await step.beside(`worker-${id}.${number}`, bench.worked, () =>
      clocked(bench, async () => {
        const start = await startOf(bench, id, worker, 1);
        return start.kind === "failed" ? start : callWorker(bench, id, worker, start.commit);
      }),
    );
    return { ...came, tries: number };
  }
  const tries = isThrottled(bench) ? 1 : (worker.tries ?? 1);
  let last: Tried | undefined;
  let tookMs = 0;
  for (let number = 1; number <= tries; number++) {
    const why = last?.kind === "failed" ? last.why : undefined;
    last = await step.handing(
      `worker-${id}.${number}`,
      bench.worked,
      () => clocked(bench, () => tryWorker(bench, id, worker, number, why)),
      (tried) => isOver(tried) || number === tries,
    );
    tookMs += last.tookMs ?? 0;
    if (isOver(last)) return { ...last, tookMs, tries: number };
  }
  return { ...last!, tookMs, tries };
}

const isOver = (tried: Tried): boolean => tried.kind !== "failed" || tried.isFinal === true;

async function clocked<K extends FilesKind>({ run: { world } }: Bench<K>, work: () => Promise<Tried>): Promise<Tried> {
  const startedMs = world.clock.monotonicMs();
  const tried = await work();
  return { ...tried, tookMs: Math.round(world.clock.monotonicMs() - startedMs) };
}

/** How often a loop was called in this round that lacked nothing but a budget, and has it since. */
function callsBefore<K extends FilesKind>({ run, round, again: most }: Bench<K>, id: string): number {
  let calls = 0;
  for (; calls < most; calls++) {
    const before = run.journal.result(round.id, `worker-${id}.${calls + 1}`)?.result as Tried | undefined; // as that step writes it
    if (!before || !isShort(before)) break;
  }
  return calls;
}

const isShort = (end: { readonly kind: string; readonly child?: ChildFact }): boolean =>
  end.kind === "failed" && isShortOfBudget(end.child?.rest);

/** Why a worker may not begin, if a check of what others made does not hold. People are asked last. */
async function heldBack<K extends FilesKind>(bench: Bench<K>, id: string): Promise<string | undefined> {
  const { run } = bench;
  const waited = run.opened.spec.verifiers.flatMap(({ before }, index) => (before?.includes(id) ? [index] : []));
  const asksPeople = (index: number): number => (run.crew.verifiers[index]?.asks ? 1 : 0);
  for (const index of waited.toSorted((one, other) => asksPeople(one) - asksPeople(other))) {
    const checking = bench.checked.get(index) ?? checkWork(bench, index);
    bench.checked.set(index, checking);
    const { verifier, id: name = verifier, of = [], outcome, detail } = await checking;
    if (outcome !== "holds") return `${name} does not hold of ${of.join(", ")}: ${displayLine(detail, 500)}`;
  }
  return undefined;
}

async function checkWork<K extends FilesKind>({ run, round, ends, worked }: Bench<K>, index: number): Promise<Proof> {
  const made = [...ends].flatMap(([id, found]) => (found.of === "worker" ? [{ id, ...madeBy(found.end) }] : []));
  await run.journal.write();
  return verifyWork(round, run, index, made, (name, work) => run.steps(round.id).beside(name, worked, work));
}

/** What the spec's checks say of what a worker made: true where all hold, null where nobody can tell. */
async function checksHold<K extends FilesKind>(bench: Bench<K>, id: string): Promise<{ readonly [verifier: string]: boolean | null }> {
  const { verifiers } = bench.run.opened.spec;
  const passed: { [verifier: string]: boolean | null } = {};
  for (const [index, { of, id: name, use }] of verifiers.entries()) {
    if (!of?.includes(id) || !of.every((other) => bench.ends.has(other)) || bench.run.crew.verifiers[index]?.asks) continue;
    const checking = bench.checked.get(index) ?? checkWork(bench, index);
    bench.checked.set(index, checking);
    const { outcome } = await checking;
    passed[name ?? `${use}-${index + 1}`] = outcome === "holds" ? true : outcome === "unknown" ? null : false;
  }
  return passed;
}

const madeBy = (end: WorkerEnd): Pick<TeamFact["workers"][number], "result" | "commit"> =>
  end.kind === "made" ? { ...(end.result ? { result: end.result } : {}), ...(end.commit ? { commit: end.commit } : {}) } : {};

async function tryWorker<K extends FilesKind>(
  bench: Bench<K>,
  id: string,
  worker: Worker,
  number: number,
  before: string | undefined,
): Promise<Tried> {
  const { run, round, order, crew, team } = bench;
  const { opened, journal, world } = run;
  const { spec } = opened;
  const start = await startOf(bench, id, worker, number);
  if (start.kind === "failed") return start;
  const at: Round = { ...round, id: workerPlace(round.id, id, number), base: start.commit };
  const file = fileOf(id, worker);
  const reading = await readFor(bench, id, worker, number, before);
  const toldOf = asGuarded(bench.toldBy.get(id) ?? [], id);
  if (toldOf.isFinal) return { kind: "failed", why: `it was not called: ${tellHits(bench.toldBy.get(id) ?? [])}`, ...toldOf };
  if (reading.held.length > 0) return { kind: "failed", why: `it was not called: ${tellHits(reading.held)}`, ...toldOf, isFinal: true };
  const timeMs = worker.time === undefined ? undefined : parseDuration(worker.time)!;
  const share = { worker: id, most: shareOf(worker.budget ?? {}), beside: team.atOnce ?? AT_ONCE, tide: bench.spent };
  const startedMs = world.clock.monotonicMs();
  const came: { end: Ended } = { end: { kind: "failed", why: "it handed over nothing" } };
  try {
    const maker = crew.get(id);
    if (!maker) throw new TypeError(`the crew has no worker ${id}`);
    const { box, brief } = await callMaker(
      round,
      run,
      { ...maker, place: [...crew.keys()].indexOf(id) + 1 },
      {
        ...order,
        taint: taintNow(bench),
        bench: {
          at,
          repo: start.repo,
          timeMs,
          share,
          ...(worker.tools ? { tools: worker.tools } : {}),
          ...(worker.gives.as === "commit" ? {} : { gives: { file, mostChars: mostBytes(worker) } }),
          brief: (now) =>
            guardBrief(bench, id, writeWorkerBrief({ spec, id, worker, file, roundNumber: round.number, ...now, ...reading })),
          take: async (workspace, said, apart) => {
            if (said.ended !== "finished") came.end = gaveUp(said);
            else
              came.end =
                worker.gives.as === "commit"
                  ? await takeCommit(bench, id, worker, at, apart)
                  : await takeResult(bench, id, worker, file, workspace, said);
          },
        },
      },
    );
    const { end } = came;
    if (end.kind === "made" && end.result) await keepNotes(bench, id, end.result);
    const seen = asGuarded(bench.toldBy.get(id) ?? [], id).guarded ?? [];
    const guarded = [...seen, ...(end.guarded ?? [])];
    return { ...end, box, brief: brief.text, ...(guarded.length > 0 ? { guarded } : {}) };
  } catch (error) {
    const failed = failedBy(error, {
      isLate: timeMs !== undefined && world.clock.monotonicMs() - startedMs >= timeMs,
      isSpent: isShareSpent(journal.entries, share),
    });
    if (!failed) throw error;
    return { ...failed, ...asGuarded(bench.toldBy.get(id) ?? [], id) };
  } finally {
    // Nobody waits for it: who reads what was made has it from the record.
    const closing = world.workshop.close(at);
    closing.catch(() => {}); // whoever waits for all of them is told
    bench.closing.push(closing);
  }
}

/** What a worker is told passes the guards of the spec: what is held back is not told, and the worker is not called. */
function guardBrief<K extends FilesKind>({ run, toldBy }: Bench<K>, id: string, brief: Brief): Brief {
  const guards = guardsAt(run.opened.spec.guards, "brief", id).filter(({ rule }) => rule !== "injection");
  const { text, hits } = passGuards(guards, brief.text);
  if (hits.length === 0) return brief;
  toldBy.set(id, [...(toldBy.get(id) ?? []), ...hits]);
  if (isHeld(hits))
    throw new LoopError("maker-failed", `it was not called: ${tellHits(hits)}`, {
      retry: "never",
      hint: "Look at what it reads, or at the `guards` of the spec.",
    });
  return { ...brief, text };
}

/** What it handed over is kept under the names that it may write, where it wrote nothing there itself. */
async function keepNotes<K extends FilesKind>({ run, round, order }: Bench<K>, id: string, result: ArtifactRef): Promise<void> {
  const { notebook } = run.opened.spec;
  const own = Object.entries(notebook?.keys ?? {}).flatMap(([name, { writes }]) => (writes.includes(id) ? [name] : []));
  if (own.length === 0) return;
  const book = openNotebook(
    round,
    run,
    { taint: order.taint, hidden: order.apart.hidden },
    { ...notebook, guards: run.opened.spec.guards, worker: id },
  );
  const text = untrustedText(new TextDecoder().decode(await run.world.artifacts.read(result)));
  for (const name of own) if (!book.hasWritten(name)) await book.add(text, name);
}

const gaveUp = ({ ended, summary, question }: Talk): Ended => ({
  kind: "failed",
  why: ended === "asked" ? `it asks, and nobody answers: ${(question ?? summary).slice(0, 500)}` : `it gave up: ${summary.slice(0, 500)}`,
});

/** What of a failure is a try that came to nothing, and no end of the whole round. */
function failedBy(error: unknown, { isLate, isSpent }: { readonly isLate: boolean; readonly isSpent: boolean }): Tried | undefined {
  if (!(error instanceof LoopError) || error.retry === "later") return undefined;
  if (error.code === "budget-spent" && isSpent) return { kind: "failed", why: "it has used its share of the budget", isFinal: true };
  if (error.code === "budget-spent" && isLate) return { kind: "failed", why: "it took longer than it may" };
  return error.code === "maker-failed" ? { kind: "failed", why: error.message.slice(0, 500) } : undefined;
}

/** What a worker's copy begins with: base, the changes of others, or the target where it only reads that. */
async function startOf<K extends FilesKind>(
  { run, round, ends }: Bench<K>,
  id: string,
  { onto = [], reads = [] }: Worker,
  number: number,
): Promise<{ readonly kind: "ready"; readonly repo: string; readonly commit: string } | (Tried & { readonly kind: "failed" })> {
  const { opened, world } = run;
  if (reads.includes("repo") && opened.target?.commit) return { kind: "ready", repo: opened.target.repo, commit: opened.target.commit };
  const commits = onto.flatMap((other) => commitOf(ends.get(other)) ?? []);
  const [first] = commits;
  if (first === undefined) return { kind: "ready", repo: opened.repo, commit: round.base };
  if (commits.length === 1) return { kind: "ready", repo: opened.repo, commit: first };
  const merged = await world.workshop.merge(opened.repo, { ...round, id: workerPlace(round.id, `${id}-onto`, number) }, commits);
  if (merged.kind === "merged") return { kind: "ready", repo: opened.repo, commit: merged.commit };
  return { kind: "failed", why: `${onto.join(" and ")} changed the same lines of ${merged.paths.slice(0, 5).join(", ")}`, isFinal: true };
}

const commitOf = (end: End | undefined): string | undefined =>
  end?.of === "worker" && end.end.kind === "made" ? end.end.commit : undefined;

interface Reading {
  /** What guards hold back of the inputs: nobody can work without what they were told. */
  readonly held: readonly Hit[];
  readonly inputs: NonNullable<Order["told"]["inputs"]>;
  readonly given: readonly { readonly id: string; readonly text: Admitted | undefined; readonly why: string }[];
  readonly heed: readonly Admitted[];
  readonly lessons: readonly Admitted[];
  readonly kept: readonly { readonly name: string; readonly texts: readonly Admitted[] }[];
}

/** What others made is strangers' words to a worker: bounded, fenced, and withheld where it reads like an injection. */
async function readFor<K extends FilesKind>(
  bench: Bench<K>,
  id: string,
  worker: Worker,
  number: number,
  before: string | undefined,
): Promise<Reading> {
  const { run, round, order, team } = bench;
  const { inputs = [], lessons } = order.told;
  const wanted = worker.reads?.filter((name) => name.startsWith("inputs.")).map((name) => name.slice("inputs.".length));
  const joins = Object.values(team.joins ?? {}).flatMap(({ by, of }) => (by === id ? of : []));
  const others = [...new Set([...(worker.reads ?? []), ...joins])].flatMap((name) => resultsOf(bench, name));
  const mostChars = roomForEach(run.opened.spec, others.length);
  const orders = guardsAt(run.opened.spec.guards, "brief", id).filter(({ rule }) => rule === "injection");
  bench.toldBy.delete(id);
  const seenIn = (text: string): readonly Hit[] => {
    const { hits } = passGuards(orders, text);
    if (hits.length > 0) bench.toldBy.set(id, [...(bench.toldBy.get(id) ?? []), ...hits]);
    return hits;
  };
  const isRead = (name: string): boolean => wanted === undefined || wanted.includes(name);
  const held = Object.entries(run.opened.inputs ?? {}).flatMap(([name, { value }]) =>
    isRead(name) ? seenIn(typeof value === "string" ? value : JSON.stringify(value)).filter((hit) => isHeld([hit])) : [],
  );
  const shown = await Promise.all(
    others.map(async ({ name, ref }) => {
      const text = new TextDecoder().decode(await run.world.artifacts.read(ref));
      const hits = seenIn(text);
      const admission = admit(untrustedText(text), { source: `the worker ${name}`, trust: "outsider", mostChars });
      return { name, admission, held: isHeld(hits) ? tellHits(hits) : undefined };
    }),
  );
  const refused =
    before === undefined ? [] : [admit(untrustedText(before), { source: "the try before", trust: "machine", mostChars: 2_000 })];
  if (shown.length + refused.length > 0)
    await run
      .steps(round.id)
      .light(`admit-${id}.${number}`, async () => [
        ...shown.map(({ admission }) => examinationOf(admission)),
        ...refused.map(examinationOf),
      ]);
  return {
    held,
    inputs: inputs.filter(({ name }) => isRead(name)),
    kept: (await keptFor(bench, worker)).map(({ name, texts }) => ({ name, texts: texts.filter((text) => !isHeld(seenIn(text))) })),
    given: shown.map(({ name, admission, held }) => {
      const why = admission.kind === "refused" ? admission.why : held;
      return why === undefined && admission.kind !== "refused"
        ? { id: name, text: admission.text, why: "" }
        : { id: name, text: undefined, why: why ?? "" };
    }),
    heed: await readHeed(heededBy(instructionsOf(round, run.opened, run.journal.state), id), `${id}.${number}`, run.steps(round.id)),
    lessons: [
      ...lessons,
      ...(await readTold(round, id, run.steps(round.id), team.workers)),
      ...refused.flatMap((admission) => (admission.kind === "refused" ? [] : [admission.text])),
    ],
  };
}

/** What is kept in the notebook of what this worker reads there. */
async function keptFor<K extends FilesKind>({ run, round, order }: Bench<K>, { reads = [] }: Worker): Promise<Reading["kept"]> {
  const names = reads.flatMap((name) => (name.startsWith("notes.") ? [name.slice("notes.".length)] : []));
  if (names.length === 0) return [];
  const book = openNotebook(round, run, { taint: order.taint, hidden: order.apart.hidden }, run.opened.spec.notebook);
  const now = run.world.clock.now();
  return Promise.all(names.map(async (name) => ({ name, texts: (await book.readUnder(name, now)).map(({ text }) => text) })));
}

/** What is proposed under a name: what a worker made, or what the results are that a join stands for. */
function workOf<K extends FilesKind>(bench: Bench<K>, name: string): readonly WorkMade[] {
  const found = bench.ends.get(name);
  if (found?.of === "worker") return [{ id: name, ...madeBy(found.end) }];
  return resultsOf(bench, name).map(({ name: id, ref: result }) => ({ id, result }));
}

/** What is on record of what guards saw; whoever is to be stopped by it is not tried again. */
function asGuarded(hits: readonly Hit[], id: string): Pick<Tried, "guarded"> & { readonly isFinal?: true } {
  if (hits.length === 0) return {};
  const isOver = hits.some(({ guard: { then } }) => then === "halt" || then === "escalate");
  return { guarded: hits.map((hit) => findingOf(hit, `the worker ${id}`)), ...(isOver ? { isFinal: true } : {}) };
}

async function takeResult<K extends FilesKind>(
  { run }: Bench<K>,
  id: string,
  worker: Worker,
  file: string,
  { work }: Workspace,
  said: Talk,
): Promise<Ended> {
  const most = mostBytes(worker);
  const found = said.result === undefined ? await run.world.workspaceFiles(work).readText(file).catch(unreadable) : undefined;
  const nothing = whyNothing(found, file, worker.gives.most ?? MOST_RESULT);
  if (nothing !== undefined) return { kind: "failed", why: `it handed over nothing: ${nothing}` };
  const text = said.result ?? (found?.kind === "text" ? found.text : "");
  if (text.trim() === "") return { kind: "failed", why: `it handed over nothing: ${found ? `${file} is empty` : "what it said is empty"}` };
  const bytes = Buffer.byteLength(text);
  if (bytes > most) return { kind: "failed", why: `it handed over ${bytes} bytes, and ${worker.gives.most ?? MOST_RESULT} are the most` };
  const guards = guardsAt(run.opened.spec.guards, "result", id);
  const misfits = shapeMisfit(worker, text);
  if (misfits !== undefined) {
    const seen = guards.filter(({ rule }) => rule === "schema").map((guard) => ({ guard, why: misfits }));
    return { kind: "failed", why: misfits, ...asGuarded(seen, id) };
  }
  const passed = passGuards(guards, text);
  if (isHeld(passed.hits)) return { kind: "failed", why: tellHits(passed.hits), ...asGuarded(passed.hits, id) };
  // What a guard cut out may have been what held it together.
  const broken = passed.text === text ? undefined : shapeMisfit(worker, passed.text);
  if (broken !== undefined)
    return {
      kind: "failed",
      why: `without what a guard took out of it, ${broken}: leave that out yourself`,
      ...asGuarded(passed.hits, id),
    };
  return { kind: "made", result: await run.world.artifacts.keep(passed.text), ...asGuarded(passed.hits, id) };
}

function whyNothing(found: TextFound | undefined, file: string, most: string): string | undefined {
  if (found?.kind === "none") return found.why;
  return found?.kind === "too-large" ? `${file} has ${found.bytes} bytes, and ${most} are the most` : undefined;
}

/** A way that leads out of its copy. */
function unreadable(error: unknown): TextFound {
  if (error instanceof LoopError) return { kind: "none", why: error.message };
  throw error;
}

const TEXTS = { type: "array", items: { type: "string", maxLength: 4000 }, maxItems: 100 };
const HANDOVER = {
  type: "object",
  required: ["goal"],
  properties: { goal: { type: "string", maxLength: 4000 }, facts: TEXTS, decisions: TEXTS, questions: TEXTS, artifacts: TEXTS },
  additionalProperties: false,
};

function shapeMisfit({ gives }: Worker, text: string): string | undefined {
  const shape = gives.as === "handover" ? HANDOVER : gives.as === "json" ? (gives.schema ?? {}) : undefined;
  if (shape === undefined) return undefined;
  try {
    return misfit(JSON.parse(text), shape);
  } catch {
    return "what it handed over is no JSON";
  }
}

async function takeCommit<K extends FilesKind>(
  { run }: Bench<K>,
  id: string,
  worker: Worker,
  at: Round,
  apart: Order["apart"],
): Promise<Ended> {
  const { opened, world } = run;
  const { commit, changes, diff } = await world.workshop.commitWorkspace(opened.repo, at, commitMessage(opened, at), apart);
  if (changes.length === 0) return { kind: "failed", why: "it changed nothing" };
  const isOwn = worker.paths ? compileAllowing(worker.paths) : () => true;
  const others = changes.filter(({ path }) => !isOwn(path)).map(({ path }) => path);
  if (others.length > 0)
    return { kind: "failed", why: `it changed ${others.slice(0, 5).join(", ")}, and may change only ${worker.paths?.join(", ")}` };
  const guards = guardsAt(opened.spec.guards, "result", id);
  const hits = guards.length === 0 ? [] : passGuards(guards, new TextDecoder().decode(await world.artifacts.read(diff))).hits;
  if (isHeld(hits)) return { kind: "failed", why: tellHits(hits), ...asGuarded(hits, id) };
  await world.workshop.keep(opened.repo, at, commit);
  return { kind: "made", commit, ...asGuarded(hits, id) };
}

/** Brings results together; what was not chosen is kept as dissent. */
async function joined<K extends FilesKind>(bench: Bench<K>, id: string, join: Join): Promise<JoinEnd> {
  return bench.run.steps(bench.round.id).light(again(bench, `join-${id}`), async () => {
    const there = join.of.filter((member) => bench.ends.get(member)?.end.kind === "made");
    const called = join.of.filter((member) => bench.ends.get(member)?.end.kind !== "uncalled");
    const came = await choose(bench, { ...join, of: called }, there);
    const dissent = join.of.filter((member) => !came.chosen.includes(member));
    return { kind: came.ended, id, how: join.how, dissent, ...came };
  });
}

type Chosen = Pick<JoinFact, "ended" | "chosen" | "why">;

async function choose<K extends FilesKind>(bench: Bench<K>, join: Join, there: readonly string[]): Promise<Chosen> {
  const least = leastOf(join);
  if (there.length < least)
    return { ended: "failed", chosen: [], why: `${there.length} of ${join.of.length} made something, and ${least} must` };
  switch (join.how) {
    case "all":
      return { ended: "made", chosen: there };
    case "first":
      return { ended: "made", chosen: there.slice(0, 1) };
    case "synthesis": {
      const isMade = bench.ends.get(join.by ?? "")?.end.kind === "made";
      return isMade ? { ended: "made", chosen: there } : { ended: "failed", chosen: [], why: `${join.by} made nothing of them` };
    }
    case "vote": {
      const words = await Promise.all(there.map(async (member) => ({ member, said: await saidBy(bench, member) })));
      const votes = words.map(({ said }) => words.filter((other) => other.said === said).map(({ member }) => member));
      const most = votes.toSorted((a, b) => b.length - a.length)[0] ?? [];
      if (most.length >= least && most.length * 2 > join.of.length) return { ended: "made", chosen: most };
      return {
        ended: "failed",
        chosen: [],
        why: `no majority: ${votes[0]?.length === there.length ? "too few" : "they say different things"}`,
      };
    }
  }
}

/** What somebody said, so that the same in another layout is the same. */
async function saidBy<K extends FilesKind>(bench: Bench<K>, member: string): Promise<string> {
  const [result] = resultsOf(bench, member);
  if (!result) return `nothing of ${member}`;
  const text = new TextDecoder().decode(await bench.run.world.artifacts.read(result.ref)).trim();
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text.replaceAll(/\s+/g, " ").toLowerCase();
  }
}

/** Lays what is proposed into the round's own copy, from where it goes on as any maker's work does. */
async function assemble<K extends FilesKind>(bench: Bench<K>): Promise<Assembled> {
  const { run, round, order, team, ends, crew } = bench;
  const { opened, world } = run;
  const workspace = await world.workshop.openWorkspace(opened.repo, round, order.apart);
  const kinds = new Map([...ends].map(([id, { end }]) => [id, { kind: end.kind }] as const));
  const there = team.proposes.filter((id) => ends.get(id)?.end.kind === "made");
  const lacking = there.length === 0 ? team.proposes : team.proposes.filter((id) => !isGood(team, id, kinds));
  // A loop that was called and failed sinks the round, also where nobody reads what it made: it was called for a reason.
  const called = Object.keys(team.workers).filter((id) => team.workers[id]?.loop !== undefined && kinds.get(id)?.kind === "failed");
  const missing = [...new Set([...lacking, ...called.filter((id) => !isGood(team, id, kinds) && !isJoined(team, id))])];
  if (missing.length > 0) mustHaveBudget(bench, kinds);
  const proposed = there.flatMap((id) => workOf(bench, id));
  const conflict = missing.length === 0 ? await layWork(run, { at: round, work: workspace.work, apart: order.apart }, proposed) : undefined;
  const conflicts = conflict ? [conflict] : [];
  const guarded = [...ends.values()].flatMap(({ end }) => ("guarded" in end ? (end.guarded ?? []) : []));
  const fact: TeamFact = {
    workers: await Promise.all([...crew].map(([id, { ref }]) => workerFact(bench, id, ref.use))),
    joins: [...ends.values()].flatMap((end) => (end.of === "join" ? [withoutKind(end.end)] : [])),
    conflicts,
    ...(guarded.length > 0 ? { guarded } : {}),
  };
  const boxes = [...ends.values()].flatMap((end) => (end.of === "worker" && "box" in end.end && end.end.box ? [end.end.box] : []));
  return { ...ended(bench, missing, conflicts), box: leastBox(boxes), team: fact };
}

/** Where nothing is lacking but what loops that were called may use, the run halts as by a cap of its own, and goes on with more. */
function mustHaveBudget<K extends FilesKind>(
  { ends, team }: Bench<K>,
  kinds: ReadonlyMap<string, { readonly kind: End["end"]["kind"] }>,
): void {
  const failed = [...ends].flatMap(([id, found]) =>
    found.of === "worker" && found.end.kind === "failed" && !isGood(team, id, kinds) ? [{ id, end: found.end }] : [],
  );
  const [first] = failed;
  if (!first || !failed.every(({ end }) => isShort(end))) return;
  const told = failed.map(({ id, end }) => `the loop ${id}, called as ${end.child?.run}, halted: ${end.why}`);
  throw new LoopError("budget-spent", told.join("\n").slice(0, 2000), {
    retry: "never",
    hint: "Raise what is named there, in the file of the loop that it stands in, then go on with `lw resume`; `lw spend` shows what it went to.",
  });
}

/** Of those who are joined, the join says how many must hold. */
const isJoined = ({ joins = {} }: Team, id: string): boolean => Object.values(joins).some(({ of }) => of.includes(id));

const withoutKind = ({ kind: _, ...fact }: JoinEnd): JoinFact => fact;

async function workerFact<K extends FilesKind>(
  { ends, run, round, team }: Bench<K>,
  id: string,
  use: string,
): Promise<TeamFact["workers"][number]> {
  const found = ends.get(id);
  if (found?.of !== "worker") return { id, use, ended: "skipped", tries: 0, why: "its turn never came" };
  const { end } = found;
  const { spec } = run.opened;
  const result = end.kind === "made" ? end.result : undefined;
  const fields = result ? takeFields(spec, id, new TextDecoder().decode(await run.world.artifacts.read(result))) : {};
  return {
    id,
    use,
    ended: end.kind,
    tries: end.tries,
    ...(end.kind === "made" ? madeBy(end) : { why: end.why }),
    ...("child" in end && end.child ? { child: end.child } : {}),
    ...("brief" in end && end.brief ? { brief: end.brief } : {}),
    ...fields,
    used: "child" in end && end.child ? moneyOf(end.child.used) : usedIn(run.journal.entries, round.id, id),
    ...("tookMs" in end && end.tookMs !== undefined ? { tookMs: end.tookMs } : {}),
    from: flowsInto(team, id),
  };
}

/** What a worker used in one round, as it is on record. */
function usedIn(entries: readonly Entry[], roundId: string, id: string): NonNullable<TeamFact["workers"][number]["used"]> {
  return moneyOf(
    usedBy(
      entries.filter(({ record }) => "roundId" in record && record.roundId === roundId),
      id,
    ),
  );
}

const moneyOf = ({ microUsd = 0, tokens = 0 }: Amounts): NonNullable<TeamFact["workers"][number]["used"]> => ({
  usd: microUsd / 1e6,
  tokens,
});

/** How the team's work ended, as a maker would say it. */
function ended<K extends FilesKind>({ ends }: Bench<K>, missing: readonly string[], conflicts: TeamFact["conflicts"]): Talk {
  if (conflicts.length > 0)
    return {
      ended: "gave-up",
      summary: untrustedText(
        conflicts
          .map(({ between, paths }) => `${between.join(" and ")} changed the same lines of ${paths.join(", ")}: neither was taken`)
          .join("\n"),
      ),
    };
  const question = [...ends.values()].flatMap(({ of, end }) => (of === "worker" && end.kind === "skipped" ? (end.question ?? []) : []))[0];
  if (question !== undefined) return { ended: "asked", summary: untrustedText(question), question: untrustedText(question) };
  if (missing.length === 0) return { ended: "finished", summary: untrustedText("every worker that is proposed has made something") };
  const whys = [...ends].flatMap(([id, { end }]) => (end.kind !== "made" && end.why !== undefined ? [`${id}: ${end.why}`] : []));
  return { ended: "gave-up", summary: untrustedText(`there is nothing of ${missing.join(", ")}\n${whys.join("\n")}`.slice(0, 2000)) };
}
