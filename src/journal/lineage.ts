// What became of a loop's own changes: its versions over all runs, with the metric before and after each, and which one counts next. Pure.
import { AS_WRITTEN, type Improved, type Instructions, type Mark, NO_CHANGE, type Version } from "../contract/improve.ts";
import type { Entry } from "../contract/record.ts";
import { foldRun, type RunState } from "./fold.ts";

/** One version, as people look at it. */
export interface VersionView {
  readonly run: string;
  readonly version: string;
  readonly parent: string;
  readonly roundId: string;
  readonly use: string;
  readonly why: string;
  readonly instructions: Instructions;
  readonly metric: string;
  readonly before: number | null;
  /** Of the first round that worked by it; null where none did, or nobody could tell. */
  readonly after: number | null;
  readonly state: "tried" | "untried" | "undone" | "waits";
  readonly undone: { readonly why: string; readonly by: string | null } | null;
}

/** Of one run, oldest first. */
export function versionsIn(run: string, state: RunState): readonly VersionView[] {
  return state.lineage.flatMap((one) => {
    if (one.kind === "undone") return [];
    const { version, parent, roundId, use, why, instructions, before } = one;
    const back = state.lineage.find((other) => other.kind === "undone" && other.version === version);
    const after = markAfter(state, one.version, before.metric);
    return [
      {
        run,
        version,
        parent,
        roundId,
        use,
        why,
        instructions,
        metric: before.metric,
        before: before.value,
        after: after?.value ?? null,
        state: one.kind === "improvement-proposed" ? "waits" : back ? "undone" : after ? "tried" : "untried",
        undone: back?.kind === "undone" ? { why: back.why, by: back.by ?? null } : null,
      } satisfies VersionView,
    ];
  });
}

const markAfter = ({ rounds }: RunState, version: string, metric: string): Mark | undefined => {
  const first = rounds.find(({ round, verdict }) => round.version === version && verdict !== undefined);
  return first && { metric, value: first.evidence?.metrics?.values[metric] ?? null };
};

/** A way back that a person chose, or took over. */
export interface WentBack {
  readonly run: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly why: string;
  readonly at: string;
}

export const waysBackIn = (entries: readonly Entry[]): readonly WentBack[] =>
  entries.flatMap(({ run, at, record }) =>
    record.kind === "undone" && record.by !== undefined
      ? [{ run, from: record.version, to: record.to.version, by: record.by, why: record.why, at }]
      : [],
  );

/**
 * What the next run begins with, where changes last: what the last one worked by, as far back as a version was tried and stood, and
 * was not made of outsiders' words.
 */
export function carriedOn(entries: readonly Entry[]): Version | undefined {
  const state = foldRun(entries);
  const last = state.lineage.at(-1);
  if (last === undefined) return state.opened?.improved;
  if (last.kind === "undone" && last.by !== undefined) return asVersion(last.to);
  let { version } = state.version;
  const made = (name: string): Improved | undefined =>
    state.lineage.findLast((one): one is Improved => one.kind === "improved" && one.version === name);
  for (let one = made(version); one; one = made(version)) {
    const stood = markAfter(state, one.version, one.before.metric)?.value ?? null;
    if (stood !== null && !one.isTainted) return asVersion(one);
    version = one.parent;
  }
  return version === state.opened?.improved?.version ? state.opened.improved : undefined;
}

const asVersion = ({ version, instructions }: Version): Version | undefined =>
  version === AS_WRITTEN ? undefined : { version, instructions };

/** The version of that name, of any of these runs; the spec's own where it is asked for. */
export function findVersion(views: readonly VersionView[], name: string): Version | undefined {
  if (name === AS_WRITTEN) return { version: AS_WRITTEN, instructions: NO_CHANGE };
  const found = views.filter(({ version }) => version.startsWith(name));
  const [first] = found;
  return first && found.every(({ version }) => version === first.version)
    ? { version: first.version, instructions: first.instructions }
    : undefined;
}
