// From a spec to a run that rests: takes the loop, goes on where an earlier process stopped, or opens a new run.
import { resolve } from "node:path";
import type { Crew } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Entry, RunOpened } from "../../contract/record.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Rest } from "../../contract/verdict.ts";
import type { Watch } from "../../contract/watch.ts";
import { isResumable, type Outcome, restRun, runLoop } from "../../engine/run-loop.ts";
import type { RunRoom } from "../../engine/run-round.ts";
import { hasPlaceholder } from "../../guard/secrets/find-secrets.ts";
import { recallBaseline } from "../../journal/flakes.ts";
import { foldRun, type RunState } from "../../journal/fold.ts";
import { lastOf } from "../../journal/journal.ts";
import { recallNotes } from "../../journal/notes.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { specSchema } from "../../spec/schema.ts";
import { parseDuration } from "../../std/duration.ts";
import { canonicalJson } from "../../std/hash.ts";
import { shellWord } from "../../std/shell-word.ts";
import { boxMissing } from "../../world/box/box.ts";
import { findBrought } from "../../world/files/bring-folder.ts";
import { assembleCrew } from "../crew.ts";
import { alertNeeds } from "../decisions/alert.ts";
import { demoteIfNeeded, noticeReverts } from "../decisions/autonomy.ts";
import { openProposals, settleOpen, supersede } from "../decisions/decide.ts";
import { haltIfNeeded, heldBack, isAllStopped, standingOf } from "../decisions/standing.ts";
import { deciderFor, policyHashOf } from "../hooks/policy-decider.ts";
import type { House } from "../open-house.ts";
import { workSigned } from "../records/sign.ts";
import { type LoadedSpec, loadSpec } from "./load-spec.ts";
import { openPurse } from "./open-purse.ts";

/** Stands for a base that does not exist yet: a repository without commits can be reported on. */
const UNBORN = "0".repeat(40);
const STOP_POLL_MS = 250;
/** Clocks differ, and a limit that passed this very moment may not have passed for everybody. */
const SHORTEST_WAIT_MS = 2_000;

export interface RunWishes {
  /** Run only if the trigger says that it is time. */
  readonly onlyIfDue: boolean;
  /** Run although the last proposal still waits for a human. */
  readonly again: boolean;
}

export type RunResult =
  | { readonly kind: "ran"; readonly run: string; readonly outcome: Outcome }
  | { readonly kind: "waiting"; readonly run: string; readonly branch: string }
  | { readonly kind: "not-due"; readonly nextDue: string };

/** Runs a loop until it rests. An interrupted run of the same spec is finished first, instead of a new one. */
export async function runSpec(house: House, loaded: LoadedSpec, wishes: RunWishes, watch: Watch): Promise<RunResult> {
  const loop = loaded.spec.name;
  return holding(house, loop, watch, async () => {
    await mustBeFree(house, loop);
    const crew = assembleCrew(loaded.spec, house.registries);
    const last = await lastRun(house, loaded.spec.name);
    if (last && !last.state.rest) {
      const isSame = last.opened.specHash === loaded.hash || differsInBudget(last.opened.spec, loaded.spec);
      if (last.damaged.length === 0 && isSame)
        return settled(house, loaded.spec, watch, () =>
          finish(house, last, { crew, budget: changedBudget(last.opened.spec, loaded.spec) }, watch),
        );
      await giveUp(house, last, whyGivenUp(last, loaded.hash), watch);
    }
    if (wishes.onlyIfDue) {
      const nextDue = dueLater(crew, last?.openedAt, house.world.clock.now());
      if (nextDue) return { kind: "not-due", nextDue };
    }
    const opened = await describeRun(house, loaded, crew, last);
    await noticeReverts(house, loop);
    const waiting = (await settleOpen(house, loop, watch)).find(
      (proposed) => proposed.opened.repo === opened.repo && proposed.round.base === opened.base.commit,
    );
    if (waiting && !wishes.again) return { kind: "waiting", run: waiting.round.run, branch: waiting.branch };
    for (const path of crew.verifiers.flatMap(({ brings = [] }) => brings))
      await findBrought({ path, specFolder: opened.folder, repo: opened.repo });
    await mustHaveBox(house, opened.spec);
    mustHaveCredentials(house, opened.spec);
    return settled(house, loaded.spec, watch, () => open(house, opened, crew, watch));
  });
}

