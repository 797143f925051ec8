import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import { commitTree, namesBetween, openCheckout, openSnapshotStore, pathInCheckout, readSetting } from "./checkout.ts";
import { createRunGit } from "./run-git.ts";

const yard = createYard();
afterEach(yard.clear);

const git = createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" });
const envOf = (home: string) => ({ get: (name: string) => (name === "HOME" ? home : undefined) });

async function look(repo: Pick<TestRepo, "dir">, isWanted: (path: string) => boolean = () => false, home = "/nonexistent") {
  const checkout = await openCheckout(git, repo.dir, envOf(home));
  const store = await openSnapshotStore(git, checkout.root, join(yard.newFolder(), "snapshot"));
  return { checkout, store, snapshot: await checkout.snapshot(store, isWanted) };
}

/** What git itself would commit, by an index that nobody told anything. */
function treeByGit(repo: TestRepo): string {
  rmSync(join(repo.dir, ".git", "index"));
  repo.git("read-tree", "HEAD");
  repo.git("add", "--all");
  return repo.git("write-tree");
}

/** Every file of a folder with its bytes. */
const contentsOf = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${join(parentPath, name)} ${readFileSync(join(parentPath, name)).toString("base64")}`)
    .toSorted();

describe("a checkout as a tree", () => {
  it.each(["sha1", "sha256"] as const)("is what git would make of it, byte for byte (%s)", async (objectFormat) => {
    const repo = yard.newRepo({ objectFormat });
    repo.commit("base", {
      files: { "a.txt": "a\n", "gone.txt": "x\n", "dir/file": "f\n", "run.sh": "x\n", ".gitignore": "*.log\nignored/\n" },
    });
    rmSync(join(repo.dir, "gone.txt"));
    rmSync(join(repo.dir, "dir"), { recursive: true });
    repo.write("dir", "a file now\n");
    repo.write("a.txt", "a\r\nwith \0 bytes\r\n");
    repo.write("clé/tab\there/line\nbreak ", "odd\n");
    writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/`), Buffer.from([0xff, 0x62])]), "no text\n");
    chmodSync(join(repo.dir, "run.sh"), 0o755);
    symlinkSync("a.txt", join(repo.dir, "link"));
    repo.write("x.log", "ignored\n");
    repo.write("ignored/y", "ignored\n");
    repo.write("empty", "");

    const { snapshot } = await look(repo);

    expect(snapshot.tree).toBe(treeByGit(repo));
  });

  it("sees what git was told not to look at, and keeps what a sparse checkout never laid out", async () => {
    const repo = yard.newRepo();
    repo.commit("base", { files: { "a.txt": "a\n", "b.txt": "b\n", "big/c.txt": "c\n" } });
    repo.write("a.txt", "changed\n");
    repo.write("b.txt", "changed\n");
    repo.git("update-index", "--skip-worktree", "a.txt", "big/c.txt");
    repo.git("update-index", "--assume-unchanged", "b.txt");
    rmSync(join(repo.dir, "big"), { recursive: true });

    const { snapshot, store } = await look(repo);

    expect(await namesBetween(git, store, repo.git("rev-parse", "HEAD^{tree}"), snapshot.tree)).toEqual(["a.txt", "b.txt"]);
  });

  it("follows no link, so that what lies elsewhere is never a part of it", async () => {
    const repo = yard.newRepo();
    repo.commit("base", { files: { "dir/a.txt": "a\n" } });
    const elsewhere = yard.newFolder();
    writeFileSync(join(elsewhere, "a.txt"), "a\n");
    rmSync(join(repo.dir, "dir"), { recursive: true });
    symlinkSync(elsewhere, join(repo.dir, "dir"));

    const { snapshot, store } = await look(repo);

    expect(await namesBetween(git, store, repo.git("rev-parse", "HEAD^{tree}"), snapshot.tree)).toEqual(["dir", "dir/a.txt"]);
  });

  it("takes a repository in it for a submodule, and the bytes that a pointer of LFS names for the pointer", async () => {
    const repo = yard.newRepo();
    const bytes = Buffer.from("large\0".repeat(100));
    const pointer = (of: Buffer) =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash("sha256").update(of).digest("hex")}\nsize ${of.length}\n`;
    repo.commit("base", { files: { "a.bin": pointer(bytes), "b.bin": pointer(bytes) } });
    repo.write("a.bin", bytes);
    repo.write("b.bin", Buffer.from("other"));
    const inner = yard.newRepo();
    const commit = inner.commit("inner", { files: { x: "x\n" } });
    repo.git("clone", "--quiet", inner.dir, join(repo.dir, "nested"));

    const { snapshot, store } = await look(repo);

    expect(await namesBetween(git, store, repo.git("rev-parse", "HEAD^{tree}"), snapshot.tree)).toEqual(["b.bin", "nested"]);
    expect(repo.git("--git-dir", store, "ls-tree", snapshot.tree, "nested")).toContain(`160000 commit ${commit}`);
  });

  it("works in a linked worktree and from a folder inside", async () => {
    const repo = yard.newRepo();
    repo.commit("base", { files: { "a/b.txt": "b\n" } });
    const linked = join(yard.newFolder(), "linked");
    repo.git("worktree", "add", "--quiet", "--detach", linked);
    writeFileSync(join(linked, "a/b.txt"), "changed\n");

    const { snapshot, checkout } = await look({ dir: join(linked, "a") });

    expect(checkout.root).toBe(linked);
    expect(snapshot.tree).not.toBe(repo.git("rev-parse", "HEAD^{tree}"));
    expect((await look(repo)).snapshot.tree).toBe(repo.git("rev-parse", "HEAD^{tree}"));
  });

  it("writes nothing into the repository, and runs nothing that its settings name", async () => {
    const repo = yard.newRepo();
    const mark = join(yard.newFolder(), "ran");
    repo.commit("base", { files: { "a.txt": "a\n", ".gitattributes": "* filter=evil diff=evil\n" } });
    for (const key of ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv"])
      repo.git("config", key, `touch ${mark}`);
    writeFileSync(join(repo.dir, "a.txt"), "changed\n");
    const before = contentsOf(repo.dir);

    const { snapshot } = await look(repo);

    expect(snapshot.files).toBe(2);
    expect(existsSync(mark)).toBe(false);
    expect(contentsOf(repo.dir)).toEqual(before);
  });

  it.each([
    ["a conflict", (repo: TestRepo) => repo.feed(`100644 ${"1".repeat(40)} 1\ta.txt\n`, "update-index", "--index-info"), "in conflict"],
    ["a broken index", (repo: TestRepo) => writeFileSync(join(repo.dir, ".git/index"), "broken"), "git ls-files failed"],
    ["a pipe in a file's place", (repo: TestRepo) => swapForPipe(repo), "neither a file"],
    ["another checkout by its settings", (repo: TestRepo) => repo.git("config", "core.worktree", yard.newFolder()), "core.worktree"],
  ])("fails on %s", async (_, spoil, why) => {
    const repo = yard.newRepo();
    repo.commit("base", { files: { "a.txt": "a\n" } });
    spoil(repo);

    const failed = await look(repo).then(
      () => undefined,
      (error: { message: string; hint: string }) => `${error.message} ${error.hint}`,
    );

    expect(failed).toContain(why);
  });
});

function swapForPipe(repo: TestRepo): void {
  rmSync(join(repo.dir, "a.txt"));
  repo.git("-c", "alias.pipe=!mkfifo a.txt", "pipe");
}

describe("ignored files", () => {
  it("are found wherever a list of any kind hides them, also in repositories inside", async () => {
    const repo = yard.newRepo();
    repo.commit("base", { files: { ".gitignore": ".env\nignored/\n", "a.txt": "a\n" } });
    const home = yard.newFolder();
    mkdirSync(join(home, ".config/git"), { recursive: true });
    writeFileSync(join(home, ".config/git/ignore"), "mine.env\n");
    writeFileSync(join(repo.dir, ".git/info/exclude"), "theirs.env\n");
    for (const path of [".env", "ignored/deep/x.env", "mine.env", "theirs.env", "fresh.env"]) repo.write(path, `${path}\n`);
    symlinkSync("/etc/passwd", join(repo.dir, "ignored/l.env"));
    repo.git("init", "--quiet", join(repo.dir, "ignored/nested"));
    repo.write("ignored/nested/.env", "x\n");

    const { snapshot, store } = await look(repo, (path) => path.endsWith(".env"), home);

    expect(snapshot.hidden.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "file .env",
      "file ignored/deep/x.env",
      "link ignored/l.env",
      "file ignored/nested/.env",
      "file mine.env",
      "file theirs.env",
    ]);
    expect(await namesBetween(git, store, repo.git("rev-parse", "HEAD^{tree}"), snapshot.tree)).toEqual(["fresh.env"]);
    expect(snapshot.hidden[0]!.sha256).toBe(createHash("sha256").update(".env\n").digest("hex"));
  });
});

describe("what a change is compared with", () => {
  it("is the commit in common, read from the commits themselves", async () => {
    const repo = yard.newRepo();
    const base = repo.commit("base");
    repo.git("switch", "--quiet", "--create", "side");
    const side = repo.commit("side", { files: { "x.txt": "x\n" } });
    repo.git("switch", "--quiet", "main");
    const main = repo.commit("main", { files: { "y.txt": "y\n" } });
    repo.git("checkout", "--quiet", "--orphan", "other");
    const other = repo.commit("other");
    const checkout = await openCheckout(git, repo.dir, envOf("/nonexistent"));

    expect(await checkout.mergeBase(main, side)).toBe(base);
    expect(await checkout.mergeBase(main, other)).toBeUndefined();
    expect(await checkout.resolve("origin/mian")).toBeUndefined();
    expect(await checkout.touchedBetween(base, side)).toEqual(["x.txt"]);
    await expect(checkout.mergeBase(main, "1".repeat(40))).rejects.toThrow("merge-base failed");
  });

  it("makes the same commit of the same tree", async () => {
    const repo = yard.newRepo();
    const base = repo.commit("base");
    repo.write("x.txt", "x\n");
    const { store, snapshot } = await look(repo);
    const about = { tree: snapshot.tree, base, at: "2026-01-01T00:00:00.000Z", message: "m\n" };

    expect(await commitTree(git, store, about)).toBe(await commitTree(git, store, about));
    expect(repo.git("--git-dir", store, "rev-parse", `${await commitTree(git, store, about)}^`)).toBe(base);
  });
});

describe("places", () => {
  it("are inside by their letters, whatever a link says, and by where a link leads", async () => {
    const repo = yard.newRepo();
    const outside = yard.newFolder();
    writeFileSync(join(outside, "x.yaml"), "");
    repo.write("in/a.yaml", "");
    symlinkSync(join(outside, "x.yaml"), join(repo.dir, "in/link.yaml"));
    symlinkSync(repo.dir, join(outside, "way"));

    expect(await pathInCheckout(repo.dir, join(repo.dir, "in"), "a.yaml")).toBe("in/a.yaml");
    expect(await pathInCheckout(repo.dir, repo.dir, "in/link.yaml")).toBe("in/link.yaml");
    expect(await pathInCheckout(repo.dir, outside, "way/in/a.yaml")).toBe("in/a.yaml");
    expect(await pathInCheckout(repo.dir, outside, "x.yaml")).toBeUndefined();
  });

  it("of the user's settings are read although our own calls do not hear of them", async () => {
    const repo = yard.newRepo();
    const home = yard.newFolder();
    writeFileSync(join(home, ".gitconfig"), "[core]\n\thooksPath = ~/hooks\n");

    expect(await readSetting(git, repo.dir, "core.hooksPath", envOf(home))).toBe(join(home, "hooks"));
    repo.git("config", "core.hooksPath", "mine");
    expect(await readSetting(git, repo.dir, "core.hooksPath", envOf(home))).toBe("mine");
    expect(await readSetting(git, repo.dir, "core.excludesFile", envOf(home))).toBeUndefined();
  });
});
