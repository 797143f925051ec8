// Copies a folder as it is, and tells two states of a folder apart. Links are copied as links and never followed.
import { createHash } from "node:crypto";
import { type BigIntStats, constants, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { chmod, copyFile, lstat, lutimes, mkdir, readdir, readlink, symlink, utimes } from "node:fs/promises";

/** Whatever is no file, folder or link stays behind. Blocks are shared where the file system can, until somebody writes. */
export async function copyTree(from: Buffer, to: Buffer): Promise<void> {
  const found = await lstat(from);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(from, { encoding: "buffer" }), to);
    return lutimes(to, found.atime, found.mtime);
  }
  if (found.isFile()) {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return utimes(to, found.atime, found.mtime);
  }
  if (!found.isDirectory()) return;
  await mkdir(to, { mode: 0o700 });
  const copies = (await readdir(from, { encoding: "buffer" })).map((name) => copyTree(below(from, name), below(to, name)));
  // Nothing is still being copied when this comes to an end, also when it failed: what was copied can be removed then.
  const failed = (await Promise.allSettled(copies)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  await chmod(to, found.mode & 0o777);
  await utimes(to, found.atime, found.mtime);
}

export interface Survey {
  readonly sha256: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * A hash of every name, kind, size, time and place on disk. The time of the last change (ctime) cannot be set by a program,
 * so that whoever writes into a file changes the hash, also if it puts size and date back. Contents are not read.
 */
export async function surveyTrees(roots: readonly Buffer[]): Promise<Survey> {
  const hash = createHash("sha256");
  let files = 0;
  let bytes = 0;
  let seen = 0;
  const note = (index: number, name: Buffer, path: Buffer): boolean => {
    const found = lstatSync(path, { bigint: true });
    hash
      .update(`${index} ${describe(found)} `)
      .update(name)
      .update("\0");
    if (found.isSymbolicLink()) hash.update(readlinkSync(path, { encoding: "buffer" })).update("\0");
    if (!found.isDirectory()) files++;
    if (found.isFile()) bytes += Number(found.size);
    return found.isDirectory();
  };
  for (const [index, root] of roots.entries()) {
    const left: Buffer[] = note(index, Buffer.alloc(0), root) ? [Buffer.alloc(0)] : [];
    // At once and not in turns: a promise for each of a hundred thousand files would cost more than the look.
    for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
      const at = folder.length === 0 ? root : below(root, folder);
      for (const each of readdirSync(at, { encoding: "buffer" }).sort(Buffer.compare)) {
        const name = folder.length === 0 ? each : below(folder, each);
        if (note(index, name, below(root, name))) left.push(name);
        if (++seen % AT_ONCE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      }
    }
  }
  return { sha256: hash.digest("hex"), files, bytes };
}

/** So many before others have their turn. */
const AT_ONCE = 500;

export interface Walked {
  /** Below the root; empty for the root itself. */
  readonly name: Buffer;
  readonly path: Buffer;
  readonly found: BigIntStats;
}

/** A folder and all that is in it, in the order of the bytes of their names. */
export async function* walk(root: Buffer, name: Buffer = Buffer.alloc(0)): AsyncGenerator<Walked> {
  const path = name.length === 0 ? root : below(root, name);
  yield* visit(root, { name, path, found: await lstat(path, { bigint: true }) });
}

async function* visit(root: Buffer, at: Walked): AsyncGenerator<Walked> {
  yield at;
  if (!at.found.isDirectory()) return;
  const names = (await readdir(at.path, { encoding: "buffer" })).sort(Buffer.compare);
  const inside = await Promise.all(
    names.map(async (each) => ({
      name: at.name.length === 0 ? each : below(at.name, each),
      path: below(at.path, each),
      found: await lstat(below(at.path, each), { bigint: true }),
    })),
  );
  for (const each of inside) yield* visit(root, each);
}

/** A folder's own times change with its place, and what is in it is listed anyway. */
function describe(found: BigIntStats): string {
  if (found.isDirectory()) return `folder ${found.mode}`;
  if (found.isSymbolicLink()) return "link";
  return `${found.isFile() ? "file" : "other"} ${found.mode} ${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino} ${found.nlink}`;
}

export const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from("/"), name]);