async function mustBeFree(house: House, loop: string): Promise<void> {
  const { barred } = await standingOf(house, loop);
  if (barred !== undefined) throw heldBack(loop, barred);
}

/** What a run proposes goes on as far as it may; what it took the place of is said to be so; and a loop that gets nowhere is halted. */
async function settled(
  house: House,
  { name: loop, level }: Pick<LoopSpec, "name" | "level">,
  watch: Watch,
  work: () => Promise<RunResult>,
): Promise<RunResult> {
  const result = await work();
  if (result.kind !== "ran" || result.outcome.kind !== "rested") return result;
  const { rest } = result.outcome;
  await demoteIfNeeded(house, loop, result.run);
  if (rest.kind === "accept" && rest.action === "propose") {
    // Below L3 nothing of a new proposal can move, so there is nothing to look at.
    if (level === "L3") await settleOpen(house, loop, watch);
    await supersede(house, loop, result.run, await openProposals(house, loop));
  } else await haltIfNeeded(house, loop);
  await alertNeeds(house, loop);
  return result;
}

/** Said before anything is spent. */
async function mustHaveBox({ box }: House, { box: wished }: LoopSpec): Promise<void> {
  if (wished.maker.when !== "required" && wished.verifiers.when !== "required") return;
  const means = await box.means();
  if (means.kind === "none") throw boxMissing(means);
}

/** The same for what the proxy of a box would have to put in. */
function mustHaveCredentials({ world }: House, { box: { maker } }: LoopSpec): void {
  const credentials = typeof maker.network === "string" ? [] : maker.network.credentials;
  const missing = credentials.find(({ variable }) => (world.env.get(variable) ?? "") === "");
  if (missing)
    throw new LoopError("bad-input", `the variable ${missing.variable}, which holds the credential for ${missing.to}, is not set`, {
      retry: "never",
      hint: "Set it where you start `lw`, or leave it out of `box.maker.network.credentials`.",
    });
}

/** Goes on with a run that was stopped or killed. */
export async function resumeRun(house: House, loop: string, watch: Watch): Promise<RunResult> {
  return holding(house, loop, watch, async () => {
    const last = await lastRun(house, loop);
    if (!last || (last.state.rest && !isResumable(last.state.rest.verdict))) throw nothingToResume(loop);
    if (last.opened.referee) {
      const outcome = await giveUp(house, last, REFEREE_GONE, watch);
      return { kind: "ran", run: last.run, outcome };
    }
    await mustBeFree(house, loop);
    if (last.damaged.length > 0) {
      const outcome = await giveUp(house, last, whyGivenUp(last, last.opened.specHash), watch);
      return { kind: "ran", run: last.run, outcome };
    }
    const spec = specSchema(house.registries).parse(last.opened.spec);
    if (lacksSecrets(spec)) throw secretNotKept(loop, last.opened.specPath);
    const budget = changedBudget(last.opened.spec, await specNow(house, last.opened));
    return settled(house, spec, watch, () => finish(house, last, { crew: assembleCrew(spec, house.registries), budget }, watch));
  });
}

/** Ends an open run for good, without finishing it. */
export async function abandonRun(house: House, loop: string, by: string, watch: Watch): Promise<RunResult> {
  return holding(house, loop, watch, async () => {
    const last = await lastRun(house, loop);
    if (!last || last.state.rest) throw nothingToResume(loop);
    return {
      kind: "ran",
      run: last.run,
      outcome: await giveUp(house, last, { kind: "halt", because: "stopped", reason: `abandoned by ${by}` }, watch),
    };
  });
}

export interface LastRun {
  readonly loop: string;
  readonly run: string;
  readonly opened: RunOpened;
  readonly openedAt: string;
  readonly state: RunState;
  readonly damaged: readonly number[];
}

/** Works while nobody else does on this loop; what came of it is signed before anybody else may. */
async function holding<T>(house: House, loop: string, watch: Watch, work: () => Promise<T>): Promise<T> {
  const lock = await house.takeLoop(loop);
  if (!lock) {
    throw new LoopError("loop-busy", `the loop ${loop} is already running in another process`, {
      retry: "later",
      hint: `See it with \`lw status\`, stop it with \`lw stop ${loop}\`, or wait until it rests.`,
    });
  }
  return workSigned(house, loop, lock, watch, work);
}

