// A round's own copies of the repository: the maker's, the verifiers', and one only the engine uses.
import { existsSync } from "node:fs";
import { copyFile, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Artifacts } from "../../contract/artifacts.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Round } from "../../contract/round.ts";
import type { Apart, CommittedWork, Workshop } from "../../contract/workshop.ts";
import { decodeText } from "../../std/decode-text.ts";
import { sha256 } from "../../std/hash.ts";
import { ageTree } from "../files/age-tree.ts";
import { findBrought, layFolder, mustBeAsOf } from "../files/bring-folder.ts";
import { removeTree } from "../files/remove-tree.ts";
import { endMarked } from "../process/processes.ts";
import { MOST_KEPT_BYTES } from "../store/artifacts.ts";
import { compareTrees } from "./compare-trees.ts";
import { openObjects } from "./open-repository.ts";
import { parseRawDiff, parseRawNames } from "./raw-diff.ts";
import { readContents } from "./read-contents.ts";
import { parseTree } from "./read-tree.ts";
import { type GitCall, gitLine, gitOrThrow, type RunGit } from "./run-git.ts";

const AUTHOR = { name: "Loopwright", email: "loopwright@localhost" };
const MOST_NESTED = 100;
/** What makes the path of a room unusual, and still one that every program should take. */
const UNUSUAL = "somewhere quite different, f\u00fcr alle F\u00e4lle ";

/** So that a file is in the commit as it lies in the folder, byte for byte, and the other way round, whatever a `.gitattributes` says. */
const RAW_ATTRIBUTES = "* -text !crlf !eol !ident !filter !working-tree-encoding !diff\n";

/**
 * Layout of a round's folder, `<rounds>/<loop>/<round id>/`:
 *   work/      the maker's copy, a repository of its own: nothing it does with git reaches the user's
 *              where files are hidden from the maker, with one commit and no borrowed objects: history would show them
 *   brief.md, told/, home/   beside the copy, so that they are no part of the change
 *   store.git/ the engine's own repository, made when the maker is done: it reads work/ and never the .git that the maker could have planted there
 *   check-N/   a fresh copy of the proposed commit for the N-th verifier; by then work/ is gone, so that nothing can lean on what was not committed
 *   check-N-room-M/   further fresh copies for that verifier, of base or of the proposal
 * All of them borrow the target's objects instead of copying them.
 */
