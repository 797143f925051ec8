// Removes a folder whatever a maker or a test suite left in it.
import { chmod, lstat, readdir, rm, rmdir, unlink } from "node:fs/promises";
import { LoopError } from "../../contract/errors.ts";

/** Gone with everything in it, also what is read-only or has a name that is no text; links are removed, never followed. */
export async function removeTree(path: string | Buffer): Promise<void> {
  try {
    if (typeof path === "string")
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => removeByBytes(Buffer.from(path)));
    else await removeByBytes(path);
  } catch (cause) {
    throw new LoopError("store-unusable", `${path} could not be removed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      retry: "later",
      hint: "Remove that folder by hand, then go on with `lw resume`.",
      cause,
    });
  }
}

/** The slow way: it opens folders without permissions, and takes names for the bytes they are. */
async function removeByBytes(path: Buffer): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? undefined : Promise.reject(error)));
  if (!found) return;
  if (!found.isDirectory()) return unlink(path);
  await chmod(path, 0o700);
  for (const name of await readdir(path, { encoding: "buffer" })) await removeByBytes(Buffer.concat([path, Buffer.from("/"), name]));
  await rmdir(path);
}
