// Starts a maker: something is set aside for it first, and settled whatever becomes of it. What its budget ends is kept.
import { basename, dirname } from "node:path";
import type { BoxFact } from "../contract/commands.ts";
import type { CrewMaker } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { EditOrder, MakeOf } from "../contract/maker.ts";
import type { BriefFact, FilesKind, OutfitFact, Talk } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { Taint } from "../contract/text.ts";
import type { Apart, Workspace } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import { fullBudget, softLines, softReached } from "../guard/budget.ts";
import type { RoundState } from "../journal/fold.ts";
import { formatDuration } from "../std/duration.ts";
import { makerWish } from "./box-wish.ts";
import { type Brief, type BriefMatter, type NotesTo, writeBrief } from "./brief.ts";
import { sumUpEgress } from "./egress-log.ts";
import { createHearing, placed } from "./hear-maker.ts";
import { commitMessage } from "./names.ts";
import { timeLeftMs } from "./next-round.ts";
import { openNotebook } from "./notebook.ts";
import { isOfMaker } from "./outcome.ts";
import { addVariables, fitOut, setUp, withoutLent } from "./outfit.ts";
import type { Run } from "./run.ts";
import type { Launch, Share } from "./spending/launch.ts";
import { launchModels } from "./spending/models.ts";
import { boxWorld } from "./worlds/box-world.ts";
import { createMakerWorld } from "./worlds/maker-world.ts";

/** The maker that is called, with its place in the spec's list, from 1. */
export interface Called<K extends FilesKind> extends CrewMaker<K> {
  readonly place: number;
}

export interface Order {
  /** What it is told, besides what this launch knows itself. */
  readonly told: Pick<BriefMatter, "base" | "causes" | "inputs" | "context" | "heed" | "lessons" | "agents" | "untold">;
  readonly taint: Taint;
  readonly apart: Apart;
  /** Told once or more often when its model has answered. */
  readonly onAnswer?: () => Promise<void>;
  /** There for a worker of a team, which works in a place of its own and is told something else. */
  readonly bench?: WorkerBench;
}

export interface WorkerBench extends Pick<EditOrder, "tools" | "gives"> {
  /** Stands for the round where places are concerned; what is spent and heard is the round's own. */
  readonly at: Round;
  readonly repo: string;
  readonly timeMs: number | undefined;
  readonly share: Share;
  readonly brief: (now: { readonly timeLeft: string; readonly notesTo: NotesTo | undefined; readonly soft: string | undefined }) => Brief;
  /** Takes what it left, before its place is removed. */
  readonly take: (workspace: Workspace, said: Talk, apart: Apart) => Promise<void>;
}

/** `workedMs`: what the maker itself took, without the making of its copy and the keeping of what it left. */
export type Launched = Talk & {
  readonly box: BoxFact;
  readonly brief: BriefFact;
  readonly outfit?: OutfitFact;
  readonly workedMs: number;
};

/** What is done however the launch ended; a failure is what ended it. */
type Afterwards = (failure: unknown) => Promise<void>;

export async function launchMaker<K extends FilesKind>(round: Round, run: Run<K>, maker: Called<K>, order: Order): Promise<Launched> {
  const { bench } = order;
  const launched = { maker: maker.ref.use, isFree: maker.make.isFree === true, ...(bench ? { share: bench.share } : {}) };
  const launch = await run.meter.launch(round, launched);
  const afterwards: Afterwards[] = [() => launch.settle()];
  return keptHoweverItEnds(afterwards, () => work(round, run, maker, order, launch, afterwards));
}

