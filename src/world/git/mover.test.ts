import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import { createGitCalls } from "./git-call.ts";
import { createMover } from "./mover.ts";
import { createRunGit, gitOf } from "./run-git.ts";

const yard = createYard();
afterEach(yard.clear);

const env = { get: (name: string) => process.env[name] };
const git = createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" });
const mover = createMover(git, env);

/** A target on a detached HEAD, with a commit that comes after main and waits on a branch. */
function newTarget(about: Parameters<typeof yard.newRepo>[0] = {}) {
  const repo = yard.newRepo(about);
  const from = repo.commit("base", { files: { "a.txt": "1\n" } });
  repo.git("checkout", "--quiet", "-b", "proposal");
  const to = repo.commit("proposal", { files: { "a.txt": "2\n" } });
  repo.git("checkout", "--quiet", "--detach");
  return { repo, from, to };
}
const move = (from: string, to: string, branch = "main") => ({ branch, from, to, because: "key" });
const mainOf = (repo: TestRepo): string => repo.git("rev-parse", "refs/heads/main");
const whyOf = (answer: { readonly kind: string; readonly why?: string }): string => answer.why ?? answer.kind;

describe("fastForward", () => {
  it.each(["sha1", "sha256"] as const)(
    "moves a branch that is where it was verified, with a note in its log (%s)",
    async (objectFormat) => {
      const { repo, from, to } = newTarget({ objectFormat });

      expect(await mover.fastForward(repo.dir, move(from, to))).toEqual({ kind: "moved" });
      expect([mainOf(repo), repo.git("reflog", "show", "-1", "--format=%gs", "main")]).toEqual([to, "loopwright: key"]);
    },
  );

  it("is tried again later where git finds no room to write", async () => {
    const { repo, from, to } = newTarget();
    const calls = createGitCalls(process.env.PATH ?? "/usr/bin:/bin");
    const full = createMover(
      gitOf({
        ...calls,
        call: async (asked) =>
          asked.args.includes("update-ref")
            ? { code: 128, stdout: Buffer.alloc(0), stderr: "fatal: No space left on device" }
            : calls.call(asked),
      }),
      env,
    );

    await expect(full.fastForward(repo.dir, move(from, to))).rejects.toMatchObject({ code: "store-unusable", retry: "later" });
    expect(mainOf(repo)).toBe(from);
  });

  it("leaves a base alone on which a commit landed meanwhile, even at the last moment", async () => {
    const { repo, from, to } = newTarget();
    const human = repo.git("commit-tree", repo.git("rev-parse", "main^{tree}"), "-p", from, "-m", "human");
    // Lands after we looked and before we moved: only git's own comparison can see it.
    const { call, start } = createGitCalls(process.env.PATH ?? "/usr/bin:/bin");
    const interrupted: typeof call = async (asked) => {
      if (asked.args[0] === "update-ref") repo.git("update-ref", "refs/heads/main", human);
      return call(asked);
    };
    const late = createMover(gitOf({ call: interrupted, start }), env);

    const answer = await late.fastForward(repo.dir, move(from, to));

    expect([answer.kind, mainOf(repo)]).toEqual(["refused", human]);
    expect(whyOf(await mover.fastForward(repo.dir, move(from, to)))).toMatch(/^main has moved from/);
  });

  it("does not move what is no forward move, although the branch is where it was", async () => {
    const { repo, from } = newTarget();
    const aside = repo.git("commit-tree", repo.git("rev-parse", "main^{tree}"), "-m", "root of its own");

    expect([whyOf(await mover.fastForward(repo.dir, move(from, aside))), mainOf(repo)]).toEqual([
      `${aside.slice(0, 12)} does not come after main`,
      from,
    ]);
  });

  it.each<[string, (repo: TestRepo, linked: string) => void]>([
    [
      "in two places",
      (repo, linked) => {
        repo.git("checkout", "--quiet", "main");
        repo.git("worktree", "add", "--quiet", "--force", linked, "main");
      },
    ],
    [
      "by a bisection that will return to it",
      (repo) => {
        repo.git("checkout", "--quiet", "main");
        repo.git("bisect", "start");
        repo.git("checkout", "--quiet", "--detach");
      },
    ],
  ])("leaves a branch alone that is used %s", async (_, use) => {
    const { repo, from, to } = newTarget();
    use(repo, join(yard.newFolder(), "linked"));

    expect([
      /^main is checked out in |in the middle of a bisection/.test(whyOf(await mover.fastForward(repo.dir, move(from, to)))),
      mainOf(repo),
    ]).toEqual([true, from]);
  });

  it("moves a branch in packed refs", async () => {
    const { repo, from, to } = newTarget();
    repo.git("pack-refs", "--all", "--prune");

    const packed = existsSync(join(repo.dir, ".git/refs/heads/main"));
    expect([packed, await mover.fastForward(repo.dir, move(from, to)), mainOf(repo)]).toEqual([false, { kind: "moved" }, to]);
  });

  it("says so when base was renamed or deleted", async () => {
    const { repo, from, to } = newTarget();
    repo.git("branch", "-m", "main", "trunk");
    const renamed = await mover.fastForward(repo.dir, move(from, to));
    repo.git("branch", "-D", "trunk");
    const deleted = await mover.fastForward(repo.dir, move(from, to, "trunk"));

    expect([whyOf(renamed), whyOf(deleted)]).toEqual(["the branch main is gone or was renamed", "the branch trunk is gone or was renamed"]);
  });

  it.each(["HEAD", "refs/tags/v1", "refs/remotes/origin/main", "0".repeat(40)])("moves no %s", async (branch) => {
    const { repo, from, to } = newTarget();

    expect(whyOf(await mover.fastForward(repo.dir, move(from, to, branch)))).toMatch(/is no branch of this repository/);
  });

  it("takes origin/main for a branch of that name and no other (strive 24F)", async () => {
    const { repo, from, to } = newTarget();
    repo.git("update-ref", "refs/remotes/origin/main", from);

    expect([
      whyOf(await mover.fastForward(repo.dir, move(from, to, "origin/main"))),
      repo.git("rev-parse", "refs/remotes/origin/main"),
    ]).toEqual(["the branch origin/main is gone or was renamed", from]);
  });

  it("moves no branch that stands for another", async () => {
    const { repo, from, to } = newTarget();
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");

    expect([whyOf(await mover.fastForward(repo.dir, move(from, to, "alias"))), mainOf(repo)]).toEqual([
      "alias only points to another branch",
      from,
    ]);
  });

  it("works in a shallow clone, and says so where history is missing", async () => {
    const { repo, from } = newTarget();
    repo.git("update-ref", "refs/heads/main", repo.git("commit-tree", repo.git("rev-parse", "main^{tree}"), "-p", from, "-m", "second"));
    const clone = yard.cloneOf(repo, "--depth=1", "--branch=main");
    const tip = clone.git("rev-parse", "HEAD");
    clone.git("checkout", "--quiet", "-b", "proposal");
    const to = clone.commit("proposal", { files: { "a.txt": "2\n" } });
    clone.git("checkout", "--quiet", "--detach");

    const missing = await mover.fastForward(clone.dir, move(tip, "1".repeat(40)));
    const moved = await mover.fastForward(clone.dir, move(tip, to));

    expect([whyOf(missing), moved, mainOf(clone)]).toEqual(["the commit 111111111111 is not in the repository", { kind: "moved" }, to]);
  });
});

