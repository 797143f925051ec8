// A round's own copies of the repository: the maker's, the verifiers', and one only the engine uses.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, lstat, mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Artifacts, MOST_KEPT_BYTES } from "../../contract/artifacts.ts";
import type { BoxWish } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Round } from "../../contract/round.ts";
import type { Apart, CommittedWork, OnBase, Workshop, Workspace } from "../../contract/workshop.ts";
import { decodeText } from "../../std/decode-text.ts";
import { sha256 } from "../../std/hash.ts";
import { ageTree } from "../files/age-tree.ts";
import { findBrought, layFolder, mustBeAsOf } from "../files/bring-folder.ts";
import { removeTree } from "../files/remove-tree.ts";
import { traceReads } from "../files/trace-reads.ts";
import { endMarked } from "../process/processes.ts";
import type { BaseLayer, BaseLayers } from "../rooms/base-layers.ts";
import { commitOf, stamp } from "./commit-of.ts";
import { removeInside, takeOut, treeWithout, writeTree, zeroEnded } from "./commit-work.ts";
import { compareChanges, diffTrees } from "./compare-trees.ts";
import { beginBranch, borrow, bringCommit, describeLender, describeOwn, type Lender, lendersFrom, makeCopy, NO_FILES } from "./copies.ts";
import type { CallGit } from "./git-call.ts";
import { isWithin } from "./is-within.ts";
import { createLending } from "./lend-objects.ts";
import type { Objects } from "./objects.ts";
import { baseUnder, checkingOut, gitIn, isWayOpen, layIndex, noteBase } from "./on-base.ts";
import { openAsIs } from "./open-repository.ts";
import { putOnBranch } from "./put-on-branch.ts";
import { parseRawDiff, parseRawNames } from "./raw-diff.ts";
import { readContents } from "./read-contents.ts";
import { refTip } from "./ref-tip.ts";
import { gitLine, gitOrThrow, type RunGit } from "./run-git.ts";
import { treeOf } from "./tree-of.ts";

/** No run has a name that begins like this. */
const ASIDE = ".left-";

export interface Beside {
  /** Gives the rooms of a box to whom its commands are run as. */
  readonly give?: (box: BoxWish) => Promise<void>;
  /** Bases that lie ready. */
  readonly layers?: BaseLayers;
}
const nobodyElse = async (): Promise<void> => {};

/** What makes the path of a room unusual, and still one that every program should take. */
const UNUSUAL = "somewhere quite different, f\u00fcr alle F\u00e4lle ";

/**
 * Layout of a round's folder, `<rounds>/<loop>/<round id>/`:
 *   work/      the maker's copy, a repository of its own: nothing it does with git reaches the user's
 *              where files are hidden from the maker, with one commit and no borrowed objects: history would show them
 *   brief.md, told/, home/   beside the copy, so that they are no part of the change
 *   store.git/ the engine's own repository, made when the maker is done: it reads work/ and never the .git that the maker could have planted there
 *   check-N/   a fresh copy of the proposed commit for the N-th verifier; by then work/ is gone, so that nothing can lean on what was not committed
 *   check-N-room-M/   further fresh copies for that verifier, of base or of the proposal
 * All of them borrow objects instead of copying them, and none from the target itself: of that, a copy has what its base is made of.
 */
