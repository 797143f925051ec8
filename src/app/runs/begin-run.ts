// Opens a run or takes one up, with everything that is asked before and done after: whoever woke it, by hand or by themselves.
import { resolve } from "node:path";
import type { Crew } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import { BLINK_MS, underLock } from "../../contract/locks.ts";
import { KINDS, type KindName } from "../../contract/proposal.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Budgets } from "../../contract/team-budgets.ts";
import { nextSlot } from "../../contract/trigger.ts";
import type { Watch } from "../../contract/watch.ts";
import { baseOf } from "../../engine/instructions.ts";
import type { Outcome } from "../../engine/outcome.ts";
import type { LimitWish, Run } from "../../engine/run.ts";
import { lastOf } from "../../journal/journal.ts";
import { carriedOn } from "../../journal/lineage.ts";
import type { LastRun } from "../../journal/loop-facts.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { standingOf } from "../../journal/standing.ts";
import { carryOutApproved } from "../decisions/carry-out.ts";
import { outrunBy } from "../decisions/outrun.ts";
import { heldBack } from "../decisions/standing.ts";
import type { House } from "../open-house.ts";
import { workSigned } from "../records/sign.ts";
import { afterRun } from "./after-run.ts";
import { drive } from "./drive.ts";
import type { LoadedSpec } from "./load-spec.ts";
import { openRun, policyFor, policyHash, telling } from "./open-run.ts";

/** Stands for a base that does not exist yet: a repository without commits can be reported on. */
const UNBORN = "0".repeat(40);

export type RunResult =
  | { readonly kind: "ran"; readonly run: string; readonly outcome: Outcome }
  | { readonly kind: "waiting"; readonly run: string; readonly branch: string }
  | { readonly kind: "not-due"; readonly nextDue: string };

/** Works while nobody else does on this loop; what came of it is signed before anybody else may. */
export async function holding<T>(house: House, loop: string, watch: Watch, work: () => Promise<T>): Promise<T> {
  const busy = (): LoopError =>
    new LoopError("loop-busy", `the loop ${loop} is already running in another process`, {
      retry: "later",
      hint: `See it with \`lw status\`, stop it with \`lw stop ${loop}\`, or wait until it rests.`,
    });
  const result = await underLock({ locks: house.locks, name: `loop ${loop}`, ms: BLINK_MS, busy }, () =>
    workSigned(house, loop, watch, work),
  );
  // Whoever approved something meanwhile was told that it is carried out when this rests.
  await carryOutApproved(house, loop, watch);
  return result;
}

export async function mustBeFree(house: House, loop: string): Promise<void> {
  const { barred } = await standingOf(house.journal, house.world.killSwitch, loop);
  if (barred !== undefined) throw heldBack(loop, barred);
}

/** By hand: nothing of it is on record before the first that follows, so that what cannot be read refuses the run and leaves none open. */
export async function open(house: House, opened: RunOpened, crew: Crew, watch: Watch): Promise<RunResult> {
  const loop = opened.spec.name;
  const run = newRunId(house, opened);
  const journal = await openRunJournal(house.journal, { loop, run }, telling(watch));
  const ready = await openRun(house, crew, { opened, journal, policy: await policyFor(house, opened), watch });
  await house.world.workshop.sweep(loop, run);
  // On record with the first that follows, before anything is spent.
  journal.hold(opened);
  return follow(house, ready);
}

export const newRunId = (house: House, { spec, number }: RunOpened): string => `${spec.name}-${number}-${house.world.ids.token()}`;

/** Takes up a run that was stopped or killed. Only for who may write to its repository. */
export async function finish(
  house: House,
  last: LastRun,
  crew: Crew,
  budget: Budgets | undefined,
  { watch, limits = "wait" }: { readonly watch: Watch; readonly limits?: LimitWish },
): Promise<RunResult> {
  // Whoever worked on it before us is gone, since we have its lock: what it held is spent as far as anybody knows.
  await house.journal.settleLeftovers(last.run);
  const journal = await openRunJournal(house.journal, last, telling(watch));
  await house.world.workshop.sweep(last.loop, last.run);
  journal.hold({ kind: "run-resumed", ...budget });
  const opened = journal.state.opened ?? last.opened;
  return follow(house, await openRun(house, crew, { opened, journal, policy: await policyFor(house, opened), watch, limits }));
}

