// A repository in memory: commits with the files they have, branches, and a checkout; behind the ports that git is behind.
import type { Artifacts } from "../../src/contract/artifacts.ts";
import type { Comparison, FilePair } from "../../src/contract/change-set.ts";
import type { CheckoutOnDisk, Checkouts, GitReader, Mover } from "../../src/contract/git.ts";
import type { Change } from "../../src/contract/proposal.ts";
import type { Round } from "../../src/contract/round.ts";
import type { CommittedWork, Workshop } from "../../src/contract/workshop.ts";
import type { World } from "../../src/contract/world.ts";
import { canonicalJson, sha256 } from "../../src/std/hash.ts";

/** Path → text. */
export type Files = { readonly [path: string]: string };

interface Commit {
  readonly tree: string;
  readonly parent: string | undefined;
}

export interface MemoryRepo {
  readonly dir: string;
  /** A commit on a branch, main where none is named, with these files beside those that were there; gives back its id. */
  commit(files: Files, branch?: string): string;
  tip(branch: string): string | undefined;
  /** Somebody moves or makes a branch by hand. */
  point(branch: string, commit: string): void;
  removeBranch(branch: string): void;
  /** What lies in the checkout, beside the files of the commit that is checked out, which is main's. */
  lay(files: Files): void;
  filesOf(commit: string): Files;
  readonly ports: Pick<World, "git" | "mover" | "checkouts" | "comparing">;
  readonly workshop: Partial<Workshop>;
}

const notHere = () => Promise.reject(new Error("not in this repository"));
const idOf = (value: unknown): string => sha256(canonicalJson(value)).slice(0, 40);
const blobOf = (text: string): string => idOf(["blob", text]);

