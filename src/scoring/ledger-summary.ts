// What many runs come to, over any number of sources: each run counted once, and every source that cannot be believed named. Pure.
import type { LedgerRun, LedgerSource, RunResult } from "../contract/receipt.ts";

export interface LedgerSummary extends Tally {
  /** By name, the most runs first. */
  readonly byLoop: readonly NamedTally[];
  readonly byMaker: readonly NamedTally[];
  /** By day (UTC), oldest first. */
  readonly byDay: readonly NamedTally[];
  readonly first: string | null;
  readonly last: string | null;
  /** Copies of runs that were counted once. */
  readonly duplicates: number;
  /** The same run with different contents: at least one of them is not what was written. */
  readonly conflicts: readonly { readonly run: string; readonly sources: readonly string[] }[];
  readonly sources: readonly SourceSummary[];
  /** Only when there is a source, and every one of them is whole. */
  readonly isWhole: boolean;
}

export interface Tally {
  readonly total: number;
  readonly passed: number;
  readonly refused: number;
  readonly unknown: number;
  readonly nothingToDo: number;
  /** Of those that had something to do, the share that passed; null when there are none. */
  readonly rate: number | null;
  readonly findings: number;
  /** What is known of the cost, and of how many runs it is not. */
  readonly usd: number;
  readonly costUnknown: number;
}

export interface NamedTally extends Tally {
  readonly name: string;
}

export interface SourceSummary {
  readonly label: string;
  readonly system: LedgerRun["system"];
  readonly runs: number;
  readonly chain: LedgerSource["chain"];
}

export function summarizeLedger(sources: readonly LedgerSource[]): LedgerSummary {
  const { runs, duplicates, conflicts } = countOnce(sources);
  const times = runs.flatMap(({ at }) => (at === "" ? [] : [at])).sort();
  return {
    ...tallyOf(runs),
    byLoop: tallyBy(runs, ({ loop }) => loop).toSorted(mostFirst),
    byMaker: tallyBy(runs, ({ maker }) => maker ?? "unknown").toSorted(mostFirst),
    byDay: tallyBy(runs, ({ at }) => at.slice(0, 10) || "unknown").toSorted(byName),
    first: times[0] ?? null,
    last: times.at(-1) ?? null,
    duplicates,
    conflicts,
    sources: sources.map(({ label, system, runs: own, chain }) => ({ label, system, runs: own.length, chain })),
    isWhole: sources.length > 0 && conflicts.length === 0 && sources.every(({ chain }) => chain.kind === "whole"),
  };
}

interface Seen {
  readonly run: LedgerRun;
  readonly label: string;
}

/**
 * Ids are `system:run:hash`. The same id is the same run: of its copies the one that was taken last counts. The same run with
 * another hash is another run, and is named.
 */
function countOnce(
  sources: readonly LedgerSource[],
): Pick<LedgerSummary, "duplicates" | "conflicts"> & { readonly runs: readonly LedgerRun[] } {
  const known = new Map<string, Seen>();
  const contents = new Map<string, Map<string, string>>();
  const atOdds = new Map<string, Set<string>>();
  let duplicates = 0;
  for (const { label, runs } of sources) {
    for (const run of runs) {
      const before = known.get(run.id);
      if (before) duplicates += 1;
      if (before && disagree(before.run, run)) atOdds.set(run.id, new Set([...(atOdds.get(run.id) ?? []), before.label, label]));
      if (!before || isLater(run, before.run)) known.set(run.id, { run, label });
      const name = run.system === "strive" ? run.id : run.id.slice(0, run.id.lastIndexOf(":"));
      const hashes = contents.get(name) ?? new Map<string, string>();
      contents.set(name, hashes.set(run.id, label));
    }
  }
  const forked = [...contents]
    .filter(([, hashes]) => hashes.size > 1)
    .map(([run, hashes]) => ({ run, sources: [...new Set(hashes.values())] }));
  const changed = [...atOdds].map(([run, labels]) => ({ run, sources: [...labels] }));
  return { runs: [...known.values()].map(({ run }) => run), duplicates, conflicts: [...forked, ...changed] };
}

/** At the same time it cannot have come to two results. */
const disagree = (one: LedgerRun, other: LedgerRun): boolean => one.at === other.at && one.result !== other.result;

/** Where copies disagree about the same time, the worse one counts. */
const isLater = (run: LedgerRun, before: LedgerRun): boolean =>
  run.at > before.at || (run.at === before.at && WORSE.indexOf(run.result) > WORSE.indexOf(before.result));

const WORSE: readonly RunResult[] = ["passed", "nothing-to-do", "unknown", "refused"];

function tallyOf(runs: readonly LedgerRun[]): Tally {
  const counted = (result: RunResult): number => runs.filter((run) => run.result === result).length;
  const [passed, refused, unknown] = [counted("passed"), counted("refused"), counted("unknown")];
  const tried = passed + refused + unknown;
  return {
    total: runs.length,
    passed,
    refused,
    unknown,
    nothingToDo: counted("nothing-to-do"),
    rate: tried === 0 ? null : passed / tried,
    findings: runs.reduce((sum, run) => sum + (run.findings ?? 0), 0),
    usd: runs.reduce((sum, run) => sum + (run.usd ?? 0), 0),
    costUnknown: runs.filter((run) => run.usd === undefined).length,
  };
}

function tallyBy(runs: readonly LedgerRun[], keyOf: (run: LedgerRun) => string): readonly NamedTally[] {
  const groups = new Map<string, LedgerRun[]>();
  for (const run of runs) {
    const key = keyOf(run);
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  return [...groups].map(([name, group]) => ({ name, ...tallyOf(group) }));
}

const byName = (a: NamedTally, b: NamedTally): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const mostFirst = (a: NamedTally, b: NamedTally): number => b.total - a.total || byName(a, b);
