// Finds the loop that somebody means, by file, by name or by a run, and tells what it is made of.
import type { LoopSeen } from "../../anatomy/model.ts";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import { anatomyOf } from "../../spec/anatomy.ts";
import type { Records } from "../open-records.ts";
import { findRun } from "../records/find-run.ts";
import { viewOf } from "../records/views.ts";
import { findSpecBy } from "../runs/load-spec.ts";
import { type LoopRuns, runsOf } from "../scores/score-runs.ts";
import { type LoopRead, readLoopBy } from "./read-loop.ts";

export interface FoundLoop {
  readonly read: LoopRead;
  /** What is on record of it; undefined where it never ran. */
  readonly seen: LoopSeen | undefined;
  /** Where its spec lies, as it was found; undefined where it is only on record. */
  readonly file: string | undefined;
}

/** A spec of that name in this folder; else one that is on record, as its last run had it. */
export async function findLoopBy(
  records: Pick<Records, "journal">,
  texts: Texts,
  asked: string,
  cwd: string,
  registries: Registries,
): Promise<FoundLoop> {
  const file = await findSpecBy(texts, asked, cwd).catch(orUndefined);
  if (file !== undefined) {
    const read = await readLoopBy(texts, file, cwd, registries);
    const runs = read.kind === "read" ? await runsOf(records, read.anatomy.name) : undefined;
    return { read, seen: runs && seenIn(runs), file };
  }
  const { loop } = await viewOf(records, await findRun(records, asked));
  const runs = await runsOf(records, loop);
  if (!runs) throw new TypeError(`a run of ${loop} without a record`);
  return {
    read: { kind: "read", anatomy: anatomyOf(runs.spec, registries), form: "Loopwright", problems: [] },
    seen: seenIn(runs),
    file: undefined,
  };
}

const orUndefined = (error: unknown): undefined => {
  if (!(error instanceof LoopError)) throw error;
  return undefined;
};

function seenIn({ views }: LoopRuns): LoopSeen {
  const rounds = views.flatMap((view) => view.rounds);
  return {
    runs: views.length,
    rounds: rounds.length,
    verdicts: counted(rounds.flatMap(({ verdict }) => verdict?.kind ?? [])),
    endings: counted(views.flatMap(({ rest }) => (rest === null ? [] : "because" in rest ? `${rest.kind} (${rest.because})` : rest.kind))),
  };
}

function counted(kinds: readonly string[]): { readonly [kind: string]: number } {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
}