export function createWorkshop(rounds: string, git: RunGit, artifacts: Artifacts): Workshop {
  const placeOf = ({ loop, id }: Pick<Round, "loop" | "id">): string => join(rounds, loop, id);
  const storeOf = (round: Round): string => join(placeOf(round), "store.git");

  const openRoom: Workshop["openRoom"] = async (round, { name, commit, over, path = "usual", olderByMs = 0 }) => {
    const place = join(placeOf(round), path === "unusual" ? `${UNUSUAL}${sha256(name).slice(0, 8)}` : name);
    const store = storeOf(round);
    await mustBeFolder(store);
    await removeTree(join(placeOf(round), "work"));
    await removeTree(place);
    const work = join(place, "work");
    const home = join(place, "home");
    await mkdir(home, { recursive: true, mode: 0o700 });
    const lender = await describeLender(git, store);
    await borrow(git, lender, work, "with-files");
    await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "--detach", commit] });
    if (over && over.paths.length > 0)
      await gitOrThrow(git, {
        cwd: work,
        args: ["checkout", "--quiet", over.commit, "--pathspec-from-file=-", "--pathspec-file-nul"],
        input: over.paths.join("\0"),
      });
    if (olderByMs > 0) await ageTree(work, olderByMs);
    // Kept outside of the copy, so that what runs there cannot say what was there before it.
    await copyFile(join(work, ".git", "index"), join(place, "index"));
    return { work, home, borrows: await lendersFrom(lender.objects) };
  };

  /** Those that began here: all their commands ended with us, so that only what another process left has to be looked for. */
  const begun = new Set<string>();
  const endLeftovers = async (round: Pick<Round, "id" | "loop">): Promise<void> => {
    if (!begun.has(round.id) && existsSync(placeOf(round))) await endMarked(round.id);
    begun.add(round.id);
  };

  const close: Workshop["close"] = async (round) => {
    await endLeftovers(round);
    begun.delete(round.id);
    // What cannot be removed now is left to the next sweep: a proven round does not fail because of its litter.
    await removeTree(placeOf(round)).catch(() => {});
  };

  return {
    async openWorkspace(repo, round, { hidden, leftOut } = NOTHING_APART) {
      const place = placeOf(round);
      await endLeftovers(round);
      await removeTree(place);
      const work = join(place, "work");
      const home = join(place, "home");
      await mkdir(home, { recursive: true, mode: 0o700 });
      // A folder of its own, so that a box can leave it open without opening what lies beside it.
      const told = join(place, "told");
      await mkdir(told, { mode: 0o700 });
      const lender = await describeLender(git, repo);
      if (hidden.length > 0) {
        await initCopy(git, work, lender.format, "with-files");
        const shown = await fetchWithout(git, lender, { place, work }, round, { commit: round.base, hidden });
        await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "-b", round.id, shown] });
      } else {
        await borrow(git, lender, work, "with-files");
        await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "-b", round.id, round.base] });
      }
      // So that a maker who asks git what it changed is not shown what was prepared for it.
      if (leftOut.length > 0)
        await writeFile(join(work, ".git", "info", "exclude"), leftOut.map((path) => `/${escapeGlob(path)}\n`).join(""));
      const borrows = hidden.length > 0 ? [] : await lendersFrom(lender.objects);
      return { work, home, brief: join(place, "brief.md"), usage: join(told, "usage.json"), notes: join(told, "notes.md"), borrows };
    },

    treeOf: (repo, commit) => gitLine(git, { cwd: repo, args: ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`] }),

    async openForBase(repo, round) {
      await endLeftovers(round);
      await removeTree(placeOf(round));
      await borrow(git, await describeLender(git, repo), storeOf(round), "bare");
    },

    async openBase(repo, at, commit) {
      const place = placeOf(at);
      await endLeftovers(at);
      await removeTree(place);
      const work = join(place, "work");
      const home = join(place, "home");
      await mkdir(home, { recursive: true, mode: 0o700 });
      await borrow(git, await describeLender(git, repo), work, "with-files");
      await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "--detach", commit] });
      return { work, home };
    },

    async commitWorkspace(repo, round, message, { hidden, leftOut } = NOTHING_APART) {
      const work = join(placeOf(round), "work");
      const store = storeOf(round);
      await mustBeFolder(work);
      await removeTree(store);
      await borrow(git, await describeLender(git, repo), store, "bare");
      for (const path of leftOut) await removeInside(work, path);
      const { tree, displaced } = await writeTree(git, { work, store, index: join(placeOf(round), "index") }, round.base, hidden);
      const commit = await gitLine(git, {
        cwd: store,
        env: { GIT_DIR: store, ...stamp(round.openedAt) },
        args: ["commit-tree", tree, "-p", round.base],
        input: message,
      });
      await gitOrThrow(git, { cwd: store, env: { GIT_DIR: store }, args: ["update-ref", "refs/heads/proposal", commit] });
      const described = await describeWork(git, artifacts, store, round.base, { commit, tree });
      return displaced.length > 0 ? { ...described, displaced } : described;
    },

    async keep(repo, round, commit) {
      const store = storeOf(round);
      await mustBeFolder(store);
      await gitOrThrow(git, {
        cwd: repo,
        args: ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--", store, commit],
      });
      await gitOrThrow(git, { cwd: repo, env: stamp(round.openedAt), args: ["update-ref", "--no-deref", keptRef(round), commit] });
    },

    async restore(repo, round, commit, { hidden } = NOTHING_APART) {
      const place = placeOf(round);
      const work = join(place, "work");
      await mustBeFolder(work);
      const shown =
        hidden.length > 0 ? await fetchWithout(git, await describeLender(git, repo), { place, work }, round, { commit, hidden }) : commit;
      await gitOrThrow(git, { cwd: work, args: ["read-tree", "--reset", "-u", shown] });
    },

    async forget(repo, round) {
      await git({ cwd: repo, args: ["update-ref", "--no-deref", "-d", keptRef(round)] });
    },

    async compareWithBase(round, commit) {
      const store = storeOf(round);
      await mustBeFolder(store);
      const ask = (args: readonly string[], input?: string): Promise<Buffer> =>
        gitOrThrow(git, { cwd: store, env: { GIT_DIR: store }, args, ...(input === undefined ? {} : { input }) });
      return compareTrees(ask, round.base, commit);
    },

    async describe(round, commit) {
      const store = storeOf(round);
      await mustBeFolder(store);
      const tree = await gitLine(git, { cwd: store, args: ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`] });
      return describeWork(git, artifacts, store, round.base, { commit, tree });
    },

    async undo(round, commit, paths) {
      const store = storeOf(round);
      await mustBeFolder(store);
      const index = join(placeOf(round), "undo-index");
      await rm(index, { force: true });
      await rm(`${index}.lock`, { force: true });
      const env = { GIT_DIR: store, GIT_INDEX_FILE: index };
      const raw = await gitOrThrow(git, {
        cwd: store,
        env,
        args: ["diff-tree", "-r", "-z", "--no-renames", "--full-index", round.base, commit],
      });
      const undone = new Set(paths);
      const entries = parseRawNames(raw).filter(({ change }) => undone.has(change.path));
      await gitOrThrow(git, { cwd: store, env, args: ["read-tree", commit] });
      // What came goes first, so that a folder makes room for the file that was there before it.
      const came = entries.filter(({ change }) => !change.before).map(({ bytes }) => `0 ${"0".repeat(commit.length)}\t${bytes}`);
      const was = entries.flatMap(({ change: { before }, bytes }) => (before ? [`${before.mode} ${before.blob}\t${bytes}`] : []));
      await gitOrThrow(git, {
        cwd: store,
        env,
        args: ["update-index", "-z", "--replace", "--index-info"],
        input: Buffer.from([...came, ...was].map((line) => `${line}\0`).join(""), "latin1"),
      });
      const tree = await gitLine(git, { cwd: store, env, args: ["write-tree"] });
      return gitLine(git, {
        cwd: store,
        env: { GIT_DIR: store, ...stamp(round.openedAt) },
        args: ["commit-tree", tree, "-p", round.base],
        input: "The proposal, with sealed files as they were.\n",
      });
    },

    checkOut: (_repo, round, commit, verifier) => openRoom(round, { name: `check-${verifier}`, commit }),

    openRoom,

    async listFiles(round, commit) {
      const raw = await gitOrThrow(git, { cwd: storeOf(round), args: ["ls-tree", "-r", "-z", "--full-tree", commit] });
      return zeroEnded(raw).flatMap((entry) => {
        const [, blob, bytes] = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
        return blob !== undefined && bytes !== undefined ? [{ path: decodeText(Buffer.from(bytes, "latin1")), blob }] : [];
      });
    },

    async listRewritten(round, { work }) {
      await mustBeFolder(work);
      const env = { GIT_DIR: storeOf(round), GIT_WORK_TREE: work, GIT_INDEX_FILE: join(dirname(work), "index") };
      // It says no as soon as one file is another; which ones is asked next.
      await git({ cwd: work, env, args: ["update-index", "-q", "--refresh"] });
      const raw = await gitOrThrow(git, { cwd: work, env, args: ["diff-files", "--name-only", "-z", "--ignore-submodules=all"] });
      return zeroEnded(raw).map((bytes) => decodeText(Buffer.from(bytes, "latin1")));
    },

    readBlobs: async (round, blobs) => readContents(await openObjects(git, storeOf(round)), blobs),
    async bring(room, from, into) {
      const place = await findBrought(from);
      await mustBeAsOf(place, from);
      await layFolder(place, room.work, into);
    },
    discard: ({ work }) => removeTree(dirname(work)),

    async propose(repo, round, commit, branch) {
      const ref = `refs/heads/${branch}`;
      const there = await refTip(git, repo, ref);
      if (there === commit) return;
      if (there) throw branchTaken(branch, there);
      const store = storeOf(round);
      await mustBeFolder(store);
      // By its id and not by a branch of the store, which what was verified could have moved.
      await gitOrThrow(git, {
        cwd: repo,
        args: ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--", store, commit],
      });
      // Made only if it is not there: a branch that somebody else made in the meantime is never moved.
      const made = await git({
        cwd: repo,
        env: stamp(round.openedAt),
        args: ["update-ref", "--no-deref", "-m", `loopwright: ${round.id}`, ref, commit, "0".repeat(commit.length)],
      });
      if (made.code !== 0) throw branchRefused(branch, made.stderr);
    },

    async isWaiting(repo, branch, base) {
      const tip = await refTip(git, repo, `refs/heads/${branch}`);
      if (!tip) return false;
      const { code } = await git({ cwd: repo, args: ["merge-base", "--is-ancestor", tip, base] });
      return code !== 0;
    },

    close,

    async sweep(loop, keepRun) {
      const left = await readdir(join(rounds, loop)).catch((error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? [] : Promise.reject(error),
      );
      for (const id of left.filter((name) => !name.startsWith(`${keepRun}.`))) await close({ loop, id });
    },
  };
}

