// Whatever lies in the maker's copy, as a tree: read with an index of our own, hashed anew, file by file.
import { copyFile, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { removeTree } from "../files/remove-tree.ts";
import { type CallGit, type GitCall, gitWithoutRoom } from "./git-call.ts";
import type { parseRawNames } from "./raw-diff.ts";
import { parseTree } from "./read-tree.ts";
import { gitLine, gitOrThrow, type RunGit } from "./run-git.ts";

const MOST_NESTED = 100;
/** A change of more is one that nobody reads, and each look at it takes its time. */
const MOST_NEW_FILES = 20_000;

interface Places {
  readonly work: string;
  readonly store: string;
  readonly index: string;
  /** Where the folder lies on base: git that sees it so, and base's index. */
  readonly onBase?: { readonly git: CallGit; readonly index: string } | undefined;
}

interface Written {
  readonly tree: string;
  readonly displaced: readonly string[];
}

/** Everything that lies in the work folder and is not ignored, as a tree in the store; hidden files are in it as on base. */
export async function writeTree(
  git: RunGit,
  { work, store, index, onBase }: Places,
  base: string,
  hidden: readonly string[],
): Promise<Written> {
  const env = { GIT_DIR: store, GIT_WORK_TREE: work, GIT_INDEX_FILE: index };
  await rm(index, { force: true });
  await rm(`${index}.lock`, { force: true });
  if (onBase) await copyFile(onBase.index, index);
  else await gitOrThrow(git, { cwd: work, env, args: ["read-tree", base] });
  const inWork = onBase?.git ?? git;
  const asOnBase = await takeOut(git, { cwd: work, env }, hidden, base);
  if (!onBase || !(await addDiffering(inWork, { cwd: work, env }))) {
    await openNested(inWork, work, env);
    const added = await inWork({ cwd: work, env, args: ["add", "--all", "--", "."] });
    if (added.code !== 0) throw gitWithoutRoom(added.stderr) ?? notCommittable(added.stderr);
  }
  const displaced = asOnBase.length === 0 ? [] : await putBack(git, { cwd: work, env }, asOnBase);
  return { tree: await gitLine(git, { cwd: work, env, args: ["write-tree"] }), displaced };
}

/**
 * Where the copy lies on base all that differs is below what it has itself, so that git need not look at the rest. False where it must:
 * where a repository may lie in it, where there is much, and where git does not take a name, as one that is ignored.
 */
async function addDiffering(git: CallGit, at: Pick<GitCall, "cwd" | "env">): Promise<boolean> {
  const own = (await readdir(at.cwd, { encoding: "buffer" })).filter((name) => name.toString("latin1") !== ".git");
  if (own.length === 0) return true;
  if (!(await isPlain(at.cwd, own))) return false;
  const args = ["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const { code } = await git({ ...at, args, input: Buffer.concat(own.flatMap((name) => [name, Buffer.alloc(1)])) });
  return code === 0;
}

/** Few files, and none called as the folder of a repository is. */
async function isPlain(work: string, own: readonly Buffer[]): Promise<boolean> {
  let seen = 0;
  const left = own.map((name) => Buffer.concat([Buffer.from(`${work}/`), name]));
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    if (++seen > MOST_NEW_FILES) return false;
    const name = place.subarray(place.lastIndexOf("/") + 1);
    if (name.toString("latin1").toLowerCase() === ".git") return false;
    const found = await lstat(place).catch(() => undefined);
    const inside = found?.isDirectory() ? await readdir(place, { encoding: "buffer" }).catch(() => undefined) : [];
    if (inside === undefined) return false;
    for (const each of inside) left.push(Buffer.concat([place, Buffer.from("/"), each]));
  }
  return true;
}

/** Puts files back into the index, in place of whatever is there or in the way; says for which of them something was. */
async function putBack(
  git: RunGit,
  at: Pick<GitCall, "cwd" | "env">,
  files: Awaited<ReturnType<typeof takeOut>>,
): Promise<readonly string[]> {
  const there = new Set(zeroEnded(await gitOrThrow(git, { ...at, args: ["ls-files", "-z"] })));
  const inTheWay = new Set([...there].flatMap(withFolders));
  const displaced = files.filter(({ bytes }) => inTheWay.has(bytes) || withFolders(bytes).some((name) => there.has(name)));
  const lines = files.map(({ line }) => line).join("");
  await gitOrThrow(git, { ...at, args: ["update-index", "-z", "--replace", "--index-info"], input: Buffer.from(lines, "latin1") });
  return displaced.map(({ path }) => path);
}

/** A path, and every folder that it lies in. */
const withFolders = (path: string): readonly string[] => path.split("/").map((_, depth, parts) => parts.slice(0, depth + 1).join("/"));

/** Where a link or a file stands on the way, there is nothing of ours behind it, and it is the maker's to propose. */
export async function removeInside(work: string, path: string): Promise<void> {
  for (const folder of withFolders(path).slice(0, -1)) {
    const found = await lstat(join(work, folder)).catch(() => undefined);
    if (!found?.isDirectory()) return;
  }
  await removeTree(join(work, path));
}

/**
 * A repository inside the copy would be recorded as a mere pointer to a commit that nobody has, and its own configuration
 * would be asked for its state. Without its .git it is a folder of files like any other, and a submodule of base stays at base's commit.
 */
async function openNested(git: CallGit, work: string, env: NonNullable<GitCall["env"]>): Promise<void> {
  for (let depth = 0; depth < MOST_NESTED; depth++) {
    const args = ["ls-files", "-t", "--stage", "--others", "--exclude-standard", "-z"];
    const listed = zeroEnded(await gitOrThrow(git, { cwd: work, env, args }));
    // What is untracked stands behind a question mark, and ends in a slash where it is a repository.
    const fresh = listed.filter((line) => line.startsWith("? ")).length;
    if (fresh > MOST_NEW_FILES) throw tooMany(fresh);
    const nested = listed.flatMap((line) => (line.startsWith("? ") && line.endsWith("/") ? [line.slice(2)] : []));
    const links = listed.flatMap((line) => /^[^?] 160000 [0-9a-f]+ \d\t(.+)$/s.exec(line)?.[1] ?? []);
    for (const path of depth === 0 ? [...links, ...nested] : nested) await removeGitOf(work, path);
    if (nested.length === 0 && (links.length === 0 || depth > 0)) return;
  }
  throw notCommittable(`repositories are nested more than ${MOST_NESTED} deep`);
}

/** Paths in one byte each, as git gave them: a name need not be text. */
export const zeroEnded = (list: Buffer): readonly string[] => list.toString("latin1").split("\0").filter(Boolean);

async function removeGitOf(work: string, path: string): Promise<void> {
  const folder = Buffer.concat([Buffer.from(`${work}/`), Buffer.from(path, "latin1")]);
  // Where a link took the folder's place, there is nothing of ours behind it.
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory()) await removeTree(Buffer.concat([folder, Buffer.from("/.git")]));
}

