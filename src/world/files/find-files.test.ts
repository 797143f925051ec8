import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createFolders } from "../../../test/support/journals.ts";
import type { Search } from "../../contract/files.ts";
import { findFiles, kindAt } from "./find-files.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const search: Search = {
  isWanted: (name) => name === "audit.jsonl",
  skip: new Set(["node_modules", ".git"]),
  mostDepth: 100,
  mostNames: 10_000,
};

function lay(...paths: readonly string[]): string {
  const folder = folders.make();
  for (const path of paths) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  return folder;
}

it("finds files at any depth, in order, and not where nobody wants to look (loopgen 29)", async () => {
  const deep = `${"d/".repeat(40)}audit.jsonl`;
  const folder = lay("b/audit.jsonl", deep, "a/.loopgen/audit.jsonl", "node_modules/x/audit.jsonl", ".git/audit.jsonl", "b/other.jsonl");

  expect(await findFiles(folder, search)).toEqual({
    paths: ["a/.loopgen/audit.jsonl", "b/audit.jsonl", deep].map((path) => join(folder, path)),
    unseen: [],
    links: 0,
  });
});

it("follows no link, so that a circle ends", async () => {
  const folder = lay("a/audit.jsonl");
  symlinkSync(folder, join(folder, "a", "again"));
  symlinkSync(join(folder, "a", "audit.jsonl"), join(folder, "audit.jsonl"));

  expect(await findFiles(folder, search)).toEqual({ paths: [join(folder, "a/audit.jsonl")], unseen: [], links: 2 });
});

it("says what it did not look at: too deep, too many", async () => {
  const folder = lay("a/b/c/audit.jsonl", "z/audit.jsonl");

  expect((await findFiles(folder, { ...search, mostDepth: 2 })).unseen).toEqual([
    `${join(folder, "a/b/c")}: it lies deeper than 2 folders`,
  ]);
  expect((await findFiles(folder, { ...search, mostNames: 3 })).unseen).toEqual([
    `${join(folder, "a/b")} and what comes after it: more than 3 names`,
  ]);
});

it.skipIf(process.getuid?.() === 0)("says which folder it may not read", async () => {
  const folder = lay("a/audit.jsonl");
  chmodSync(join(folder, "a"), 0);

  expect((await findFiles(folder, search)).unseen).toEqual([`${join(folder, "a")}: it cannot be read (EACCES)`]);
  chmodSync(join(folder, "a"), 0o700);
});

it("tells what is at a path that somebody named", async () => {
  const folder = lay("a/audit.jsonl");

  expect(await Promise.all([folder, join(folder, "a/audit.jsonl"), join(folder, "none"), "/dev/null"].map(kindAt))).toEqual([
    "folder",
    "file",
    "missing",
    "other",
  ]);
});
