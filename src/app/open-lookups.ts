// Cited commits, looked up with the git of this machine.
import type { Environment } from "../contract/clock.ts";
import { lookUpCommits } from "../world/git/look-up-commits.ts";
import { openObjects } from "../world/git/open-repository.ts";
import { rederiveCommits } from "../world/git/rederive-commits.ts";
import { withGit } from "../world/git/run-git.ts";
import { type Asked, type Verification, verifyCommitsBy } from "./records/verify-commits.ts";

/** Whether each id is a commit of the repository. */
export const verifyCommits = (asked: Asked, env: Environment): Promise<Verification> => verifyWith(lookUpCommits, asked, env);

/** The same in two ways that must agree. */
export const verifyCommitsTwice = (asked: Asked, env: Environment): Promise<Verification> => verifyWith(rederiveCommits, asked, env);

const verifyWith = (way: typeof lookUpCommits, asked: Asked, env: Environment): Promise<Verification> =>
  verifyCommitsBy((repo, ids) => withGit(env, async (git) => way(await openObjects(git, repo), ids)), asked, env);
