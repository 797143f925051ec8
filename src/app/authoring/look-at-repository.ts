// Looks at a repository as it lies on disk: lists its files, reads those that say something, asks git where it comes from, and whose agents are here.
import { join, relative, sep } from "node:path";
import type { Found, Search } from "../../contract/files.ts";
import type { AgentFact, BranchFact, ForgeFact, RepositoryScan, Tree } from "../../contract/scan.ts";
import { isTelling, scanTree } from "../../ecosystems/scan-tree.ts";
import { byDepth } from "../../ecosystems/sights.ts";
import { makers } from "../../makers/index.ts";
import { readForge } from "./read-forge.ts";

/** What a look takes of the world. Nothing is written, and nothing of the repository is run. */
export interface RepositorySight {
  find(folder: string, search: Search): Promise<Found>;
  /** A plain file of at most 4 MiB; anything else counts as not there. */
  readText(path: string): Promise<string | undefined>;
  /** One line that git answers; undefined when it says no. */
  askGit(folder: string, args: readonly string[]): Promise<string | undefined>;
  findProgram(name: string): Promise<string | undefined>;
}

export interface SeenRepository {
  /** The root of the repository that the folder is in; the folder itself where it is in none. */
  readonly root: string;
  readonly isRepository: boolean;
  /** Whether there is anything that a loop could begin with. */
  readonly hasCommits: boolean;
  readonly scan: RepositoryScan;
}

/** What is made from the sources, or comes from elsewhere. */
const SKIP: ReadonlySet<string> = new Set(
  ".git .hg .svn node_modules bower_components vendor target dist build out obj .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache site-packages .next .nuxt .turbo .gradle .idea Pods DerivedData .build _build deps coverage third_party .yarn .pnpm-store .cache".split(
    " ",
  ),
);
const MOST_NAMES = 60_000;
const MOST_DEPTH = 12;
const MOST_TEXTS = 400;
const MOST_TEXT_CHARS = 256 * 1024;
const MOST_CHARS = 8 * 1024 * 1024;
/** In folders that are not looked into, and yet telling. */
const PROBES = ["vendor/modules.txt"];

export async function lookAtRepository(folder: string, sight: RepositorySight): Promise<SeenRepository> {
  const top = await sight.askGit(folder, ["rev-parse", "--show-toplevel"]);
  const root = top ?? folder;
  const { paths, unseen } = await listPaths(root, sight);
  const { texts, unread } = await readTexts(root, paths, sight);
  const [newest, branch, forge, agents] = await Promise.all([
    top === undefined ? undefined : sight.askGit(root, ["rev-list", "--max-count=1", "--all"]),
    top === undefined ? undefined : findBranch(root, sight),
    findForge(root, sight),
    findAgents(sight),
  ]);
  return {
    root,
    isRepository: top !== undefined,
    hasCommits: (newest ?? "") !== "",
    scan: scanTree({ paths, texts }, { branch, forge, agents, unread: [...unseen, ...unread] }),
  };
}

async function listPaths(root: string, { find, readText }: RepositorySight) {
  const found = await find(root, { isWanted: () => true, skip: SKIP, mostDepth: MOST_DEPTH, mostNames: MOST_NAMES });
  const probed = await Promise.all(PROBES.map(async (path) => ((await readText(join(root, path))) === undefined ? [] : [path])));
  const fromRoot = (path: string): string => relative(root, path).split(sep).join("/");
  return {
    paths: [...found.paths.map(fromRoot), ...probed.flat()].toSorted((a, b) => (a < b ? -1 : 1)),
    unseen: found.unseen.map((line) => line.replace(`${root}${sep}`, "").replace(root, "the repository")),
  };
}

async function readTexts(
  root: string,
  paths: readonly string[],
  { readText }: RepositorySight,
): Promise<Pick<Tree, "texts"> & { readonly unread: readonly string[] }> {
  const texts = new Map<string, string>();
  const unread: string[] = [];
  const telling = paths.filter(isTelling).toSorted(byDepth);
  let chars = 0;
  for (const path of telling.slice(0, MOST_TEXTS)) {
    const text = await readText(join(root, path));
    if (text === undefined || text.length > MOST_TEXT_CHARS || chars + text.length > MOST_CHARS) {
      unread.push(`${path}: it cannot be read, or is too large`);
      continue;
    }
    chars += text.length;
    texts.set(path, text);
  }
  if (telling.length > MOST_TEXTS)
    unread.push(`${telling.length - MOST_TEXTS} more files that might say something: only ${MOST_TEXTS} are read`);
  return { texts, unread };
}

/** As the remote says, else the branch we are on, if it is one that is usually the default. */
async function findBranch(root: string, { askGit }: RepositorySight): Promise<BranchFact | undefined> {
  const remote = await askGit(root, ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
  if (remote?.startsWith("origin/"))
    return { branch: remote.slice("origin/".length), sure: "certain", because: "the remote named origin says so", seen: [] };
  const here = await askGit(root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  for (const usual of ["main", "master", "trunk", "develop"]) {
    const isThere = usual === here || (await askGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${usual}`])) !== undefined;
    if (isThere)
      return {
        branch: usual,
        sure: usual === here ? "certain" : "likely",
        because: usual === here ? "it is checked out" : "a branch of that name is there",
        seen: [],
      };
  }
  return here === undefined
    ? undefined
    : { branch: here, sure: "guessed", because: "it is checked out, and no branch has a usual name", seen: [] };
}

async function findForge(root: string, { askGit }: RepositorySight): Promise<ForgeFact | undefined> {
  const url = await askGit(root, ["config", "--get", "remote.origin.url"]);
  return url === undefined ? undefined : readForge(url);
}

async function findAgents({ findProgram }: RepositorySight): Promise<readonly AgentFact[]> {
  const found = await Promise.all(
    makers.map(async ({ name, program }) => {
      const path = program && (await findProgram(program.name));
      return program && path !== undefined ? [{ maker: name, program: program.name, path }] : [];
    }),
  );
  return found.flat();
}
