// The only hands that move branches of the target or send them away. Forward, or not at all.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { BranchMove, Mover, NotMoved, RemoteMove } from "../../contract/git.ts";
import { gitWithoutRoom } from "./git-call.ts";
import { commitOnTop, heldFiles } from "./held-files.ts";
import { isWithin } from "./is-within.ts";
import { lookAtCheckout, moveCheckout } from "./move-checkout.ts";
import { openAsIs } from "./open-repository.ts";
import { refTip } from "./ref-tip.ts";
import { gitOrThrow, type RunGit } from "./run-git.ts";
import { treeOf } from "./tree-of.ts";

const STAMP = {
  GIT_COMMITTER_NAME: "Loopwright",
  GIT_COMMITTER_EMAIL: "loopwright@localhost",
};

/** Only these are ever moved anywhere but forward. */
const OF_PROPOSALS = "loopwright/";

export function createMover(git: RunGit, env: Environment): Mover {
  const branchTip: Mover["branchTip"] = async (repo, branch) => refTip(await openAsIs(git, repo), refOf(branch));
  const contains: Mover["contains"] = async (repo, tip, commit) => isWithin(await openAsIs(git, repo), tip, commit);

  /** Whether the branch could go there, whoever has it checked out. */
  const couldMove = async (repo: string, { branch, from, to }: BranchMove): Promise<{ readonly kind: "ready" } | NotMoved> => {
    if (!isBranchName(branch))
      return refused(`${branch} is no branch of this repository that could be moved`, "Set `target.base` in the spec to a local branch.");
    const symbolic = await git({ cwd: repo, args: ["symbolic-ref", "--quiet", refOf(branch)] });
    if (symbolic.code === 0) return refused(`${branch} only points to another branch`, "Set `target.base` in the spec to that branch.");
    const tip = await branchTip(repo, branch);
    if (tip === undefined)
      return refused(`the branch ${branch} is gone or was renamed`, "Say in the spec which branch it is now, and run the loop again.");
    if (tip !== from)
      return refused(
        `${branch} has moved from ${from.slice(0, 12)} to ${tip.slice(0, 12)} since this was verified`,
        "`lw refresh` puts it on where it is now.",
      );
    const [found] = await (await openAsIs(git, repo)).objects.look([to]);
    if (found?.type !== "commit")
      return refused(`the commit ${to.slice(0, 12)} is not in the repository`, "Its branch may have been deleted; run the loop again.");
    if (!(await contains(repo, to, from)))
      return refused(`${to.slice(0, 12)} does not come after ${branch}`, "`lw run` makes a new proposal from where it is now.");
    return { kind: "ready" };
  };

  const canFastForward: Mover["canFastForward"] = async (repo, move) => {
    const ready = await couldMove(repo, move);
    if (ready.kind === "refused") return ready;
    const [folder, ...others] = await whoHas(git, repo, refOf(move.branch));
    if (folder === undefined) return ready;
    if (others.length > 0) return underHands(move.branch, [folder, ...others]);
    const along = await lookAtCheckout(git, { ...move, repo, folder });
    return along.kind === "ready" ? { kind: "ready", along: folder } : along;
  };

  const travelling = ({ token }: Pick<RemoteMove, "token">) => ({
    GIT_ALLOW_PROTOCOL: "file:https:ssh",
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oConnectTimeout=20",
    ...pick(env, ["HOME", "SSH_AUTH_SOCK", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE"]),
    // By the environment, so that no list of processes shows it.
    ...(token === undefined
      ? {}
      : {
          GIT_CONFIG_COUNT: "1",
          GIT_CONFIG_KEY_0: "http.extraHeader",
          GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`,
        }),
  });

  return {
    branchTip,
    contains,
    canFastForward,
    treeOf: async (repo, commit) => treeOf((await openAsIs(git, repo)).objects, commit),

    async fastForward(repo, move) {
      const ready = await canFastForward(repo, move);
      if (ready.kind === "refused") return ready;
      const { branch, from, to, because } = move;
      // Compare and swap: git itself refuses if the branch is not where it was verified, whatever happened since we looked.
      const moveBranch = async (): Promise<{ readonly kind: "moved" } | NotMoved> => {
        const args = ["update-ref", "--no-deref", "-m", `loopwright: ${because}`, refOf(branch), to, from];
        const moved = await git({ cwd: repo, env: STAMP, args });
        if (moved.code === 0) return { kind: "moved" };
        const noRoom = gitWithoutRoom(moved.stderr);
        if (noRoom) throw noRoom;
        return refused(`${branch} could not be moved: ${moved.stderr.trim().slice(0, 500)}`, "Nothing was changed; run the loop again.");
      };
      return ready.along === undefined ? moveBranch() : moveCheckout(git, { repo, folder: ready.along, from, to }, moveBranch);
    },

    async replace(repo, { branch, from, to, because }) {
      if (!branch.startsWith(OF_PROPOSALS)) throw new TypeError(`${branch} is no branch of a proposal`);
      if ((await branchTip(repo, branch)) === to) return { kind: "moved" };
      const users = await whoHas(git, repo, refOf(branch));
      if (users.length > 0) return underHands(branch, users);
      const moved = await git({
        cwd: repo,
        env: STAMP,
        args: ["update-ref", "--no-deref", "-m", `loopwright: ${because}`, refOf(branch), to, from],
      });
      if (moved.code === 0) return { kind: "moved" };
      const noRoom = gitWithoutRoom(moved.stderr);
      if (noRoom) throw noRoom;
      return refused(`${branch} could not be moved: ${moved.stderr.trim().slice(0, 500)}`, "Look at what is on it with `lw show`.");
    },

    filesOf: (repo, commit) => heldFiles(git, repo, commit),

    async commitFiles(repo, { branch, ...order }) {
      const tip = await branchTip(repo, branch);
      if (tip === undefined) return refused(`the branch ${branch} is not there`, "Name a local branch of the target with `branch`.");
      const commit = await commitOnTop(git, env, repo, tip, order);
      if (commit === tip) return { kind: "moved", commit };
      const move = { branch, from: tip, to: commit, because: "a document" };
      const ready = await couldMove(repo, move);
      if (ready.kind === "refused") return ready;
      const users = await whoHas(git, repo, refOf(branch));
      if (users.length > 0) return underHands(branch, users);
      const args = ["update-ref", "--no-deref", "-m", "loopwright: a document", refOf(branch), commit, tip];
      const moved = await git({ cwd: repo, env: STAMP, args });
      if (moved.code === 0) return { kind: "moved", commit };
      return refused(`${branch} could not be moved: ${moved.stderr.trim().slice(0, 500)}`, "Nothing was changed; approve it again.");
    },

    async remoteTip(repo, { remote, branch, token }) {
      const { code, stdout, stderr } = await git({
        cwd: repo,
        env: travelling({ token }),
        args: ["ls-remote", "--", remote, nameOf(branch)],
      });
      if (code !== 0) throw unreachable(remote, stderr);
      // A pattern also names what ends like it; only the whole name counts.
      const line = stdout
        .toString("utf8")
        .split("\n")
        .find((line) => line.endsWith(`\t${nameOf(branch)}`));
      return line?.slice(0, line.indexOf("\t"));
    },

    async push(repo, { remote, branch, from, to, token }) {
      if (from !== undefined && !(await isKnownAncestor(git, repo, from, to)))
        return refused(`${branch} of ${remote} holds commits that are not in this`, "Fetch and look at them; nothing was sent.");
      const { code, stdout, stderr } = await git({
        cwd: repo,
        env: travelling({ token }),
        args: [
          "push",
          "--porcelain",
          "--no-verify",
          "--no-follow-tags",
          "--recurse-submodules=no",
          // A compare and swap on the other side: it holds exactly what was seen to come before this, so that it is only a step forward.
          `--force-with-lease=${refOf(branch)}:${from ?? ""}`,
          "--",
          remote,
          `${to}:${refOf(branch)}`,
        ],
      });
      if (code === 0) return { kind: "moved" };
      const no = stdout
        .toString("utf8")
        .split("\n")
        .find((line) => line.startsWith("!"));
      if (no !== undefined)
        return refused(
          `${remote} refused it: ${no.slice(1).trim()}`,
          "Somebody pushed there meanwhile, or it may not be; look, then approve again.",
        );
      throw unreachable(remote, stderr);
    },
  };
}

const refOf = (branch: string): string => (branch.startsWith("refs/heads/") ? branch : `refs/heads/${branch}`);

/** Where only something is read, any ref may be named. */
const nameOf = (ref: string): string => (ref.startsWith("refs/") ? ref : refOf(ref));

/** HEAD, ids, tags and remote names are none. */
const isBranchName = (branch: string): boolean =>
  branch !== "HEAD" && !/^[0-9a-f]{40,64}$/.test(branch) && (!branch.startsWith("refs/") || branch.startsWith("refs/heads/"));

/** Every place that has the branch checked out, or is in the middle of rebasing or bisecting it. */
async function whoHas(git: RunGit, repo: string, ref: string): Promise<readonly string[]> {
  const listed = (await gitOrThrow(git, { cwd: repo, args: ["worktree", "list", "--porcelain", "-z"] })).toString("utf8");
  const trees = listed.split("\0\0").filter((block) => block !== "");
  const users: string[] = [];
  for (const block of trees) {
    const lines = block.split("\0");
    const folder = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length) ?? "";
    if (lines.includes("bare")) continue;
    if (lines.includes(`branch ${ref}`) || (await isBusyWith(git, folder, ref))) users.push(folder);
  }
  return users;
}

async function isBusyWith(git: RunGit, folder: string, ref: string): Promise<boolean> {
  const { code, stdout } = await git({ cwd: folder, args: ["rev-parse", "--absolute-git-dir"] }).catch(() => ({
    code: 1,
    stdout: Buffer.of(),
  }));
  if (code !== 0) return false;
  const gitDir = stdout.toString("utf8").trim();
  const notes = await Promise.all(
    ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"].map((name) =>
      readFile(join(gitDir, name), "utf8").catch(() => ""),
    ),
  );
  return notes.some((note) => note.trim() === ref || refOf(note.trim()) === ref);
}

/** Of what the other side has and we do not, nobody here knows what it is. */
async function isKnownAncestor(git: RunGit, repo: string, from: string, to: string): Promise<boolean> {
  const { code } = await git({ cwd: repo, args: ["merge-base", "--is-ancestor", from, to] });
  return code === 0;
}

const pick = ({ get }: Environment, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.flatMap((name) => (get(name) === undefined ? [] : [[name, get(name)!]])));

const underHands = (branch: string, users: readonly string[]): NotMoved =>
  refused(
    `${branch} is checked out in ${users.join(", ")}, where it would change under somebody's hands`,
    "Check out another branch there, and approve again.",
  );

const refused = (why: string, hint: string): NotMoved => ({ kind: "refused", why, hint });

const unreachable = (remote: string, stderr: string): LoopError =>
  new LoopError("action-failed", `the remote ${remote} could not be reached: ${stderr.trim().slice(0, 500)}`, {
    retry: "later",
    hint: "Look at it with `git ls-remote`; a token is named with `token`, keys come from your ssh agent.",
  });
