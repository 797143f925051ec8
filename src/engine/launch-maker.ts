// Starts a maker: something is set aside for it first, and settled whatever becomes of it. What its budget ends is kept.
import { LoopError } from "../contract/errors.ts";
import type { BoxFact, OutfitFact, Talk } from "../contract/evidence.ts";
import type { Make } from "../contract/parts.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Apart, Workspace } from "../contract/world.ts";
import { capsOf, fullBudget, softLines } from "../guard/budget.ts";
import { foldRun, type RoundState } from "../journal/fold.ts";
import { formatDuration } from "../std/duration.ts";
import { makerWish } from "./box-wish.ts";
import { type BriefMatter, writeBrief } from "./brief.ts";
import { timeLeftMs } from "./decide-next.ts";
import { createHearing, type Hearing } from "./hear-maker.ts";
import { type Launch, openLaunch, spendingOf } from "./meter.ts";
import { fitOut, type Outfit, setUp, withoutLent, withVariables } from "./outfit.ts";
import { boxedWorld, createMakerWorld } from "./part-worlds.ts";
import { commitMessage, type RunRoom } from "./run-round.ts";

interface Order {
  readonly edit: Extract<Make, { proposes: "commit" }>["edit"];
  /** What it is told, besides what this launch knows itself. */
  readonly told: Pick<BriefMatter, "base" | "lessons" | "untold">;
  readonly taint: Taint;
  readonly apart: Apart;
}

export async function launchMaker(
  round: Round,
  room: RunRoom,
  order: Order,
): Promise<Talk & { readonly box: BoxFact; readonly outfit?: OutfitFact }> {
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
  const earlier = foldRun(journal.entries).rounds.find(({ round: { id } }) => id === round.id);
  const workspace = await world.workshop.openWorkspace(opened.repo, round, apart);
  if (earlier?.kept) await world.workshop.restore(opened.repo, round, earlier.kept, apart);
  return { workspace, earlier };
}

async function edit(
  round: Round,
  room: RunRoom,
  { edit, told, taint }: Order,
  { workspace, earlier, outfit, launch }: Bench & { readonly outfit: Outfit; readonly launch: Launch },
) {
  const { opened, journal, world } = room;
  const { spec } = opened;
  const boxed = boxedWorld(withVariables(world, outfit.env), () => makerWish(workspace, taint, room));
  const hearing = createHearing(round.id, journal, room.watch);
  const bounds = { roundId: round.id, workspace, taint, folder: opened.folder, hearing, earlierSession: earlier?.session };
  const worldFor = (timeLeftMs: number) => createMakerWorld({ ...bounds, timeLeftMs }, spec, launch, { ...room, world: boxed.world });

  const before = Math.min(timeLeftMs(opened, foldRun(journal.entries)), launch.timeLeftMs);
  const setup = await setUp(room, workspace, worldFor(before).proc).catch((error: unknown) => {
    // Nothing was asked of a model.
    launch.meter.free();
    throw error;
  });
  const left = Math.max(0, before - (setup.setup?.tookMs ?? 0));
  const nearCaps = softLines(capsOf(spec, room.purse.limits), fullBudget(spec.budget).warnAt, (scope) => launch.taken[scope]);
  const goesOn = earlier?.kept !== undefined;
  const brief = writeBrief({ spec, roundNumber: round.number, ...told, timeLeft: formatDuration(left), nearCaps, goesOn });
  await world.files.writeText(workspace.brief, brief);
  return listened(round, room, hearing, async () => ({
    ...(await edit({ spec, round, workspace, brief, timeLeftMs: left }, worldFor(left))),
    box: boxed.enforced(),
    ...tellOutfit({ ...outfit.fact, ...setup }),
  }));
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
