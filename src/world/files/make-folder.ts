// Makes folders, and says what to do where that fails.
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, relative, sep } from "node:path";

/**
 * Makes a folder and those it lies in. Node's own `recursive` never comes back where nothing can be made (in /proc), so it is done step by step.
 * By default they are for their owner only.
 */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, { mode });
    return;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  makeFolder(dirname(path), mode);
  makeOne(path, mode);
}

/**
 * Makes a folder and those between it and `root`, which must be there: whoever works in a folder that was moved away would else begin
 * another in its place.
 */
export function makeFolderIn(root: string, path: string, mode = 0o700): void {
  if (!isWithin(root, path)) return;
  try {
    makeOne(path, mode);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || !isWithin(root, dirname(path))) throw error;
    makeFolderIn(root, dirname(path), mode);
    makeOne(path, mode);
  }
}

function isWithin(root: string, path: string): boolean {
  const [first] = relative(root, path).split(sep);
  return first !== "" && first !== "..";
}

/** For the home, which somebody may have made before us: what is in it is for its owner alone, and so is the folder. Somebody else's is left as it is. */
export function makePrivateFolder(path: string): void {
  makeFolder(path);
  const found = lstatSync(path);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in between.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