export async function lastRun(house: House, loop: string): Promise<LastRun | undefined> {
  const [entry]: readonly (Entry<RunOpened> | undefined)[] = await house.journal.newestOf(loop, "run-opened", { most: 1 });
  if (!entry) return undefined;
  const { entries, damaged } = await house.journal.story(entry.run);
  const state = foldRun(entries);
  return { loop, run: entry.run, opened: state.opened ?? entry.record, openedAt: entry.at, state, damaged };
}

/** The spec as it is in its file now; undefined where it cannot be read any more. */
async function specNow(house: House, { specPath, folder }: RunOpened): Promise<LoopSpec | undefined> {
  const loading = await loadSpec(specPath, folder, house.registries).catch((error: unknown) => {
    if (error instanceof LoopError) return undefined;
    throw error;
  });
  return loading?.kind === "loaded" ? loading.loaded.spec : undefined;
}

/** Another budget does not make it another work order. */
const differsInBudget = (before: LoopSpec, now: LoopSpec): boolean =>
  canonicalJson(withoutUndefined({ ...before, budget: null })) === canonicalJson(withoutUndefined({ ...now, budget: null }));

const withoutUndefined = (value: object): unknown => JSON.parse(JSON.stringify(value));

/** What the run may use from now on, if that is not what is on record. */
const changedBudget = (before: LoopSpec, now: LoopSpec | undefined): LoopSpec["budget"] | undefined =>
  now && differsInBudget(before, now) && canonicalJson(now.budget) !== canonicalJson(before.budget) ? now.budget : undefined;

async function open(house: House, opened: RunOpened, crew: Crew, watch: Watch): Promise<RunResult> {
  const loop = opened.spec.name;
  const run = `${loop}-${opened.number}-${house.world.ids.token()}`;
  // Before anything is on record: what cannot be read refuses the run, and leaves none open.
  const purse = await openPurse(house, { loop, run });
  await house.world.workshop.sweep(loop, run);
  const journal = await openRunJournal(house.journal, { loop, run });
  const entry = await journal.append(opened);
  watch({ kind: "recorded", entry });
  // The run goes by what is on record, so that briefs and reports hold no more than that; only the crew has what the spec says.
  const recorded = entry.record.kind === "run-opened" ? entry.record : opened;
  return {
    kind: "ran",
    run,
    outcome: await drive(house, {
      opened: recorded,
      crew,
      journal,
      world: house.world,
      watch,
      decide: await deciderFor(house, opened),
      purse,
    }),
  };
}

interface Going {
  readonly crew: Crew;
  /** Another one than is on record, if somebody changed it. */
  readonly budget: LoopSpec["budget"] | undefined;
}

async function finish(house: House, last: LastRun, { crew, budget }: Going, watch: Watch): Promise<RunResult> {
  // Whoever worked on it before us is gone, since we have its lock: what it held is spent as far as anybody knows.
  await house.journal.settleLeftovers(last.run);
  const journal = await openRunJournal(house.journal, last);
  await house.world.workshop.sweep(last.loop, last.run);
  watch({ kind: "recorded", entry: await journal.append({ kind: "run-resumed", ...(budget ? { budget } : {}) }) });
  const { run } = last;
  const opened = journal.state.opened ?? last.opened;
  return {
    kind: "ran",
    run,
    outcome: await drive(house, {
      opened,
      crew,
      journal,
      world: house.world,
      watch,
      decide: await deciderFor(house, opened),
      purse: await openPurse(house, last),
    }),
  };
}

/** Closes a run that cannot or shall not go on; what it left is removed, what it recorded stays. */
export async function giveUp(house: House, last: LastRun, rest: Rest, watch: Watch): Promise<Outcome> {
  await house.journal.settleLeftovers(last.run);
  const journal = await openRunJournal(house.journal, last);
  return restRun({ opened: last.opened, journal, world: house.world, watch, decide: await deciderFor(house, last.opened) }, [], rest);
}

