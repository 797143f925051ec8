// A checkout as it lies on disk, as git objects in a store of our own. The index says which names are tracked, and nothing else:
// what a file holds, its mode, and marks such as skip-worktree are never taken from it. Nothing is written into the repository.
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, readdir, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { deflateSync } from "node:zlib";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { CheckoutOnDisk, Checkouts } from "../../contract/git.ts";
import type { HiddenFile, Snapshot } from "../../contract/referee.ts";
import { decodeText } from "../../std/decode-text.ts";
import { commitOf } from "./commit-of.ts";
import { borrow, describeLender } from "./copies.ts";
import { openRepository, type Repository } from "./open-repository.ts";
import { resolveName } from "./resolve-name.ts";
import { gitLine, gitOrThrow, type RunGit } from "./run-git.ts";
import { treeOf } from "./tree-of.ts";

/** More files than these in one checkout are not looked at; and then nothing is judged. */
const MOST_FILES = 2_000_000;
/** A changed file that is larger cannot be judged. */
const MOST_FILE_BYTES = 128 * 1024 * 1024;
const AT_ONCE = 16;

export const createCheckouts = (git: RunGit, env: Environment): Checkouts => ({
  open: (folder) => openCheckout(git, folder, env),
  openStore: (root, place) => openSnapshotStore(git, root, place),
  commitTree: (store, order) => commitTree(git, store, order),
  namesBetween: (store, one, other) => namesBetween(git, store, one, other),
  pathIn: pathInCheckout,
});

/** The checkout that a folder lies in. */
export async function openCheckout(git: RunGit, folder: string, env: Environment): Promise<CheckoutOnDisk> {
  const repository = await openRepository(git, folder);
  const root = await rootOf(git, folder);
  return {
    root,
    idLength: repository.idLength,
    isShallow: repository.shallow.size > 0,
    head: () => headOf(repository),
    resolve: (name) => resolveName(repository, name),
    mergeBase: (one, other) => mergeBase(repository, one, other),
    treeOf: (commit) => treeOf(repository.objects, commit),
    touchedBetween: (base, head) => touchedBetween(repository, base, head),
    snapshot: async (store, isWanted) => {
      const head = await headOf(repository);
      if (!head) throw cannotJudge("the repository has no commit yet", "Make a first commit, so that there is something to compare with.");
      const lying = await lookAround(git, { root, store, env });
      const tree = await writeTree(git, { root, store, idLength: repository.idLength }, lying);
      return { ...tree, head, ...(await readHidden(root, lying, isWanted)) };
    },
    hidden: async (store, isWanted) => readHidden(root, await lookAround(git, { root, store, env }), isWanted),
  };
}

export async function openSnapshotStore(git: RunGit, root: string, place: string): Promise<string> {
  await rm(place, { recursive: true, force: true });
  const store = join(place, "store.git");
  git.objects.letGo(store);
  await borrow(await describeLender(git, root), store, "bare");
  return store;
}

export const commitTree = (
  git: RunGit,
  store: string,
  { tree, base, at, message }: { readonly tree: string; readonly base: string; readonly at: string; readonly message: string },
): Promise<string> => commitOf(git, store, { tree, parents: [base], at, message });

export async function namesBetween(git: RunGit, store: string, one: string, other: string): Promise<readonly string[]> {
  const raw = await gitOrThrow(git, {
    cwd: store,
    env: { GIT_DIR: store },
    args: ["diff-tree", "-r", "-z", "--name-only", "--no-renames", one, other],
  });
  return zeroEnded(raw).map(decodeName);
}

/** A setting of the user's or the repository's, which our own calls of git do not hear of. */
export async function readSetting(git: RunGit, root: string, key: string, env: Environment): Promise<string | undefined> {
  const home = env.get("HOME") ?? "";
  const files = [
    env.get("GIT_CONFIG_GLOBAL") ?? join(home, ".gitconfig"),
    join(env.get("XDG_CONFIG_HOME") || join(home, ".config"), "git", "config"),
  ];
  const places = [["--worktree"], ["--local"], ...files.map((file) => ["--file", file]), ["--file", "/etc/gitconfig"]];
  for (const place of places) {
    const answer = await git({ cwd: root, args: ["config", ...place, "--includes", "--type=path", "--get", key], env: { HOME: home } });
    const value = answer.stdout.toString("utf8").trim();
    if (answer.code === 0 && value !== "") return value;
  }
  return undefined;
}

