import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import type { RefWalk } from "../../contract/git.ts";
import { createGitReader } from "./git-reader.ts";
import { createRunGit } from "./run-git.ts";

const reader = createGitReader(createRunGit({ path: process.env.PATH ?? "" }));
const { newRepo, clear } = createYard();

afterEach(clear);

const walk = (repo: TestRepo, from: Partial<Parameters<typeof reader.walk>[1]> = {}): Promise<RefWalk> =>
  reader.walk(repo.dir, { ref: "main", cursor: undefined, sinceMs: 0, most: 100, ...from });
const subjects = ({ commits }: RefWalk): readonly string[] => commits.map(({ subject }) => subject);
const short = (id: string): string => id.slice(0, 12);

describe("the changes of a commit", () => {
  it("compares a merge with its first parent", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { base: "1\n" } });
    repo.git("checkout", "--quiet", "-b", "side");
    repo.commit("on the side", { files: { side: "1\n2\n" } });
    repo.git("checkout", "--quiet", "main");
    const two = repo.commit("two", { files: { main: "1\n" } });
    repo.git("merge", "--quiet", "--no-ff", "--message=merge side", "side");

    const { commits } = await walk(repo, { cursor: two });

    expect(commits.map(({ subject, parents, paths, changedLines }) => ({ subject, parents, paths, changedLines }))).toEqual([
      { subject: "merge side", parents: 2, paths: ["side"], changedLines: 2 },
      { subject: "on the side", parents: 1, paths: ["side"], changedLines: 2 },
    ]);
  });

  it("counts renames as both paths, and modes, links, submodules and binaries as paths without lines", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { old: "1\n2\n", tool: "1\n" } });
    repo.git("mv", "old", "new");
    repo.git("update-index", "--chmod=+x", "tool");
    repo.git("update-index", "--add", "--cacheinfo", `160000,${one},vendored`);
    repo.write("image", Uint8Array.of(0, 1, 10, 0, 10));
    repo.git("add", "image");
    repo.git("config", "submodule.vendored.ignore", "all");
    repo.git("commit", "--quiet", "--message=two");

    const { commits } = await walk(repo, { cursor: one });

    expect(commits[0]?.paths).toEqual(["image", "new", "old", "tool", "vendored"]);
    expect(commits[0]?.changedLines).toBe(5);
  });

  it("counts the lines of files that .gitattributes calls binary", async () => {
    const repo = newRepo();
    repo.commit("hide", { files: { ".gitattributes": "* -diff\n*.x diff=evil\n" } });
    repo.git("config", "diff.evil.textconv", "false");
    repo.git("config", "diff.evil.command", "false");
    const hide = repo.git("rev-parse", "HEAD");
    repo.commit("work", { files: { a: "1\n2\n3\n", "b.x": "1\n" } });

    expect((await walk(repo, { cursor: hide })).commits[0]?.changedLines).toBe(4);
  });

  it("ignores replace refs, grafts, mailmap and log settings", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { a: "1\n" } });
    const two = repo.commit("two", { files: { a: "2\n", ".mailmap": "Eve <eve@example.com> <ada@example.com>\n" } });
    const three = repo.commit("three", { files: { a: "3\n" } });
    const expected = await walk(repo);

    repo.git("replace", two, one);
    mkdirSync(join(repo.dir, ".git/info"), { recursive: true });
    writeFileSync(join(repo.dir, ".git/info/grafts"), `${three}\n`);
    for (const [name, value] of [
      ["log.mailmap", "true"],
      ["log.date", "relative"],
      ["i18n.logOutputEncoding", "UTF-16"],
      ["diff.renames", "copies"],
      ["diff.orderFile", "/nonexistent"],
      ["core.quotePath", "true"],
    ] as const)
      repo.git("config", name, value);

    expect(await walk(repo)).toEqual(expected);
    expect(subjects(expected)).toEqual(["three", "two", "one"]);
  });
});

describe("a commit that is hard to read", () => {
  it("loses only the commits whose objects are damaged", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { a: "1\n" } });
    const two = repo.commit("two", { files: { a: "2\n" } });
    repo.commit("three", { files: { b: "1\n" } });
    const blob = repo.git("rev-parse", `${two}:a`);
    const object = join(repo.dir, ".git/objects", blob.slice(0, 2), blob.slice(2));
    rmSync(object, { force: true });

    const found = await walk(repo);

    expect(found.commits.map(({ subject, paths }) => ({ subject, paths }))).toEqual([
      { subject: "three", paths: ["b"] },
      { subject: "two", paths: [] },
      { subject: "one", paths: ["a"] },
    ]);
    expect(found.notes).toEqual([`${short(two)}: changed things that could not be read`]);
  });

  it("is not stopped by a message of two megabytes, by thousands of files or by a time past the year 9999", async () => {
    const repo = newRepo();
    const one = repo.commit("one");
    const tree = repo.feed(
      Array.from(
        { length: 2500 },
        (_, n) => `100644 blob ${"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"}\tf${String(n).padStart(4, "0")}\n`,
      ).join(""),
      "mktree",
      "--missing",
    );
    repo.feed("", "hash-object", "-w", "--stdin");
    const commit = repo.feed(
      `tree ${tree}\nparent ${one}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 99999999999999 +0000\n\nbig\n\n${"x".repeat(2 * 1024 * 1024)}`,
      ...["hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
    );
    repo.git("update-ref", "refs/heads/main", commit);

    const found = await walk(repo, { cursor: one });

    expect(found.commits).toMatchObject([{ commit, subject: "", at: "9999-12-31T23:59:59.000Z" }]);
    expect(found.commits[0]?.paths).toHaveLength(2000);
    expect(found.notes).toEqual([
      `${short(commit)}: has a message too long to read`,
      `${short(commit)}: changed more files than are listed`,
    ]);
  });

  it("runs nothing that the repository's own configuration names", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { a: "1\n", ".gitattributes": "* filter=evil diff=evil\n" } });
    appendFileSync(
      join(repo.dir, ".git/config"),
      `[core]\n\tfsmonitor = touch ${repo.dir}/ran\n\tpager = touch ${repo.dir}/ran\n\thooksPath = ${repo.dir}\n[diff "evil"]\n\tcommand = touch ${repo.dir}/ran\n\ttextconv = touch ${repo.dir}/ran\n[filter "evil"]\n\tclean = touch ${repo.dir}/ran\n[alias]\n\trev-list = !touch ${repo.dir}/ran\n`,
    );

    await walk(repo);

    expect(existsSync(join(repo.dir, "ran"))).toBe(false);
  });
});