async function work<K extends FilesKind>(
  round: Round,
  run: Run<K>,
  { ref, make, place }: Called<K>,
  { told, taint, apart, onAnswer, bench }: Order,
  launch: Launch,
  afterwards: Afterwards[],
): Promise<Launched> {
  const { opened, journal, world } = run;
  const { spec } = opened;

  const { workspace, earlier } = bench ? await openPlace(bench, run, apart) : await openBench(round, run, apart);
  const outfit = await fitOut(run, workspace, apart);
  afterwards.push(
    () => outfit.release(),
    // Who could not even begin has cost nothing.
    async (failure) => {
      if (failure instanceof LoopError && failure.isFree) launch.meter.free();
    },
    async (failure) => {
      // Of a worker nothing is kept: what others finished is on record already.
      if (bench) return;
      const own = withoutLent(apart, outfit.fact);
      if (isOverrun(failure)) await keepWork(round, run, own);
      if (isOfMaker(failure)) await keepIfPossible(round, run, own);
    },
  );

  const variables = { ...outfit.env, ...(workspace.notes ? { LOOPWRIGHT_NOTES: workspace.notes } : {}) };
  const boxed = boxWorld(addVariables(world, variables), () =>
    makerWish(workspace, taint, { opened, crew: { verifiers: run.crew.verifiers, make } }),
  );
  const hearing = createHearing({ roundId: round.id, place }, journal, run.watch, onAnswer);
  const notebook = openNotebook(
    round,
    run,
    { taint, hidden: apart.hidden },
    { ...spec.notebook, guards: spec.guards, ...(bench ? { worker: bench.share.worker } : {}) },
  );
  const bounds = {
    roundId: bench?.at.id ?? round.id,
    workspace,
    taint,
    folder: opened.folder,
    hearing,
    notebook,
    earlierSession: earlier?.sessions?.[place],
  };
  const ownMs = timeLeftMs(opened, journal.state);
  const timeBy = launch.timeLeftMs <= ownMs ? launch.timeBy : undefined;
  const worldFor = (timeLeftMs: number) => {
    const models = launchModels({ purpose: ref.use, timeLeftMs, timeBy, launch }, spec.budget, world);
    return createMakerWorld({ ...bounds, options: ref.with, timeLeftMs, timeBy, models }, spec, launch, { ...run, world: boxed.world });
  };
  // Where its commands went is on record, however it ended.
  afterwards.push(async () => {
    const connections = boxed.reached();
    if (connections.length === 0) return;
    await journal.write({ kind: "maker-reached", roundId: round.id, egress: await sumUpEgress(connections, world.artifacts) });
  });

  const before = Math.min(ownMs, launch.timeLeftMs, bench?.timeMs ?? Number.MAX_SAFE_INTEGER);
  const notesTo = notesToFor(spec, workspace, make, bench?.tools);
  const { setup, left, brief } = await unspent(launch, async () => {
    const setup = await setUp(run, workspace, worldFor(before).proc);
    const left = Math.max(0, before - (setup.setup?.tookMs ?? 0));
    const soft = softReached(spec, journal.state.used);
    const nearCaps = [
      ...softLines(run.meter.caps, fullBudget(spec.budget).warnAt, (scope) => launch.taken[scope]),
      ...(soft === undefined ? [] : [soft]),
    ];
    const now = { roundNumber: round.number, timeLeft: formatDuration(left), nearCaps, goesOn: earlier?.kept !== undefined };
    if (bench) return { setup, left, brief: bench.brief({ timeLeft: formatDuration(left), notesTo, soft }) };
    return {
      setup,
      left,
      brief: writeBrief({ spec, ...told, ...now, notes: await notebook.read(), notesTo }),
    };
  });
  // Whoever goes on after a crash writes it anew; what it said is kept.
  await world.files.writeText(workspace.brief, brief.text, "for-now");
  const text = await world.artifacts.keep(brief.text);

  const { notes } = workspace;
  if (notes !== undefined) afterwards.push(async () => notebook.takeFile(await readNotes(world, notes)));
  // What a maker said before it failed tells why; the failure itself is told by whoever catches it.
  afterwards.push(async (failure) => {
    if (failure === undefined) return;
    const heard = await hearing.keep(world.artifacts).catch(() => undefined);
    if (heard) await journal.write({ kind: "maker-heard", roundId: round.id, heard, ...placed(place) });
  });
  const handing = bench ? { ...(bench.tools ? { tools: bench.tools } : {}), ...(bench.gives ? { gives: bench.gives } : {}) } : {};
  const beganMs = world.clock.monotonicMs();
  const talk = await make.edit({ spec, round, workspace, brief: brief.text, timeLeftMs: left, ...handing }, worldFor(left));
  const workedMs = Math.max(0, Math.round(world.clock.monotonicMs() - beganMs));
  const heard = await hearing.keep(world.artifacts);
  const fact: OutfitFact = { ...outfit.fact, ...setup };
  await bench?.take(workspace, talk, withoutLent(apart, outfit.fact));
  const { result: _, ...said } = talk;
  return {
    ...said,
    workedMs,
    box: boxed.enforced(),
    brief: { text, tokens: brief.tokens, cut: brief.cut },
    ...(Object.keys(fact).length > 0 ? { outfit: fact } : {}),
    ...(heard ? { heard } : {}),
  };
}

