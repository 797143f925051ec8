// Runs the workers of a team: each try is a step on record, those that do not wait for each other work side by side, and what they
// made is laid into the round's own copy. A crash repeats nothing that was finished.
import type { ArtifactRef } from "../contract/artifacts.ts";
import type { BoxFact } from "../contract/commands.ts";
import type { CrewMaker } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { FilesKind, JoinFact, Talk, TeamFact } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Join, Team, Worker } from "../contract/spec.ts";
import { fileOf } from "../contract/team-graph.ts";
import { type Admitted, untrustedText } from "../contract/text.ts";
import type { Workspace } from "../contract/workshop.ts";
import { shareOf } from "../guard/budget.ts";
import { parseSize } from "../guard/size.ts";
import { admit } from "../guard/text/admit.ts";
import { parseDuration } from "../std/duration.ts";
import { compileAllowing } from "../std/glob.ts";
import { canonicalJson } from "../std/hash.ts";
import { misfit } from "../std/json-shape.ts";
import { leastOf as leastBox } from "./box-wish.ts";
import { callMaker } from "./call-makers.ts";
import type { Order } from "./launch-maker.ts";
import { commitMessage, workerPlace } from "./names.ts";
import { examinationOf } from "./read-outside.ts";
import type { Run } from "./run.ts";
import { isShareSpent } from "./spending/share.ts";
import { openTide, type Tide } from "./steps.ts";
import { leastOf, nextMoves, teamOf, tipsOf } from "./team.ts";
import { roomForEach, writeWorkerBrief } from "./worker-brief.ts";

const MOST_RESULT = "64kB";
const AT_ONCE = 4;

/** What one try came to, as it is on record. */
type Tried =
  | { readonly kind: "made"; readonly result?: ArtifactRef; readonly commit?: string; readonly box?: BoxFact; readonly brief?: ArtifactRef }
  | { readonly kind: "failed"; readonly why: string; readonly box?: BoxFact; readonly brief?: ArtifactRef; readonly isFinal?: true };

type WorkerEnd = (Tried | { readonly kind: "skipped"; readonly why: string }) & { readonly tries: number };
/** A join has results of its own: those that it stands for, by the names of their workers. */
type JoinEnd = JoinFact & { readonly kind: "made" | "failed" };
type End = { readonly of: "worker"; readonly end: WorkerEnd } | { readonly of: "join"; readonly end: JoinEnd };

interface Bench<K extends FilesKind> {
  readonly round: Round;
  readonly run: Run<K>;
  readonly order: Order;
  readonly crew: ReadonlyMap<string, CrewMaker<K>>;
  readonly team: Team;
  readonly ends: Map<string, End>;
  readonly worked: Tide;
  readonly spent: Tide;
}

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
  const bench: Bench<K> = { round, run, order, crew, team, ends: new Map(), worked: openTide(clock), spent: openTide(clock) };
  // Counted once, before several could count it at the same moment.
  const before = run.journal.result(round.id, "make");
  if (!before) {
    await run.meter.round(round, "team");
    await runWorkers(bench);
  }
  return step("make", () => assemble(bench));
}

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
    for (const id of failures.length > 0 ? [] : start) {
      const work = runWorker(bench, id, team.workers[id]!)
        .then((end) => void ends.set(id, { of: "worker", end }))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(id));
      running.set(id, work);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  // What passes is waited for; what does not is told first.
  if (failures.length > 0) throw failures.find((error) => !(error instanceof LoopError) || error.retry === "never") ?? failures[0];
}

const skipped = <K extends FilesKind>({ run, round }: Bench<K>, id: string, why: string): Promise<WorkerEnd> =>
  run.steps(round.id).light(`worker-${id}.0`, async () => ({ kind: "skipped" as const, why, tries: 0 }));

