// Whether a commit is in the history of another.
import { LoopError } from "../../contract/errors.ts";
import type { Objects } from "./objects.ts";
import { isFullId, type Repository } from "./open-repository.ts";

export async function isWithin(repository: Repository, tip: string, commit: string): Promise<boolean> {
  // A branch that is not born yet has no history, and git has no answer for its name.
  if (/^0+$/.test(tip)) return false;
  const known = await tellAtOnce(repository, tip, commit);
  if (known !== undefined) return known;
  const { code, stderr } = await repository.ask(["merge-base", "--is-ancestor", commit, tip]);
  if (code === 0 || code === 1) return code === 0;
  throw new LoopError(
    "git-failed",
    `whether ${tip.slice(0, 12)} contains ${commit.slice(0, 12)} cannot be told: ${stderr.trim().slice(0, 500)}`,
    {
      retry: "never",
      hint: "Look at the repository with `git fsck`; a shallow clone may lack history (`git fetch --unshallow`).",
    },
  );
}

/** What two commits say by themselves, without their history: a commit's name is made of its parents', so that none is in the history of its parent. */
async function tellAtOnce(repository: Repository, tip: string, commit: string): Promise<boolean | undefined> {
  if (!isFullId(repository, tip) || !isFullId(repository, commit)) return undefined;
  const parents = await parentsOf(repository.objects, [tip, commit]);
  const [ofTip, ofCommit] = [parents.get(tip), parents.get(commit)];
  if (!ofTip || !ofCommit) return undefined;
  if (tip === commit) return true;
  return ofCommit.includes(tip) ? false : undefined;
}

/** The parents of each that is a commit and can be read. */
async function parentsOf(objects: Objects, commits: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await objects.look(commits);
  const contents = await objects.read(found.flatMap((object) => (object?.type === "commit" ? [object] : [])));
  return new Map([...contents].map(([id, content]) => [id, parentLines(content.toString("latin1"))]));
}

/** They stand behind the tree and before anything else. */
function parentLines(commit: string): readonly string[] {
  const [, lines = ""] = /^tree [0-9a-f]+\n((?:parent [0-9a-f]+\n)*)/.exec(commit) ?? [];
  return lines.split("\n").flatMap((line) => (line === "" ? [] : [line.slice("parent ".length)]));
}
