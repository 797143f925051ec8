import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { specFiles } from "./spec-places.ts";

const isWanted = (name: string): boolean => name.endsWith(".loop.yaml");
const MOST = 1000;
let folder = "";
const at = (...names: readonly string[]): string => join(folder, ...names);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-places-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("sees the wanted files of a folder in order, and says what each of them is like as soon as its time can be believed", async () => {
  for (const name of ["b.loop.yaml", "a.loop.yaml", "other.txt"]) writeFileSync(at(name), name);
  mkdirSync(at("deep"));
  writeFileSync(at("deep", "c.loop.yaml"), "");

  const fresh = await specFiles.look(folder, isWanted);

  expect(fresh).toEqual({
    kind: "folder",
    files: ["a.loop.yaml", "b.loop.yaml"].map((name) => ({ path: at(name), real: at(name), stamp: undefined })),
  });
});

it("says by its stamp that a file which was left alone is as it was", async () => {
  writeFileSync(at("a.loop.yaml"), "a");
  utimesSync(at("a.loop.yaml"), 1_000_000, 1_000_000);
  await new Promise((done) => setTimeout(done, 2_100));

  const stampOf = async () => {
    const seen = await specFiles.look(at("a.loop.yaml"), isWanted);
    return seen.kind === "file" ? seen.file.stamp : seen;
  };
  const before = await stampOf();

  expect([typeof before, await stampOf()]).toEqual(["string", before]);
  writeFileSync(at("a.loop.yaml"), "b");
  utimesSync(at("a.loop.yaml"), 1_000_000, 1_000_000);
  expect(await stampOf()).toBeUndefined();
});

it("follows links to files, gives them one real place, and reads no pipe, folder or dangling link", { timeout: 5_000 }, async () => {
  writeFileSync(at("a.loop.yaml"), "a");
  symlinkSync(at("a.loop.yaml"), at("link.loop.yaml"));
  symlinkSync(at("nowhere"), at("dangling.loop.yaml"));
  symlinkSync(at("round.loop.yaml"), at("round.loop.yaml"));
  mkdirSync(at("folder.loop.yaml"));
  execFileSync("sh", ["-c", `mkfifo "$0"`, at("pipe.loop.yaml")]);

  const seen = await specFiles.look(folder, isWanted);
  const files = seen.kind === "folder" ? seen.files : [];
  const read = await Promise.all(files.map(async ({ path }) => [path.slice(folder.length + 1), await specFiles.read(path, MOST)] as const));

  expect(files.filter(({ real }) => real === at("a.loop.yaml")).map(({ path }) => path)).toEqual([at("a.loop.yaml"), at("link.loop.yaml")]);
  expect(Object.fromEntries(read)).toEqual({
    "a.loop.yaml": { kind: "text", text: "a" },
    "dangling.loop.yaml": { kind: "unreadable", why: "it is not there, or is a link to something that is not" },
    "folder.loop.yaml": { kind: "unreadable", why: "it is not a plain file" },
    "link.loop.yaml": { kind: "text", text: "a" },
    "pipe.loop.yaml": { kind: "unreadable", why: "it is not a plain file" },
    "round.loop.yaml": { kind: "unreadable", why: "its links lead in a circle" },
  });
});

it("reads no file that is larger than the bound", async () => {
  writeFileSync(at("a.loop.yaml"), "a");
  truncateSync(at("a.loop.yaml"), 50_000_000_000);

  expect(await specFiles.read(at("a.loop.yaml"), MOST)).toEqual({ kind: "unreadable", why: "it is larger than 1000 bytes" });
});

it("tells what is gone from what cannot be seen", async () => {
  symlinkSync(at("nowhere"), at("link"));

  expect(await specFiles.look(at("a.loop.yaml"), isWanted)).toEqual({ kind: "gone" });
  expect(await specFiles.look(at("link"), isWanted)).toEqual({ kind: "unreadable", why: "it is a link to something that is not there" });
  expect(await specFiles.look(at("gone", "a.loop.yaml"), isWanted)).toEqual({
    kind: "unreadable",
    why: "the folder it was in cannot be read: it is not there, or is a link to something that is not",
  });
});

it.skipIf(process.getuid?.() === 0)("says that a folder may not be read", async () => {
  mkdirSync(at("shut"));
  chmodSync(at("shut"), 0o000);

  expect(await specFiles.look(at("shut"), isWanted)).toEqual({ kind: "unreadable", why: "it may not be read" });
  chmodSync(at("shut"), 0o700);
});
