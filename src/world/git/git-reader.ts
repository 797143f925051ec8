// Reads the target through git's plumbing and never writes to it.
import type { GitReader } from "../../contract/git.ts";
import { isFullId, openRepository, type Repository } from "./open-repository.ts";
import { readFilesAt } from "./read-contents.ts";
import { readTree } from "./read-tree.ts";
import { newestBranches, resolveName } from "./resolve-name.ts";
import type { RunGit } from "./run-git.ts";
import { walkRef } from "./walk-ref.ts";

export function createGitReader(git: RunGit): GitReader {
  return {
    headName: async (repo) => headName(await openRepository(git, repo)),
    branches: async (repo, most) => newestBranches(await openRepository(git, repo), most),
    resolve: async (repo, ref) => resolveName(await openRepository(git, repo), ref),
    walk: async (repo, from) => walkRef(await openRepository(git, repo), from),
    commitsThatExist: async (repo, ids) => commitsThatExist(await openRepository(git, repo), ids),
    reachableFrom: async (repo, tip, ids) => reachableFrom(await openRepository(git, repo), tip, ids),
    aheadBehind: async (repo, ref, from) => aheadBehind(await openRepository(git, repo), ref, from),
    filesAt: async (repo, places) => readFilesAt((await openRepository(git, repo)).objects, places),
    filesOf: async (repo, commit) => readTree(await openRepository(git, repo), commit),
  };
}

/** Asked for in full: the short form of a branch changes when a tag takes its name. */
async function headName(repository: Repository): Promise<string> {
  const answer = await repository.ask(["symbolic-ref", "--quiet", "HEAD"]);
  return answer.code === 0
    ? answer.stdout
        .toString("utf8")
        .trim()
        .replace(/^refs\/heads\//, "")
    : "HEAD";
}

async function commitsThatExist(repository: Repository, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set(ids)].filter((id) => isFullId(repository, id));
  if (asked.length === 0) return new Set();
  const answer = await repository.read(["cat-file", "--batch-check=%(objectname) %(objecttype)"], lines(asked));
  const commits = new Set(linesOf(answer).flatMap((line) => (line.endsWith(" commit") ? [line.slice(0, -" commit".length)] : [])));
  return new Set(asked.filter((id) => commits.has(id)));
}

async function reachableFrom(repository: Repository, tip: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const there = await commitsThatExist(repository, [tip, ...ids]);
  if (!there.has(tip)) return new Set();
  const asked = ids.filter((id) => there.has(id));
  if (asked.length === 0) return new Set();

  const outside = new Set(linesOf(await repository.read(["rev-list", "--stdin"], lines([...asked, `^${tip}`]))));
  const doubtful = asked.filter((id) => outside.has(id));
  if (doubtful.length === 0) return new Set(asked);
  // With lying commit dates the quick answer may call a reachable commit unreachable, so nobody is accused without the full list.
  const inside = new Set(linesOf(await repository.read(["rev-list", tip, "--"])));
  return new Set(asked.filter((id) => inside.has(id)));
}

async function aheadBehind(repository: Repository, ref: string, from: string) {
  const [tip, other] = [await resolveName(repository, ref), await resolveName(repository, from)];
  if (tip === undefined || other === undefined) return undefined;
  const shared = await repository.ask(["merge-base", other, tip]);
  if (shared.code !== 0) return undefined;

  const apart = `${other}...${tip}`;
  // Where the clone was cut, the commits behind the cut would have to be counted too.
  if (repository.shallow.size > 0) {
    const ends = linesOf(await repository.read(["rev-list", "--max-parents=0", apart, "--"]));
    if (ends.some((id) => repository.shallow.has(id))) return undefined;
  }
  const [behind, ahead] = (await repository.read(["rev-list", "--left-right", "--count", apart, "--"]))
    .toString("utf8")
    .trim()
    .split("\t")
    .map(Number);
  if (behind === undefined || ahead === undefined) throw new Error(`git rev-list counted ${apart} in a way we do not know`);
  return { ahead, behind };
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join("");
const linesOf = (answer: Buffer): readonly string[] =>
  answer
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
