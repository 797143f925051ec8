// Reads what the lines of commits do, from git's own patches: bounded, and nothing of it is kept but signs.
import type { ChangeSigns } from "../../contract/change-signs.ts";
import { LoopError } from "../../contract/errors.ts";
import { findSigns, standsInSections } from "./find-signs.ts";
import type { Repository } from "./open-repository.ts";

const PATCH = [
  ...["diff-tree", "--stdin", "-r", "--root", "-p", "--no-renames", "--no-color"],
  ...["--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"],
];
/** A commit and what it came from: none where a shallow clone was cut. */
interface Patched {
  readonly id: string;
  readonly parents: readonly string[];
}

/** What people did not write says nothing by its lines, and would be most of them. */
const UNWRITTEN = /(?:\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|\.min\.(?:js|css)|\.map|\.svg)"?$/;
const MOST_MANIFESTS = 200;
const COMMITS_PER_PATCH = 64;
const MOST_LINES = 20_000;
const MOST_LINE = 400;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Of those that could be read; merges have none, since what they merge has its own. */
export async function readAllSigns(
  repository: Repository,
  listed: readonly Patched[],
  pathsOf: (id: string) => readonly string[],
): Promise<ReadonlyMap<string, ChangeSigns>> {
  const commits = listed.filter(({ id, parents }) => parents.length < 2 && !repository.shallow.has(id));
  const signs = new Map<string, ChangeSigns>();
  for (let at = 0; at < commits.length; at += COMMITS_PER_PATCH) {
    const some = commits.slice(at, at + COMMITS_PER_PATCH);
    const patches = await patchesOf(repository, some, ["-U0"]);
    const manifests = [...new Set(some.flatMap(({ id }) => pathsOf(id).filter(standsInSections)))].slice(0, MOST_MANIFESTS);
    const touching = manifests.length === 0 ? new Map() : await patchesOf(repository, some, ["-U400", "--", ...manifests]);
    for (const { id } of some) {
      const patch = patches.get(id);
      if (patch) signs.set(id, findSigns(patch, touching.get(id) ?? []));
    }
  }
  return signs;
}

/** One whose patch is endless must not cost us the others: halve until it stands alone. One without changes there has an empty patch. */
async function patchesOf(
  repository: Repository,
  commits: readonly Patched[],
  where: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const input = commits.map(({ id, parents: [first] }) => (first === undefined ? `${id}\n` : `${id} ${first}\n`)).join("");
  const answer = await repository.ask([...PATCH, ...where], input).catch(noAnswer);
  if (answer?.code === 0) return new Map([...commits.map(({ id }) => [id, []] as const), ...splitPatches(answer.stdout)]);
  if (commits.length <= 1) return new Map();
  const middle = Math.ceil(commits.length / 2);
  const first = await patchesOf(repository, commits.slice(0, middle), where);
  return new Map([...first, ...(await patchesOf(repository, commits.slice(middle), where))]);
}

function noAnswer(cause: unknown): undefined {
  if (cause instanceof LoopError && cause.code === "git-failed") return undefined;
  throw cause;
}

/** Every line of a patch begins with a word or a sign of git's own, so that only git can have written a line that is an id. */
function splitPatches(answer: Buffer): ReadonlyMap<string, readonly string[]> {
  const patches = new Map<string, string[]>();
  let current: string[] | undefined;
  let isUnwritten = false;
  for (const line of answer.toString("utf8").split("\n")) {
    if (ID.test(line)) {
      current = [];
      patches.set(line, current);
      isUnwritten = false;
    } else if (line.startsWith("diff --git ")) {
      isUnwritten = UNWRITTEN.test(line);
      if (!isUnwritten) current?.push(line.slice(0, MOST_LINE));
    } else if (!isUnwritten && current && current.length < MOST_LINES) current.push(line.slice(0, MOST_LINE));
  }
  return patches;
}