// ── the repository ──────────────────────────────────────────────────────────────────────────────────────────────

/** A setting could point git at another folder: then the one that was named would not be the one that is looked at. */
async function rootOf(git: RunGit, folder: string): Promise<string> {
  const root = await realpath(await gitLine(git, { cwd: folder, args: ["rev-parse", "--path-format=absolute", "--show-toplevel"] }));
  const asked = relative(root, await realpath(folder));
  const isInside = asked !== ".." && !asked.startsWith("../");
  const hasGit = await lstat(join(root, ".git")).then(
    () => true,
    () => false,
  );
  if (isInside && hasGit) return root;
  throw cannotJudge(
    `git says that the checkout of ${folder} is ${root}, and that is not so`,
    "Look at `core.worktree` in the repository's configuration.",
  );
}

async function headOf(repository: Repository): Promise<Snapshot["head"] | undefined> {
  const named = await repository.ask(["symbolic-ref", "--quiet", "HEAD"]);
  const commit = await resolveName(repository, "HEAD");
  return commit === undefined ? undefined : { name: named.code === 0 ? asLine(named.stdout) : "HEAD", commit };
}

async function mergeBase(repository: Repository, one: string, other: string): Promise<string | undefined> {
  // A commit graph is a cache that anybody could have written: parents are read from the commits.
  const answer = await repository.ask(["-c", "core.commitGraph=false", "merge-base", one, other]);
  if (answer.code === 0) return asLine(answer.stdout);
  if (answer.code === 1) return undefined;
  throw cannotJudge(
    `git merge-base failed: ${answer.stderr.trim().slice(0, 500)}`,
    "Look at the repository with `git fsck`, then try again.",
  );
}

async function touchedBetween(repository: Repository, base: string, head: string): Promise<readonly string[]> {
  const commits = await repository.read(["-c", "core.commitGraph=false", "rev-list", head, `^${base}`, "--"]);
  if (commits.length === 0) return [];
  const raw = await repository.read(
    ["diff-tree", "--stdin", "-m", "-r", "-z", "--root", "--no-commit-id", "--name-only", "--no-renames"],
    commits.toString("latin1"),
  );
  return [...new Set(zeroEnded(raw))].map(decodeName);
}

const asLine = (answer: Buffer): string => answer.toString("utf8").trim();

// ── what lies there ─────────────────────────────────────────────────────────────────────────────────────────────

/** Names are kept one character a byte: a name need not be text. */
type ByteName = string;
type Kind = "file" | "link" | "other";

interface Tracked {
  readonly mode: string;
  readonly blob: string;
  readonly isSkipped: boolean;
}

interface Lying {
  /** By the index. */
  readonly tracked: ReadonlyMap<ByteName, Tracked>;
  /** Untracked and not ignored. */
  readonly fresh: readonly ByteName[];
  /** Repositories in the checkout that are no submodules, and not ignored. */
  readonly nested: readonly ByteName[];
  readonly onDisk: ReadonlyMap<ByteName, Kind>;
  readonly unread: readonly ByteName[];
}

interface Places {
  readonly root: string;
  readonly store: string;
  readonly env: Environment;
}

async function lookAround(git: RunGit, places: Places): Promise<Lying> {
  const tracked = await readIndex(git, places.root);
  const { onDisk, unread } = await walk(places.root, tracked);
  const others = await listFresh(git, places, tracked);
  return {
    tracked,
    fresh: others.filter((name) => !name.endsWith("/")),
    nested: others.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1)),
    onDisk,
    unread,
  };
}

/** `<tag> <mode> <id> <stage>\t<name>`: the tag S says that git was told not to look. */
async function readIndex(git: RunGit, root: string): Promise<ReadonlyMap<ByteName, Tracked>> {
  const answer = await gitOrThrow(git, { cwd: root, args: ["ls-files", "--stage", "-v", "-z", "--full-name"] });
  const entries = zeroEnded(answer).map((line): [ByteName, Tracked] => {
    const [, tag, mode, blob, stage, name] = /^(\S) (\d{6}) ([0-9a-f]+) (\d)\t(.+)$/s.exec(line) ?? [];
    if (!tag || !mode || !blob || !name)
      throw new Error(`git ls-files answered in a way we do not know: ${JSON.stringify(line.slice(0, 80))}`);
    if (stage !== "0") throw cannotJudge(`${decodeName(name)} is in conflict`, "Finish the merge first, then try again.");
    return [name, { mode, blob, isSkipped: tag.toUpperCase() === "S" }];
  });
  return new Map(entries);
}

