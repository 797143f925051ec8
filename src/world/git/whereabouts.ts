// Where the branches of proposals are, and which proposals base has by now: of all of them at once, with a process or two at most.
import type { Whereabouts } from "../../contract/git.ts";
import { isWithin, parentsOf } from "./is-within.ts";
import type { Repository } from "./open-repository.ts";
import { refTips } from "./ref-tip.ts";
import { resolveName } from "./resolve-name.ts";

interface Asked {
  readonly base: string;
  readonly proposals: readonly { readonly branch: string; readonly commit: string }[];
}

export async function whereabouts(repository: Repository, { base: name, proposals }: Asked): Promise<Whereabouts> {
  const base = await resolveName(repository, name);
  const tips = await refTips(
    repository,
    proposals.map(({ branch }) => `refs/heads/${branch}`),
  );
  const within = await whichAreWithin(
    repository,
    base,
    proposals.map(({ commit }) => commit),
  );
  return { base, proposals: proposals.map(({ commit }, index) => ({ tip: tips[index], isInBase: within.get(commit) })) };
}

/** A commit that cannot be read is not in the answer: then nobody can tell. */
async function whichAreWithin(
  repository: Repository,
  base: string | undefined,
  commits: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const parents = await parentsOf(repository.objects, [...new Set(commits)]);
  const readable = [...parents.keys()];
  if (base === undefined) return new Map(readable.map((commit) => [commit, false]));
  // As long as base is where they began, none of them can be in it.
  const apart = readable.filter((commit) => commit !== base && !parents.get(commit)?.includes(base));
  if (apart.length === 0) return new Map(readable.map((commit) => [commit, commit === base]));
  // Names those of which no other has them in its history; who is not named may be in base, or only in another proposal.
  const listed = await repository.read(["-c", "core.commitGraph=false", "merge-base", "--independent", base, ...apart]);
  const independent = new Set(listed.toString("latin1").split("\n"));
  const within = new Map(readable.map((commit) => [commit, commit === base]));
  for (const commit of apart.filter((one) => !independent.has(one))) within.set(commit, await isWithin(repository, base, commit));
  return within;
}
