// From a spec to a run that rests: goes on where an earlier process stopped, or opens a new run, when somebody asks for it by hand.

import { resolve } from "node:path";
import type { Crew } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import { KINDS } from "../../contract/proposal.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { Watch } from "../../contract/watch.ts";
import type { LimitWish } from "../../engine/run.ts";
import { readTriggerKnownSince } from "../../journal/known-loops.ts";
import { type LastRun, readLastRun } from "../../journal/loop-facts.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { specSchemaFor } from "../../spec/schema.ts";
import { firstLine } from "../../std/display-text.ts";
import { shellWord } from "../../std/shell-word.ts";
import { assembleCrew } from "../crew.ts";
import { fallBackIfNeeded } from "../decisions/autonomy.ts";
import { settleOpen } from "../decisions/carry-out.ts";
import type { House } from "../open-house.ts";
import { describeRun, finish, holding, mustBeFree, open, type RunResult } from "./begin-run.ts";
import { giveUp } from "./give-up.ts";
import { asRecorded, type LoadedSpec, loadSpecBy } from "./load-spec.ts";
import { mustHaveAll } from "./open-run.ts";

import { changedBudget, isToldTheSame, lacksSecrets, planResuming, planWaking, type RunWishes } from "./plan-waking.ts";
import { type BesideWish, writing } from "./room.ts";
import { takeInputs } from "./take-inputs.ts";

/** Runs a loop until it rests. An interrupted run of the same spec is finished first, instead of a new one. */
export async function runSpec(house: House, loaded: LoadedSpec, wishes: RunWishes, watch: Watch): Promise<RunResult> {
  const { spec } = loaded;
  return holding(house, spec.name, watch, async () => {
    await mustBeFree(house, spec.name);
    const crew = assembleCrew(spec, house.registries);
    const last = await readLastRun(house.journal, spec.name);
    const recorded = asRecorded(house, spec);
    const now = house.world.clock.now();
    const given = wishes.inputs && takeInputs(house, spec, wishes.inputs);
    const knownSince = wishes.onlyIfDue ? await readTriggerKnownSince(house.journal, spec.name) : undefined;
    const plan = planWaking({
      last,
      knownSince,
      spec,
      hashes: [recorded.hash, loaded.hash],
      wishes,
      inputs: given,
      waker: crew.waker,
      now,
    });
    if (plan.kind === "finish") return writes(plan.last.opened.repo, () => finish(house, plan.last, crew, plan.budget, { watch }));
    if (plan.givesUp) await giveUp(house, plan.givesUp, watch);
    if (plan.kind === "not-due") return { kind: "not-due", nextDue: plan.nextDue };
    return writes(resolve(loaded.folder, spec.target.repo), () =>
      beginNew(house, { loaded: { ...loaded, ...recorded }, crew, last, inputs: given ?? takeInputs(house, spec, {}), wishes }, watch),
    );

    /** Whoever waited for the repository goes by what holds then. */
    function writes(repo: string, work: () => Promise<RunResult>): Promise<RunResult> {
      if (!KINDS[crew.proposes].hasBase) return work();
      return writing(house, { loop: spec.name, repo, beside: wishes.beside }, async () => {
        await mustBeFree(house, spec.name);
        return work();
      });
    }
  });
}

interface NewRun {
  readonly loaded: Pick<LoadedSpec, "spec" | "hash" | "path" | "folder">;
  readonly crew: Crew;
  readonly last: LastRun | undefined;
  readonly inputs: RunOpened["inputs"];
  readonly wishes: RunWishes;
}

async function beginNew(house: House, { loaded, crew, last, inputs, wishes }: NewRun, watch: Watch): Promise<RunResult> {
  const { name } = loaded.spec;
  const opened = await describeRun(house, loaded, crew, last, inputs);
  await fallBackIfNeeded(house, name);
  const waiting = (await settleOpen(house, name, watch)).find(
    (proposed) =>
      proposed.opened.repo === opened.repo && proposed.round.base === opened.base.commit && isToldTheSame(proposed.opened.inputs, inputs),
  );
  if (waiting && !wishes.again) return { kind: "waiting", run: waiting.round.run, branch: waiting.branch };
  await mustHaveAll(house, opened, crew);
  return open(house, opened, crew, watch);
}

/** Whether the last run of a loop can go on. */
export const canResume = async ({ journal }: Pick<House, "journal">, loop: string): Promise<boolean> =>
  planResuming(await readLastRun(journal, loop)) !== undefined;

