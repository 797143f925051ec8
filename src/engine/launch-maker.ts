// Starts a maker: something is set aside for it first, and settled whatever becomes of it. What its budget ends is kept.
import { LoopError } from "../contract/errors.ts";
import type { BoxFact, Talk } from "../contract/evidence.ts";
import type { Make } from "../contract/parts.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Apart } from "../contract/world.ts";
import { capsOf, fullBudget, softLines } from "../guard/budget.ts";
import { foldRun } from "../journal/fold.ts";
import { formatDuration } from "../std/duration.ts";
import { makerWish } from "./box-wish.ts";
import { type BriefMatter, writeBrief } from "./brief.ts";
import { timeLeftMs } from "./decide-next.ts";
import { createHearing, type Hearing } from "./hear-maker.ts";
import { type Launch, openLaunch, spendingOf } from "./meter.ts";
import { boxedWorld, createMakerWorld } from "./part-worlds.ts";
import { commitMessage, type RunRoom } from "./run-round.ts";

interface Order {
  readonly edit: Extract<Make, { proposes: "commit" }>["edit"];
  /** What it is told, besides what this launch knows itself. */
  readonly told: Pick<BriefMatter, "base" | "lessons" | "untold">;
  readonly taint: Taint;
  readonly apart: Apart;
}

export async function launchMaker(round: Round, room: RunRoom, order: Order): Promise<Talk & { readonly box: BoxFact }> {
  const launch = await openLaunch(spendingOf(round, room));
  try {
    return await edit(round, room, order, launch);
  } catch (error) {
    if (isOverrun(error)) await keepWork(round, room, order.apart);
    throw error;
  } finally {
    await launch.settle();
  }
}

async function edit(round: Round, room: RunRoom, { edit, told, taint, apart }: Order, launch: Launch) {
  const { opened, journal, world } = room;
  const { spec, repo } = opened;
  const state = foldRun(journal.entries);
  const earlier = state.rounds.find(({ round: { id } }) => id === round.id);
  const workspace = await world.workshop.openWorkspace(repo, round, apart);
  if (earlier?.kept) await world.workshop.restore(repo, round, earlier.kept, apart);
  const left = Math.min(timeLeftMs(opened, state), launch.timeLeftMs);
  const nearCaps = softLines(capsOf(spec, room.purse.limits), fullBudget(spec.budget).warnAt, (scope) => launch.taken[scope]);
  const goesOn = earlier?.kept !== undefined;
  const brief = writeBrief({ spec, roundNumber: round.number, ...told, timeLeft: formatDuration(left), nearCaps, goesOn });
  await world.files.writeText(workspace.brief, brief);
  const hearing = createHearing(round.id, journal, room.watch);
  const boxed = boxedWorld(world, () => makerWish(workspace, taint, room));
  const bounds = {
    roundId: round.id,
    workspace,
    timeLeftMs: left,
    taint,
    folder: opened.folder,
    hearing,
    earlierSession: earlier?.session,
  };
  const makerWorld = createMakerWorld(bounds, spec, launch, { ...room, world: boxed.world });
  return listened(round, room, hearing, async () => ({
    ...(await edit({ spec, round, workspace, brief, timeLeftMs: left }, makerWorld)),
    box: boxed.enforced(),
  }));
}

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
