// From a spec to a run that rests: takes the loop, goes on where an earlier process stopped, or opens a new run.
import { resolve } from "node:path";
import type { Crew } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import { BLINK_MS, underLock } from "../../contract/locks.ts";
import { KINDS, type KindName } from "../../contract/proposal.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Outcome } from "../../engine/outcome.ts";
import type { Run } from "../../engine/run.ts";
import { lastOf } from "../../journal/journal.ts";
import { type LastRun, readLastRun } from "../../journal/loop-facts.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { standingOf } from "../../journal/standing.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { shellWord } from "../../std/shell-word.ts";
import { assembleCrew } from "../crew.ts";
import { noticeReverts } from "../decisions/autonomy.ts";
import { settleOpen } from "../decisions/carry-out.ts";
import { heldBack } from "../decisions/standing.ts";
import type { House } from "../open-house.ts";
import { workSigned } from "../records/sign.ts";
import { afterRun } from "./after-run.ts";
import { drive } from "./drive.ts";
import { asRecorded, type LoadedSpec, loadSpec } from "./load-spec.ts";
import { giveUp, openRun, policyFor, policyHash, telling } from "./open-run.ts";
import { changedBudget, lacksSecrets, planResuming, planWaking, type RunWishes } from "./plan-waking.ts";

/** Stands for a base that does not exist yet: a repository without commits can be reported on. */
const UNBORN = "0".repeat(40);

export type RunResult =
  | { readonly kind: "ran"; readonly run: string; readonly outcome: Outcome }
  | { readonly kind: "waiting"; readonly run: string; readonly branch: string }
  | { readonly kind: "not-due"; readonly nextDue: string };

/** Runs a loop until it rests. An interrupted run of the same spec is finished first, instead of a new one. */
export async function runSpec(house: House, loaded: LoadedSpec, wishes: RunWishes, watch: Watch): Promise<RunResult> {
  const { spec } = loaded;
  return holding(house, spec.name, watch, async () => {
    await mustBeFree(house, spec.name);
    const crew = assembleCrew(spec, house.registries);
    const last = await readLastRun(house.journal, spec.name);
    const recorded = asRecorded(house, spec);
    const now = house.world.clock.now();
    const plan = planWaking({ last, spec, hashes: [recorded.hash, loaded.hash], wishes, nextDue: crew.nextDue, now });
    if (plan.kind === "finish") return finish(house, plan.last, crew, plan.budget, watch);
    if (plan.givesUp) await giveUp(house, plan.givesUp, watch);
    if (plan.kind === "not-due") return { kind: "not-due", nextDue: plan.nextDue };

    const opened = await describeRun(house, { ...loaded, ...recorded }, crew, last);
    await noticeReverts(house, spec.name);
    const waiting = (await settleOpen(house, spec.name, watch)).find(
      (proposed) => proposed.opened.repo === opened.repo && proposed.round.base === opened.base.commit,
    );
    if (waiting && !wishes.again) return { kind: "waiting", run: waiting.round.run, branch: waiting.branch };
    await mustHaveAll(house, opened, crew);
    return open(house, opened, crew, watch);
  });
}

/** Goes on with a run that was stopped or killed. */
export async function resumeRun(house: House, loop: string, watch: Watch): Promise<RunResult> {
  return holding(house, loop, watch, async () => {
    const plan = planResuming(await readLastRun(house.journal, loop));
    if (!plan) throw nothingToResume(loop);
    const { last } = plan;
    if (!last.opened.referee) await mustBeFree(house, loop);
    if (plan.kind === "give-up") return { kind: "ran", run: last.run, outcome: await giveUp(house, plan, watch) };
    const spec = specSchemaFor(last.opened.spec, house.registries).parse(last.opened.spec);
    const { trigger, gather, maker, verifiers, notify, gate, act } = spec;
    if (lacksSecrets({ trigger, gather, maker, verifiers, notify, gate, act })) throw secretNotKept(loop, last.opened.specPath);
    const budget = changedBudget(last.opened.spec, await specNow(house, last.opened));
    return finish(house, last, assembleCrew(spec, house.registries), budget, watch);
  });
}

/** Ends an open run for good, without finishing it. */
export async function abandonRun(house: House, loop: string, by: string, watch: Watch): Promise<RunResult> {
  return holding(house, loop, watch, async () => {
    const last = await readLastRun(house.journal, loop);
    if (!last || last.state.rest) throw nothingToResume(loop);
    const rest = { kind: "halt", because: "stopped", reason: `abandoned by ${by}` } as const;
    return { kind: "ran", run: last.run, outcome: await giveUp(house, { last, rest }, watch) };
  });
}

/** Works while nobody else does on this loop; what came of it is signed before anybody else may. */
async function holding<T>(house: House, loop: string, watch: Watch, work: () => Promise<T>): Promise<T> {
  const busy = (): LoopError =>
    new LoopError("loop-busy", `the loop ${loop} is already running in another process`, {
      retry: "later",
      hint: `See it with \`lw status\`, stop it with \`lw stop ${loop}\`, or wait until it rests.`,
    });
  return underLock({ locks: house.locks, name: `loop ${loop}`, ms: BLINK_MS, busy }, () => workSigned(house, loop, watch, work));
}

