// Lays the new files of a proposal into base and runs base's checks: nothing there asks for them, so that who is read was found by its name.
import type { BaseCheck, BaseReads } from "../contract/baseline.ts";
import type { CommitProposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { RoomPlan } from "../contract/workshop.ts";
import { isInstalled, isTestFile } from "../guard/diff/test-files.ts";
import type { Standing } from "../guard/product-source.ts";
import { isSealedBy } from "../guard/seal.ts";
import { outcomesOf, standingIn } from "./base-reads.ts";
import { timeLeftMs } from "./next-round.ts";
import { NOTHING_PLANTED, neutralOf, type Planted, type PlantRun, suspectsOf, weighPlant } from "./planted.ts";
import type { Run } from "./run.ts";
import type { Steps } from "./steps.ts";
import { type Look, looksOf } from "./take-baseline.ts";
import { boxVerifier } from "./worlds/box-world.ts";
import { outOfTime } from "./worlds/guard-proc.ts";
import { createBaseRooms, createVerifierWorld } from "./worlds/verifier-world.ts";

/** Tests add to what is checked, and what their names tell is dropped anyway: neither needs a run. */
export async function plantNew(round: Round, { commit, changes }: CommitProposal, run: Run<"commit">, step: Steps): Promise<Planted> {
  const isSealed = isSealedBy(run.opened.spec);
  const added = changes
    .filter(({ path, before, after }) => !before && after?.mode.startsWith("100") && !isAddedTest(path) && !isDropped(path, isSealed))
    .map(({ path }) => path);
  const checks = (run.journal.state.baseline?.checks ?? []).filter(isTraced);
  const looks = looksOf(run.opened, run.crew).flatMap((look) => {
    const check = checks.find(({ matter }) => matter === look.matter);
    return check ? [{ look, check }] : [];
  });
  if (added.length === 0 || looks.length === 0) return NOTHING_PLANTED;
  return step("plant", async () => {
    const seen: Planted[] = [];
    for (const [index, { look, check }] of looks.entries())
      seen.push(await plantIn(round, run, { commit, added, look, reads: check.reads, name: `plant-${index + 1}` }));
    const findings = seen.flatMap((one) => one.findings);
    const isFirst = (path: string | undefined, index: number): boolean => findings.findIndex(({ file }) => file === path) === index;
    return {
      found: [...new Set(seen.flatMap(({ found }) => found))],
      findings: findings.filter(({ file }, index) => isFirst(file, index)),
    };
  });
}

type TracedCheck = BaseCheck & { readonly reads: Extract<BaseReads, { readonly kind: "traced" }> };

const isTraced = (check: BaseCheck): check is TracedCheck =>
  check.reads?.kind === "traced" && (check.state === "red" || check.state === "green");

const isAddedTest = (path: string): boolean => isTestFile(path) && !isInstalled(path);

/** Sealed, and nothing that tests are fed with: it is left out whatever it does. */
const isDropped = (path: string, isSealed: (path: string) => boolean): boolean =>
  isSealed(path) && !/(^|\/)(fixtures?|__fixtures__|mocks|__mocks__|snapshots|__snapshots__)\//.test(path);

interface Planting {
  readonly commit: string;
  readonly added: readonly string[];
  readonly look: Look;
  readonly reads: TracedCheck["reads"];
  readonly name: string;
}

async function plantIn(round: Round, run: Run<"commit">, { commit, added, look, reads, name }: Planting): Promise<Planted> {
  const over = { commit, paths: added };
  const plant = await runIn(round, run, look, { name, commit: round.base, over });
  if (plant === "not-traced") return NOTHING_PLANTED;
  const suspects = suspectsOf(added, plant, reads);
  if (suspects.length === 0) return NOTHING_PLANTED;
  const own = new Set(added);
  const folders = new Set(plant.paths.filter((path) => !own.has(path)).flatMap(foldersOf));
  const beside = suspects.map((path) => {
    const neutral = neutralOf(path, plant.texts.get(path) ?? "", stemFor(round, path, run), folders);
    return { path, neutral: neutral.path, text: neutral.text, standing: plant.standing(path) };
  });
  const control = await runIn(round, run, look, { name: `${name}-control`, commit: round.base }, beside);
  return control === "not-traced" ? NOTHING_PLANTED : weighPlant(beside, plant, control);
}

/** No maker can foresee it, and a check that is made again after a crash has the same. */
const stemFor = ({ id }: Round, path: string, { world }: Pick<Run, "world">): string =>
  `n${world.ids.secretFor(`neutral ${id} ${path}`).slice(0, 10)}`;

const foldersOf = (path: string): readonly string[] => {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
};

interface Ran extends PlantRun {
  readonly paths: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  readonly standing: (path: string) => Standing;
}

async function runIn(
  round: Round,
  bare: Run<"commit">,
  look: Look,
  plan: RoomPlan,
  neutral: readonly { readonly neutral: string; readonly text: string }[] = [],
): Promise<Ran | "not-traced"> {
  const { run } = boxVerifier(bare);
  const { opened, journal, world, meter } = run;
  const leftMs = timeLeftMs(opened, journal.state);
  if (leftMs === 0) throw outOfTime(opened.spec.budget);
  const commands = meter.commands(round);
  const room = await world.workshop.openRoom(round, plan);
  try {
    const files = world.workspaceFiles(room.work);
    for (const { neutral: path, text } of neutral) await files.write(path, text);
    const texts = new Map<string, string>();
    for (const path of plan.over?.paths ?? []) if (/\.(go|rs)$/.test(path)) texts.set(path, (await files.read(path)) ?? "");
    const trace = await world.workshop.trace(room, opened.spec.prepare?.keep ?? []);
    const sight = await look.look(
      room,
      createVerifierWorld(round.id, leftMs, opened.spec.budget, run, createBaseRooms(round, run), commands.add),
    );
    const traced = await trace.end();
    if (traced.kind === "not-traced") return "not-traced";
    const own = new Set(plan.over?.paths);
    const paths = trace.paths.filter((path) => !own.has(path));
    const standing = await standingIn(room, { paths, read: traced.read.filter((path) => !own.has(path)) }, world);
    return { read: new Set(traced.read), outcomes: outcomesOf(sight).outcomes, paths: trace.paths, texts, standing };
  } finally {
    await world.workshop.discard(room);
    await commands.settle();
  }
}
