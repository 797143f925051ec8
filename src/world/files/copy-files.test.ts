import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CopyFiles } from "../../contract/files.ts";
import { createCopyFiles } from "./copy-files.ts";

let folder = "";
let work = "";
let files: CopyFiles;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-copy-")));
  work = join(folder, "ws");
  for (const made of [".git/hooks", "src", "sub/.git"]) mkdirSync(join(work, made), { recursive: true });
  for (const made of ["ws-evil", "outside", "home"]) mkdirSync(join(folder, made));
  writeFileSync(join(folder, "outside", "secret"), "secret\n");
  writeFileSync(join(folder, "ws-evil", "secret"), "secret\n");
  writeFileSync(join(folder, "home", "journal.sqlite"), "records\n");
  writeFileSync(join(work, ".git", "config"), "secret\n");
  writeFileSync(join(work, "sub", ".git", "config"), "secret\n");
  writeFileSync(join(work, "src", "a.js"), "one\ntwo\nthree\n");
  files = createCopyFiles(work, (path, before) => (path.startsWith("sealed/") && before === "there" ? "it is sealed" : undefined));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every entry below the folder with what it holds, so that any change at all is seen. */
const everything = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((found) => {
      const path = join(found.parentPath, found.name);
      const holds = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path, "utf8") : "";
      return `${path.slice(folder.length)} ${lstatSync(path).mode.toString(8)} ${holds}`;
    })
    .sort();

/** Things that a command may have left in the copy. */
function plant(): void {
  symlinkSync("../outside", join(work, "out"));
  symlinkSync(join(folder, "outside"), join(work, "abs"));
  symlinkSync("out", join(work, "twice"));
  symlinkSync(".git", join(work, "into"));
  symlinkSync("../ws/.git", join(work, "around"));
  symlinkSync("../nowhere", join(work, "dangling"));
  symlinkSync("self", join(work, "self"));
  symlinkSync("src", join(work, "inner"));
  symlinkSync("../outside/secret", join(work, "leak"));
  symlinkSync("../outside/made-by-link", join(work, "fresh"));
  symlinkSync("/proc/self/environ", join(work, "environ"));
  symlinkSync("/dev/zero", join(work, "zero"));
  linkSync(join(folder, "outside", "secret"), join(work, "hard"));
  linkSync(join(folder, "home", "journal.sqlite"), join(work, "journal"));
  execFileSync("/bin/sh", ["-c", 'mkfifo "$1"', "sh", join(work, "pipe")]);
}

const OUTSIDE: readonly (readonly [string, string])[] = [
  ["up and out", "../outside/secret"],
  ["to a sibling whose name begins alike", "../ws-evil/secret"],
  ["up from below", "src/../../outside/secret"],
  ["up and back in", "../ws/src/a.js"],
  ["by an absolute path", "/etc/passwd"],
  ["by an absolute path with two slashes", "//etc/passwd"],
  ["to the user's home", "~/.ssh/id_ed25519"],
  ["to the journal of the loop", "../home/journal.sqlite"],
  ["with a NUL", "src/a.js\0.txt"],
  ["with a line break", "src/a\n.js"],
  ["with a backslash", "..\\outside\\secret"],
  ["with a drive letter", "C:/outside/secret"],
  ["into .git", ".git/config"],
  ["to .git itself", ".git"],
  ["into .GIT", ".GIT/config"],
  ["into .git with a dot at its end", ".git./config"],
  ["into .git with a space at its end", ".git /config"],
  ["into .git as a stream", ".git::$INDEX_ALLOCATION/config"],
  ["into .git by its short name", "git~1/config"],
  ["into .git with letters that nobody sees", ".g\u200cit/config"],
  ["into .git in wide letters", "．ｇｉｔ/config"],
  ["into the .git of a folder below", "sub/.git/config"],
  ["through a link to a folder outside", "out/secret"],
  ["through a link by an absolute path", "abs/secret"],
  ["through a link to a link", "twice/secret"],
  ["through a link into .git", "into/config"],
  ["through a link up and back into .git", "around/config"],
  ["through a link that leads nowhere", "dangling/secret"],
  ["through a link that leads to itself", "self/secret"],
  ["through a link to a folder inside", "inner/a.js"],
  ["by a link to a file outside", "leak"],
  ["by a link to what would be made outside", "fresh"],
  ["by a link to the environment", "environ"],
  ["by a link to a device", "zero"],
  ["by a second name of a file outside", "hard"],
  ["by a second name of the journal", "journal"],
  ["by a pipe", "pipe"],
  ["to nothing", ""],
  ["to itself", "."],
  ["to a folder", "src"],
  ["below a file", "src/a.js/b"],
  ["by a name that is longer than any", "x".repeat(300)],
];

it.each(OUTSIDE)("refuses a way out with a reason, whatever is to be done there: %s", async (_, path) => {
  plant();
  const before = everything();
  const ways: readonly (() => Promise<{ readonly kind: string }>)[] = [
    () => files.readLines(path, 1, 10),
    () => files.readBytes(path, 0, 10),
    () => files.write(path, "evil"),
    () => files.replace(path, "secret", "evil"),
    () => files.move("src/a.js", path),
    () => files.move(path, "b.js"),
  ];

  for (const way of ways) expect(await way()).toMatchObject({ kind: "refused", why: expect.stringMatching(/ is refused: ./) });

  expect(everything()).toEqual(before);
});

