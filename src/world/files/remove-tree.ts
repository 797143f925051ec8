// Removes a folder whatever a maker or a test suite left in it, and whatever somebody does to it meanwhile.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { rmdir } from "node:fs/promises";
import { LoopError } from "../../contract/errors.ts";

/** So many files go at once before others have their turn: one call for each would cost more than the removing itself. */
const AT_ONCE = 100;
const MOST_TRIES = 8;
const PAUSE_MS = 25;
const FREEING_MS = 10_000;

/** Gone with everything in it, also what is read-only or has a name that is no text; links are removed, never followed. */
export async function removeTree(path: string | Buffer): Promise<void> {
  const at = Buffer.from(path);
  let isFreed = false;
  for (let tries = 1; ; tries++) {
    try {
      await unmountIn(at);
      return await removeFlat(at);
    } catch (cause) {
      const code = codeOf(cause);
      // Something that ends just now may have written into it once more.
      if (tries < MOST_TRIES && (code === "ENOTEMPTY" || code === "EBUSY" || code === "EEXIST")) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** Math.min(tries, 4)));
        continue;
      }
      if (!isFreed && (code === "EPERM" || code === "EACCES")) {
        isFreed = true;
        // A bit that makes files unchangeable can be taken off by whoever could set it.
        await attempt("chattr", ["-R", "-f", "-i", "-a", "--", at.toString("utf8")]);
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
 * A folder that lies deep is moved up to lie right under the root of the tree before it is emptied, so that none is ever deeper than a few
 * steps, and whoever dies in between leaves nothing beside it. Each is held by a descriptor while its content goes: where somebody puts a
 * link in its place, what the link leads to is not touched.
 */
async function removeFlat(path: Buffer): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) return unlessGone(() => unlinkSync(path));
  const root = hold(path);
  if (!root) return;
  try {
    let done = 0;
    const folders: Buffer[] = [];
    const empty = async (held: Held, depth: number): Promise<void> => {
      for (const entry of readdirSync(held.folder, { withFileTypes: true, encoding: "buffer" })) {
        const inside = held.at(entry.name);
        if (!entry.isDirectory()) unlessGone(() => unlinkSync(inside));
        else if (depth < MOST_HELD) await remove(inside, depth + 1);
        else if (held === root) folders.push(entry.name);
        else folders.push(...movedUp(inside, root));
        if (++done % AT_ONCE === 0) await turnOfOthers();
      }
    };
    const remove = async (place: Buffer, depth: number): Promise<void> => {
      const folder = hold(place);
      if (!folder) return;
      try {
        await empty(folder, depth);
      } finally {
        folder.letGo();
      }
      await removeEmpty(place);
    };
    await empty(root, 0);
    for (let name = folders.pop(); name; name = folders.pop()) await remove(root.at(name), 1);
  } finally {
    root.letGo();
  }
  await removeEmpty(path);
}

/** Unlike a file's, its removal takes the system so long that others have their turn meanwhile. */
async function removeEmpty(folder: Buffer): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
}

interface Held {
  /** The folder itself, wherever it is moved to. */
  readonly folder: Buffer;
  readonly at: (name: Buffer) => Buffer;
  readonly letGo: () => void;
}

/** Linux: a descriptor that only stands for a place, for which no permission is needed; Node has no name for it. */
const O_PATH = 0o10000000;
const BY_DESCRIPTOR = process.platform === "linux" && existsSync("/proc/self/fd");
/** So many folders, one in the other, are held at once; without descriptors none is, but right under the root. */
const MOST_HELD = BY_DESCRIPTOR ? 16 : 0;

/** Opened to its owner; undefined where it is gone, or is a folder no more. */
function hold(path: Buffer): Held | undefined {
  const within = (folder: Buffer, letGo: () => void): Held => {
    // A folder that is open to its owner is not touched: that would be written down for each.
    if ((statSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
    return { folder, letGo, at: (name) => Buffer.concat([folder, SLASH, name]) };
  };
  if (!BY_DESCRIPTOR) return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? within(path, () => {}) : undefined;
  let file: number;
  try {
    file = openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(String(codeOf(error)))) return undefined;
    throw error;
  }
  try {
    return within(Buffer.from(`/proc/self/fd/${file}`), () => closeSync(file));
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

const SLASH = Buffer.from("/");

/** The name under the root that it has now. A folder that nobody may write to cannot be moved into another one. */
function movedUp(path: Buffer, root: Held): readonly Buffer[] {
  const name = Buffer.from(randomBytes(12).toString("hex"));
  const held = hold(path);
  if (!held) return [];
  held.letGo();
  let isThere = true;
  unlessGone(
    () => renameSync(path, root.at(name)),
    () => {
      isThere = false;
    },
  );
  return isThere ? [name] : [];
}

/** What is mounted in it is somebody's, and may be what they work with: it is taken down, the deepest first, or nothing is removed. */
async function unmountIn(path: Buffer): Promise<void> {
  const places = mountPlaces();
  if (places.length === 0 || !existsSync(path)) return;
  const inside = `${realpathSync(path).toString()}/`;
  const isInside = (place: string): boolean => place.startsWith(inside);
  const mounted = places.filter(isInside).toSorted((a, b) => b.length - a.length);
  for (const place of mounted) await attempt("umount", ["-l", "--", place]);
  const left = mounted.length === 0 ? undefined : mountPlaces().find(isInside);
  if (left !== undefined) throw Object.assign(new Error(`something is mounted at ${left}`), { code: "EMOUNTED" });
}

/** Blanks and their like stand there in octal digits. */
function mountPlaces(): readonly string[] {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .map((line) =>
        (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
      );
  } catch {
    return [];
  }
}

/** Done by a program of the system, if it is there and may. */
const attempt = (program: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout: FREEING_MS }, () => resolve());
  });

function unlessGone(remove: () => void, gone: () => void = () => {}): void {
  try {
    remove();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    gone();
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

const turnOfOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