/** What a referee judged may be another change by now. */
export const REFEREE_GONE: Rest = {
  kind: "halt",
  because: "stopped",
  reason: "the referee was interrupted; `lw referee` judges what is there now",
};

const whyGivenUp = ({ damaged, opened }: LastRun, specHash: string): Rest =>
  damaged.length > 0 || opened.specHash === specHash
    ? { kind: "halt", because: "cannot-verify", reason: `records ${damaged.join(", ")} of this run are damaged, so it cannot go on` }
    : { kind: "halt", because: "stopped", reason: "the spec was changed while this run was interrupted" };

/** Lets the engine work, and listens for a stop that somebody asked for in the journal. */
export async function drive(house: House, room: RunRoom): Promise<Outcome> {
  const since = room.journal.entries.at(-1)?.seq ?? 0;
  const listening = house.repeat(STOP_POLL_MS, () => {
    house.journal.entriesAfter(since, 1, { run: room.journal.run, kinds: ["stop-requested"] }).then(
      ([asked]) => asked && house.stop(),
      // A journal that cannot be read just now will say so at the next append.
      () => undefined,
    );
    isAllStopped(house).then(
      (isStopped) => isStopped && house.stop(),
      () => undefined,
    );
  });
  try {
    return await runPatiently(house, {
      ...room,
      recall: () => recallBaseline(house.journal, room.journal.loop),
      notes: () => recallNotes(house.journal, room.journal.loop),
    });
  } finally {
    listening.end();
  }
}

/** The engine never waits. A limit that says when it passes is waited for here, as long as the spec allows; the round goes on afterwards. */
async function runPatiently(house: House, room: RunRoom): Promise<Outcome> {
  let patienceMs = parseDuration(room.opened.spec.budget.patience ?? "") ?? 0;
  for (;;) {
    const outcome = await runLoop(room);
    const until = outcome.kind === "paused" ? outcome.failure.until : undefined;
    if (until === undefined) return outcome;
    const waitMs = Math.max(SHORTEST_WAIT_MS, Date.parse(until) - house.world.clock.now().getTime());
    if (waitMs > patienceMs) return outcome;
    patienceMs -= waitMs;
    for (const overMs = house.world.clock.monotonicMs() + waitMs; house.world.clock.monotonicMs() < overMs; ) {
      if (house.world.stopAsked()) return outcome;
      await house.sleep(Math.min(STOP_POLL_MS, overMs - house.world.clock.monotonicMs()));
    }
  }
}

async function describeRun(
  house: House,
  { spec, hash, path, folder }: LoadedSpec,
  crew: Crew,
  last: LastRun | undefined,
): Promise<RunOpened> {
  const { git } = house.world;
  const repo = resolve(folder, spec.target.repo);
  const ref = spec.target.base ?? (await git.headName(repo));
  const commit = await git.resolve(repo, ref);
  if (!commit && crew.make.proposes === "commit") throw baseMissing(repo, ref);
  const remembered = await lastOf(house.journal, spec.name, "remembered");
  return {
    kind: "run-opened",
    number: (last?.opened.number ?? 0) + 1,
    spec,
    specHash: hash,
    policyHash: await policyHashOf(house, folder),
    specPath: path,
    folder,
    repo,
    base: { ref, commit: commit ?? UNBORN },
    cursors: remembered?.record.cursors ?? {},
    version: house.version,
  };
}

/** When the loop is due, if that is not now. */
function dueLater(crew: Crew, lastOpened: string | undefined, now: Date): string | undefined {
  const due = crew.nextDue(lastOpened === undefined ? undefined : new Date(lastOpened));
  if (due.kind === "at-once") return undefined;
  if (due.kind === "never") return "never: its trigger is manual";
  return due.time > now ? due.time.toISOString() : undefined;
}

const nothingToResume = (loop: string): LoopError =>
  new LoopError("bad-input", `the loop ${loop} has no interrupted run`, {
    retry: "never",
    hint: "`lw status` shows all loops; start a new run with `lw run`.",
  });

/** A secret that the spec spelled out is not on record, so that only the spec's file can go on with it. */
const lacksSecrets = ({ trigger, gather, maker, verifiers, notify, gate, act }: LoopSpec): boolean =>
  hasPlaceholder(JSON.stringify([trigger, gather, maker, verifiers, notify, gate, act]));

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