/** The tree of a commit with some of its changes undone. */
export async function treeWithout(
  git: RunGit,
  { store, index }: Pick<Places, "store" | "index">,
  commit: string,
  undone: ReturnType<typeof parseRawNames>,
): Promise<string> {
  await rm(index, { force: true });
  await rm(`${index}.lock`, { force: true });
  const at = { cwd: store, env: { GIT_DIR: store, GIT_INDEX_FILE: index } };
  await gitOrThrow(git, { ...at, args: ["read-tree", commit] });
  // What came goes first, so that a folder makes room for the file that was there before it.
  const came = undone.filter(({ change }) => !change.before).map(({ bytes }) => `0 ${"0".repeat(commit.length)}\t${bytes}`);
  const was = undone.flatMap(({ change: { before }, bytes }) => (before ? [`${before.mode} ${before.blob}\t${bytes}`] : []));
  const lines = [...came, ...was].map((line) => `${line}\0`).join("");
  await gitOrThrow(git, { ...at, args: ["update-index", "-z", "--replace", "--index-info"], input: Buffer.from(lines, "latin1") });
  return gitLine(git, { ...at, args: ["write-tree"] });
}

/** Takes files out of the index, and gives back the lines that would put them there again. */
export async function takeOut(
  git: RunGit,
  at: Pick<GitCall, "cwd" | "env">,
  paths: readonly string[],
  base: string,
): Promise<readonly { readonly path: string; readonly bytes: string; readonly line: string }[]> {
  if (paths.length === 0) return [];
  const wanted = new Set(paths);
  const listed = parseTree(await gitOrThrow(git, { ...at, args: ["ls-files", "--stage", "-z"] }));
  const found = listed.filter(({ file }) => wanted.has(file.path));
  const gone = found.map(({ bytes }) => `0 ${"0".repeat(base.length)}\t${bytes}\0`).join("");
  await gitOrThrow(git, { ...at, args: ["update-index", "-z", "--index-info"], input: Buffer.from(gone, "latin1") });
  return found.map(({ bytes, file: { path, mode, blob } }) => ({ path, bytes, line: `${mode} ${blob}\t${bytes}\0` }));
}

const tooMany = (found: number): LoopError =>
  new LoopError("maker-failed", `the maker left ${found} new files, and no change may have more than ${MOST_NEW_FILES}`, {
    retry: "never",
    hint: "What is made by a build belongs into .gitignore; a change that is truly so large is made in parts.",
  });

const notCommittable = (why: string): LoopError =>
  new LoopError("maker-failed", `what the maker left cannot be committed: ${why.trim().slice(0, 2000)}`, {
    retry: "never",
    hint: "The maker left something that git cannot hold, such as a pipe, an unreadable file or a folder named .GIT; say so in the task, then `lw run` again.",
  });