async function runWorker<K extends FilesKind>(bench: Bench<K>, id: string, worker: Worker): Promise<WorkerEnd> {
  const step = bench.run.steps(bench.round.id);
  const tries = worker.tries ?? 1;
  let last: Tried | undefined;
  for (let number = 1; number <= tries; number++) {
    const why = last?.kind === "failed" ? last.why : undefined;
    last = await step.beside(`worker-${id}.${number}`, bench.worked, () => tryWorker(bench, id, worker, number, why));
    if (last.kind === "made" || last.isFinal) return { ...last, tries: number };
  }
  return { ...last!, tries };
}

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
  const timeMs = worker.time === undefined ? undefined : parseDuration(worker.time)!;
  const share = { worker: id, most: shareOf(worker.budget ?? {}), beside: team.atOnce ?? AT_ONCE, tide: bench.spent };
  const startedMs = world.clock.monotonicMs();
  let taken: Tried = { kind: "failed", why: "it handed over nothing" };
  try {
    const maker = crew.get(id);
    if (!maker) throw new TypeError(`the crew has no worker ${id}`);
    const { box, brief } = await callMaker(
      round,
      run,
      { ...maker, place: [...crew.keys()].indexOf(id) + 1 },
      {
        ...order,
        bench: {
          at,
          repo: start.repo,
          timeMs,
          share,
          ...(worker.tools ? { tools: worker.tools } : {}),
          ...(worker.gives.as === "commit" ? {} : { gives: { file, mostChars: mostBytes(worker) } }),
          brief: ({ timeLeft }) => writeWorkerBrief({ spec, id, worker, file, roundNumber: round.number, timeLeft, ...reading }),
          take: async (workspace, said, apart) => {
            if (said.ended !== "finished") taken = gaveUp(said);
            else
              taken =
                worker.gives.as === "commit"
                  ? await takeCommit(bench, worker, at, apart)
                  : await takeResult(bench, worker, file, workspace, said);
          },
        },
      },
    );
    return { ...taken, box, brief: brief.text };
  } catch (error) {
    const failed = failedBy(error, {
      isLate: timeMs !== undefined && world.clock.monotonicMs() - startedMs >= timeMs,
      isSpent: isShareSpent(journal.entries, share),
    });
    if (!failed) throw error;
    return failed;
  } finally {
    await world.workshop.close(at);
  }
}

const mostBytes = ({ gives }: Worker): number => parseSize(gives.most ?? MOST_RESULT)!;

