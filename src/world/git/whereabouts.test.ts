import { afterEach, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import { createGitCalls } from "./git-call.ts";
import { createGitReader } from "./git-reader.ts";
import { gitOf, type RunGit } from "./run-git.ts";

const { newRepo, clear } = createYard();
const opened: RunGit[] = [];

afterEach(() => {
  for (const git of opened.splice(0)) git.objects.close();
  clear();
});

/** A reader, and the git commands that were started for it. */
function open() {
  const { call, start } = createGitCalls(process.env.PATH ?? "/usr/bin:/bin");
  const calls: string[] = [];
  const note = (args: readonly string[]): void => void calls.push(args.find((arg) => /^[a-z-]+$/.test(arg) && !arg.startsWith("-")) ?? "?");
  const git = gitOf({
    call: (asked) => {
      note(asked.args);
      return call(asked);
    },
    start: (asked) => {
      note(asked.args);
      return start(asked);
    },
  });
  opened.push(git);
  return { reader: createGitReader(git), calls };
}

/** Proposals on base, each on a branch of its own. */
function proposals(repo: TestRepo, base: string, count: number): readonly { readonly branch: string; readonly commit: string }[] {
  return Array.from({ length: count }, (_, n) => {
    const blob = repo.feed(`text ${n}\n`, "hash-object", "-w", "--stdin");
    const tree = repo.feed(`100644 blob ${blob}\tfile\n`, "mktree");
    const commit = repo.git("commit-tree", tree, "-p", base, "-m", `proposal ${n}`);
    repo.git("update-ref", `refs/heads/loopwright/p-${n}`, commit);
    return { branch: `loopwright/p-${n}`, commit };
  });
}

it("tells of all proposals without a further process as long as base is where they began", async () => {
  const repo = newRepo();
  const base = repo.commit("one");
  const asked = proposals(repo, base, 5);
  const { reader, calls } = open();

  expect(await reader.whereabouts(repo.dir, { base: "main", proposals: asked })).toEqual({
    base,
    proposals: asked.map(({ commit }) => ({ tip: commit, isInBase: false })),
  });
  expect(calls).toEqual(["rev-parse", "cat-file"]);
  await reader.whereabouts(repo.dir, { base: "main", proposals: asked });
  expect(calls.length).toBe(2);
});

it("needs one more when base has moved on, and sees what was merged, gone, moved or never there", async () => {
  const repo = newRepo();
  const began = repo.commit("one");
  const asked = proposals(repo, began, 5);
  const [merged, gone, touched, open1] = asked;
  repo.git("merge", "--quiet", "--no-edit", "--allow-unrelated-histories", merged!.commit);
  const base = repo.commit("and on");
  repo.git("update-ref", "-d", `refs/heads/${gone!.branch}`);
  repo.git("update-ref", `refs/heads/${touched!.branch}`, open1!.commit);
  const never = { branch: "loopwright/p-4", commit: "1".repeat(40) };
  const { reader, calls } = open();

  expect(await reader.whereabouts(repo.dir, { base: "main", proposals: [...asked.slice(0, 4), never] })).toEqual({
    base,
    proposals: [
      { tip: merged!.commit, isInBase: true },
      { tip: undefined, isInBase: false },
      { tip: open1!.commit, isInBase: false },
      { tip: open1!.commit, isInBase: false },
      { tip: asked[4]!.commit, isInBase: undefined },
    ],
  });
  expect(calls).toEqual(["rev-parse", "cat-file", "for-each-ref", "merge-base", "merge-base"]);
});

it("does not take a proposal for merged because another one has it in its history", async () => {
  const repo = newRepo();
  const began = repo.commit("one");
  const [first] = proposals(repo, began, 1);
  const second = repo.git("commit-tree", repo.git("rev-parse", `${first!.commit}^{tree}`), "-p", first!.commit, "-m", "amended");
  repo.commit("two");

  const { proposals: told } = await open().reader.whereabouts(repo.dir, {
    base: "main",
    proposals: [first!, { branch: "nowhere", commit: second }],
  });

  expect(told.map(({ isInBase }) => isInBase)).toEqual([false, false]);
});

it("takes no ref for another whose name only ends like it, and says where there is no base", async () => {
  const repo = newRepo();
  const base = repo.commit("one");
  const [asked] = proposals(repo, base, 1);
  repo.git("update-ref", `refs/heads/refs/heads/${asked!.branch}`, base);
  const { reader } = open();

  expect((await reader.whereabouts(repo.dir, { base: "main", proposals: [asked!] })).proposals[0]?.tip).toBe(asked!.commit);
  repo.git("update-ref", "-d", `refs/heads/${asked!.branch}`);
  expect(await reader.whereabouts(repo.dir, { base: "nowhere", proposals: [asked!] })).toEqual({
    base: undefined,
    proposals: [{ tip: undefined, isInBase: false }],
  });
});
