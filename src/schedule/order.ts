// Whose turn it is when not all can run: priority and ageing, what each needs and what is left of it.
import type { WakingReason } from "../contract/waking.ts";
import type { Limits, Needs, Running } from "./ports.ts";

/** One loop that could start, or whose interrupted run could go on, if there is room. */
export interface Candidate extends Needs {
  readonly kind: "start" | "resume";
  readonly dueAt: number;
  readonly unservedSince: number;
  /** Its account was used up until lately: one run tries it, and the others follow. */
  readonly probes: string | undefined;
}

const AGEING_MS = 10 * 60_000;
/** Who waited so long keeps what it needs for itself as it comes free. */
const RESERVING_MS = 3_600_000;

/** What has been begun goes on first; then the highest priority, which grows while it waits; spare loops last. */
export function inOrder(candidates: Iterable<Candidate>, now: number): readonly Candidate[] {
  const ranked = [...candidates].map((candidate) => ({ candidate, effective: effectivePriority(candidate, now) }));
  return ranked
    .sort(
      (a, b) =>
        rank(a.candidate) - rank(b.candidate) ||
        b.effective - a.effective ||
        a.candidate.dueAt - b.candidate.dueAt ||
        (a.candidate.loop < b.candidate.loop ? -1 : 1),
    )
    .map(({ candidate }) => candidate);
}

const rank = ({ kind, spare }: Candidate): number => (spare ? 2 : kind === "resume" ? 0 : 1);

export const effectivePriority = ({ priority, spare, unservedSince }: Candidate, now: number): number =>
  spare ? priority : priority + Math.max(0, Math.floor((now - unservedSince) / AGEING_MS));

export interface Room {
  /** Why there is none for it; undefined where there is. */
  lacks(candidate: Candidate): Lack | undefined;
  take(needs: Needs): void;
  /** Keeps what it needs and is free from those who come after it, if it waited long enough. */
  reserve(candidate: Candidate, now: number): void;
}

export interface Lack {
  readonly for: Extract<WakingReason, "collision" | "machine" | "limit">;
  readonly of: "target" | "runs" | "maker" | "account" | "head-room";
  readonly says: string;
}

/** What is left, given what runs. */
export function roomFor(running: readonly Needs[], limits: Limits): Room {
  const used: Tally = { runs: 0, writers: new Map(), makers: new Map(), accounts: new Map() };
  const kept: Tally = { runs: 0, writers: new Map(), makers: new Map(), accounts: new Map() };
  for (const needs of running) add(used, needs);
  const writersOf = (target: string): number => (used.writers.get(target) ?? 0) + (kept.writers.get(target) ?? 0);
  const makersOf = (maker: string): number => (used.makers.get(maker) ?? 0) + (kept.makers.get(maker) ?? 0);
  const most = (maker: string): number => limits.perMaker[maker] ?? Number.POSITIVE_INFINITY;
  return {
    lacks({ target, repo = target, writes, maker, probes }) {
      if (writes && writersOf(target) >= limits.writersPerTarget)
        return { for: "collision", of: "target", says: `another run writes to ${repo}` };
      if (used.runs + kept.runs >= limits.runs) return { for: "machine", of: "runs", says: `this machine has its ${limits.runs} runs` };
      if (makersOf(maker) >= most(maker))
        return { for: "machine", of: "maker", says: `this machine has its ${most(maker)} runs of ${maker}` };
      if (probes !== undefined && (used.accounts.get(probes) ?? 0) > 0)
        return { for: "limit", of: "account", says: `another run tries first whether the account ${probes} can be used again` };
      return undefined;
    },
    take: (needs) => add(used, needs),
    reserve(candidate, now) {
      if (now - candidate.unservedSince < RESERVING_MS || candidate.spare) return;
      const { target, writes, maker } = candidate;
      if (used.runs + kept.runs < limits.runs) kept.runs++;
      if (writes && writersOf(target) < limits.writersPerTarget) count(kept.writers, target);
      if (makersOf(maker) < most(maker)) count(kept.makers, maker);
    },
  };
}

interface Tally {
  runs: number;
  readonly writers: Map<string, number>;
  readonly makers: Map<string, number>;
  readonly accounts: Map<string, number>;
}

function add(tally: Tally, { target, writes, maker, account }: Needs): void {
  tally.runs++;
  if (writes) count(tally.writers, target);
  count(tally.makers, maker);
  if (account !== undefined) count(tally.accounts, account);
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** The spare run that is to make room for somebody who lacks it: of those in its way, the one with the lowest priority. */
export function spareToStop(running: readonly Running[], { target, maker }: Needs, { of }: Lack): Running | undefined {
  const isInTheWay: { readonly [L in Lack["of"]]: (run: Running) => boolean } = {
    target: (run) => run.writes && run.target === target,
    runs: () => true,
    maker: (run) => run.maker === maker,
    "head-room": () => true,
    account: () => false,
  };
  return running
    .filter((run) => run.spare && run.run !== undefined && isInTheWay[of](run))
    .toSorted((a, b) => a.priority - b.priority || (a.loop < b.loop ? -1 : 1))[0];
}
