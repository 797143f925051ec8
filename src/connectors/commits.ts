// Brings the commits that are new on the watched refs, and how far those refs have drifted apart.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredCommits, type GatherOrder } from "../contract/connector.ts";
import type { GitReader, RefWalk } from "../contract/git.ts";
import type { Divergence } from "../contract/proposal.ts";
import { Duration } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";

const Options = z.strictObject({
  refs: z
    .array(z.string().min(1).max(255))
    .min(1)
    .max(20)
    .optional()
    .meta({
      description: "Branches, tags or commits to watch; the others are compared with the first. Default: the target's base.",
      examples: [["main", "release"]],
    }),
  since: Duration.default("7d").meta({ description: "How far back to read a ref that was not read before.", examples: ["7d"] }),
  most: z
    .int()
    .min(1)
    .max(5000)
    .default(500)
    .meta({ description: "How many commits to read of one ref, newest first.", examples: [500] }),
});

export const commits = defineConnector({
  name: "commits",
  summary: "New commits on the watched refs since they were last read, and how far the refs have drifted apart.",
  options: Options,
  async gather(order, options, { git }: Pick<ConnectorWorld, "git">): Promise<GatheredCommits> {
    const refs = [...new Set(options.refs ?? [order.baseRef])];
    const sinceMs = order.nowMs - parseDuration(options.since)!;
    return {
      kind: "commits",
      walks: await inTurn(refs, (ref) => walk(ref, { order, sinceMs, most: options.most, git })),
      divergence: await inTurn(refs.slice(1), (ref) => compare(ref, refs[0]!, order.repo, git)),
    };
  },
});

interface Walking {
  readonly order: GatherOrder;
  readonly sinceMs: number;
  readonly most: number;
  readonly git: GitReader;
}

const walk = (ref: string, { order, sinceMs, most, git }: Walking): Promise<RefWalk> =>
  // A ref may be named like something every object has, so only what was really remembered counts.
  git.walk(order.repo, { ref, cursor: Object.hasOwn(order.cursors, ref) ? order.cursors[ref] : undefined, sinceMs, most });

async function compare(ref: string, from: string, repo: string, git: GitReader): Promise<Divergence> {
  const apart = await git.aheadBehind(repo, ref, from);
  return { ref, from, ahead: apart?.ahead, behind: apart?.behind };
}

/** One after the other: twenty gits at once serve nobody. */
async function inTurn<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const thing of things) results.push(await work(thing));
  return results;
}
