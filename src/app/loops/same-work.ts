// Whether a waking would only do again what waits for a person already: told by the records and by where branches point, and nothing is started.
import { dirname, resolve } from "node:path";
import { isDecided, KINDS } from "../../contract/proposal.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { type Proposed, proposedIn } from "../../engine/proposed.ts";
import type { House } from "../open-house.ts";
import type { Records } from "../open-records.ts";

type Reading = Pick<Records, "journal"> & Pick<House, "refsOnDisk">;

/** What never changes about a proposal: read once, and remembered as long as it waits. */
export type RememberedProposals = Map<string, Pick<Proposed, "opened" | "round" | "proposal" | "branch"> | undefined>;

export interface Waiting {
  readonly loop: string;
  /** The runs whose proposals wait, newest first. */
  readonly runs: readonly string[];
  readonly spec: LoopSpec;
  readonly path: string;
  readonly remembered: RememberedProposals;
}

const MOST_REMEMBERED = 5_000;
/** So many are looked at; whoever has more of them waiting is told by who opens the run. */
const MOST_LOOKED_AT = 20;
/** Since somebody did one of these, more than a look at branches is needed. */
const TOUCHING = ["decided", "amended", "refreshed", "action-began"] as const;

/**
 * In words; undefined where there is none, and where only who opens the run can tell: with inputs, which make it another work order; of a
 * loop that may move things by itself; after somebody decided; or where branches cannot be read without git.
 */
export async function readSameWork(reading: Reading, { loop, runs, spec, path, remembered }: Waiting): Promise<string | undefined> {
  if (runs.length === 0 || spec.level === "L3" || Object.keys(spec.inputs ?? {}).length > 0) return undefined;
  const touched = await touchedRuns(reading, loop);
  for (const run of runs.slice(0, MOST_LOOKED_AT)) {
    if (touched.has(run)) continue;
    const waiting = await proposalOf(reading, run, remembered);
    if (waiting && (await isForThis(reading, waiting, spec, path)))
      return `the proposal of ${run} for the same base still waits for a person`;
  }
  return undefined;
}

async function touchedRuns({ journal }: Reading, loop: string): Promise<ReadonlySet<string>> {
  const all = await Promise.all(TOUCHING.map((kind) => journal.newestOf(loop, kind, { most: 200 })));
  // Who puts it off has only said when they want to be asked again.
  return new Set(all.flat().flatMap(({ run, record }) => (record.kind === "decided" && record.decision === "defer" ? [] : [run])));
}

async function proposalOf({ journal }: Reading, run: string, remembered: RememberedProposals) {
  if (remembered.has(run)) return remembered.get(run);
  const proposed = proposedIn((await journal.story(run)).entries);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(run, proposed);
  return proposed;
}

/** The same repository and base as a run that is opened now would have; and the branch is as it was left. */
async function isForThis(
  { refsOnDisk }: Reading,
  { opened, round, proposal, branch }: NonNullable<ReturnType<RememberedProposals["get"]>>,
  { target }: LoopSpec,
  path: string,
): Promise<boolean> {
  if (!isDecided(proposal) || Object.keys(opened.inputs ?? {}).length > 0 || opened.spec.level === "L3") return false;
  const { isOwn } = KINDS[proposal.kind];
  const repo = isOwn ? opened.repo : resolve(dirname(path), target.repo);
  const { ref } = opened.base;
  const found = repo === opened.repo ? await refsOnDisk(repo, [ref, branch]) : undefined;
  const isSameRef = isOwn || ref === (target.base ?? found?.head);
  return isSameRef && found?.tips.get(ref) === round.base && found.tips.get(branch) === proposal.commit;
}