export function createWorkshop(rounds: string, git: RunGit, artifacts: Artifacts, { give = nobodyElse, layers }: Beside = {}): Workshop {
  const placeOf = ({ loop, id }: Pick<Round, "loop" | "id">): string => join(rounds, loop, id);
  const storeOf = (round: Round): string => join(placeOf(round), "store.git");
  const lending = createLending(join(dirname(rounds), "lent"), rounds, git);

  const inStore = (store: string) => (args: readonly string[]) => gitOrThrow(git, { cwd: store, env: { GIT_DIR: store }, args });
  /** What cannot be removed is put aside, where the next sweep tries again: no round waits for the litter of another. */
  const removePlace = async (place: string): Promise<void> => {
    git.objects.letGo(join(place, "store.git"));
    await removeTree(place).catch(async (error: unknown) => {
      await rename(place, join(dirname(place), `${ASIDE}${randomBytes(6).toString("hex")}`)).catch(() => {
        throw error;
      });
    });
  };

  // Two commits always differ in the same, so that it needs not be asked again as long as the round lasts.
  const diffs = new Map<string, { readonly of: string; readonly raw: Promise<Buffer> }>();
  const diffOf = (round: Round, commit: string): Promise<Buffer> => {
    const store = storeOf(round);
    const of = `${round.base} ${commit}`;
    const known = diffs.get(store);
    if (known?.of === of) return known.raw;
    const raw = diffTrees(inStore(store), round.base, commit);
    diffs.set(store, { of, raw });
    raw.catch(() => diffs.delete(store));
    return raw;
  };

  const describe = async (round: Round, made: { readonly commit: string; readonly tree: string }): Promise<CommittedWork> => {
    const [raw, diff] = await Promise.all([diffOf(round, made.commit), textDiff(git, storeOf(round), round.base, made.commit)]);
    return { ...made, changes: parseRawDiff(raw), diff: await artifacts.keep(diff) };
  };

  /** Undefined where a copy has to be checked out whole. */
  const baseFor = async (
    { objects, gitDir }: { readonly objects: Objects; readonly gitDir: string },
    commit: string,
    onBase: OnBase | undefined,
  ): Promise<BaseLayer | undefined> => {
    if (layers === undefined || onBase === undefined) return undefined;
    if ((await treeOf(objects, commit)) !== onBase.tree) return undefined;
    const found = await objects.look(onBase.apart.map((path) => `${commit}:${path}`));
    return found.some(Boolean) ? undefined : layers.find(onBase.tree, checkingOut(git, gitDir, commit));
  };

  const seesBase = (room: string, base: BaseLayer): CallGit => {
    if (layers === undefined) throw new TypeError("a copy lies on base, and there are no bases");
    return gitIn(git, layers, room, base);
  };

  /** Gives back whether it could be: where the change took away a folder that something is to be put into, it must be seen from outside. */
  const fillOnBase = async (
    room: { readonly work: string; readonly round: Round },
    commit: string,
    base: BaseLayer,
    apart: OnBase["apart"],
  ) => {
    const { work, round } = room;
    await layIndex(work, base);
    if (commit !== round.base) await gitOrThrow(seesBase(work, base), { cwd: work, args: ["read-tree", "-m", "-u", round.base, commit] });
    await writeFile(join(work, ".git", "HEAD"), `${commit}\n`);
    return (await Promise.all(apart.map((path) => isWayOpen(work, path)))).every(Boolean);
  };

  const openRoom: Workshop["openRoom"] = async (
    round,
    { name, commit, over, path = "usual", olderByMs = 0, git: gitLies = "beside", onBase },
  ) => {
    const place = join(placeOf(round), path === "unusual" ? `${UNUSUAL}${sha256(name).slice(0, 8)}` : name);
    const store = storeOf(round);
    await mustBeFolder(store);
    await removeTree(join(placeOf(round), "work"));
    await removeTree(place);
    const work = join(place, "work");
    const home = join(place, "home");
    await mkdir(home, { recursive: true, mode: 0o700 });
    const lender = await describeOwn(store, commit);
    await borrow(lender, work, "with-files");
    const base =
      over || olderByMs > 0 || gitLies === "elsewhere"
        ? undefined
        : await baseFor({ objects: git.objects.of(store), gitDir: store }, round.base, onBase);
    if (base && (await fillOnBase({ work, round }, commit, base, onBase?.apart ?? [])))
      return { work, home, borrows: await lendersFrom(lender.objects), below: [base.layer], isOnBase: true };
    if (base) await removeTree(work);
    if (base) await borrow(lender, work, "with-files");
    await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "--detach", commit] });
    if (over && over.paths.length > 0) await ageFiles(work);
    if (over && over.paths.length > 0) await layOver(git, work, over);
    if (olderByMs > 0) await ageTree(work, olderByMs);
    // Kept outside of the copy, so that what runs there cannot say what was there before it.
    await copyFile(join(work, ".git", "index"), join(place, "index"));
    if (gitLies === "elsewhere") await linkGit(work, join(home, "git of another folder"));
    return { work, home, borrows: await lendersFrom(lender.objects) };
  };

  /** The maker's copy where nothing is hidden; gives back what it borrows from, and what it lies on. */
  const openCopy = async (
    repo: string,
    { place, work }: { readonly place: string; readonly work: string },
    round: Round,
    onBase: OnBase | undefined,
  ): Promise<Pick<Workspace, "borrows" | "below">> => {
    const lender = await lending.lend(repo, round.base);
    await borrow(lender, work, "with-files");
    const { objects } = await openAsIs(git, repo);
    // Whoever changes code moves folders about, and `git mv` does so in one step.
    const base = layers?.isMovable ? await baseFor({ objects, gitDir: join(work, ".git") }, round.base, onBase) : undefined;
    if (base) {
      await layIndex(work, base);
      await beginBranch(join(work, ".git"), round.id, round.base);
      await noteBase(place, base);
      return { borrows: lender.objects, below: [base.layer] };
    }
    // Where there is nothing to check out, as where a loop's first document is made, no process is needed.
    if ((await treeOf(objects, round.base)) === NO_FILES[lender.format]) await beginBranch(join(work, ".git"), round.id, round.base);
    else await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "-b", round.id, round.base] });
    return { borrows: lender.objects };
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
    diffs.delete(join(placeOf(round), "store.git"));
    // What cannot be removed now is left to the next sweep: a proven round does not fail because of its litter.
    await removePlace(placeOf(round)).catch(() => {});
  };

  return {
    async openWorkspace(repo, round, { hidden, leftOut, onBase } = NOTHING_APART) {
      const place = placeOf(round);
      await endLeftovers(round);
      await removePlace(place);
      const work = join(place, "work");
      const home = join(place, "home");
      await mkdir(home, { recursive: true, mode: 0o700 });
      // A folder of its own, so that a box can leave it open without opening what lies beside it.
      const told = join(place, "told");
      await mkdir(told, { mode: 0o700 });
      const opened = hidden.length > 0 ? { borrows: [] } : await openCopy(repo, { place, work }, round, onBase);
      if (hidden.length > 0) {
        const lender = await describeLender(git, repo);
        await makeCopy(work, lender.format, "with-files");
        const shown = await bringWithout(git, lender, { place, work }, round, { commit: round.base, hidden });
        await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "-b", round.id, shown] });
      }
      // So that a maker who asks git what it changed is not shown what was prepared for it.
      if (leftOut.length > 0)
        await writeFile(join(work, ".git", "info", "exclude"), leftOut.map((path) => `/${escapeGlob(path)}\n`).join(""));
      return { work, home, brief: join(place, "brief.md"), usage: join(told, "usage.json"), notes: join(told, "notes.md"), ...opened };
    },

    keepDiff: async (repo, base, commit) => artifacts.keep(await textDiff(git, repo, base, commit)),

    treeOf: async (repo, commit) => treeOf((await openAsIs(git, repo)).objects, commit),

    async openForBase(repo, round, commits = []) {
      const store = storeOf(round);
      await endLeftovers(round);
      await removePlace(placeOf(round));
      await borrow(await lending.lend(repo, round.base), store, "bare");
      for (const commit of commits) await lending.bring(repo, store, { commit, known: round.base });
    },

    async openBase(repo, at, commit) {
      const place = placeOf(at);
      await endLeftovers(at);
      await removeTree(place);
      const work = join(place, "work");
      const home = join(place, "home");
      await mkdir(home, { recursive: true, mode: 0o700 });
      const lender = await lending.lend(repo, commit);
      await borrow(lender, work, "with-files");
      await gitOrThrow(git, { cwd: work, args: ["checkout", "--quiet", "--detach", commit] });
      return { work, home, borrows: lender.objects };
    },

    async commitWorkspace(repo, round, message, { hidden, leftOut } = NOTHING_APART) {
      const work = join(placeOf(round), "work");
      const store = storeOf(round);
      await mustBeFolder(work);
      git.objects.letGo(store);
      await removeTree(store);
      await borrow(await lending.lend(repo, round.base), store, "bare");
      for (const path of leftOut) await removeInside(work, path);
      const base = await baseUnder(placeOf(round));
      const onBase = base && { git: seesBase(work, base), index: base.index };
      const places = { work, store, index: join(placeOf(round), "index"), onBase };
      const { tree, displaced } = await writeTree(git, places, round.base, hidden);
      const commit = await commitOf(git, store, { tree, parents: [round.base], at: round.openedAt, message });
      const described = await describe(round, { commit, tree });
      return displaced.length > 0 ? { ...described, displaced } : described;
    },

    async keep(repo, round, commit) {
      const store = storeOf(round);
      await mustBeFolder(store);
      await bringCommit(git, { from: store, into: repo, commit, known: [round.base] });
      await gitOrThrow(git, { cwd: repo, env: stamp(round.openedAt), args: ["update-ref", "--no-deref", keptRef(round), commit] });
    },

    async restore(repo, round, commit, { hidden } = NOTHING_APART) {
      const place = placeOf(round);
      const work = join(place, "work");
      await mustBeFolder(work);
      const shown =
        hidden.length > 0 ? await bringWithout(git, await describeLender(git, repo), { place, work }, round, { commit, hidden }) : commit;
      if (hidden.length === 0) await lending.bring(repo, join(work, ".git"), { commit, known: round.base });
      const base = await baseUnder(place);
      await gitOrThrow(base ? seesBase(work, base) : git, { cwd: work, args: ["read-tree", "--reset", "-u", shown] });
    },

    async merge(repo, round, commits) {
      const store = storeOf(round);
      await removePlace(placeOf(round));
      await borrow(await describeLender(git, repo), store, "bare");
      const [first, ...others] = commits;
      if (first === undefined) throw new TypeError("there is nothing to bring together");
      let tip = first;
      for (const [index, other] of others.entries()) {
        const merging = await mergeTrees(git, store, tip, other);
        if (merging.kind === "conflict") return { ...merging, at: index + 1 };
        const { tree } = merging;
        const message = "The work of several, brought together.\n";
        tip = await commitOf(git, store, { tree, parents: [tip, other], at: round.openedAt, message });
      }
      await bringCommit(git, { from: store, into: repo, commit: tip, known: commits });
      await gitOrThrow(git, { cwd: repo, env: stamp(round.openedAt), args: ["update-ref", "--no-deref", keptRef(round), tip] });
      await removePlace(placeOf(round));
      return { kind: "merged", commit: tip };
    },

    async transplant(repo, round, { commit, from, onto, message }) {
      if (!(await isWithin(await openAsIs(git, repo), onto, from)))
        return { kind: "conflict", why: "base was rewritten: what it was verified on is no longer part of it", paths: [] };
      const store = storeOf(round);
      await removePlace(placeOf(round));
      await borrow(await describeLender(git, repo), store, "bare");
      const merging = await mergeTrees(git, store, onto, commit);
      if (merging.kind === "conflict")
        return { ...merging, why: `the same lines were changed there: ${merging.paths.slice(0, 5).join(", ")}` };
      const { tree } = merging;
      if (tree === (await treeOf(git.objects.of(store), onto)))
        return { kind: "conflict", why: "base has all of it already; reject it, nothing is left to move", paths: [] };
      const parents = await parentsOf(git, store, commit);
      const isOurs = parents.length === 1 && parents[0] === from;
      const planted = await commitOf(git, store, { tree, parents: isOurs ? [onto] : [onto, commit], at: round.openedAt, message });
      const isSame = (await rawDiff(git, store, from, commit)).equals(await rawDiff(git, store, onto, planted));
      await bringCommit(git, { from: store, into: repo, commit: planted, known: [onto, commit] });
      await gitOrThrow(git, { cwd: repo, env: stamp(round.openedAt), args: ["update-ref", "--no-deref", keptRef(round), planted] });
      await removePlace(placeOf(round));
      return { kind: "transplanted", commit: planted, tree, isSame };
    },

    async forgetTeam(repo, { id }) {
      if (!existsSync(repo)) return;
      const { stdout } = await git({ cwd: repo, args: ["for-each-ref", "--format=%(refname)", `refs/loopwright/kept/${id}.*`] });
      const refs = stdout
        .toString("utf8")
        .split("\n")
        .filter((ref) => ref !== "");
      if (refs.length === 0) return;
      await git({ cwd: repo, args: ["update-ref", "--no-deref", "--stdin"], input: refs.map((ref) => `delete ${ref}\n`).join("") });
    },

    async forget(repo, round) {
      // Of a repository that is gone, what was kept in it is gone too: a run must be able to rest all the same.
      if (!existsSync(repo)) return;
      await git({ cwd: repo, args: ["update-ref", "--no-deref", "-d", keptRef(round)] });
    },

    async compareWithBase(round, commit) {
      const store = storeOf(round);
      await mustBeFolder(store);
      return compareChanges(git.objects.of(store), parseRawDiff(await diffOf(round, commit)));
    },

    async describe(round, commit) {
      const store = storeOf(round);
      await mustBeFolder(store);
      return describe(round, { commit, tree: await treeOf(git.objects.of(store), commit) });
    },

    async undo(round, commit, paths) {
      const store = storeOf(round);
      await mustBeFolder(store);
      const undone = new Set(paths);
      const entries = parseRawNames(await diffOf(round, commit)).filter(({ change }) => undone.has(change.path));
      const tree = await treeWithout(git, { store, index: join(placeOf(round), "undo-index") }, commit, entries);
      return commitOf(git, store, {
        tree,
        parents: [round.base],
        at: round.openedAt,
        message: "The proposal, with sealed files as they were.\n",
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

    async trace({ work }, without, box) {
      await ageFiles(work);
      if (box) await give(box);
      return traceReads(work, without);
    },

    async listRewritten(round, { work }) {
      await mustBeFolder(work);
      const env = { GIT_DIR: storeOf(round), GIT_WORK_TREE: work, GIT_INDEX_FILE: join(dirname(work), "index") };
      // It says no as soon as one file is another; which ones is asked next.
      await git({ cwd: work, env, args: ["update-index", "-q", "--refresh"] });
      const raw = await gitOrThrow(git, { cwd: work, env, args: ["diff-files", "--name-only", "-z", "--ignore-submodules=all"] });
      return zeroEnded(raw).map((bytes) => decodeText(Buffer.from(bytes, "latin1")));
    },

    async listIgnored(round, { work }, paths) {
      if (paths.length === 0) return [];
      // It cannot take names literally, and does not see more in one that begins like this.
      const literal = { GIT_LITERAL_PATHSPECS: "0" };
      const env = { GIT_DIR: storeOf(round), GIT_WORK_TREE: work, GIT_INDEX_FILE: join(dirname(work), "index"), ...literal };
      const input = Buffer.from(paths.map((path) => `./${path}\0`).join(""));
      // It exits with 1 where none is.
      const { code, stdout } = await git({ cwd: work, env, args: ["check-ignore", "-z", "--stdin"], input });
      return code === 0 ? zeroEnded(stdout).map((bytes) => decodeText(Buffer.from(bytes, "latin1")).slice(2)) : [];
    },

    async listChanged(round, commit) {
      await mustBeFolder(storeOf(round));
      return parseRawDiff(await diffOf(round, commit));
    },

    readBlobs: async (round, blobs) => {
      await mustBeFolder(storeOf(round));
      return readContents(git.objects.of(storeOf(round)), blobs);
    },
    findBrought,
    async bring(room, from, into) {
      const place = await findBrought(from);
      await mustBeAsOf(place, from);
      await layFolder(place, room.work, into);
    },
    discard: ({ work }) => removeTree(dirname(work)),

    async propose(repo, round, commit, branch) {
      const store = storeOf(round);
      await putOnBranch(git, repo, { branch, commit, at: round.openedAt, because: `loopwright: ${round.id}` }, async () => {
        await mustBeFolder(store);
        // By its id and not by a branch of the store, which what was verified could have moved.
        await bringCommit(git, { from: store, into: repo, commit, known: [round.base] });
      });
    },

    proposeKept: (repo, round, commit, branch) =>
      putOnBranch(git, repo, { branch, commit, at: round.openedAt, because: `loopwright: ${round.id}` }, async () => {
        const kept = await refTip(await openAsIs(git, repo), keptRef(round));
        if (kept !== commit) throw keptGone(round);
      }),

    close,

    async sweep(loop, keepRun) {
      const left = await readdir(join(rounds, loop)).catch((error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? [] : Promise.reject(error),
      );
      const others = left.filter((name) => !name.startsWith(`${keepRun}.`));
      for (const id of others) await (id.startsWith(ASIDE) ? removeTree(placeOf({ loop, id })).catch(() => {}) : close({ loop, id }));
      return others.map((id) => placeOf({ loop, id })).filter((place) => existsSync(place));
    },
  };
}

type Merging = { readonly kind: "merged"; readonly tree: string } | { readonly kind: "conflict"; readonly paths: readonly string[] };

/** What both come to, as a tree in the store. */
async function mergeTrees(git: RunGit, store: string, one: string, other: string): Promise<Merging> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", one, other];
  const { code, stdout, stderr } = await git({ cwd: store, env: { GIT_DIR: store }, args });
  const [tree, ...paths] = zeroEnded(stdout).map((bytes) => decodeText(Buffer.from(bytes, "latin1")));
  // Where one made a file and the other a folder of that name, git tells whose it is after the path.
  const named = paths.map((path) =>
    [one, other].reduce((rest, id) => (rest.endsWith(`~${id}`) ? rest.slice(0, -id.length - 1) : rest), path),
  );
  if (code === 1) return { kind: "conflict", paths: [...new Set(named)].filter((path) => path !== "") };
  if (code === 0 && tree !== undefined) return { kind: "merged", tree };
  throw new LoopError("git-failed", `two changes could not be brought together: ${stderr.trim().slice(0, 300)}`, {
    retry: "never",
    hint: "Look at the target with `git fsck`; bringing changes together needs git 2.38.",
  });
}

/** Both sides of every file, by their ids. */
const rawDiff = (git: RunGit, store: string, one: string, other: string): Promise<Buffer> =>
  gitOrThrow(git, {
    cwd: store,
    env: { GIT_DIR: store },
    args: ["diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", one, other],
  });

const parentsOf = async (git: RunGit, store: string, commit: string): Promise<readonly string[]> =>
  (await gitLine(git, { cwd: store, env: { GIT_DIR: store }, args: ["rev-list", "--no-walk", "--parents", commit, "--"] }))
    .split(" ")
    .slice(1);

/** No branch: it is not for people to merge, and no `git branch` shows it. */
const keptGone = ({ id }: Pick<Round, "id">): LoopError =>
  new LoopError(
    "workspace-lost",
    `what was kept of ${id} is gone: refs/loopwright/kept/${id} is no longer there, or holds something else`,
    {
      retry: "never",
      hint: "Somebody removed or moved it; run the loop again.",
    },
  );

const keptRef = ({ id }: Pick<Round, "id">): string => `refs/loopwright/kept/${id}`;

const NOTHING_APART: Apart = { hidden: [], leftOut: [] };

/** A path as a pattern of `.gitignore` that names it and nothing else. */
const escapeGlob = (path: string): string => path.replaceAll(/[\\*?[\]!# ]/g, "\\$&");

/**
 * Brings a commit into the maker's copy where files are hidden: one without them, and with all objects of its own. With borrowed
 * objects, or with base as its parent, `git show` would give them back.
 */
async function bringWithout(
  git: RunGit,
  lender: Lender,
  { place, work }: { readonly place: string; readonly work: string },
  round: Round,
  { commit, hidden }: { readonly commit: string; readonly hidden: readonly string[] },
): Promise<string> {
  const lent = join(place, "lent.git");
  await borrow(lender, lent, "bare");
  const env = { GIT_DIR: lent, GIT_INDEX_FILE: join(place, "lent-index") };
  await gitOrThrow(git, { cwd: lent, env, args: ["read-tree", commit] });
  await takeOut(git, { cwd: lent, env }, hidden, round.base);
  const tree = await gitLine(git, { cwd: lent, env, args: ["write-tree"] });
  const message = "Without its history and without the files that are held out.\n";
  const shown = await commitOf(git, lent, { tree, parents: [], at: round.openedAt, message });
  await bringCommit(git, { from: lent, into: work, commit: shown, known: [] });
  await removeTree(lent);
  await rm(env.GIT_INDEX_FILE, { force: true });
  return shown;
}

const textDiff = (git: RunGit, store: string, base: string, commit: string): Promise<Buffer> =>
  gitOrThrow(git, {
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
      commit,
    ],
  });

/** By their ids, since git holds each file against each path that it was given; paths that the commit does not have are an error. */
async function layOver(
  git: RunGit,
  work: string,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
): Promise<void> {
  const wanted = new Set(paths);
  const listed = zeroEnded(await gitOrThrow(git, { cwd: work, args: ["ls-tree", "-r", "-z", "--full-tree", commit] }));
  const found = listed.filter((line) => wanted.has(decodeText(Buffer.from(line.slice(line.indexOf("\t") + 1), "latin1"))));
  if (found.length < wanted.size) throw new TypeError(`${commit} has only ${found.length} of ${wanted.size} files`);
  const entries = found.map((line) => `${line}\0`).join("");
  await gitOrThrow(git, { cwd: work, args: ["update-index", "-z", "--replace", "--index-info"], input: Buffer.from(entries, "latin1") });
  const names = found.map((line) => `${line.slice(line.indexOf("\t") + 1)}\0`).join("");
  await gitOrThrow(git, { cwd: work, args: ["checkout-index", "--force", "-u", "-z", "--stdin"], input: Buffer.from(names, "latin1") });
}

/** With an index as young as the files, git would read all of them to find out whether they are as they were. */
async function ageFiles(work: string): Promise<void> {
  const later = Date.now() / 1000 + 3;
  await utimes(join(work, ".git", "index"), later, later);
}

/** Git finds everything where it was; whoever looks for a folder of that name finds a file. */
async function linkGit(work: string, elsewhere: string): Promise<void> {
  await rename(join(work, ".git"), elsewhere);
  await writeFile(join(work, ".git"), `gitdir: ${elsewhere}\n`);
}

/** A link in the folder's place is not the folder. */
async function mustBeFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new LoopError("workspace-lost", `the round's copy ${path} is gone`, {
    retry: "never",
    hint: "Somebody removed or replaced it; start a new run with `lw run`.",
  });
}
