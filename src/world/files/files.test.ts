import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFiles, createHomeFiles, createKeptFiles, createWorkspaceFiles } from "./files.ts";

let folder = "";
let work = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-files-")));
  work = join(folder, "work");
  mkdirSync(join(work, ".git"), { recursive: true });
  mkdirSync(join(folder, "work-sibling"));
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside", "secret"), "secret");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const makePipe = (path: string): void => void execFileSync("/bin/sh", ["-c", 'mkfifo "$1"', "sh", path]);

const everything = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map(
    (found) => `${join(found.parentPath, found.name).slice(folder.length + 1)}${found.isDirectory() ? "/" : ""}`,
  );

describe("a maker's copy", () => {
  it("takes files at any depth, and replaces and removes them", async () => {
    const files = createWorkspaceFiles(work);

    await files.write("a.txt", "one");
    await files.write("deep/er/b.txt", "two");
    await files.write("a.txt", "three");
    await files.write("..hidden/...dots", "four");
    await files.write(".gitignore", "five");
    await files.write("back\\..\\slash", "six");
    await files.remove("deep");
    await files.remove("never/was/there");

    expect([...everything()].sort()).toEqual(
      [
        "outside/",
        "outside/secret",
        "work-sibling/",
        "work/",
        "work/..hidden/",
        "work/..hidden/...dots",
        "work/.git/",
        "work/.gitignore",
        "work/a.txt",
        "work/back\\..\\slash",
      ].sort(),
    );
    expect(readFileSync(join(work, "a.txt"), "utf8")).toBe("three");
  });

  it("keeps a file executable that was", async () => {
    writeFileSync(join(work, "run.sh"), "");
    chmodSync(join(work, "run.sh"), 0o755);

    await createWorkspaceFiles(work).write("run.sh", "#!/bin/sh\n");

    expect(statSync(join(work, "run.sh")).mode & 0o777).toBe(0o755);
  });

  it("goes through a link to a folder that stays inside", async () => {
    mkdirSync(join(work, "real"));
    symlinkSync("real", join(work, "link"));

    await createWorkspaceFiles(work).write("link/a.txt", "a");

    expect(readFileSync(join(work, "real/a.txt"), "utf8")).toBe("a");
  });

  it.each([
    ["up and out", "../outside/x"],
    ["up to a sibling whose name begins alike", "../work-sibling/x"],
    ["up from below", "a/../../outside/x"],
    ["up at the end", "a/.."],
    ["itself", "."],
    ["itself by a longer way", "./a"],
    ["nothing", ""],
    ["an absolute path", "/tmp/x"],
    ["a doubled slash", "a//b"],
    ["a slash at the end", "a/"],
    [".git", ".git/hooks/pre-commit"],
    [".git as a file", ".git"],
    [".GIT", ".GIT/config"],
    [".Git below", "sub/.Git/config"],
    ["a NUL", "a\0b"],
    ["a link to a folder outside", "out/x"],
    ["a link to a folder outside, by an absolute path", "abs/x"],
    ["a link to a link to a folder outside", "twice/x"],
    ["a link into .git", "into/hooks/x"],
    ["a link up and back into .git", "around/x"],
    ["a link that leads nowhere", "dangling/x"],
    ["a link that leads to itself", "self/x"],
    ["a file in a folder's place", "file/x"],
    ["a name longer than any", "x".repeat(300)],
  ])("refuses to write %s", async (_, path) => {
    symlinkSync("../outside", join(work, "out"));
    symlinkSync(join(folder, "outside"), join(work, "abs"));
    symlinkSync("out", join(work, "twice"));
    symlinkSync(".git", join(work, "into"));
    symlinkSync("../work/.git", join(work, "around"));
    symlinkSync("../nowhere", join(work, "dangling"));
    symlinkSync("self", join(work, "self"));
    writeFileSync(join(work, "file"), "");
    const before = everything();

    await expect(createWorkspaceFiles(work).write(path, "x")).rejects.toMatchObject({
      name: "LoopError",
      code: "maker-failed",
      retry: "never",
    });

    expect(everything().filter((place) => place !== "work/a/")).toEqual(before);
  });

  it.each(["../outside", "..", ".", "", "/tmp", ".git", ".GIT/x", "out/secret", "into/config", "a\0b"])(
    "refuses to remove %j",
    async (path) => {
      symlinkSync("../outside", join(work, "out"));
      symlinkSync(".git", join(work, "into"));
      const before = everything();

      await expect(createWorkspaceFiles(work).remove(path)).rejects.toMatchObject({ name: "LoopError", code: "maker-failed" });

      expect(everything()).toEqual(before);
    },
  );

  it("removes a link and not what it leads to", async () => {
    symlinkSync("../outside", join(work, "out"));

    await createWorkspaceFiles(work).remove("out");

    expect([existsSync(join(work, "out")), existsSync(join(folder, "outside", "secret"))]).toEqual([false, true]);
  });

  it.each([
    ["a link to a file outside", () => symlinkSync("../outside/secret", join(work, "x"))],
    ["a second name of a file outside", () => linkSync(join(folder, "outside", "secret"), join(work, "x"))],
    ["a pipe", () => makePipe(join(work, "x"))],
  ])("writes a new file in place of %s, and nothing through it", async (_, plant) => {
    plant();

    await createWorkspaceFiles(work).write("x", "new");

    expect([
      readFileSync(join(work, "x"), "utf8"),
      lstatSync(join(work, "x")).isFile(),
      readFileSync(join(folder, "outside", "secret"), "utf8"),
    ]).toEqual(["new", true, "secret"]);
  });

  it("refuses to write where a folder is", async () => {
    mkdirSync(join(work, "folder"));

    await expect(createWorkspaceFiles(work).write("folder", "x")).rejects.toMatchObject({
      code: "maker-failed",
      message: expect.stringContaining('"folder" cannot be used'),
    });
  });
});