/** No branch: it is not for people to merge, and no `git branch` shows it. */
const keptRef = ({ id }: Pick<Round, "id">): string => `refs/loopwright/kept/${id}`;

interface Lender {
  readonly objects: string;
  readonly format: string;
  readonly shallow: string | undefined;
}

/** What a new repository must know about the one whose objects it borrows. */
async function describeLender(git: RunGit, repo: string): Promise<Lender> {
  const lines = await gitLine(git, {
    cwd: repo,
    args: ["rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "shallow", "--show-object-format"],
  });
  const [objects, shallow, format, ...more] = lines.split("\n");
  // A line of the alternates file is a path as it is: it begins with a slash, so only a line break could change its meaning.
  if (!objects?.startsWith("/") || !shallow?.startsWith("/") || !format || more.length > 0) throw unspeakablePath(repo);
  const isShallow = await stat(shallow).then(
    () => true,
    () => false,
  );
  return { objects, format, shallow: isShallow ? shallow : undefined };
}

const MOST_LENDERS = 5;

/** The folder of objects, and those that it borrows from in turn. */
async function lendersFrom(objects: string, depth = 0): Promise<readonly string[]> {
  if (depth >= MOST_LENDERS) return [objects];
  const named = await readFile(join(objects, "info", "alternates"), "utf8").catch(() => "");
  const further = named.split("\n").filter((line) => line.startsWith("/"));
  return [objects, ...(await Promise.all(further.map((line) => lendersFrom(line, depth + 1)))).flat()];
}

const NOTHING_APART: Apart = { hidden: [], leftOut: [] };

/** A path as a pattern of `.gitignore` that names it and nothing else. */
const escapeGlob = (path: string): string => path.replaceAll(/[\\*?[\]!# ]/g, "\\$&");

/**
 * Brings a commit into the maker's copy where files are hidden: one without them, and with all objects of its own. With borrowed
 * objects, or with base as its parent, `git show` would give them back.
 */
async function fetchWithout(
  git: RunGit,
  lender: Lender,
  { place, work }: { readonly place: string; readonly work: string },
  round: Round,
  { commit, hidden }: { readonly commit: string; readonly hidden: readonly string[] },
): Promise<string> {
  const lent = join(place, "lent.git");
  await borrow(git, lender, lent, "bare");
  const env = { GIT_DIR: lent, GIT_INDEX_FILE: join(place, "lent-index") };
  await gitOrThrow(git, { cwd: lent, env, args: ["read-tree", commit] });
  await forget(git, { cwd: lent, env }, hidden, round.base);
  const tree = await gitLine(git, { cwd: lent, env, args: ["write-tree"] });
  const shown = await gitLine(git, {
    cwd: lent,
    env: { ...env, ...stamp(round.openedAt) },
    args: ["commit-tree", tree],
    input: "Without its history and without the files that are held out.\n",
  });
  await gitOrThrow(git, {
    cwd: work,
    args: ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--", lent, shown],
  });
  await removeTree(lent);
  await rm(env.GIT_INDEX_FILE, { force: true });
  return shown;
}

/** Takes files out of the index, and gives back the lines that would put them there again. */
async function forget(
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

async function initCopy(git: RunGit, place: string, format: string, kind: "bare" | "with-files"): Promise<string> {
  const bare = kind === "bare" ? ["--bare"] : [];
  await mkdir(place, { recursive: true, mode: 0o700 });
  await gitOrThrow(git, { cwd: place, args: ["init", "--quiet", "--template=", `--object-format=${format}`, ...bare, "."] });
  const gitDir = kind === "bare" ? place : join(place, ".git");
  await mkdir(join(gitDir, "info"), { recursive: true });
  await writeFile(join(gitDir, "info", "attributes"), RAW_ATTRIBUTES);
  return gitDir;
}

/** A bare repository of our own that has all objects of another, and keeps what is written to it. */
export async function borrowObjects(git: RunGit, repo: string, place: string): Promise<void> {
  await borrow(git, await describeLender(git, repo), place, "bare");
}

async function borrow(git: RunGit, lender: Lender, place: string, kind: "bare" | "with-files"): Promise<void> {
  const gitDir = await initCopy(git, place, lender.format, kind);
  await mkdir(join(gitDir, "objects", "info"), { recursive: true });
  await writeFile(join(gitDir, "objects", "info", "alternates"), `${lender.objects}\n`);
  if (lender.shallow) await writeFile(join(gitDir, "shallow"), await readFile(lender.shallow));
}

interface Places {
  readonly work: string;
  readonly store: string;
  readonly index: string;
}

interface Written {
  readonly tree: string;
  readonly displaced: readonly string[];
}

/** Everything that lies in the work folder and is not ignored, as a tree in the store; hidden files are in it as on base. */
async function writeTree(git: RunGit, { work, store, index }: Places, base: string, hidden: readonly string[]): Promise<Written> {
  const env = { GIT_DIR: store, GIT_WORK_TREE: work, GIT_INDEX_FILE: index };
  await rm(index, { force: true });
  await rm(`${index}.lock`, { force: true });
  await gitOrThrow(git, { cwd: work, env, args: ["read-tree", base] });
  const asOnBase = await forget(git, { cwd: work, env }, hidden, base);
  await openNested(git, work, env);
  const added = await git({ cwd: work, env, args: ["add", "--all", "--", "."] });
  if (added.code !== 0) throw notCommittable(added.stderr);
  const displaced = asOnBase.length === 0 ? [] : await putBack(git, { cwd: work, env }, asOnBase);
  return { tree: await gitLine(git, { cwd: work, env, args: ["write-tree"] }), displaced };
}

/** Puts files back into the index, in place of whatever is there or in the way; says for which of them something was. */
async function putBack(
  git: RunGit,
  at: Pick<GitCall, "cwd" | "env">,
  files: Awaited<ReturnType<typeof forget>>,
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
async function removeInside(work: string, path: string): Promise<void> {
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
async function openNested(git: RunGit, work: string, env: NonNullable<GitCall["env"]>): Promise<void> {
  const links = await gitOrThrow(git, { cwd: work, env, args: ["ls-files", "--stage", "-z"] });
  for (const entry of zeroEnded(links).filter((line) => line.startsWith("160000 ")))
    await removeGitOf(work, entry.slice(entry.indexOf("\t") + 1));
  for (let depth = 0; depth < MOST_NESTED; depth++) {
    const strangers = await gitOrThrow(git, { cwd: work, env, args: ["ls-files", "--others", "--exclude-standard", "-z"] });
    const nested = zeroEnded(strangers).filter((path) => path.endsWith("/"));
    if (nested.length === 0) return;
    for (const path of nested) await removeGitOf(work, path);
  }
  throw notCommittable(`repositories are nested more than ${MOST_NESTED} deep`);
}

/** Paths in one byte each, as git gave them: a name need not be text. */
const zeroEnded = (list: Buffer): readonly string[] => list.toString("latin1").split("\0").filter(Boolean);

async function removeGitOf(work: string, path: string): Promise<void> {
  const folder = Buffer.concat([Buffer.from(`${work}/`), Buffer.from(path, "latin1")]);
  // Where a link took the folder's place, there is nothing of ours behind it.
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory()) await removeTree(Buffer.concat([folder, Buffer.from("/.git")]));
}

async function describeWork(
  git: RunGit,
  artifacts: Artifacts,
  store: string,
  base: string,
  made: { readonly commit: string; readonly tree: string },
): Promise<CommittedWork> {
  const raw = await gitOrThrow(git, { cwd: store, args: ["diff-tree", "-r", "-z", "--no-renames", "--full-index", base, made.commit] });
  const diff = await gitOrThrow(git, {
    cwd: store,
    // One byte more than is kept, so that the artifact says that there was more.
    cutAtBytes: MOST_KEPT_BYTES + 1,
    args: [
      "diff-tree",
      "-r",
      "-p",
      "--binary",
      "--no-renames",
      "--full-index",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      base,
      made.commit,
    ],
  });
  return { ...made, changes: parseRawDiff(raw), diff: await artifacts.keep(diff) };
}

/** The ref by its full name and no other: `rev-parse` would also try names that only look like it. */
async function refTip(git: RunGit, repo: string, ref: string): Promise<string | undefined> {
  const { code, stdout } = await git({ cwd: repo, args: ["show-ref", "--verify", "--hash", "--", ref] });
  return code === 0 ? stdout.toString("utf8").trim() : undefined;
}

export const stamp = (at: string): { readonly [name: string]: string } => ({
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_AUTHOR_DATE: at,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
  GIT_COMMITTER_DATE: at,
});

/** A link in the folder's place is not the folder. */
async function mustBeFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new LoopError("workspace-lost", `the round's copy ${path} is gone`, {
    retry: "never",
    hint: "Somebody removed or replaced it; start a new run with `lw run`.",
  });
}

const notCommittable = (why: string): LoopError =>
  new LoopError("maker-failed", `what the maker left cannot be committed: ${why.trim().slice(0, 2000)}`, {
    retry: "never",
    hint: "The maker left something that git cannot hold, such as a pipe, an unreadable file or a folder named .GIT; say so in the task, then `lw run` again.",
  });

const branchTaken = (branch: string, tip: string): LoopError =>
  new LoopError("proposal-conflict", `the branch ${branch} already holds other work (${tip.slice(0, 12)})`, {
    retry: "never",
    hint: "Rename or delete that branch, then `lw run` again; nothing was changed.",
  });

const branchRefused = (branch: string, why: string): LoopError =>
  new LoopError("proposal-conflict", `the branch ${branch} could not be made: ${why.trim().slice(0, 1000)}`, {
    retry: "never",
    hint: `If a branch named like a part of it is in the way (${branch.split("/")[0]}), rename that one, then \`lw run\` again; nothing was changed.`,
  });

const unspeakablePath = (repo: string): LoopError =>
  new LoopError("repo-unusable", `the repository at ${JSON.stringify(repo)} cannot be borrowed from: there is a line break in its path`, {
    retry: "never",
    hint: "Move the repository to a path without line breaks.",
  });
