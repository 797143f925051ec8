// Starts a maker: something is set aside for it first, and settled whatever becomes of it. What its budget ends is kept.
import { basename, dirname } from "node:path";
import type { BoxFact, EgressConnection } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { Make } from "../contract/maker.ts";
import type { BriefFact, OutfitFact, Talk } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Apart, Workspace } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import { capsOf, fullBudget, softLines } from "../guard/budget.ts";
import type { RoundState } from "../journal/fold.ts";
import { formatDuration } from "../std/duration.ts";
import { makerWish } from "./box-wish.ts";
import { type BriefMatter, writeBrief } from "./brief.ts";
import { timeLeftMs } from "./decide-next.ts";
import { launchModels } from "./desk.ts";
import { sumUpEgress } from "./egress-log.ts";
import { createHearing, type Hearing } from "./hear-maker.ts";
import { type Launch, openLaunch, spendingOf } from "./meter.ts";
import { openNotebook, type RoundNotebook } from "./notebook.ts";
import { fitOut, type Outfit, setUp, withoutLent, withVariables } from "./outfit.ts";
import { boxedWorld, createMakerWorld } from "./part-worlds.ts";
import { commitMessage, type RunRoom } from "./run-round.ts";

interface Order {
  readonly edit: Extract<Make, { proposes: "commit" }>["edit"];
  /** What it is told, besides what this launch knows itself. */
  readonly told: Pick<BriefMatter, "base" | "context" | "lessons" | "agents" | "untold">;
  readonly taint: Taint;
  readonly apart: Apart;
}

export async function launchMaker(
  round: Round,
  room: RunRoom,
  order: Order,
): Promise<Talk & { readonly box: BoxFact; readonly brief: BriefFact; readonly outfit?: OutfitFact }> {
  const launch = await openLaunch(spendingOf(round, room));
  let outfit: Outfit | undefined;
  try {
    const bench = await openBench(round, room, order.apart);
    outfit = await fitOut(room, bench.workspace, order.apart);
    return await edit(round, room, order, { ...bench, outfit, launch });
  } catch (error) {
    if (isOverrun(error)) await keepWork(round, room, withoutLent(order.apart, outfit?.fact));
    throw error;
  } finally {
    outfit?.release();
    await launch.settle();
  }
}

/** Where a maker works: its copy, and what an earlier try of this round left. */
interface Bench {
  readonly workspace: Workspace;
  readonly earlier: RoundState | undefined;
}

async function openBench(round: Round, { opened, journal, world }: RunRoom, apart: Apart): Promise<Bench> {
  const earlier = journal.state.rounds.find(({ round: { id } }) => id === round.id);
  const workspace = await world.workshop.openWorkspace(opened.repo, round, apart);
  if (earlier?.kept) await world.workshop.restore(opened.repo, round, earlier.kept, apart);
  return { workspace, earlier };
}

async function edit(
  round: Round,
  room: RunRoom,
  { edit, told, taint, apart }: Order,
  { workspace, earlier, outfit, launch }: Bench & { readonly outfit: Outfit; readonly launch: Launch },
) {
  const { opened, journal, world } = room;
  const { spec } = opened;
  const variables = { ...outfit.env, ...(workspace.notes ? { LOOPWRIGHT_NOTES: workspace.notes } : {}) };
  const boxed = boxedWorld(withVariables(world, variables), () => makerWish(workspace, taint, room));
  const hearing = createHearing(round.id, journal, room.watch);
  const notebook = openNotebook(round, room, { taint, hidden: apart.hidden });
  const bounds = { roundId: round.id, workspace, taint, folder: opened.folder, hearing, notebook, earlierSession: earlier?.session };
  const modelsFor = (timeLeftMs: number) => launchModels({ purpose: spec.maker.use, timeLeftMs, launch }, spec.budget, world);
  const worldFor = (timeLeftMs: number) =>
    createMakerWorld({ ...bounds, timeLeftMs, models: modelsFor(timeLeftMs) }, spec, launch, { ...room, world: boxed.world });

  const before = Math.min(timeLeftMs(opened, journal.state), launch.timeLeftMs);
  return reaching(round, room, boxed.reached, async () => {
    const { setup, left, brief } = await unspent(launch, async () => {
      const setup = await setUp(room, workspace, worldFor(before).proc);
      const left = Math.max(0, before - (setup.setup?.tookMs ?? 0));
      const nearCaps = softLines(capsOf(spec, room.purse.limits), fullBudget(spec.budget).warnAt, (scope) => launch.taken[scope]);
      const now = { roundNumber: round.number, timeLeft: formatDuration(left), nearCaps, goesOn: earlier?.kept !== undefined };
      const brief = writeBrief({ spec, ...told, ...now, notes: await notebook.read(), notesFile: workspace.notes });
      return { setup, left, brief };
    });
    await world.files.writeText(workspace.brief, brief.text);
    const kept = await world.artifacts.keep(brief.text);
    return noted(room, workspace, notebook, () =>
      listened(round, room, hearing, async () => ({
        ...(await edit({ spec, round, workspace, brief: brief.text, timeLeftMs: left }, worldFor(left))),
        box: boxed.enforced(),
        brief: { text: kept, tokens: brief.tokens, cut: brief.cut },
        ...tellOutfit({ ...outfit.fact, ...setup }),
      })),
    );
  });
}

/** Where its commands went is on record, however it ended. */
async function reaching<T>(
  round: Round,
  { journal, world, watch }: RunRoom,
  reached: () => readonly EgressConnection[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    const connections = reached();
    if (connections.length > 0) {
      const egress = await sumUpEgress(connections, world.artifacts);
      watch({ kind: "recorded", entry: await journal.append({ kind: "maker-reached", roundId: round.id, egress }) });
    }
  }
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

/** What a maker wrote down is kept, however it ended. */
async function noted<T>({ world }: RunRoom, { notes }: Workspace, notebook: RoundNotebook, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    if (notes !== undefined) await notebook.takeFile(await readNotes(world, notes));
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

const tellOutfit = (outfit: OutfitFact): { readonly outfit?: OutfitFact } => (Object.keys(outfit).length > 0 ? { outfit } : {});

/** What a maker said before it failed tells why; the failure itself is told by whoever catches it. */
async function listened<T>(round: Round, { journal, world }: RunRoom, hearing: Hearing, work: () => Promise<T>): Promise<T> {
  try {
    const said = await work();
    const heard = await hearing.keep(world.artifacts);
    return heard ? { ...said, heard } : said;
  } catch (error) {
    const heard = await hearing.keep(world.artifacts).catch(() => undefined);
    if (heard) await journal.append({ kind: "maker-heard", roundId: round.id, heard });
    throw error;
  }
}

const isOverrun = (error: unknown): boolean => error instanceof LoopError && (error.code === "budget-spent" || error.code === "runaway");

async function keepWork(round: Round, { opened, journal, world, watch }: RunRoom, apart: Apart): Promise<void> {
  const work = await world.workshop.commitWorkspace(opened.repo, round, commitMessage(opened, round), apart);
  if (work.changes.length === 0) return;
  await world.workshop.keep(opened.repo, round, work.commit);
  watch({ kind: "recorded", entry: await journal.append({ kind: "kept", roundId: round.id, work }) });
}