async function mustBeFree(house: House, loop: string): Promise<void> {
  const { barred } = await standingOf(house.journal, house.world.killSwitch, loop);
  if (barred !== undefined) throw heldBack(loop, barred);
}

/** Said before anything is spent: what the checks bring, the box that is required, and what its proxy would have to put in. */
async function mustHaveAll({ world, box }: House, { spec, folder, repo }: RunOpened, { verifiers }: Crew): Promise<void> {
  for (const { brings = [] } of verifiers) for (const path of brings) await world.workshop.findBrought({ path, specFolder: folder, repo });
  if (spec.box.maker.when === "required" || spec.box.verifiers.when === "required") await box.mustBeThere();
  const { network } = spec.box.maker;
  const credentials = typeof network === "string" ? [] : network.credentials;
  const missing = credentials.find(({ variable }) => (world.env.get(variable) ?? "") === "");
  if (missing)
    throw new LoopError("bad-input", `the variable ${missing.variable}, which holds the credential for ${missing.to}, is not set`, {
      retry: "never",
      hint: "Set it where you start `lw`, or leave it out of `box.maker.network.credentials`.",
    });
}

async function open(house: House, opened: RunOpened, crew: Crew, watch: Watch): Promise<RunResult> {
  const loop = opened.spec.name;
  const run = `${loop}-${opened.number}-${house.world.ids.token()}`;
  const journal = await openRunJournal(house.journal, { loop, run }, telling(watch));
  // Before anything is on record: what cannot be read refuses the run, and leaves none open.
  const ready = await openRun(house, crew, { opened, journal, policy: await policyFor(house, opened), watch });
  await house.world.workshop.sweep(loop, run);
  // On record with the first that follows, before anything is spent.
  journal.hold(opened);
  return follow(house, ready);
}

async function finish(house: House, last: LastRun, crew: Crew, budget: LoopSpec["budget"] | undefined, watch: Watch): Promise<RunResult> {
  // Whoever worked on it before us is gone, since we have its lock: what it held is spent as far as anybody knows.
  await house.journal.settleLeftovers(last.run);
  const journal = await openRunJournal(house.journal, last, telling(watch));
  await house.world.workshop.sweep(last.loop, last.run);
  journal.hold({ kind: "run-resumed", ...(budget ? { budget } : {}) });
  const opened = journal.state.opened ?? last.opened;
  return follow(house, await openRun(house, crew, { opened, journal, policy: await policyFor(house, opened), watch }));
}

/** Drives a run to its rest, and brings what came of it as far as it may go. */
async function follow<K extends KindName>(house: House, ready: Run<K>): Promise<RunResult> {
  const { run } = ready.journal;
  const outcome = await drive(house, ready);
  await afterRun(house, ready.opened.spec, { run, outcome }, ready.watch);
  return { kind: "ran", run, outcome };
}

async function describeRun(
  house: House,
  { spec, hash, path, folder }: Pick<LoadedSpec, "spec" | "hash" | "path" | "folder">,
  crew: Crew,
  last: LastRun | undefined,
): Promise<RunOpened> {
  const { git } = house.world;
  const repo = resolve(folder, spec.target.repo);
  const ref = spec.target.base ?? (await git.headName(repo));
  const commit = await git.resolve(repo, ref);
  if (!commit && KINDS[crew.proposes].hasBase) throw baseMissing(repo, ref);
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
    nextDue: dueAfter(crew, house.clock.now()),
  };
}

/** For whoever shows it later, without the triggers at hand. */
function dueAfter({ nextDue }: Pick<Crew, "nextDue">, opened: Date): string | null {
  const due = nextDue(opened);
  return due.kind === "at" ? due.time.toISOString() : null;
}

/** The spec as it is in its file now; undefined where it cannot be read any more. */
async function specNow(house: House, { specPath, folder }: RunOpened): Promise<LoopSpec | undefined> {
  const loading = await loadSpec(specPath, folder, house.registries).catch((error: unknown) => {
    if (error instanceof LoopError) return undefined;
    throw error;
  });
  return loading?.kind === "loaded" ? loading.loaded.spec : undefined;
}

const nothingToResume = (loop: string): LoopError =>
  new LoopError("bad-input", `the loop ${loop} has no interrupted run`, {
    retry: "never",
    hint: "`lw status` shows all loops; start a new run with `lw run`.",
  });

const secretNotKept = (loop: string, specPath: string): LoopError =>
  new LoopError("bad-input", `the spec of ${loop} holds a secret, which is not on record, so the run cannot go on from there`, {
    retry: "never",
    hint: `Finish it with \`lw run ${shellWord(specPath)}\`; better, put the secret into a variable and name that in \`inherit\`.`,
  });

const baseMissing = (repo: string, ref: string): LoopError =>
  new LoopError("ref-missing", `${repo} has no commit called ${ref}`, {
    retry: "never",
    hint: "Set target.base in the spec to a branch that exists, or make a first commit.",
  });
