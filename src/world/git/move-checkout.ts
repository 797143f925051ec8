// Moves a checkout along with its branch: files first, then its index, then the branch, so that whoever dies in between leaves nothing that
// a second try does not finish. Nothing of the user's is written over, and no filter or hook of the repository runs.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, linkSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, lstat, readdir, readFile, readlink, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { NotMoved } from "../../contract/git.ts";
import { isOwnerGone, ownName } from "../process/owner.ts";
import { parseRawNames } from "./raw-diff.ts";
import { gitLine, gitOrThrow, type RunGit } from "./run-git.ts";

/** A checkout of a repository, and the commits that it goes from and to. */
export interface CheckoutMove {
  readonly repo: string;
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

type ChangedFile = ReturnType<typeof parseRawNames>[number];

interface Ready {
  readonly kind: "ready";
  readonly goes: readonly ChangedFile[];
  readonly comes: readonly ChangedFile[];
  /** Those that lie there already as they will be: an earlier try came so far. */
  readonly there: ReadonlySet<ChangedFile>;
}

/** What a checkout must not be in the middle of. */
const BUSY: readonly (readonly [file: string, what: string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["BISECT_LOG", "a bisection"],
];
const MOST_TOLD = 5;
const OURS = "loopwright ";
const OWN_INDEX = "loopwright-index";
const OWN_LOCK = "loopwright-lock.";

/** Whether it could be moved along now, or what is in the way; a lock with these words in it is none. Nothing is written. */
export async function lookAtCheckout(git: RunGit, { repo, folder, from, to }: CheckoutMove, own?: string): Promise<Ready | NotMoved> {
  const gitDir = await gitLine(git, { cwd: folder, args: ["rev-parse", "--absolute-git-dir"] });
  // A repository can name any folder as one of its checkouts, and any as the one that its files lie in.
  const [top, ofFolder, ofRepo] = await Promise.all([
    gitLine(git, { cwd: folder, args: ["rev-parse", "--show-toplevel"] }),
    commonFolder(git, folder),
    commonFolder(git, repo),
  ]);
  if (ofFolder !== ofRepo || realpathSync(top) !== realpathSync(folder))
    return byHand(`${folder} is named as a checkout of this repository, and its files or its git lie elsewhere`, to);
  const busy = BUSY.find(([file]) => existsSync(join(gitDir, file)));
  if (busy) return refused(`${folder} is in the middle of ${busy[1]}`, "Finish it, then approve again.");
  if (isLockedBySomebody(join(gitDir, "index.lock"), own))
    return refused(`git is at work in ${folder}: ${join(gitDir, "index.lock")} is there`, "Wait until it is done, then approve again.");
  const sparse = await git({ cwd: folder, args: ["config", "--type=bool", "--get", "core.sparseCheckout"] });
  if (sparse.stdout.toString("utf8").trim() === "true") return byHand(`${folder} has only some of the files checked out`, to);
  const changed = parseRawNames(
    await gitOrThrow(git, { cwd: folder, args: ["diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", from, to] }),
  );
  const odd = changed.find(({ change: { before, after } }) => before?.mode === "160000" || after?.mode === "160000");
  if (odd) return byHand(`${odd.change.path} is a submodule`, to);
  const filtered = await firstFiltered(git, folder, changed);
  if (filtered !== undefined) return byHand(`${filtered} is written by a filter or by attributes that the change brings`, to);
  const staged = await stagedOtherwise(git, folder, changed);
  const lying = await Promise.all(changed.map(async (file) => ({ file, lies: await liesAs(git, folder, file, changed) })));
  const inTheWay = [...new Set([...staged, ...lying.flatMap(({ file, lies }) => (lies === "otherwise" ? [file.change.path] : []))])];
  if (inTheWay.length > 0)
    return refused(
      `in ${folder}, ${inTheWay.slice(0, MOST_TOLD).join(", ")}${inTheWay.length > MOST_TOLD ? ` and ${inTheWay.length - MOST_TOLD} more` : ""} would be written over, and ${inTheWay.length === 1 ? "is" : "are"} not as the branch has ${inTheWay.length === 1 ? "it" : "them"}`,
      "Commit, stash or move them away, then approve again.",
    );
  return {
    kind: "ready",
    goes: changed.filter(({ change }) => change.after === undefined),
    comes: changed.filter(({ change }) => change.after !== undefined),
    there: new Set(lying.flatMap(({ file, lies }) => (lies === "after" ? [file] : []))),
  };
}

/**
 * Files and index of the checkout, and then whatever moves the branch. While the lock of its index is ours no other git changes it; the new
 * index takes the place of the old one by a rename, as git does it itself.
 */
export async function moveCheckout<T>(git: RunGit, move: CheckoutMove, moveBranch: () => Promise<T>): Promise<T | NotMoved> {
  const { folder, from } = move;
  const gitDir = await gitLine(git, { cwd: folder, args: ["rev-parse", "--absolute-git-dir"] });
  const lock = join(gitDir, "index.lock");
  const held = takeLock(gitDir, lock);
  if (held === undefined) return refused(`git is at work in ${folder}: ${lock} is there`, "Wait until it is done, then approve again.");
  const own = join(gitDir, OWN_INDEX);
  try {
    // Looked at once more, now that nobody else's git can change it.
    const ready = await lookAtCheckout(git, move, held);
    if (ready.kind === "refused") return ready;
    await rm(`${own}.lock`, { force: true });
    await copyFile(join(gitDir, "index"), own);
    const env = { GIT_INDEX_FILE: own };
    // What goes is taken out first: a file may come where a folder was.
    const lines = [...ready.goes, ...ready.comes].map((file) => indexLine(file, from.length));
    await gitOrThrow(git, { cwd: folder, env, args: ["update-index", "-z", "--index-info"], input: Buffer.concat(lines) });
    for (const { bytes } of ready.goes) await removeFile(folder, bytes);
    const input = Buffer.concat(
      ready.comes.filter((file) => !ready.there.has(file)).flatMap(({ bytes }) => [Buffer.from(bytes, "latin1"), ZERO]),
    );
    const laid = await git({ cwd: folder, env, args: ["checkout-index", "-f", "-q", "-z", "--stdin"], input });
    if (laid.code !== 0)
      return refused(
        `the files in ${folder} could not be moved along: ${laid.stderr.trim().slice(0, 500)}`,
        "Look with `git status` there, then approve again.",
      );
    await git({ cwd: folder, env, args: ["update-index", "-q", "--refresh"] });
    // The lock keeps its words until all is done: with an index in it, it would be anybody's.
    renameSync(own, join(gitDir, "index"));
    return await moveBranch();
  } finally {
    rmSync(own, { force: true });
    if (textOf(lock) === held) rmSync(lock, { force: true });
  }
}

/**
 * The lock of git's own index, made with its words in it in one step: who we are, so that who comes after a death knows that it is nobody's,
 * and which move of ours it is for. Gives the words back.
 */
function takeLock(gitDir: string, lock: string): string | undefined {
  for (const name of readdirSync(gitDir))
    if (name.startsWith(OWN_LOCK) && isOwnerGone(name.slice(OWN_LOCK.length).split(".")[0] ?? ""))
      rmSync(join(gitDir, name), { force: true });
  const which = `${ownName()}.${randomBytes(6).toString("hex")}`;
  const words = `${OURS}${which}\n`;
  const [made, old] = [join(gitDir, `${OWN_LOCK}${which}`), join(gitDir, `${OWN_LOCK}${which}.old`)];
  const before = textOf(lock);
  if (isLockedBySomebody(lock)) return undefined;
  writeFileSync(made, words);
  try {
    if (before !== undefined) renameSync(lock, old);
    // Somebody who saw the same may have been quicker, and it is theirs now.
    if (before !== undefined && textOf(old) !== before) {
      linkSync(old, lock);
      return undefined;
    }
    linkSync(made, lock);
    return words;
  } catch {
    return undefined;
  } finally {
    for (const path of [made, old]) rmSync(path, { force: true });
  }
}

function isLockedBySomebody(lock: string, own?: string): boolean {
  const text = textOf(lock);
  if (text === undefined || text === own) return false;
  return !text.startsWith(OURS) || !isOwnerGone(text.slice(OURS.length).split(".")[0] ?? "");
}

async function commonFolder(git: RunGit, folder: string): Promise<string> {
  const named = await gitLine(git, { cwd: folder, args: ["rev-parse", "--git-common-dir"] });
  return realpathSync(resolve(folder, named));
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/** Attributes may have a program write the file: that is left to the person whose repository it is. */
async function firstFiltered(git: RunGit, folder: string, changed: readonly ChangedFile[]): Promise<string | undefined> {
  const brought = changed.find(({ change: { path } }) => /(^|\/)\.gitattributes$/i.test(path));
  if (brought) return brought.change.path;
  const input = Buffer.concat(changed.flatMap(({ bytes }) => [Buffer.from(bytes, "latin1"), ZERO]));
  const asked = ["filter", "working-tree-encoding", "ident"];
  const answer = await gitOrThrow(git, { cwd: folder, args: ["check-attr", "-z", "--stdin", ...asked], input });
  const words = answer.toString("utf8").split("\0");
  for (let at = 0; at + 2 < words.length; at += 3) if (!["unspecified", "unset"].includes(words[at + 2] ?? "")) return words[at];
  return undefined;
}

const ZERO = Buffer.of(0);

/** Paths of the change that the index holds neither as they were nor as they will be. */
async function stagedOtherwise(git: RunGit, folder: string, changed: readonly ChangedFile[]): Promise<readonly string[]> {
  const listed = (await gitOrThrow(git, { cwd: folder, args: ["ls-files", "--stage", "-z"] })).toString("latin1").split("\0");
  const held = new Map<string, string>();
  for (const line of listed) {
    const [, mode, blob, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(line) ?? [];
    if (path !== undefined) held.set(path, stage === "0" ? `${mode} ${blob}` : "in conflict");
  }
  const saysSo = (side: Side): string | undefined => side && `${side.mode} ${side.blob}`;
  return changed.flatMap(({ bytes, change: { path, before, after } }) => {
    const now = held.get(bytes);
    return now === saysSo(before) || now === saysSo(after) ? [] : [path];
  });
}

type Side = ChangedFile["change"]["before"];

async function liesAs(
  git: RunGit,
  folder: string,
  { bytes, change: { before, after } }: ChangedFile,
  changed: readonly ChangedFile[],
): Promise<"before" | "after" | "otherwise"> {
  const name = Buffer.from(bytes, "latin1");
  const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
  const inTheWay = await firstNoFolder(folder, bytes);
  if (inTheWay !== undefined) {
    const other = changed.find((one) => one.bytes === inTheWay);
    // What was to go is gone where something else lies already, and what comes has its place once that is gone. Somebody's link is neither.
    if (after === undefined) return other === undefined ? "otherwise" : "after";
    return other?.change.after === undefined && other !== undefined && before === undefined ? "before" : "otherwise";
  }
  const found = await lstat(path).catch(() => undefined);
  // A folder in the way is no obstacle where all that lies in it goes.
  if (found?.isDirectory()) return before === undefined && (await isAllGoing(path, name, changed)) ? "before" : "otherwise";
  const same = async (side: Side): Promise<boolean> => {
    if (side === undefined || found === undefined) return side === undefined && found === undefined;
    if (side.mode === "120000") return found.isSymbolicLink() && blobOf(await readlink(path, "buffer"), side.blob) === side.blob;
    if (!found.isFile() || ((found.mode & 0o100) !== 0) !== (side.mode === "100755")) return false;
    return blobOf(await readFile(path), side.blob) === side.blob || (await asGitHasIt(git, folder, name)) === side.blob;
  };
  if (await same(after)) return "after";
  return (await same(before)) ? "before" : "otherwise";
}

/** The first of those that it is to lie in which is there and no folder, such as somebody's link. */
async function firstNoFolder(folder: string, path: string): Promise<string | undefined> {
  const parts = path.split("/").slice(0, -1);
  for (const [index] of parts.entries()) {
    const above = parts.slice(0, index + 1).join("/");
    const found = await lstat(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(above, "latin1")])).catch(() => undefined);
    if (!found) return undefined;
    if (!found.isDirectory()) return above;
  }
  return undefined;
}

/** With the folders that are empty then. What is there no more was removed by an earlier try. */
async function removeFile(folder: string, path: string): Promise<void> {
  const at = (part: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(part, "latin1")]);
  if ((await firstNoFolder(folder, path)) !== undefined) return;
  const found = await lstat(at(path)).catch(() => undefined);
  if (found && !found.isDirectory()) await unlink(at(path));
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const isGone = await rmdir(at(parent)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

/** Line endings may lie otherwise than they are held. */
const asGitHasIt = async (git: RunGit, folder: string, path: Buffer): Promise<string | undefined> => {
  if (path.includes(0x0a)) return undefined;
  const { code, stdout } = await git({
    cwd: folder,
    args: ["hash-object", "--stdin-paths"],
    input: Buffer.concat([path, Buffer.from("\n")]),
  });
  return code === 0 ? stdout.toString("utf8").trim() : undefined;
};

async function isAllGoing(folder: Buffer, path: Buffer, changed: readonly ChangedFile[]): Promise<boolean> {
  const going = new Set(changed.flatMap(({ bytes, change }) => (change.after === undefined ? [bytes] : [])));
  const goes = async (at: Buffer, name: Buffer): Promise<boolean> => {
    for (const entry of await readdir(at, { withFileTypes: true, encoding: "buffer" })) {
      const inside = Buffer.concat([name, Buffer.from("/"), entry.name]);
      const isGone = entry.isDirectory()
        ? await goes(Buffer.concat([at, Buffer.from("/"), entry.name]), inside)
        : going.has(inside.toString("latin1"));
      if (!isGone) return false;
    }
    return true;
  };
  return goes(folder, path);
}

const blobOf = (bytes: Buffer, like: string): string =>
  createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");

/** One line of what `update-index --index-info` reads; a mode of nought takes the path out. */
const indexLine = ({ bytes, change: { after } }: ChangedFile, idLength: number): Buffer =>
  Buffer.concat([Buffer.from(`${after?.mode ?? "0"} ${after?.blob ?? "0".repeat(idLength)}\t`), Buffer.from(bytes, "latin1"), ZERO]);

const byHand = (why: string, to: string): NotMoved =>
  refused(
    `${why}, which is left to you`,
    `Merge it there with \`git merge --ff-only ${to.slice(0, 12)}\`, or check out another branch and approve again.`,
  );

const refused = (why: string, hint: string): NotMoved => ({ kind: "refused", why, hint });
