import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import type { Comparison, Content, Side } from "../../contract/change-set.ts";
import { LoopError } from "../../contract/errors.ts";
import { createChangeReader } from "./change-reader.ts";
import { createRunGit } from "./run-git.ts";

const reader = createChangeReader(createRunGit({ path: process.env.PATH ?? "" }));
const { newRepo, cloneOf, clear } = createYard();
afterEach(clear);

const text = (content: string): Content => ({ kind: "text", pieces: [{ line: 1, text: content }] });
const file = (content: string, mode = "100644"): Side => ({ mode, content: text(content) });
const between = (repo: TestRepo, base = "HEAD~1", head = "HEAD"): Promise<Comparison> => reader.betweenCommits(repo.dir, base, head);
const onDisk = (repo: TestRepo): Promise<Comparison> => reader.withWorkTree(repo.dir, "HEAD");
const TEN = Array.from({ length: 10 }, (_, index) => `line ${index}\n`).join("");

describe("two commits", () => {
  it("are compared file by file, each side to its last line", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "src/a.js": "1\n", gone: "x\n", same: "s\n" } });
    rmSync(join(repo.dir, "gone"));
    repo.commit("two", { files: { "src/a.js": "2\n", "new.txt": "", "crlf.txt": "a\r\nb\r\n" } });

    expect(await between(repo)).toEqual({
      files: [
        { path: "crlf.txt", oldPath: undefined, before: undefined, after: file("a\r\nb\r\n") },
        { path: "gone", oldPath: undefined, before: file("x\n"), after: undefined },
        { path: "new.txt", oldPath: undefined, before: undefined, after: file("") },
        { path: "src/a.js", oldPath: undefined, before: file("1\n"), after: file("2\n") },
      ],
      blind: [],
    });
  });

  it("show a file that went elsewhere as one file, changed or not, and a copy as a new one", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "a/same.js": TEN, "b/edited.js": `b\n${TEN}`, "c/other.js": `c\n${TEN}d\n`, "p.bin": "\0\u0001" } });
    for (const [from, to] of [
      ["a/same.js", "x/same.js"],
      ["b/edited.js", "y.js"],
      ["p.bin", "q.bin"],
    ] as const) {
      repo.write(to, "");
      repo.git("mv", "-f", from, to);
    }
    repo.commit("two", { files: { "y.js": `b\n${TEN}more\n`, "copy.js": `c\n${TEN}d\n` } });

    const { files } = await between(repo);

    expect(files).toEqual([
      { path: "copy.js", oldPath: undefined, before: undefined, after: file(`c\n${TEN}d\n`) },
      {
        path: "q.bin",
        oldPath: "p.bin",
        before: { mode: "100644", content: { kind: "binary" } },
        after: { mode: "100644", content: { kind: "binary" } },
      },
      { path: "x/same.js", oldPath: "a/same.js", before: file(TEN), after: file(TEN) },
      { path: "y.js", oldPath: "b/edited.js", before: file(`b\n${TEN}`), after: file(`b\n${TEN}more\n`) },
    ]);
  });

  it("do not take files that share little for one", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "old.js": TEN, empty: "" } });
    repo.git("rm", "--quiet", "old.js", "empty");
    repo.commit("two", { files: { "new.js": `line 1\n${"z\n".repeat(9)}`, void: "" } });

    expect((await between(repo)).files.map(({ path, oldPath }) => [path, oldPath])).toEqual([
      ["empty", undefined],
      ["new.js", undefined],
      ["old.js", undefined],
      ["void", undefined],
    ]);
  });

  it("show modes, links, submodules and binaries for what they are", async () => {
    const repo = newRepo();
    const one = repo.commit("one", { files: { tool: "t\n", wasFile: "f\n" } });
    repo.git("update-index", "--chmod=+x", "tool");
    rmSync(join(repo.dir, "wasFile"));
    symlinkSync("/etc/passwd", join(repo.dir, "wasFile"));
    repo.write("p.png", Uint8Array.of(0, 1, 2));
    repo.git("add", "wasFile", "p.png");
    repo.git("update-index", "--add", "--cacheinfo", `160000,${one},vendored`);
    repo.git("config", "submodule.vendored.ignore", "all");
    repo.git("commit", "--quiet", "--message=two");

    expect((await between(repo)).files).toEqual([
      { path: "p.png", oldPath: undefined, before: undefined, after: { mode: "100644", content: { kind: "binary" } } },
      { path: "tool", oldPath: undefined, before: file("t\n"), after: file("t\n", "100755") },
      { path: "vendored", oldPath: undefined, before: undefined, after: { mode: "160000", content: { kind: "submodule", commit: one } } },
      {
        path: "wasFile",
        oldPath: undefined,
        before: file("f\n"),
        after: { mode: "120000", content: { kind: "link", target: "/etc/passwd" } },
      },
    ]);
  });

  it("are seen whatever .gitattributes and settings say", async () => {
    const repo = newRepo();
    repo.commit("one", {
      files: { "t.test.js": "expect(1)\n", ".gitattributes": "* -diff -text binary filter=evil diff=evil linguist-generated\n" },
    });
    repo.git("config", "diff.evil.textconv", "false");
    repo.git("config", "diff.evil.command", "false");
    repo.git("config", "filter.evil.smudge", "false");
    repo.git("config", "diff.noprefix", "true");
    repo.commit("two", { files: { "t.test.js": "expect(2)\n" } });

    expect((await between(repo)).files).toEqual([
      { path: "t.test.js", oldPath: undefined, before: file("expect(1)\n"), after: file("expect(2)\n") },
    ]);
  });

  it("may have names and contents in any encoding", async () => {
    const repo = newRepo();
    repo.commit("one");
    repo.write("wide.py", Buffer.from("\ufeffassert x\n", "utf16le"));
    repo.write("latin.py", Uint8Array.of(0x61, 0xe9, 0x0a));
    repo.write('odd\n"name".js', "1\n");
    writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/`), Buffer.from([0xff]), Buffer.from(".js")]), "2\n");
    repo.commit("two");

    expect((await between(repo)).files.map(({ path, after }) => [path, after])).toEqual([
      ["latin.py", file("aé\n")],
      ['odd\n"name".js', file("1\n")],
      ["wide.py", file("assert x\n")],
      ["ÿ.js", file("2\n")],
    ]);
  });

  it("say what was not read", async () => {
    const repo = newRepo();
    repo.commit("one");
    repo.commit("two", { files: { huge: "x".repeat(1_000_001), small: "x" } });

    expect((await between(repo)).files.map(({ after }) => after?.content)).toEqual([
      { kind: "unread", why: "the file has 1000001 bytes, more than 1000000" },
      text("x"),
    ]);
  });

  it("say so when there are more files than can be looked at", async () => {
    const repo = newRepo();
    const blob = repo.feed("x\n", "hash-object", "-w", "--stdin");
    repo.commit("one");
    repo.feed(Array.from({ length: 5_003 }, (_, index) => `100644 ${blob}\tf${index}\n`).join(""), "update-index", "--index-info");
    repo.git("commit", "--quiet", "--message=two");

    const { files, blind } = await between(repo);

    expect(files).toHaveLength(5_000);
    expect(blind).toEqual([{ file: undefined, line: undefined, why: "3 more files changed that were not looked at, from f997 on" }]);
  });

  it("are not compared in a clone that has left their contents behind", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { a: "1\n" } });
    repo.commit("two", { files: { a: "2\n" } });
    repo.git("config", "uploadpack.allowFilter", "true");
    const clone = cloneOf(repo, "--filter=blob:none", "--no-checkout");

    await expect(between(clone)).rejects.toMatchObject({ code: "git-failed" });
  });

  it("are read in repositories of either hash", async () => {
    const repo = newRepo({ objectFormat: "sha256" });
    repo.commit("one", { files: { a: "1\n" } });
    repo.commit("two", { files: { a: "2\n" } });

    expect((await between(repo)).files).toEqual([{ path: "a", oldPath: undefined, before: file("1\n"), after: file("2\n") }]);
  });

  it.each(["nowhere", "--all", "HEAD~99", ""])("must exist: %j does not", async (name) => {
    const repo = newRepo();
    repo.commit("one");

    await expect(between(repo, name)).rejects.toThrow(LoopError);
    await expect(between(repo, name)).rejects.toMatchObject({ code: "ref-missing", retry: "never" });
  });
});

describe("a commit and the disk", () => {
  it("differ in nothing right after a checkout", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "a.js": "1\n", "b/c.js": "2\n" } });
    repo.write("tool", "#!/bin/sh\n");
    chmodSync(join(repo.dir, "tool"), 0o755);
    symlinkSync("a.js", join(repo.dir, "link"));
    repo.commit("two");

    expect(await onDisk(repo)).toEqual({ files: [], blind: [] });
  });

  it("differ in changed, deleted, new and renamed files, staged or not", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "a.js": "1\n", gone: "g\n", "old.js": TEN } });
    repo.write("a.js", "2\n");
    repo.write("new.js", "n\n");
    repo.git("add", "new.js");
    rmSync(join(repo.dir, "gone"));
    repo.git("mv", "old.js", "moved.js");

    expect((await onDisk(repo)).files).toEqual([
      { path: "a.js", oldPath: undefined, before: file("1\n"), after: file("2\n") },
      { path: "gone", oldPath: undefined, before: file("g\n"), after: undefined },
      { path: "moved.js", oldPath: "old.js", before: file(TEN), after: file(TEN) },
      { path: "new.js", oldPath: undefined, before: undefined, after: file("n\n") },
    ]);
  });

  it("differ also in what git was told not to see", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "skip.js": "1\n", "assume.js": "1\n", ".gitignore": "secret/\ntracked.js\n" } });
    repo.write("tracked.js", "1\n");
    repo.git("add", "--force", "tracked.js");
    repo.commit("two");
    repo.git("update-index", "--skip-worktree", "skip.js");
    repo.git("update-index", "--assume-unchanged", "assume.js");
    for (const path of ["skip.js", "assume.js", "tracked.js"]) repo.write(path, "2\n");
    repo.write("secret/conftest.py", "evil\n");
    repo.write(".git/info/exclude", "hidden.js\n");
    repo.write("hidden.js", "h\n");

    expect((await onDisk(repo)).files.map(({ path, after }) => [path, after])).toEqual([
      ["assume.js", file("2\n")],
      ["hidden.js", file("h\n")],
      ["secret/conftest.py", file("evil\n")],
      ["skip.js", file("2\n")],
      ["tracked.js", file("2\n")],
    ]);
  });

  it("leave out folders that tools fill, unless base has files there", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "dist/kept.js": "1\n" } });
    repo.write("node_modules/x/index.js", "1\n");
    repo.write("dist/new.js", "1\n");

    expect((await onDisk(repo)).files.map(({ path }) => path)).toEqual(["dist/new.js"]);
  });

  it("do not follow links, nor wait for pipes", async () => {
    const repo = newRepo();
    repo.commit("one", { files: { "a.js": "1\n" } });
    rmSync(join(repo.dir, "a.js"));
    symlinkSync("/dev/zero", join(repo.dir, "a.js"));

    expect((await onDisk(repo)).files).toEqual([
      { path: "a.js", oldPath: undefined, before: file("1\n"), after: { mode: "120000", content: { kind: "link", target: "/dev/zero" } } },
    ]);
  });

  it("show a submodule that is at another commit", async () => {
    const inner = newRepo();
    const [one, two] = [inner.commit("one"), inner.commit("two")];
    const repo = newRepo();
    repo.commit("start");
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", `file://${inner.dir}`, "sub");
    repo.commit("with submodule");

    expect((await onDisk(repo)).files).toEqual([]);

    repo.git("-C", "sub", "checkout", "--quiet", one);

    expect((await onDisk(repo)).files).toEqual([
      {
        path: "sub",
        oldPath: undefined,
        before: { mode: "160000", content: { kind: "submodule", commit: two } },
        after: { mode: "160000", content: { kind: "submodule", commit: one } },
      },
    ]);
  });
});
