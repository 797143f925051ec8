// Which workers of a team may begin, wait or be left out, from what came of the others so far. Pure.
import type { Finding } from "../contract/evidence.ts";
import { factsOf, type Proposal } from "../contract/proposal.ts";
import type { Join, LoopSpec, Team } from "../contract/spec.ts";
import { asksAbout, gatedTeam, joinsBy, needsOf, waitsFor } from "../contract/team-graph.ts";

/** What came of a worker or a join. */
export interface Ended {
  /** `uncalled`: it was not its turn, or it had nothing to do. */
  readonly kind: "made" | "failed" | "skipped" | "uncalled";
  readonly why?: string;
}

export interface Moves {
  /** Workers that may begin now, as many as there is room for. */
  readonly start: readonly string[];
  /** Workers whose turn it would be, and that lack what they need. */
  readonly skip: readonly { readonly id: string; readonly why: string }[];
  /** Joins all of whose members have ended. */
  readonly join: readonly string[];
}

const AT_ONCE = 4;

/** Its team, in which those that a check holds back wait for what it looks at. */
export const teamOf = ({ team, verifiers }: Pick<LoopSpec, "team" | "verifiers">): Team => {
  if (!team) throw new TypeError("a spec without a team");
  return gatedTeam(team, verifiers);
};

/** How many members of a join must be there. */
export function leastOf({ of, how, least }: Join): number {
  if (least !== undefined) return Math.min(least, of.length);
  return how === "first" ? 1 : how === "vote" ? Math.floor(of.length / 2) + 1 : of.length;
}

export function nextMoves(team: Team, ended: ReadonlyMap<string, Ended>, running: ReadonlySet<string>): Moves {
  const isReady = (id: string): boolean =>
    !ended.has(id) && waitsFor(team, id).every((other) => ended.has(other)) && isMendingOver(team, id, ended);
  const ready = Object.keys(team.workers).filter((id) => !running.has(id) && isReady(id));
  const lacking = ready.flatMap((id) => {
    const why = lacks(team, id, ended);
    return why === undefined ? [] : [{ id, why }];
  });
  const able = ready.filter((id) => !lacking.some((other) => other.id === id));
  return {
    start: able.slice(0, Math.max(0, (team.atOnce ?? AT_ONCE) - running.size)),
    skip: lacking,
    join: Object.keys(team.joins ?? {}).filter(isReady),
  };
}

/** Those who are called because somebody does not hold. */
const mendersOf = (team: Team, id: string): readonly string[] =>
  Object.entries(team.workers).flatMap(([other, worker]) => (other !== id && asksAbout(team, worker).includes(id) ? [other] : []));

/** Whether what a name stands for is there, is not needed, or was made good by somebody who was called for it. */
export function isGood(team: Team, id: string, ended: ReadonlyMap<string, Ended>): boolean {
  const kind = ended.get(id)?.kind;
  if (kind === "made" || kind === "uncalled") return true;
  return kind === "failed" && mendersOf(team, id).some((mender) => ended.get(mender)?.kind === "made");
}

/** Who needs something that came to nothing waits whether somebody makes it good. */
function isMendingOver(team: Team, id: string, ended: ReadonlyMap<string, Ended>): boolean {
  const worker = team.workers[id];
  if (!worker) return true;
  return needsOf(team, worker)
    .filter((other) => ended.get(other)?.kind === "failed")
    .every((other) => mendersOf(team, other).every((mender) => mender === id || ended.has(mender)));
}

/** Why a worker cannot do its work, if it cannot. Who asks whether another holds is prepared for either. */
function lacks(team: Team, id: string, ended: ReadonlyMap<string, Ended>): string | undefined {
  const worker = team.workers[id]!;
  const missing = needsOf(team, worker).filter((other) => !isGood(team, other, ended) && !asksAbout(team, worker).includes(other));
  if (missing.length > 0) return `there is nothing of ${missing.join(", ")}`;
  const poor = joinsBy(team, id).find((join) => join.of.filter((other) => ended.get(other)?.kind === "made").length < leastOf(join));
  return poor && `fewer than ${leastOf(poor)} of ${poor.of.join(", ")} made something`;
}

/** Those of some workers whose changes no other of them already builds on. */
export function tipsOf(team: Team, ids: readonly string[]): readonly string[] {
  const below = (id: string): readonly string[] => (team.workers[id]?.onto ?? []).flatMap((other) => [other, ...below(other)]);
  const covered = new Set(ids.flatMap(below));
  return ids.filter((id) => !covered.has(id));
}

/** That two workers changed the same lines is for people to know, whatever becomes of the round. */
export const teamFindings = (proposal: Proposal): readonly Finding[] => [
  ...(factsOf(proposal).team?.guarded ?? []),
  ...conflictFindings(proposal),
];

const conflictFindings = (proposal: Proposal): readonly Finding[] =>
  (factsOf(proposal).team?.conflicts ?? []).flatMap(({ between, paths }) =>
    paths.map((path) => ({
      rule: "same-lines",
      severity: "medium" as const,
      where: path,
      file: path,
      why: `${between.join(" and ")} changed the same lines, and neither was taken. Let one build on the other with \`onto\`, or give them \`paths\` of their own.`,
    })),
  );