/** Nobody is asked to write down what is not kept. */
function notesToFor(
  { notebook }: LoopSpec,
  { notes }: Workspace,
  { notesByTool }: Pick<MakeOf<FilesKind>, "notesByTool">,
  tools: EditOrder["tools"],
): NotesTo | undefined {
  if (notebook?.keep === "none" || notes === undefined) return undefined;
  if (!notesByTool) return { kind: "file", file: notes };
  return tools === undefined || tools.includes("note") ? { kind: "tool" } : undefined;
}

/** Last first, and none is left out because another failed. */
async function keptHoweverItEnds<T>(afterwards: readonly Afterwards[], work: () => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  const result = await work().catch((error: unknown) => {
    failures.push(error);
    return undefined;
  });
  const [ended] = failures;
  for (const after of afterwards.toReversed()) await after(ended).catch((error: unknown) => failures.push(error));
  // The last that went wrong is told, as it would be by one `finally` in another.
  if (failures.length > 0) throw failures.at(-1);
  return result as T; // nothing went wrong, so there is one
}

/** Where a maker works: its copy, and what an earlier try of this round left. */
interface Bench {
  readonly workspace: Workspace;
  readonly earlier: RoundState | undefined;
}

async function openBench(round: Round, { opened, journal, world }: Run, apart: Apart): Promise<Bench> {
  const earlier = journal.state.rounds.find(({ round: { id } }) => id === round.id);
  const workspace = await world.workshop.openWorkspace(opened.repo, round, apart);
  if (earlier?.kept) await world.workshop.restore(opened.repo, round, earlier.kept, apart);
  return { workspace, earlier };
}

/** The place of a worker: a fresh copy of what it begins with. */
async function openPlace({ at, repo }: WorkerBench, { world }: Run, apart: Apart): Promise<Bench> {
  return { workspace: await world.workshop.openWorkspace(repo, at, apart), earlier: undefined };
}

/** What fails before a maker is called has cost nothing: no model was asked. */
async function unspent<T>({ meter }: Launch, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    meter.free();
    throw error;
  }
}

/** The maker could have put links in its place, and in the place of its folder: what leads elsewhere is not read. */
async function readNotes(world: World, notes: string): Promise<string | undefined> {
  const folder = dirname(notes);
  try {
    return await world.workspaceFiles(dirname(folder)).read(`${basename(folder)}/${basename(notes)}`);
  } catch (error) {
    if (error instanceof LoopError) return undefined;
    throw error;
  }
}

const isOverrun = (error: unknown): boolean => error instanceof LoopError && (error.code === "budget-spent" || error.code === "runaway");

/** A limit passes: that nothing could be kept of the work is no reason to halt. */
const keepIfPossible = (round: Round, run: Run, apart: Apart): Promise<void> =>
  keepWork(round, run, apart).catch((error: unknown) => {
    if (!(error instanceof LoopError)) throw error;
  });

async function keepWork(round: Round, run: Run, apart: Apart): Promise<void> {
  const { opened, journal, world } = run;
  const work = await world.workshop.commitWorkspace(opened.repo, round, commitMessage(opened, round), apart);
  if (work.changes.length === 0) return;
  await world.workshop.keep(opened.repo, round, work.commit);
  await journal.write({ kind: "kept", roundId: round.id, work });
}