const gaveUp = ({ ended, summary, question }: Talk): Tried => ({
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
  readonly inputs: NonNullable<Order["told"]["inputs"]>;
  readonly given: readonly { readonly id: string; readonly text: Admitted | undefined; readonly why: string }[];
  readonly lessons: readonly Admitted[];
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
  const shown = await Promise.all(
    others.map(async ({ name, ref }) => {
      const text = new TextDecoder().decode(await run.world.artifacts.read(ref));
      return { name, admission: admit(untrustedText(text), { source: `the worker ${name}`, trust: "outsider", mostChars }) };
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
    inputs: wanted === undefined ? inputs : inputs.filter(({ name }) => wanted.includes(name)),
    given: shown.map(({ name, admission }) =>
      admission.kind === "refused" ? { id: name, text: undefined, why: admission.why } : { id: name, text: admission.text, why: "" },
    ),
    lessons: [...lessons, ...refused.flatMap((admission) => (admission.kind === "refused" ? [] : [admission.text]))],
  };
}

/** What a name stands for: the result of a worker, or of those that a join chose. */
function resultsOf<K extends FilesKind>(
  { ends, team }: Bench<K>,
  name: string,
): readonly { readonly name: string; readonly ref: ArtifactRef }[] {
  const found = ends.get(name);
  if (found?.of === "worker") return found.end.kind === "made" && found.end.result ? [{ name, ref: found.end.result }] : [];
  if (found?.of !== "join" || found.end.kind !== "made") return [];
  const chosen = team.joins?.[name]?.how === "synthesis" ? [team.joins[name].by ?? ""] : found.end.chosen;
  return chosen.flatMap((id) => resultsOf({ ends, team } as Bench<K>, id)); // only these two are asked for
}

async function takeResult<K extends FilesKind>(
  { run }: Bench<K>,
  worker: Worker,
  file: string,
  { work }: Workspace,
  said: Talk,
): Promise<Tried> {
  const most = mostBytes(worker);
  const text = said.result ?? (await run.world.workspaceFiles(work).read(file).catch(unreadable));
  if (text === undefined || text.trim() === "")
    return { kind: "failed", why: `it handed over nothing: there is nothing in ${file}, or too much` };
  const bytes = Buffer.byteLength(text);
  if (bytes > most) return { kind: "failed", why: `it handed over ${bytes} bytes, and ${worker.gives.most ?? MOST_RESULT} are the most` };
  const misfits = shapeMisfit(worker, text);
  if (misfits !== undefined) return { kind: "failed", why: misfits };
  return { kind: "made", result: await run.world.artifacts.keep(text) };
}

/** What is a link, a folder or larger than anything is nothing. */
function unreadable(error: unknown): undefined {
  if (error instanceof LoopError) return undefined;
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

async function takeCommit<K extends FilesKind>({ run }: Bench<K>, worker: Worker, at: Round, apart: Order["apart"]): Promise<Tried> {
  const { opened, world } = run;
  const { commit, changes } = await world.workshop.commitWorkspace(opened.repo, at, commitMessage(opened, at), apart);
  if (changes.length === 0) return { kind: "failed", why: "it changed nothing" };
  const isOwn = worker.paths ? compileAllowing(worker.paths) : () => true;
  const others = changes.filter(({ path }) => !isOwn(path)).map(({ path }) => path);
  if (others.length > 0)
    return { kind: "failed", why: `it changed ${others.slice(0, 5).join(", ")}, and may change only ${worker.paths?.join(", ")}` };
  await world.workshop.keep(opened.repo, at, commit);
  return { kind: "made", commit };
}

/** Brings results together; what was not chosen is kept as dissent. */
async function joined<K extends FilesKind>(bench: Bench<K>, id: string, join: Join): Promise<JoinEnd> {
  return bench.run.steps(bench.round.id).light(`join-${id}`, async () => {
    const there = join.of.filter((member) => bench.ends.get(member)?.end.kind === "made");
    const came = await choose(bench, join, there);
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
  const missing = team.proposes.filter((id) => ends.get(id)?.end.kind !== "made");
  const conflicts: TeamFact["conflicts"][number][] = [];
  if (missing.length === 0) {
    const tips = tipsOf(team, team.proposes);
    const commits = tips.flatMap((id) => commitOf(ends.get(id)) ?? []);
    if (commits.length > 0) {
      const merged = await world.workshop.merge(opened.repo, { ...round, id: workerPlace(round.id, "all", 1) }, commits);
      if (merged.kind === "merged") await world.workshop.restore(opened.repo, round, merged.commit, order.apart);
      else conflicts.push({ between: tips.slice(0, merged.at + 1), paths: merged.paths.slice(0, 20) });
    }
    for (const { name, ref } of team.proposes.flatMap((id) => resultsOf(bench, id)))
      await world
        .workspaceFiles(workspace.work)
        .write(fileOf(name, team.workers[name]!), new TextDecoder().decode(await world.artifacts.read(ref)));
  }
  const fact: TeamFact = {
    workers: [...crew].map(([id, { ref }]) => workerFact(id, ref.use, ends.get(id))),
    joins: [...ends.values()].flatMap((end) => (end.of === "join" ? [withoutKind(end.end)] : [])),
    conflicts,
  };
  const boxes = [...ends.values()].flatMap((end) => (end.of === "worker" && "box" in end.end && end.end.box ? [end.end.box] : []));
  return { ...ended(bench, missing, conflicts), box: leastBox(boxes), team: fact };
}

const withoutKind = ({ kind: _, ...fact }: JoinEnd): JoinFact => fact;

function workerFact(id: string, use: string, found: End | undefined): TeamFact["workers"][number] {
  if (found?.of !== "worker") return { id, use, ended: "skipped", tries: 0, why: "its turn never came" };
  const { end } = found;
  const made =
    end.kind === "made"
      ? { ...(end.result ? { result: end.result } : {}), ...(end.commit ? { commit: end.commit } : {}) }
      : { why: end.why };
  return { id, use, ended: end.kind, tries: end.tries, ...made, ...("brief" in end && end.brief ? { brief: end.brief } : {}) };
}

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
  if (missing.length === 0) return { ended: "finished", summary: untrustedText("every worker that is proposed has made something") };
  const whys = [...ends].flatMap(([id, { end }]) => (end.kind !== "made" && end.why !== undefined ? [`${id}: ${end.why}`] : []));
  return { ended: "gave-up", summary: untrustedText(`there is nothing of ${missing.join(", ")}\n${whys.join("\n")}`.slice(0, 2000)) };
}