/** Every file that lies in the checkout. No link is followed, so that what lies elsewhere is never taken for a part of it. */
async function walk(root: string, tracked: ReadonlyMap<ByteName, Tracked>): Promise<Pick<Lying, "onDisk" | "unread">> {
  const folders = new Set([...tracked.keys()].flatMap(foldersOf));
  const onDisk = new Map<ByteName, Kind>();
  const unread: ByteName[] = [];
  const left: ByteName[] = [""];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const entries = await readdir(placeOf(root, folder), { withFileTypes: true, encoding: "buffer" }).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (!Array.isArray(entries)) {
      const name = folder.slice(0, -1);
      if (name === "" || folders.has(name)) throw unreadable(name, entries);
      unread.push(name);
      continue;
    }
    for (const entry of entries) {
      const last = entry.name.toString("latin1");
      const name = `${folder}${last}`;
      if (last === ".git") continue;
      if (!entry.isDirectory()) onDisk.set(name, entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "other");
      else if (tracked.get(name)?.mode !== "160000") left.push(`${name}/`);
    }
    if (onDisk.size > MOST_FILES)
      throw cannotJudge(`more than ${MOST_FILES} files lie in ${root}`, "Judge a commit with --head, or a smaller checkout.");
  }
  return { onDisk, unread };
}

/** Git says what is ignored, asked in a store of ours: by the ignore files of the checkout and those that the user keeps for himself. */
async function listFresh(git: RunGit, { root, store, env }: Places, tracked: ReadonlyMap<ByteName, Tracked>): Promise<readonly ByteName[]> {
  const index = join(dirname(store), "names-index");
  const at = { cwd: root, env: { GIT_DIR: store, GIT_WORK_TREE: root, GIT_INDEX_FILE: index } };
  await writeIndex(
    git,
    at,
    index,
    [...tracked].map(([name, { mode, blob }]) => ({ name, mode, blob })),
  );
  const lists = await ignoreLists(git, root, env);
  const raw = await gitOrThrow(git, {
    ...at,
    args: ["ls-files", "--others", "-z", "--exclude-per-directory=.gitignore", ...lists.flatMap((list) => ["-X", list])],
  });
  return zeroEnded(raw);
}

async function ignoreLists(git: RunGit, root: string, env: Environment): Promise<readonly string[]> {
  const own = await gitLine(git, { cwd: root, args: ["rev-parse", "--path-format=absolute", "--git-path", "info/exclude"] });
  const usual = join(env.get("XDG_CONFIG_HOME") || join(env.get("HOME") ?? "", ".config"), "git", "ignore");
  const users = (await readSetting(git, root, "core.excludesFile", env)) ?? usual;
  const isFile = async (path: string): Promise<boolean> =>
    stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
  const found = await Promise.all([own, users].map(async (path) => ((await isFile(path)) ? [path] : [])));
  return found.flat();
}

