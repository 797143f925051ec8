import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import { borrow, bringCommit, type CopyKind, describeLender, describeOwn, makeCopy } from "./copies.ts";
import { createRunGit } from "./run-git.ts";

const git = createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" });
const { newRepo, newFolder, cloneOf, clear } = createYard();

afterEach(() => {
  git.close();
  clear();
});

const asGit = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", args, {
    cwd,
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "pipe",
  })
    .toString("utf8")
    .trim();

const KINDS: readonly CopyKind[] = ["bare", "with-files"];
const FORMATS = ["sha1", "sha256"] as const;
const ALL = FORMATS.flatMap((format) => KINDS.map((kind) => ({ format, kind })));

describe("a repository written by hand", () => {
  it.each(ALL)("is what git init would have made ($format, $kind)", async ({ format, kind }) => {
    const [ours, theirs] = [newFolder(), newFolder()];
    const bare = kind === "bare" ? ["--bare"] : [];
    asGit(theirs, "init", "--quiet", "--template=", "--initial-branch=main", `--object-format=${format}`, ...bare);

    const gitDir = await makeCopy(ours, format, kind);
    const told = (place: string): readonly string[] =>
      [
        ["config", "--local", "--list"],
        ["rev-parse", "--is-bare-repository", "--show-object-format", "--git-dir"],
        ["symbolic-ref", "HEAD"],
        ["fsck", "--strict"],
      ].map((args) => asGit(place, ...args));

    expect(told(ours)).toEqual(told(theirs));
    expect(gitDir).toBe(kind === "bare" ? ours : join(ours, ".git"));
  });

  it.each(ALL)("has all that it borrows, and keeps what is written to it ($format, $kind)", async ({ format, kind }) => {
    const repo = newRepo({ objectFormat: format });
    const commit = repo.commit("one", { files: { "a.txt": "a\n" } });
    const place = newFolder();

    await borrow(await describeLender(git, repo.dir), place, kind);
    const written = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: place, input: "new" }).toString("utf8").trim();

    expect([asGit(place, "cat-file", "-t", commit), asGit(place, "cat-file", "-p", written)]).toEqual(["commit", "new"]);
    expect(() => repo.git("cat-file", "-e", written)).toThrow();
  });

  it("is lent on as what it is, also where its history was cut", async () => {
    const repo = newRepo();
    repo.commit("one");
    repo.commit("two");
    const clone = cloneOf(repo, "--depth=1");
    const tip = clone.git("rev-parse", "HEAD");
    const [store, room] = [newFolder(), newFolder()];

    await borrow(await describeLender(git, clone.dir), store, "bare");
    await borrow(await describeOwn(store, tip), room, "with-files");

    expect([asGit(store, "rev-list", tip), asGit(room, "rev-list", tip)]).toEqual([tip, tip]);
  });
});

describe("a commit that is brought from one repository into another", () => {
  const storeOn = async (repo: TestRepo): Promise<string> => {
    const store = newFolder();
    await borrow(await describeLender(git, repo.dir), store, "bare");
    return store;
  };
  const commitIn = (store: string, base: string, files: { readonly [path: string]: string }): string => {
    const index = join(newFolder(), "index");
    const env = { ...process.env, GIT_DIR: store, GIT_INDEX_FILE: index, ...IDENTITY };
    const run = (input: string, ...args: readonly string[]): string => execFileSync("git", args, { env, input }).toString("utf8").trim();
    run("", "read-tree", base);
    const lines = Object.entries(files).map(([path, text]) => `100644 ${run(text, "hash-object", "-w", "--stdin")}\t${path}\n`);
    run(lines.join(""), "update-index", "--add", "--index-info");
    return run("message", "commit-tree", run("", "write-tree"), "-p", base);
  };
  const looseIn = (repo: TestRepo): number => Number(/count: (\d+)/.exec(repo.git("count-objects", "-v"))?.[1]);
  const packsIn = (repo: TestRepo): number =>
    readdirSync(join(repo.dir, ".git", "objects", "pack")).filter((file) => file.endsWith(".pack")).length;

  it.each(FORMATS)("is there with all that it is made of, and no ref (%s)", async (objectFormat) => {
    const repo = newRepo({ objectFormat });
    const base = repo.commit("one", { files: { "a.txt": "a\n", "dir/b.txt": "b\n" } });
    const store = await storeOn(repo);
    const commit = commitIn(store, base, { "dir/b.txt": "changed\n" });
    const before = [repo.git("for-each-ref"), looseIn(repo)];

    await bringCommit(git, { from: store, into: repo.dir, commit, known: [base] });

    rmSync(store, { recursive: true });
    expect(repo.git("show", `${commit}:dir/b.txt`)).toBe("changed");
    expect(repo.git("fsck", "--strict", "--connectivity-only")).toMatch(/^dangling commit/);
    expect([repo.git("for-each-ref"), looseIn(repo), packsIn(repo)]).toEqual([before[0], Number(before[1]) + 4, 0]);
  });

  it("comes as one pack where it is made of many objects, and can be brought twice", async () => {
    const repo = newRepo();
    const base = repo.commit("one");
    const store = await storeOn(repo);
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`file-${n}`, `text ${n}\n`]));
    const commit = commitIn(store, base, many);

    await bringCommit(git, { from: store, into: repo.dir, commit, known: [base] });
    await bringCommit(git, { from: store, into: repo.dir, commit, known: [base] });

    expect([repo.git("show", `${commit}:file-119`), packsIn(repo)]).toEqual(["text 119", 1]);
  });

  it("is not waited for where nobody takes it", async () => {
    const repo = newRepo();
    const base = repo.commit("one");
    const store = await storeOn(repo);
    const commit = commitIn(store, base, { large: randomBytes(5_000_000).toString("latin1") });

    await expect(bringCommit(git, { from: store, into: newFolder(), commit, known: [base] })).rejects.toMatchObject({
      code: "git-failed",
      message: expect.stringContaining("not a git repository"),
    });
    await expect(bringCommit(git, { from: store, into: repo.dir, commit: "1".repeat(40), known: [base] })).rejects.toMatchObject({
      code: "git-failed",
      message: expect.stringContaining("pack-objects"),
    });
  });

  it("is refused where something of it is missing or was swapped for something else", async () => {
    const repo = newRepo();
    const base = repo.commit("one", { files: { "a.txt": "a\n" } });
    const store = await storeOn(repo);
    const commit = commitIn(store, base, { "b.txt": "b\n" });
    const blob = asGit(store, "rev-parse", `${commit}:b.txt`);
    const other = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: store, input: "planted\n" }).toString("utf8").trim();
    const placeOf = (id: string): string => join(store, "objects", id.slice(0, 2), id.slice(2));
    const planted = readFileSync(placeOf(other));
    rmSync(placeOf(blob));
    writeFileSync(placeOf(blob), planted);

    await expect(bringCommit(git, { from: store, into: repo.dir, commit, known: [base] })).rejects.toMatchObject({ code: "git-failed" });
    rmSync(placeOf(blob));
    await expect(bringCommit(git, { from: store, into: repo.dir, commit, known: [base] })).rejects.toMatchObject({ code: "git-failed" });
  });
});

const IDENTITY = {
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@localhost",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@localhost",
};
