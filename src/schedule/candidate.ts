// Who could run if there were room, as a look at a loop says.
import type { TickTime } from "./due.ts";
import type { Look } from "./look.ts";
import type { Candidate } from "./order.ts";
import type { LoopFacts, LoopPlan, Needs } from "./ports.ts";

export function candidateOf(plan: LoopPlan, facts: LoopFacts, { first, resumes }: Look, { now }: TickTime): Candidate | undefined {
  const probes = facts.limit?.account === plan.account && facts.limit && facts.limit.until <= now ? facts.limit.account : undefined;
  if (resumes === undefined && !first) return undefined;
  const needs = needsOf(plan);
  if (resumes !== undefined) {
    const since = facts.openRun?.openedAt ?? now;
    return { ...needs, ...facts.openRun?.needs, kind: "resume", dueAt: since, unservedSince: since, probes };
  }
  return first && { ...needs, kind: "start", dueAt: first.oldestDue, unservedSince: first.unservedSince, probes };
}

export const needsOf = ({ loop, target, repo, writes, maker, account, spare, priority }: Needs): Needs => ({
  loop,
  target,
  ...(repo === undefined ? {} : { repo }),
  writes,
  maker,
  account,
  spare,
  priority,
});
