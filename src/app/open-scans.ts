// Scans with everything they take: grammars, and the git of this machine.
import type { Allowlist, Ruling } from "../contract/allowlist.ts";
import { environmentOf } from "../contract/around.ts";
import type { Environment } from "../contract/clock.ts";
import { createChangeReader } from "../world/git/change-reader.ts";
import { withGit } from "../world/git/run-git.ts";
import { loadSyntax } from "../world/machine/syntax.ts";
import { thisProcess } from "../world/machine/this-process.ts";
import { ruleOnCommitsBy } from "./decisions/rule-on-change.ts";
import { type Scanned, type ScanWorld, scanDiffBy, scanRepositoryBy, type Until } from "./scans/scan-diff.ts";

/** Scans a unified diff. What of it cannot be understood is a finding. */
export const scanDiff = (text: string, seal: readonly string[] = []): Promise<Scanned> => scanDiffBy(loadSyntax, text, seal);

/** Scans what changed in a repository since base: up to a commit, or up to what lies on disk. */
export const scanRepository = (
  repo: string,
  base: string,
  until: Until,
  env: Environment = environmentOf(thisProcess.env),
): Promise<Scanned> => withChanges(env, (world) => scanRepositoryBy(world, repo, base, until));

/** Whether what changed between two commits is inside an allowlist. */
export const ruleOnCommits = (
  repo: string,
  range: { readonly base: string; readonly head: string },
  list: Allowlist,
  env: Environment,
): Promise<Ruling> => withChanges(env, (world) => ruleOnCommitsBy(world, repo, range, list));

const withChanges = <T>(env: Environment, work: (world: ScanWorld) => Promise<T>): Promise<T> =>
  withGit(env, (git) => work({ changes: createChangeReader(git), loadSyntax }));
