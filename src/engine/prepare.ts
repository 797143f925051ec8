// What is no part of the repository, such as installed dependencies: made once from base, and copied into every room.

import type { Finished } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { PreparedEntry, PreparedEvidence, Proof } from "../contract/evidence.ts";
import type { TreeFile } from "../contract/git.ts";
import type { Lending } from "../contract/prepared.ts";
import { factsOf, KINDS, type KindName, type Proposal } from "../contract/proposal.ts";
import type { Prepare } from "../contract/spec.ts";
import type { Checkout, Workshop } from "../contract/workshop.ts";
import type { RunJournal } from "../journal/run-journal.ts";
import { DEPENDENCY_FILES, LOCK_FILES } from "../std/dependency-files.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";
import { compileGlobs } from "../std/glob.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { isBoxed } from "./box-wish.ts";
import { isThroughUs } from "./is-through-us.ts";
import { preparingAt } from "./names.ts";
import { timeLeftMs } from "./next-round.ts";
import type { Run } from "./run.ts";
import { outOfTime } from "./worlds/guard-proc.ts";
import { createPreparerWorld } from "./worlds/telling-world.ts";

/** Who writes into the store again and again will not be outrun. */
const MOST_AGAIN = 3;

/**
 * The same run, in which every copy that is opened has the prepared folders in it; a spec that prepares nothing changes nothing.
 * It is made, or found, before the first maker works, and looked at again with every copy.
 */
export async function layPrepared<K extends KindName>(run: Run<K>): Promise<Run<K>> {
  const { prepare } = run.opened.spec;
  if (!prepare || !KINDS[run.kind.name].hasBase) return run;
  const { journal, world } = run;
  const step = run.steps(journal.run);
  await step("prepare", () => take(run, prepare, "made-before-will-do"));

  const lay = async <C extends Pick<Checkout, "work" | "below">>(copy: C, mayLend: boolean): Promise<C> => {
    const isLendable = mayLend && !journal.state.baseline?.checks.some(({ rooms }) => rooms === "copied");
    for (;;) {
      const made = preparationsOf(journal);
      const entry = made.at(-1)!;
      const lending = isLendable ? await world.prepared.lend(entry, copy, prepare.keep) : NOT_LENT;
      if (lending.kind === "lent") return { ...copy, below: [lending.layer, ...(copy.below ?? [])] };
      if (lending.kind === "not-lent" && (await world.prepared.lay(entry, copy, prepare.keep))) return copy;
      if (made.length > MOST_AGAIN) throw writtenInto();
      await step(`prepare-again-${made.length}`, async () => {
        await world.prepared.drop(entry);
        // What else lies there may be of the same hand.
        return take(run, prepare, "made-now");
      });
    }
  };
  const { workshop } = world;
  // Only a box shows what lies under a room, and only where all are in one does nobody reach what is lent: that is looked at once.
  const forVerifiers = isBoxed("maker", run) && isBoxed("verifiers", run);
  // Where we read and write for a maker, all that is in its copy must lie there.
  const forMakers = forVerifiers && ![...run.crew.makers, ...(run.crew.team?.values() ?? [])].some(isThroughUs);
  const laid: Workshop = {
    ...workshop,
    openWorkspace: async (repo, round, apart) => lay(await workshop.openWorkspace(repo, round, apart), forMakers),
    checkOut: async (repo, round, commit, verifier) => lay(await workshop.checkOut(repo, round, commit, verifier), forVerifiers),
    openRoom: async (round, plan) => lay(await workshop.openRoom(round, plan), forVerifiers && !plan.isCopied),
  };
  return { ...run, world: { ...world, workshop: laid } };
}

const NOT_LENT: Lending = { kind: "not-lent" };

/** What this run prepared so far, oldest first. */
export const preparationsOf = ({ run, entries }: Pick<RunJournal, "run" | "entries">): readonly PreparedEntry[] =>
  entries.flatMap(({ record }) =>
    record.kind === "step-done" && record.roundId === run && /^prepare(-again-\d+)?$/.test(record.step)
      ? [record.result as PreparedEntry] // what these same steps wrote
      : [],
  );

async function take(run: Run, prepare: Prepare, which: "made-before-will-do" | "made-now"): Promise<PreparedEntry> {
  const { opened, world } = run;
  const files = await world.git.filesOf(opened.repo, opened.base.commit);
  mustBeUntracked(prepare, files);
  const id = idOf(prepare, files, { repo: opened.repo, base: opened.base.commit, machine: world.prepared.machine });
  return world.prepared.exclusively(id, parseDuration(prepare.time)!, async () => {
    await world.prepared.collect();
    const before = which === "made-before-will-do" ? await world.prepared.find(id) : undefined;
    return before ?? make(run, prepare, id);
  });
}

