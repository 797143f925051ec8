// Removes a folder whatever a maker or a test suite left in it.
import { randomBytes } from "node:crypto";
import { chmodSync, type Dirent, lstatSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { LoopError } from "../../contract/errors.ts";

/** So many files go at once before others have their turn: one call for each would cost more than the removing itself. */
const AT_ONCE = 100;
const MOST_TRIES = 4;
const PAUSE_MS = 100;
/** So many bytes of a folder's path leave room for any name in it: somebody who goes down step by step makes longer paths than can be named. */
const LONGEST = 700;

/** Gone with everything in it, also what is read-only or has a name that is no text; links are removed, never followed. */
export async function removeTree(path: string | Buffer): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await removeInTurns(Buffer.from(path));
    } catch (cause) {
      // Something that ends just now may have written into it once more.
      if (tries < MOST_TRIES && (codeOf(cause) === "ENOTEMPTY" || codeOf(cause) === "EBUSY")) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries));
        continue;
      }
      throw new LoopError("store-unusable", `${path} could not be removed: ${cause instanceof Error ? cause.message : String(cause)}`, {
        retry: "later",
        hint: "Remove that folder by hand, then go on with `lw resume`.",
        cause,
      });
    }
  }
}

/**
 * Names are taken for the bytes they are; folders are opened before their content goes, and removed after it: from the deepest up, those
 * of one depth side by side, since a disk may take long for each and nobody else should wait for it.
 */
async function removeInTurns(path: Buffer): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) return unlessGone(() => unlinkSync(path));
  const emptied: Buffer[][] = [];
  const folders = [{ at: path, depth: 0 }];
  for (let done = 0, folder = folders.pop(); folder; folder = folders.pop()) {
    const { at, depth } = folder;
    emptied[depth] ??= [];
    emptied[depth].push(at);
    for (const entry of listOpened(at)) {
      const inside = Buffer.concat([at, Buffer.from("/"), entry.name]);
      if (entry.isDirectory())
        folders.push(at.length > LONGEST ? { at: movedUp(inside, path), depth: 1 } : { at: inside, depth: depth + 1 });
      else unlessGone(() => unlinkSync(inside));
      if (++done % AT_ONCE === 0) await turnOfOthers();
    }
  }
  for (const level of emptied.toReversed())
    for (let from = 0; from < level.length; from += AT_ONCE) await Promise.all(level.slice(from, from + AT_ONCE).map(removeFolder));
}

const removeFolder = (path: Buffer): Promise<void> =>
  rmdir(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });

/** What is in a folder; one without permissions gets them, since its content could not be removed. */
function listOpened(path: Buffer): readonly Dirent<Buffer>[] {
  return isOpened(path) ? readdirSync(path, { withFileTypes: true, encoding: "buffer" }) : [];
}

/** Under the root of its own tree, which goes as well: whoever dies in between leaves nothing beside it. */
function movedUp(path: Buffer, root: Buffer): Buffer {
  const up = Buffer.concat([root, Buffer.from(`/${randomBytes(12).toString("hex")}`)]);
  // A folder that nobody may write to cannot be moved into another one.
  unlessGone(() => isOpened(path) && renameSync(path, up));
  return up;
}

/** False when it is gone. */
function isOpened(path: Buffer): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && (found.mode & 0o700) !== 0o700) chmodSync(path, 0o700);
  return found !== undefined;
}

function unlessGone(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

const turnOfOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
