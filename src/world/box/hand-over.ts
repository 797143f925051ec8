// Gives rooms to whom a command is run as, where that is not us: only root can, and only root needs to.
import { lchownSync, lstatSync, readdirSync } from "node:fs";

/** So many before others have their turn. */
const AT_ONCE = 500;

/**
 * All that lies there and is another's, without following a link. A file with a second name elsewhere is left as it is: that name may be
 * one of somebody who never gave it away.
 */
export async function handOver(places: readonly string[], uid: number): Promise<void> {
  let seen = 0;
  const left: Buffer[] = places.map((place) => Buffer.from(place));
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (++seen % AT_ONCE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (!found) continue;
    if (found.isDirectory())
      for (const name of readdirSync(at, { encoding: "buffer" })) left.push(Buffer.concat([at, Buffer.from("/"), name]));
    if (found.uid !== uid && (found.isDirectory() || found.nlink === 1)) lchownSync(at, uid, uid);
  }
}

/** The same, only where it was given to somebody before: who owns a room owns all of it. */
export async function takeBack(places: readonly string[], uid: number): Promise<void> {
  await handOver(
    places.filter((place) => (lstatSync(place, { throwIfNoEntry: false })?.uid ?? uid) !== uid),
    uid,
  );
}