async function make(run: Run, prepare: Prepare, id: string): Promise<PreparedEntry> {
  const { opened, journal, world } = run;
  const left = timeLeftMs(opened, journal.state);
  if (left === 0) throw outOfTime(opened.spec.budget);
  const at = preparingAt(journal.loop, journal.run);
  const copy = await world.workshop.openBase(opened.repo, at, opened.base.commit);
  const { proc, env } = createPreparerWorld(at.id, left, prepare.inherit, run);
  const commands = run.meter.commands(at);
  const finished = await proc.run({
    run: prepare.run,
    cwd: copy.work,
    timeoutMs: parseDuration(prepare.time)!,
    env: { HOME: copy.home, CI: "1", ...chosenEnvironment(prepare.inherit, env) },
  });
  commands.add(finished);
  await commands.settle();
  if (finished.end.kind !== "exited" || finished.end.code !== 0) throw notPrepared(prepare, finished);
  const entry = await world.prepared.put(id, copy, prepare.keep);
  await world.workshop.close(at);
  return entry;
}

/** What base tracks is the proposal's to change, so it cannot be put in place of the proposal's. */
function mustBeUntracked({ keep }: Prepare, files: readonly TreeFile[]): void {
  const isAtOrIn = (inner: string, outer: string): boolean => `${inner}/`.toLowerCase().startsWith(`${outer}/`.toLowerCase());
  for (const folder of keep) {
    const tracked = files.find(({ path }) => isAtOrIn(path, folder) || isAtOrIn(folder, path));
    if (tracked)
      throw new LoopError("prepare-failed", `${JSON.stringify(folder)} cannot be kept: base tracks ${JSON.stringify(tracked.path)}`, {
        retry: "never",
        hint: "Name in `prepare.keep` only folders that are no part of the repository.",
      });
  }
}

interface On {
  readonly repo: string;
  readonly base: string;
  readonly machine: string;
}

/** Two repositories never share, even if their lock files are the same: what a command does may depend on more than these. */
export function idOf({ run, keep, from, inherit }: Prepare, files: readonly TreeFile[], { repo, base, machine }: On): string {
  const isDecisive = compileGlobs(from ?? DEPENDENCY_FILES);
  const decisive = files.filter(({ path }) => isDecisive(path)).map(({ path, mode, blob }) => [path, mode, blob]);
  return sha256(canonicalJson({ version: 1, run, keep, inherit, machine, repo, files: decisive.length > 0 ? decisive : base })).slice(
    0,
    40,
  );
}

/** What the evidence of a round says about it. */
export function preparedEvidence({ opened, journal }: Run, proposal: Proposal): PreparedEvidence | undefined {
  const made = preparationsOf(journal);
  const last = made.at(-1);
  if (!opened.spec.prepare || !last) return undefined;
  return { ...last, again: made.length - 1, changed: decisiveChanges(opened.spec.prepare, proposal) };
}

function decisiveChanges({ from }: Prepare, proposal: Proposal): readonly string[] {
  const isDecisive = compileGlobs(from ?? DEPENDENCY_FILES);
  return factsOf(proposal)
    .changes.map(({ path }) => path)
    .filter((path) => isDecisive(path));
}

/** A proof by base's dependencies says so where the proposal wanted others. */
export function tellPrepared(proof: Proof, prepared: PreparedEvidence | undefined): Proof {
  if (!prepared || prepared.changed.length === 0) return proof;
  const files = prepared.changed.slice(0, 3).join(", ");
  const more = prepared.changed.length > 3 ? ` and ${prepared.changed.length - 3} more` : "";
  return {
    ...proof,
    detail: `${proof.detail}\n(what was prepared, such as dependencies, is base's, although the change touches ${files}${more})`,
  };
}

const MISSING =
  /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|No module named|\(exit 127\)|exited 127|Could not find gem|cannot load such file|Class ".*" not found/;

/** A check that misses what a package manager would install may only need `prepare`. */
export async function missingModulesHint({ opened, world }: Run, proofs: readonly Proof[]): Promise<readonly string[]> {
  if (opened.spec.prepare || !proofs.some(({ outcome, detail }) => outcome !== "holds" && MISSING.test(detail))) return [];
  const isLock = compileGlobs(LOCK_FILES);
  const lock = (await world.git.filesOf(opened.repo, opened.base.commit)).find(({ path }) => isLock(path));
  if (!lock) return [];
  return [
    `a check seems to miss installed packages, and base has ${lock.path}: add \`prepare\` to the spec, for example {run: "npm ci", keep: ["node_modules"]}`,
  ];
}

function notPrepared({ run, time }: Prepare, { end, tail }: Finished): LoopError {
  const how =
    end.kind === "exited"
      ? `exited ${end.code}`
      : end.kind === "killed"
        ? `was killed by ${end.signal}`
        : `took longer than ${end.afterMs} ms (prepare.time is ${time})`;
  return new LoopError(
    "prepare-failed",
    `\`${run}\` ${how} on base, before anything was spent${tail.trim() === "" ? "" : `\n${tail.trim().slice(-2000)}`}`,
    {
      retry: "never",
      hint: "Try it in a fresh clone of base; HOME is an empty folder there, and variables must be named in `prepare.inherit`.",
    },
  );
}

const writtenInto = (): LoopError =>
  new LoopError("prepare-failed", `what was prepared was changed ${MOST_AGAIN + 1} times while it lay in the store`, {
    retry: "never",
    hint: "Something writes into loopwright's home, perhaps a process that a check left behind; find it, then start a new run.",
  });
