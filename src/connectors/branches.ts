// Brings branches that somebody should look at: merged ones that are still there, and those that are old or far from base.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings, type Thing } from "../contract/connector.ts";
import type { BranchSeen, GitReader } from "../contract/git.ts";
import { Duration } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { parseDuration } from "../std/duration.ts";
import { unseenOf } from "../std/unseen.ts";

const Options = z.strictObject({
  remote: z
    .string()
    .regex(/^\w[\w.-]{0,99}$/, { error: "must be the name of a remote" })
    .optional()
    .meta({
      description: "Look at the branches of this remote, as they were fetched last. Default: those of the repository itself.",
      examples: ["origin"],
    }),
  stale: Duration.default("30d").meta({ description: "From when a branch without a new commit is stale.", examples: ["30d"] }),
  behind: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .meta({ description: "From how many commits of base that it lacks a branch has diverged.", examples: [100] }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: "How many branches to look at, newest first.", examples: [100] }),
});

/** Proposals of loops: they are in the inbox, which tells of them. */
const OURS = /^refs\/(?:heads|remotes\/[^/]+)\/loopwright\//;

export const branches = defineConnector({
  name: "branches",
  summary: "Branches that are merged and still there, stale, or far behind base; each once for every state it comes into.",
  options: Options,
  async gather(order, options, { git, scout }: Pick<ConnectorWorld, "git" | "scout">): Promise<GatheredThings> {
    const { repo, baseRef, nowMs } = order;
    const source = options.remote === undefined ? "branches" : `branches of ${options.remote}`;
    const base = await git.resolve(repo, baseRef);
    if (base === undefined)
      return { kind: "things", source, things: [], notes: [`there is no branch, tag or commit ${baseRef}`], cursors: {} };
    const seen = await scout.branches(repo, { remote: options.remote, into: base, most: options.most });
    const head = await git.headName(repo);
    const isBase = ({ ref }: BranchSeen): boolean =>
      [baseRef, head].some((name) => ref === name || shortOf(ref) === name || ref === `refs/remotes/${options.remote}/${name}`);
    const told: Thing[] = [];
    for (const branch of seen.branches) {
      if (isBase(branch) || OURS.test(branch.ref)) continue;
      const state = await stateOf(branch, { git, repo, base, staleMs: parseDuration(options.stale)!, behind: options.behind, nowMs });
      if (state) told.push(thingOf(branch, state));
    }
    const key = `branches:${options.remote ?? ""}`;
    const { fresh, cursor } = unseenOf(told, Object.hasOwn(order.cursors, key) ? order.cursors[key] : undefined, options.most);
    return {
      kind: "things",
      source,
      things: fresh,
      notes: seen.all > seen.branches.length ? [`only the newest ${seen.branches.length} of ${seen.all} branches were looked at`] : [],
      cursors: { [key]: cursor },
    };
  },
});

interface Standing {
  readonly git: GitReader;
  readonly repo: string;
  readonly base: string;
  readonly staleMs: number;
  readonly behind: number;
  readonly nowMs: number;
}

interface BranchState {
  readonly name: "merged" | "stale" | "diverged";
  readonly says: string;
}

/** Undefined for one that is worked on. */
async function stateOf(
  { ref, at, isIn }: BranchSeen,
  { git, repo, base, staleMs, behind, nowMs }: Standing,
): Promise<BranchState | undefined> {
  if (isIn) return { name: "merged", says: "merged: base has all of it" };
  const apart = await git.aheadBehind(repo, ref, base);
  const far = apart === undefined ? "shares no history with base" : `${apart.ahead} ahead of and ${apart.behind} behind base`;
  const quietMs = nowMs - Date.parse(at);
  if (quietMs >= staleMs) return { name: "stale", says: `stale: no commit since ${at.slice(0, 10)}; ${far}` };
  return apart === undefined || apart.behind >= behind ? { name: "diverged", says: `diverged: ${far}` } : undefined;
}

const thingOf = ({ ref, tip, at, author }: BranchSeen, { name, says }: BranchState): Thing => ({
  id: JSON.stringify([ref, tip, name]),
  title: untrustedText(shortOf(ref)),
  author,
  at,
  // Whoever may push a branch here may write here.
  trust: "member",
  why: untrustedText(`${says}; last commit by ${author}`),
  cites: [{ kind: "branch", branch: ref, commit: tip }],
});

const shortOf = (ref: string): string => ref.replace(/^refs\/(?:heads|remotes)\//, "");