describe("push", () => {
  function withRemote() {
    const target = newTarget();
    const remote = yard.newFolder();
    target.repo.git("clone", "--quiet", "--bare", target.repo.dir, join(remote, "bare.git"));
    const bare = join(remote, "bare.git");
    target.repo.git("remote", "add", "origin", `file://${bare}`);
    return { ...target, bare, over: (...args: readonly string[]) => target.repo.git("-C", bare, ...args) };
  }

  it("makes a branch that was not there, and moves one only forward", async () => {
    const { repo, from, to, over } = withRemote();
    const place = { remote: "origin", branch: "loopwright/x" };

    const first = await mover.push(repo.dir, { ...place, from: undefined, to: from });
    const tip = await mover.remoteTip(repo.dir, place);
    const second = await mover.push(repo.dir, { ...place, from: tip, to });
    const back = await mover.push(repo.dir, { ...place, from: to, to: from });

    expect([first, tip, second, back.kind, over("rev-parse", "loopwright/x")]).toEqual([
      { kind: "moved" },
      from,
      { kind: "moved" },
      "refused",
      to,
    ]);
  });

  it("sends nothing where somebody pushed since it was looked at, or where something is already", async () => {
    const { repo, from, to, over } = withRemote();
    const other = over("commit-tree", over("rev-parse", "main^{tree}"), "-p", from, "-m", "somebody's");
    over("update-ref", "refs/heads/main", other);

    const stale = await mover.push(repo.dir, { remote: "origin", branch: "main", from, to });
    const taken = await mover.push(repo.dir, { remote: "origin", branch: "main", from: undefined, to });
    const unknown = await mover.push(repo.dir, { remote: "origin", branch: "main", from: other, to });

    expect([stale.kind, taken.kind, unknown.kind, over("rev-parse", "main")]).toEqual(["refused", "refused", "refused", other]);
  });

  it("says that the other side cannot be reached, which may pass", async () => {
    const { repo, to } = withRemote();
    repo.git("remote", "set-url", "origin", `file://${repo.dir}/nowhere`);

    await expect(mover.push(repo.dir, { remote: "origin", branch: "x", from: undefined, to })).rejects.toMatchObject({
      code: "action-failed",
      retry: "later",
    });
  });
});