/** Drives a run to its rest, and brings what came of it as far as it may go. */
export async function follow<K extends KindName>(house: House, ready: Run<K>): Promise<RunResult> {
  const { run } = ready.journal;
  const outcome = await drive(house, ready);
  await afterRun(house, ready.opened.spec, { run, outcome }, ready.watch);
  return { kind: "ran", run, outcome };
}

export async function describeRun(
  house: House,
  { spec, hash, path, folder }: Pick<LoadedSpec, "spec" | "hash" | "path" | "folder">,
  crew: Crew,
  last: LastRun | undefined,
  inputs?: RunOpened["inputs"],
): Promise<RunOpened> {
  const { git } = house.world;
  const named = resolve(folder, spec.target.repo);
  const isDocument = KINDS[crew.proposes].isOwn;
  const namedRef = spec.target.base ?? (isDocument ? await git.headName(named).catch(whenMissing) : await git.headName(named));
  const { repo, ref } = isDocument ? await house.documents.open(spec.name) : { repo: named, ref: namedRef };
  const commit = await git.resolve(repo, ref);
  if (!commit && KINDS[crew.proposes].hasFiles) throw baseMissing(repo, ref, await git.branches(repo, MOST_BRANCHES));
  const remembered = await lastOf(house.journal, spec.name, "remembered");
  return {
    kind: "run-opened",
    number: (last?.opened.number ?? 0) + 1,
    spec,
    specHash: hash,
    policyHash: await policyHash(house, await policyFor(house, { folder })),
    specPath: path,
    folder,
    repo,
    base: { ref, commit: commit ?? UNBORN },
    cursors: remembered?.record.cursors ?? {},
    version: house.version,
    nextDue: nextSlot(crew.waker, house.clock.now())?.toISOString() ?? null,
    ...(isDocument ? { target: { repo: named, ref: namedRef, ...(await commitIn(git, named, namedRef)) } } : {}),
    ...(inputs ? { inputs } : {}),
    ...(await gainedBefore(house, spec)),
    ...(commit === undefined ? {} : await outrunBefore(house, spec, commit)),
  };
}

/** How many runs of the loop are looked at for the last that was its own: referees change nothing. */
const MOST_REFEREES = 50;

/** Where the last proposal that could not be put on base stands against this very base, who makes it again is told. */
async function outrunBefore(house: House, { name }: LoopSpec, base: string): Promise<Pick<RunOpened, "outrun">> {
  const last = await lastOf(house.journal, name, "not-refreshed");
  return last?.record.base === base ? outrunBy(house, last) : {};
}

/** Where changes last, a run begins with what stood at the end of the one before it. */
async function gainedBefore({ journal }: House, spec: LoopSpec): Promise<Pick<RunOpened, "improved">> {
  if (spec.improve?.lasts !== "loop") return {};
  const runs = await journal.newestOf(spec.name, "run-opened", { most: MOST_REFEREES });
  const own = runs.find(({ record }) => !record.referee);
  // What was gained on other instructions of a spec is no gain on these.
  const improved = own && baseOf(own.record.spec) === baseOf(spec) ? carriedOn((await journal.story(own.run)).entries) : undefined;
  return improved ? { improved } : {};
}

/** A loop that makes documents may lie where there is no repository: only actions that write to one need it. */
function whenMissing(error: unknown): string {
  if (error instanceof LoopError) return "HEAD";
  throw error;
}

const commitIn = async (git: House["world"]["git"], repo: string, ref: string): Promise<{ readonly commit?: string }> => {
  const commit = await git.resolve(repo, ref).catch(whenMissing);
  return commit === undefined || commit === "HEAD" ? {} : { commit };
};

const MOST_BRANCHES = 8;

const baseMissing = (repo: string, ref: string, branches: readonly string[]): LoopError =>
  new LoopError("ref-missing", `${repo} has no commit called ${ref}`, {
    retry: "never",
    hint:
      branches.length === 0
        ? "Make a first commit: the repository has no branch yet."
        : `Set target.base in the spec to a branch that is there (${branches.join(", ")}), or leave it out for the one that is checked out.`,
  });
