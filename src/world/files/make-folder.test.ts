import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { makeFolder, makeFolderIn } from "./make-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-folder-"));
afterEach(() => rmSync(join(folder, "a"), { recursive: true, force: true }));

it("makes a folder and those it lies in, for their owner only", () => {
  makeFolder(join(folder, "a", "b", "c"));

  expect(existsSync(join(folder, "a", "b", "c"))).toBe(true);
  expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
});

it("is content with a folder that is there", () => {
  makeFolder(join(folder, "a"));

  expect(() => makeFolder(join(folder, "a"))).not.toThrow();
});

it("makes all that lies in a folder which is there, and never that folder itself", () => {
  const home = join(folder, "a");
  const failures = [home, join(home, "b"), join(home, "b", "c")].map((path) => codeThrownBy(() => makeFolderIn(home, path)));
  const isBegun = existsSync(home);
  makeFolder(home);
  makeFolderIn(`${home}/`, join(home, "b", "c"));

  expect([failures, isBegun, existsSync(join(home, "b", "c"))]).toEqual([[undefined, "ENOENT", "ENOENT"], false, true]);
});

it("gives up at once where nothing can be made", () => {
  writeFileSync(join(folder, "file"), "");

  expect(() => makeFolder("/proc/nothing/a")).toThrow("ENOENT");
  expect(() => makeFolder(join(folder, "file", "a"))).toThrow("ENOTDIR");
});

function codeThrownBy(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}
