// Makes the files of a copy seem older, as they would be in a checkout made at another time.
import { lstat, lutimes, readdir } from "node:fs/promises";

/** Every file and folder but git's own; links themselves, never what they lead to. */
export async function ageTree(root: string, olderByMs: number): Promise<void> {
  const names = await readdir(root, { encoding: "buffer" });
  for (const name of names.filter((each) => each.toString("latin1") !== ".git")) await age(below(Buffer.from(root), name), olderByMs);
}

/** A name need not be text, so paths are bytes; a folder comes after what is in it, since that would make it new again. */
async function age(path: Buffer, olderByMs: number): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory()) for (const name of await readdir(path, { encoding: "buffer" })) await age(below(path, name), olderByMs);
  await lutimes(path, new Date(found.atimeMs - olderByMs), new Date(found.mtimeMs - olderByMs));
}

const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from("/"), name]);