export interface ResumeWishes {
  readonly limits?: LimitWish;
  readonly beside?: BesideWish;
  /** Hears that the spec's file says something else now than what the run goes on with. */
  readonly tell?: (word: string) => void;
}

/** Goes on with a run that was stopped or killed, and waits for limits of accounts unless it is wished otherwise. */
export async function resumeRun(
  house: House,
  loop: string,
  watch: Watch,
  { limits = "wait", beside, tell }: ResumeWishes = {},
): Promise<RunResult> {
  return holding(house, loop, watch, async () => {
    const plan = planResuming(await readLastRun(house.journal, loop));
    if (!plan) throw nothingToResume(loop);
    const { last } = plan;
    if (!last.opened.referee) await mustBeFree(house, loop);
    if (plan.kind === "give-up") return { kind: "ran", run: last.run, outcome: await giveUp(house, plan, watch) };
    const spec = specSchemaFor(last.opened.spec, house.registries).parse(last.opened.spec);
    const { trigger, gather, maker, verifiers, notify, gate, act } = spec;
    if (lacksSecrets({ trigger, gather, maker, verifiers, notify, gate, act })) throw secretNotKept(loop, last.opened.specPath);
    const now = await specNow(house, last.opened);
    const budget = changedBudget(last.opened.spec, now.loaded?.spec);
    const word = budget ? undefined : tellSince(house, last.opened, now);
    if (word !== undefined) tell?.(word);
    const crew = assembleCrew(spec, house.registries);
    const goOn = (): Promise<RunResult> => finish(house, last, crew, budget, { watch, limits });
    return KINDS[crew.proposes].hasBase ? writing(house, { loop, repo: last.opened.repo, beside }, goOn) : goOn();
  });
}

/** Ends an open run for good, without finishing it, and says which of its copies could not be removed. */
export async function abandonRun(
  house: House,
  loop: string,
  by: string,
  watch: Watch,
): Promise<RunResult & { readonly left: readonly string[] }> {
  return holding(house, loop, watch, async () => {
    const last = await readLastRun(house.journal, loop);
    if (!last || last.state.rest || last.opened.parent) throw nothingToResume(loop);
    // Before anything is written: a copy may be what fills the disk.
    const left = await house.world.workshop.sweep(loop, "");
    const rest = { kind: "halt", because: "stopped", reason: `abandoned by ${by}` } as const;
    return { kind: "ran", run: last.run, outcome: await giveUp(house, { last, rest }, watch), left };
  });
}

/** The spec as it is in its file now, or what is wrong with it. */
interface SpecNow {
  readonly loaded?: LoadedSpec;
  readonly wrong?: string;
}

async function specNow(house: House, { specPath, folder }: RunOpened): Promise<SpecNow> {
  const loading = await loadSpecBy(house.texts, specPath, folder, house.registries).catch((error: unknown) => {
    if (error instanceof LoopError) return error;
    throw error;
  });
  if (loading instanceof LoopError) return { wrong: loading.message };
  if (loading.kind === "loaded") return { loaded: loading.loaded };
  const [first] = loading.problems;
  return { wrong: first ? formatProblem(first) : "it says nothing" };
}

/** Undefined where it says what it said. */
function tellSince(house: House, { specPath, specHash }: RunOpened, { loaded, wrong }: SpecNow): string | undefined {
  if (wrong !== undefined)
    return `the spec cannot be read any more: ${firstLine(wrong, 300)}; this run goes on with what it began with, and \`lw validate ${shellWord(specPath)}\` says what to mend before the next`;
  if (!loaded || [loaded.hash, asRecorded(house, loaded.spec).hash].includes(specHash)) return undefined;
  return `${specPath} was changed since this run began: it goes on with what it began with, and what is written now counts from the next \`lw run\` on`;
}

export const nothingToResume = (loop: string): LoopError =>
  new LoopError("bad-input", `the loop ${loop} has no interrupted run`, {
    retry: "never",
    hint: "`lw status` shows all loops; start a new run with `lw run`.",
  });

const secretNotKept = (loop: string, specPath: string): LoopError =>
  new LoopError("bad-input", `the spec of ${loop} holds a secret, which is not on record, so the run cannot go on from there`, {
    retry: "never",
    hint: `Finish it with \`lw run ${shellWord(specPath)}\`; better, put the secret into a variable and name that in \`inherit\`.`,
  });