/** `made` says which files a round's maker left changed. */
export function createMemoryRepo(made: (round: Round) => Files, artifacts: Pick<Artifacts, "keep">, dir = "/repo"): MemoryRepo {
  const trees = new Map<string, Files>();
  const commits = new Map<string, Commit>();
  const branches = new Map<string, string>();
  let lying: Files = {};

  const putTree = (files: Files): string => {
    const tree = idOf(["tree", files]);
    trees.set(tree, files);
    return tree;
  };
  const putCommit = (tree: string, parent: string | undefined, about: string): string => {
    const commit = idOf(["commit", tree, parent ?? null, about]);
    commits.set(commit, { tree, parent });
    return commit;
  };
  const treeOf = (commit: string): string => {
    const found = commits.get(commit);
    if (!found) throw new Error(`there is no commit ${commit}`);
    return found.tree;
  };
  const filesOf = (commit: string): Files => trees.get(treeOf(commit)) ?? {};
  const resolve = (name: string): string | undefined =>
    commits.has(name) ? name : branches.get(name === "HEAD" ? "main" : name.replace(/^refs\/heads\//, ""));
  const historyOf = (tip: string): readonly string[] => {
    const parent = commits.get(tip)?.parent;
    return parent === undefined ? [tip] : [tip, ...historyOf(parent)];
  };
  const contains = (tip: string, commit: string): boolean => historyOf(tip).includes(commit);

  const namesBetween = (one: Files, other: Files): readonly string[] =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((path) => one[path] !== other[path]).toSorted();
  const changesBetween = (base: string, commit: string): readonly Change[] => {
    const [before, after] = [filesOf(base), filesOf(commit)];
    const entry = (text: string | undefined) => (text === undefined ? undefined : { mode: "100644", blob: blobOf(text) });
    return namesBetween(before, after).map((path) => ({ path, before: entry(before[path]), after: entry(after[path]) }));
  };
  const compare = (base: string, commit: string): Comparison => {
    const [before, after] = [filesOf(base), filesOf(commit)];
    const side = (text: string | undefined): FilePair["before"] =>
      text === undefined ? undefined : { mode: "100644", content: { kind: "text", pieces: [{ line: 1, text }] } };
    const pair = (path: string): FilePair => ({ path, oldPath: undefined, before: side(before[path]), after: side(after[path]) });
    return { files: namesBetween(before, after).map(pair), blind: [] };
  };
  const workOf = async (base: string, commit: string): Promise<CommittedWork> => ({
    commit,
    tree: treeOf(commit),
    changes: changesBetween(base, commit),
    diff: await artifacts.keep(`${base} ${commit}`),
  });

  const git: GitReader = {
    headName: async () => "main",
    branches: async () => ["main"],
    resolve: async (_repo, ref) => resolve(ref),
    walk: async (_repo, { ref }) => ({ ref, tip: resolve(ref), commits: [], notes: [] }),
    commitsThatExist: async (_repo, ids) => new Set(ids.filter((id) => commits.has(id))),
    reachableFrom: async (_repo, tip, ids) => new Set(ids.filter((id) => contains(tip, id))),
    aheadBehind: notHere,
    filesAt: async (_repo, places) =>
      places.map(({ commit, path }) => {
        const text = filesOf(commit)[path];
        return text === undefined ? { kind: "absent" } : { kind: "found", text };
      }),
    filesOf: async (_repo, commit) => Object.entries(filesOf(commit)).map(([path, text]) => ({ path, mode: "100644", blob: blobOf(text) })),
  };

  const mover: Mover = {
    branchTip: async (_repo, branch) => branches.get(branch),
    treeOf: async (_repo, commit) => treeOf(commit),
    contains: async (_repo, tip, commit) => contains(tip, commit),
    async canFastForward(_repo, { branch, from, to }) {
      if (branches.get(branch) === from && contains(to, from)) return { kind: "ready" };
      return { kind: "refused", why: `${branch} is elsewhere`, hint: "Run the loop again" };
    },
    async fastForward(repo, move) {
      const ready = await mover.canFastForward(repo, move);
      if (ready.kind !== "ready") return ready;
      branches.set(move.branch, move.to);
      return { kind: "moved" };
    },
    async replace(_repo, { branch, from, to }) {
      if (branches.get(branch) !== from) return { kind: "refused", why: `${branch} is elsewhere`, hint: "Look again" };
      branches.set(branch, to);
      return { kind: "moved" };
    },
    remoteTip: notHere,
    push: notHere,
    filesOf: notHere,
    commitFiles: notHere,
  };

  const checkout: CheckoutOnDisk = {
    root: dir,
    idLength: 40,
    isShallow: false,
    head: async () => headOf(),
    resolve: async (name) => resolve(name),
    mergeBase: async (one, other) => historyOf(one).find((commit) => contains(other, commit)),
    treeOf: async (commit) => treeOf(commit),
    async touchedBetween(base, head) {
      const since = historyOf(head).filter((commit) => !contains(base, commit));
      return [...new Set(since.flatMap((commit) => changesBetween(commits.get(commit)?.parent ?? base, commit).map(({ path }) => path)))];
    },
    async snapshot() {
      const head = headOf();
      const files = { ...filesOf(head.commit), ...lying };
      return { tree: putTree(files), files: Object.keys(files).length, head, hidden: [], unread: [] };
    },
    hidden: async () => ({ hidden: [], unread: [] }),
  };

  const checkouts: Checkouts = {
    open: async () => checkout,
    openStore: async (_root, place) => place,
    commitTree: async (_store, { tree, base, message }) => putCommit(tree, base, message),
    namesBetween: async (_store, one, other) => namesBetween(trees.get(one) ?? {}, trees.get(other) ?? {}),
    pathIn: async (_root, _cwd, asked) => (asked.startsWith("/") ? undefined : asked),
  };

  function headOf() {
    const commit = branches.get("main");
    if (commit === undefined) throw new Error("there is no commit yet");
    return { name: "refs/heads/main", commit };
  }

  return {
    dir,
    commit(files, branch = "main") {
      const parent = branches.get(branch) ?? branches.get("main");
      const commit = putCommit(putTree({ ...(parent === undefined ? {} : filesOf(parent)), ...files }), parent, `${commits.size}`);
      branches.set(branch, commit);
      return commit;
    },
    tip: (branch) => branches.get(branch),
    point: (branch, commit) => void branches.set(branch, commit),
    removeBranch: (branch) => void branches.delete(branch),
    lay(files) {
      lying = files;
    },
    filesOf,
    ports: { git, mover, checkouts, comparing: { betweenCommits: async (_repo, base, head) => compare(base, head) } },
    workshop: {
      treeOf: async (_repo, commit) => treeOf(commit),
      commitWorkspace: async (_repo, round, message) =>
        workOf(round.base, putCommit(putTree({ ...filesOf(round.base), ...made(round) }), round.base, message)),
      compareWithBase: async (round, commit) => compare(round.base, commit),
      describe: async (round, commit) => workOf(round.base, commit),
      keepDiff: async (_repo, base, commit) => (await workOf(base, commit)).diff,
      readBlobs: async () => new Map(),
      async transplant(_repo, _round, { commit, from, onto, message }) {
        const [before, mine, theirs] = [filesOf(from), filesOf(commit), filesOf(onto)];
        const changed = namesBetween(before, mine);
        const paths = changed.filter((path) => before[path] !== theirs[path]);
        if (paths.length > 0) return { kind: "conflict", why: `the same lines were changed there: ${paths.join(", ")}`, paths };
        const { ...files }: Record<string, string> = theirs;
        for (const path of changed) {
          const text = mine[path];
          if (text === undefined) delete files[path];
          else files[path] = text;
        }
        const tree = putTree(files);
        return { kind: "transplanted", commit: putCommit(tree, onto, message), tree, isSame: true };
      },
      forget: async () => {},
      propose: async (_repo, _round, commit, branch) => void branches.set(branch, commit),
      proposeKept: async (_repo, _round, commit, branch) => void branches.set(branch, commit),
    },
  };
}