describe("deleting", () => {
  it.each(OUTSIDE.filter(([, path]) => !["leak", "fresh", "environ", "zero", "hard", "journal", "pipe"].includes(path)))(
    "is refused %s",
    async (_, path) => {
      plant();
      const before = everything();

      expect(await files.remove(path)).toMatchObject({ kind: "refused" });

      expect(everything()).toEqual(before);
    },
  );

  it.each(["leak", "hard", "pipe", "out"])("takes away the name %s, and not what it leads to", async (path) => {
    plant();
    const outside = everything().filter((line) => !line.startsWith("/ws/"));

    expect(await files.remove(path)).toEqual({ kind: "changed", bytes: 0 });

    expect(everything().filter((line) => !line.startsWith("/ws/"))).toEqual(outside);
    expect(readdirSync(work)).not.toContain(path);
  });
});

describe("listing and searching", () => {
  it.each(["../outside", "out", "into", ".git", "sub/.git", "dangling", "/etc", "inner"])("are refused in %s", async (path) => {
    plant();

    expect(await files.list(path, 10)).toMatchObject({ kind: "refused" });
    expect(await files.search("secret", path, 10)).toMatchObject({ kind: "refused" });
  });

  it("see plain files only, and nothing through links, second names or .git", async () => {
    plant();

    expect(await files.list("", 100)).toEqual({ kind: "list", paths: ["hard", "journal", "src/a.js"], isWhole: true });
    expect(await files.search("SECRET", "", 10)).toEqual({ kind: "hits", hits: [], isWhole: true });
    expect(await files.search("TW", ".", 10)).toEqual({
      kind: "hits",
      hits: [{ path: "src/a.js", line: 2, text: "two" }],
      isWhole: true,
    });
  });

  it("say when there is more", async () => {
    for (let number = 0; number < 5; number++) await files.write(`n${number}`, "x\nx\n");

    expect(await files.list("", 3)).toEqual({ kind: "list", paths: ["n0", "n1", "n2"], isWhole: false });
    expect(await files.search("x", "", 3)).toMatchObject({ isWhole: false, hits: [{ line: 1 }, { line: 2 }, { path: "n1" }] });
  });

  it("leave installed dependencies out unless they are asked for", async () => {
    await files.write("node_modules/x/index.js", "two\n");

    expect(await files.search("two", "", 10)).toMatchObject({ hits: [{ path: "src/a.js" }] });
    expect(await files.list("node_modules", 10)).toMatchObject({ paths: ["node_modules/x/index.js"] });
  });

  it("come to an end in folders within folders", async () => {
    execFileSync("/bin/sh", ["-c", "i=0; while [ $i -lt 300 ]; do mkdir d && cd d && i=$((i+1)); done; echo here > f"], { cwd: work });

    expect(await files.search("here", "", 10)).toMatchObject({ kind: "hits", hits: [] });
  });
});

describe("a folder that becomes a link while it is used", () => {
  it("is left as it was held, and the link is not followed", async () => {
    mkdirSync(join(work, "dir"));
    writeFileSync(join(work, "dir", "secret"), "mine\n");
    // What is judged while the folder is held: by then its name leads outside.
    const racing = createCopyFiles(work, () => {
      renameSync(join(work, "dir"), join(work, "was-dir"));
      symlinkSync("../outside", join(work, "dir"));
      return undefined;
    });
    if (process.platform !== "linux") return;

    expect(await racing.write("dir/secret", "new\n")).toMatchObject({ kind: "changed" });

    expect(readFileSync(join(folder, "outside", "secret"), "utf8")).toBe("secret\n");
    expect(readFileSync(join(work, "was-dir", "secret"), "utf8")).toBe("new\n");
  });
});

describe("what is sealed", () => {
  it("is refused with the reason, in every way to change it", async () => {
    mkdirSync(join(work, "sealed"));
    writeFileSync(join(work, "sealed", "t.js"), "test\n");
    const before = everything();

    for (const act of [
      () => files.write("sealed/t.js", "x"),
      () => files.replace("sealed/t.js", "test", "x"),
      () => files.remove("sealed/t.js"),
      () => files.move("sealed/t.js", "t.js"),
    ])
      expect(await act()).toMatchObject({ kind: "refused", why: expect.stringMatching(/ is refused: it is sealed$/) });

    expect(everything()).toEqual(before);
  });

  it("leaves no folders behind that a refused file would have needed", async () => {
    const strict = createCopyFiles(work, () => "nothing may be changed");

    expect(await strict.write("new/deep/x", "x")).toMatchObject({ kind: "refused" });
    expect(await strict.move("src/a.js", "new/deep/x")).toMatchObject({ kind: "refused" });

    expect(readdirSync(work)).not.toContain("new");
  });

  it("does not hold for a file that was made here", async () => {
    expect(await files.write("sealed/new.js", "one")).toMatchObject({ kind: "changed" });
    expect(await files.write("sealed/new.js", "two")).toMatchObject({ kind: "changed" });
    expect(await files.remove("sealed/new.js")).toMatchObject({ kind: "changed" });
  });
});