function foldersOf(name: ByteName): readonly ByteName[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

// ── as objects ──────────────────────────────────────────────────────────────────────────────────────────────────

interface TreeEntry {
  readonly name: ByteName;
  readonly mode: string;
  readonly blob: string;
}

interface Writing {
  readonly root: string;
  readonly store: string;
  readonly idLength: number;
}

async function writeTree(git: RunGit, writing: Writing, lying: Lying): Promise<Pick<Snapshot, "tree" | "files">> {
  const known = new Set([...lying.tracked.values()].map(({ blob }) => blob));
  const names = [...lying.tracked.keys(), ...lying.fresh];
  const files = await inTurns(names, (name) => readEntry(git, writing, lying, name, known));
  const links = await inTurns(lying.nested, (name) => readNested(git, writing.root, name));
  const entries = [...files, ...links].flatMap((entry) => (entry ? [entry] : []));
  const index = join(dirname(writing.store), "tree-index");
  const at = { cwd: writing.store, env: { GIT_DIR: writing.store, GIT_INDEX_FILE: index } };
  await writeIndex(git, at, index, entries);
  return { tree: await gitLine(git, { ...at, args: ["write-tree"] }), files: entries.length };
}

/** Undefined where nothing lies at the name, or only a folder. */
async function readEntry(
  git: RunGit,
  { root, store, idLength }: Writing,
  { tracked, onDisk }: Lying,
  name: ByteName,
  known: ReadonlySet<string>,
): Promise<TreeEntry | undefined> {
  const before = tracked.get(name);
  const kind = onDisk.get(name);
  if (before?.mode === "160000" && kind === undefined) return readSubmodule(git, root, name, before);
  // In a sparse checkout a file that was never laid out is in the commit all the same.
  if (kind === undefined) return before?.isSkipped ? { name, mode: before.mode, blob: before.blob } : undefined;
  if (kind === "other") throw cannotJudge(`${decodeName(name)} is neither a file, a folder nor a link`, "Remove it, or let git ignore it.");
  const hash = idLength === 64 ? "sha256" : "sha1";
  if (kind === "link") {
    const target = await readlink(placeOf(root, name), { encoding: "buffer" }).catch((error: unknown) =>
      Promise.reject(unreadable(name, error)),
    );
    return { name, mode: "120000", blob: await keepBlob(store, hash, target, known) };
  }
  const { bytes, mode } = await readWhole(root, name);
  const blob = await keepBlob(store, hash, bytes, known);
  const isElsewhere = before && blob !== before.blob && isStoredElsewhere(bytes, await pointerOf(git, store, before));
  return { name, mode, blob: isElsewhere ? before.blob : blob };
}

async function readSubmodule(git: RunGit, root: string, name: ByteName, { mode, blob }: Tracked): Promise<TreeEntry | undefined> {
  const found = await lstat(placeOf(root, name)).catch(() => undefined);
  if (!found) return undefined;
  return { name, mode, blob: (await nestedHead(git, root, name)) ?? blob };
}

/** What git would take it for: a submodule at its commit. */
async function readNested(git: RunGit, root: string, name: ByteName): Promise<TreeEntry> {
  const blob = await nestedHead(git, root, name);
  if (blob === undefined)
    throw cannotJudge(`a repository without a commit lies in ${decodeName(name)}`, "Let git ignore it, move it, or commit in it.");
  return { name, mode: "160000", blob };
}

/** Undefined for a folder that is no repository of its own: git would answer with the one around it. */
async function nestedHead(git: RunGit, root: string, name: ByteName): Promise<string | undefined> {
  const folder = placeOf(root, name).toString("utf8");
  const answer = await git({ cwd: root, args: ["-C", folder, "rev-parse", "--path-format=absolute", "--show-toplevel", "HEAD"] });
  const [top, commit] = asLine(answer.stdout).split("\n");
  return answer.code === 0 && top !== root ? commit : undefined;
}

async function readWhole(root: string, name: ByteName): Promise<{ readonly bytes: Buffer; readonly mode: string }> {
  try {
    // What stands there may have been swapped since: a link is not followed, and a pipe does not hold us up.
    const file = await open(placeOf(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found: Stats = await file.stat();
      if (!found.isFile()) throw cannotJudge(`${decodeName(name)} is no file any more`, "Try again when nobody works in the checkout.");
      if (found.size > MOST_FILE_BYTES)
        throw cannotJudge(`${decodeName(name)} is larger than ${MOST_FILE_BYTES} bytes`, "Let git ignore it, or keep it elsewhere.");
      return { bytes: await file.readFile(), mode: (found.mode & 0o100) === 0 ? "100644" : "100755" };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof LoopError ? error : unreadable(name, error);
  }
}

/** Written as git writes a loose object, so that no filter and no attribute of anybody has a say. */
async function keepBlob(store: string, hash: "sha1" | "sha256", bytes: Buffer, known: ReadonlySet<string>): Promise<string> {
  const head = Buffer.from(`blob ${bytes.length}\0`);
  const id = createHash(hash).update(head).update(bytes).digest("hex");
  if (known.has(id)) return id;
  const folder = join(store, "objects", id.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id.slice(2)), deflateSync(Buffer.concat([head, bytes]), { level: 1 }), { flag: "wx", mode: 0o444 }).catch(
    (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? undefined : Promise.reject(error)),
  );
  return id;
}

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n$/;
const MOST_POINTER_BYTES = 1_024;

/** What a pointer of Git LFS says about the file that lies in its place; undefined where it is none. */
async function pointerOf(git: RunGit, store: string, { blob, mode }: Tracked): Promise<RegExpExecArray | undefined> {
  if (!mode.startsWith("100")) return undefined;
  const size = await git({ cwd: store, env: { GIT_DIR: store }, args: ["cat-file", "-s", blob] });
  if (size.code !== 0 || Number(asLine(size.stdout)) > MOST_POINTER_BYTES) return undefined;
  const { code, stdout } = await git({ cwd: store, env: { GIT_DIR: store }, args: ["cat-file", "blob", blob] });
  return code === 0 ? (POINTER.exec(stdout.toString("utf8")) ?? undefined) : undefined;
}

/** The pointer names its bytes by their hash, so that nothing but these can stand for it. */
const isStoredElsewhere = (bytes: Buffer, pointer: RegExpExecArray | undefined): boolean =>
  pointer !== undefined && Number(pointer[2]) === bytes.length && createHash("sha256").update(bytes).digest("hex") === pointer[1];

async function writeIndex(
  git: RunGit,
  at: { readonly cwd: string; readonly env: { readonly [name: string]: string } },
  index: string,
  entries: readonly TreeEntry[],
): Promise<void> {
  await rm(index, { force: true });
  await rm(`${index}.lock`, { force: true });
  const lines = entries.map(({ name, mode, blob }) => `${mode} ${blob}\t${name}\0`).join("");
  const answer = await git({ ...at, args: ["update-index", "-z", "--index-info"], input: Buffer.from(lines, "latin1") });
  if (answer.code !== 0)
    throw cannotJudge(
      `git cannot hold what lies there: ${answer.stderr.trim().slice(0, 500)}`,
      "Rename what git refuses, such as a folder named .GIT.",
    );
}

// ── ignored files ───────────────────────────────────────────────────────────────────────────────────────────────

async function readHidden(root: string, lying: Lying, isWanted: (path: string) => boolean): Promise<Pick<Snapshot, "hidden" | "unread">> {
  const { tracked, fresh, onDisk, unread } = lying;
  const seen = new Set([...tracked.keys(), ...fresh]);
  const names = [...onDisk].filter(([name, kind]) => kind !== "other" && !seen.has(name) && isWanted(decodeName(name)));
  const hidden = await inTurns(names, ([name, kind]) => hashHidden(root, name, kind === "link" ? "link" : "file"));
  return { hidden: hidden.toSorted((one, other) => (one.path < other.path ? -1 : 1)), unread: unread.map(decodeName).toSorted() };
}

async function hashHidden(root: string, name: ByteName, kind: HiddenFile["kind"]): Promise<HiddenFile> {
  const place = placeOf(root, name);
  try {
    if (kind === "link") return { path: decodeName(name), kind, sha256: sha256Of(await readlink(place, { encoding: "buffer" })) };
    const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const hash = createHash("sha256");
      for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer); // no encoding is set, so chunks are buffers
      return { path: decodeName(name), kind, sha256: hash.digest("hex") };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

// ── small things ────────────────────────────────────────────────────────────────────────────────────────────────

/** Does the work for each, a few at a time, and gives back what came of each, in order. */
async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return results;
}

const zeroEnded = (list: Buffer): readonly ByteName[] => list.toString("latin1").split("\0").filter(Boolean);
const decodeName = (name: ByteName): string => decodeText(Buffer.from(name, "latin1"));
const placeOf = (root: string, name: ByteName): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);

const unreadable = (name: ByteName, cause: unknown): LoopError =>
  new LoopError(
    "cannot-judge",
    `${decodeName(name) || "the checkout"} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      retry: "never",
      hint: "Make it readable, or try again when nobody works in the checkout.",
      cause,
    },
  );

const cannotJudge = (message: string, hint: string): LoopError => new LoopError("cannot-judge", message, { retry: "never", hint });

/**
 * The path in the checkout that somebody names; undefined where it lies elsewhere. By its letters first: a link that somebody put
 * in a file's place does not take it out of the checkout.
 */
export async function pathInCheckout(root: string, cwd: string, asked: string): Promise<string | undefined> {
  const place = resolve(await realpath(cwd), asked);
  for (const candidate of [place, await realpath(place).catch(() => place)]) {
    const path = relative(root, candidate);
    if (path !== "" && path !== ".." && !path.startsWith("../")) return path;
  }
  return undefined;
}
