// Finds the commit that a name stands for, without git's guesses: a name is never an option, an expression or a near miss.
import { isFullId, type Repository } from "./open-repository.ts";
import { listRefs, sureTips } from "./ref-tip.ts";

/** Leading dashes, control and white space, and everything git reads as an expression rather than a name. */
const NOT_A_NAME = /^-|[\p{Cc}\s~^:?*[\\]|\.\.|@\{/u;
const SHORT_ID = /^[0-9a-f]{7,63}$/;

/** The commit of a branch, tag, remote branch or id, looked for in this order; a tag cannot stand in for a branch of its name. */
export async function resolveName(repository: Repository, name: string): Promise<string | undefined> {
  if (name === "" || name.length > 1000 || NOT_A_NAME.test(name)) return undefined;
  if (name === "HEAD" || name === "@") return peel(repository, "HEAD");
  if (isFullId(repository, name)) return peel(repository, name);

  const target = await findRef(repository, name);
  if (target !== undefined) return peel(repository, target);
  if (!SHORT_ID.test(name)) return undefined;

  const answer = await repository.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  const commit = answer.code === 0 ? answer.stdout.toString("utf8").trim() : undefined;
  return commit?.startsWith(name) ? commit : undefined;
}

/** Follows tags to the commit, if there is one at the end. */
async function peel({ objects }: Repository, name: string): Promise<string | undefined> {
  const [found] = await objects.look([`${name}^{commit}`]);
  return found?.id;
}

async function findRef(repository: Repository, name: string): Promise<string | undefined> {
  const places = name.startsWith("refs/")
    ? [name]
    : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/remotes/${name}`, `refs/remotes/${name}/HEAD`];
  const [first] = await sureTips(repository.objects, places.slice(0, 1));
  if (first !== undefined) return first;
  const targets = await listRefs(repository, places);
  return places.map((place) => targets.get(place)).find((id) => id !== undefined);
}

/** Those worked on last, also of remotes where there is no other. */
export async function newestBranches({ read }: Pick<Repository, "read">, most: number): Promise<readonly string[]> {
  const list = async (below: string): Promise<readonly string[]> =>
    (await read(["for-each-ref", "--sort=-committerdate", `--count=${most}`, "--format=%(refname)", below]))
      .toString("utf8")
      .split("\n")
      .flatMap((name) => (name === "" || name.endsWith("/HEAD") ? [] : [name.slice(below.length)]));
  const own = await list("refs/heads/");
  return own.length > 0 ? own : list("refs/remotes/");
}