describe("a plain file", () => {
  it("is made with its folders, replaced, moved and deleted", async () => {
    expect(await files.write("./deep/er/b.txt", "one\n")).toEqual({ kind: "changed", bytes: 4 });
    expect(await files.write("deep/er/b.txt", "ö")).toEqual({ kind: "changed", bytes: 2 });
    expect(await files.move("deep/er/b.txt", "else/where.txt")).toEqual({ kind: "changed", bytes: 2 });
    expect(readFileSync(join(work, "else/where.txt"), "utf8")).toBe("ö");
    expect(await files.move("src/a.js", "else/where.txt")).toMatchObject({ kind: "refused", why: expect.stringContaining("already") });
    expect(await files.remove("else/where.txt")).toEqual({ kind: "changed", bytes: 0 });
  });

  it("stays executable", async () => {
    chmodSync(join(work, "src", "a.js"), 0o755);

    await files.write("src/a.js", "x");
    await files.replace("src/a.js", "x", "y");

    expect(statSync(join(work, "src", "a.js")).mode & 0o777).toBe(0o755);
  });

  it.each([
    ["one\ntwo\nthree\n", "two", "2", "one\n2\nthree\n"],
    ["one\r\ntwo\r\n", "one\ntwo", "1\n2", "1\r\n2\r\n"],
    ["a$&b", "$&", "$1", "a$1b"],
    ["\ufeffa", "a", "b", "\ufeffb"],
  ])("has one text put in place of another: %j", async (text, before, after, expected) => {
    writeFileSync(join(work, "p.txt"), text);

    expect(await files.replace("p.txt", before, after)).toMatchObject({ kind: "changed" });

    expect(readFileSync(join(work, "p.txt"), "utf8")).toBe(expected);
  });

  it.each([
    ["is not there", "four", "not in it"],
    ["is there twice", "o", "2 times"],
    ["is nothing", "", "empty"],
  ])("is not patched where the text %s", async (_, before, why) => {
    expect(await files.replace("src/a.js", before, "x")).toMatchObject({ kind: "refused", why: expect.stringContaining(why) });
    expect(readFileSync(join(work, "src", "a.js"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("is not patched when it is no text that would stay the same", async () => {
    writeFileSync(join(work, "latin"), Buffer.from([0x61, 0xe9, 0x62]));

    expect(await files.replace("latin", "a", "x")).toMatchObject({ kind: "refused", why: expect.stringContaining("UTF-8") });
  });

  it("is read by lines, whatever their ends", async () => {
    writeFileSync(join(work, "crlf"), "a\r\nb\r\nc");

    expect(await files.readLines("crlf", 2, 1)).toEqual({ kind: "lines", from: 2, lines: [{ text: "b" }], total: 3, bytes: 7 });
    expect(await files.readLines("crlf", 9, 1)).toMatchObject({ lines: [], total: 3 });
  });

  it("is not read when it is no text", async () => {
    writeFileSync(join(work, "bin"), Buffer.from([1, 0, 2]));

    expect(await files.readLines("bin", 1, 1)).toMatchObject({ kind: "refused", why: expect.stringContaining("no text") });
    expect(await files.readBytes("bin", 0, 3)).toMatchObject({ kind: "refused", why: expect.stringContaining("no text") });
  });
});

it("tells a disk that is full apart from a path that is refused", async () => {
  const failing = createCopyFiles(work, () => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });

  await expect(failing.write("a", "x")).rejects.toMatchObject({ code: "store-unusable", retry: "later" });
});

describe("a file of more than a million tokens", () => {
  it("is read by ranges and searched", async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1} of a very long file`);
    writeFileSync(join(work, "long.txt"), `${lines.join("\n")}\n`);

    const read = await files.readLines("long.txt", 150_000, 2);

    expect(read).toMatchObject({ lines: [{ text: lines[149_999] }, { text: lines[150_000] }], total: 200_000 });
    expect(await files.search("LINE 199999 ", "", 5)).toMatchObject({ hits: [{ path: "long.txt", line: 199_999 }] });
  });

  it("of one line is read piece by piece, with no character torn", async () => {
    const text = "aä€😀".repeat(200_000);
    writeFileSync(join(work, "one.txt"), text);

    const start = await files.readLines("one.txt", 1, 10);
    if (start.kind !== "lines") throw new Error(JSON.stringify(start));
    const [line] = start.lines;
    const next = await files.readBytes("one.txt", line!.restAt!, 1000);
    const torn = await files.readBytes("one.txt", 8, 7);

    expect(start.total).toBe(1);
    expect(text.startsWith(line!.text)).toBe(true);
    expect(Buffer.byteLength(line!.text)).toBe(line!.restAt);
    expect(next.kind === "bytes" && text.startsWith(line!.text + next.text)).toBe(true);
    expect(torn).toMatchObject({ text: "aä", from: 10, to: 13 });
  });
});