describe("whole files", () => {
  const files = createFiles();

  it("are written whole, with their folders, and leave no draft behind", async () => {
    await files.writeText(join(folder, "new", "deep", "report.md"), "one");
    await files.writeText(join(folder, "new", "deep", "report.md"), "two");

    expect([await files.readText(join(folder, "new", "deep", "report.md")), readdirSync(join(folder, "new", "deep"))]).toEqual([
      "two",
      ["report.md"],
    ]);
  });

  it("of a home that was moved away are not written, and begin no other in its place", async () => {
    const home = join(folder, "moved");
    const { writeText } = createHomeFiles(home);

    await expect(writeText(join(home, "ticks.json"), "x")).rejects.toMatchObject({ code: "store-unusable", retry: "later" });
    await expect(writeText(join(home, "referee", "a", "b.json"), "x")).rejects.toMatchObject({ code: "store-unusable" });
    expect(existsSync(home)).toBe(false);
  });

  it("say so when they cannot be written, and leave no draft behind", async () => {
    mkdirSync(join(folder, "taken", "below"), { recursive: true });

    await expect(files.writeText(join(folder, "taken"), "x")).rejects.toMatchObject({
      name: "LoopError",
      code: "store-unusable",
      retry: "later",
    });
    await expect(files.writeText(join(folder, "outside", "secret", "x"), "x")).rejects.toMatchObject({ code: "store-unusable" });
    expect(readdirSync(folder).sort()).toEqual(["outside", "taken", "work", "work-sibling"]);
  });

  it.each([
    ["nothing", () => {}],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a pipe that nobody writes to", (path: string) => makePipe(path)],
    ["a device that never ends", (path: string) => symlinkSync("/dev/zero", path)],
    ["a link to itself", (path: string) => symlinkSync(path, path)],
    [
      "more than anybody would read",
      (path: string) => {
        writeFileSync(path, "");
        truncateSync(path, 5 * 2 ** 30);
      },
    ],
  ])("read as not there, and at once, when in their place is %s", async (_, plant) => {
    plant(join(folder, "usage.json"));

    expect(await files.readText(join(folder, "usage.json"))).toBe(undefined);
  });
});

describe("reading a room's files", () => {
  const read = (path: string) => createWorkspaceFiles(work).read(path);

  it("gives what a plain file holds", async () => {
    mkdirSync(join(work, "out"));
    writeFileSync(join(work, "out", "report.xml"), "<x/>");

    expect(await read("out/report.xml")).toBe("<x/>");
  });

  it("finds nothing where there is no plain file: a link, a folder, a pipe, a file too large, a folder that is not there", async () => {
    symlinkSync(join(folder, "outside", "secret"), join(work, "link"));
    mkdirSync(join(work, "dir"));
    makePipe(join(work, "pipe"));
    writeFileSync(join(work, "large"), "");
    truncateSync(join(work, "large"), 33 * 1024 * 1024);

    for (const path of ["link", "dir", "pipe", "large", "gone", "gone/too"]) expect([path, await read(path)]).toEqual([path, undefined]);
  });

  it("says what is in the way of a text: nothing, a link, a folder, a pipe, too much, or bytes that are none", async () => {
    symlinkSync(join(folder, "outside", "secret"), join(work, "link"));
    mkdirSync(join(work, "dir"));
    makePipe(join(work, "pipe"));
    writeFileSync(join(work, "large"), "");
    truncateSync(join(work, "large"), 33 * 1024 * 1024);
    writeFileSync(join(work, "latin"), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    writeFileSync(join(work, "text"), "café");
    const { readText } = createWorkspaceFiles(work);

    const paths = ["gone", "gone/too", "link", "dir", "pipe", "latin"];
    expect(await Promise.all(paths.map(async (path) => readText(path)))).toEqual(
      [
        "there is no gone",
        "there is no gone/too",
        "link is a link, and no plain file",
        "dir is a folder, and no plain file",
        "pipe is a pipe or a device, and no plain file",
        "latin is no UTF-8 text",
      ].map((why) => ({ kind: "none", why })),
    );
    expect(await readText("large")).toEqual({ kind: "too-large", bytes: 33 * 1024 * 1024 });
    expect(await readText("text")).toEqual({ kind: "text", text: "café" });
  });

  it.each(["../outside/secret", "/etc/passwd", ".git/config", "way/secret"])("refuses %s", async (path) => {
    symlinkSync(join(folder, "outside"), join(work, "way"));

    await expect(read(path)).rejects.toMatchObject({ code: "maker-failed" });
  });
});

describe("files that somebody keeps by hand", () => {
  it("writes through a link to the real file, and leaves what may be done with it", async () => {
    const real = join(folder, "outside", "secret");
    chmodSync(real, 0o600);
    symlinkSync(real, join(folder, "link"));

    await createKeptFiles().writeText(join(folder, "link"), "new");

    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toBe("new");
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "outside"))).toEqual(["secret"]);
  });

  it("writes what is new as any other file", async () => {
    await createKeptFiles().writeText(join(folder, "deep", "new"), "new");

    expect(readFileSync(join(folder, "deep", "new"), "utf8")).toBe("new");
  });
});
