// The contents of many objects, asked for at once and bounded: what is too large is said to be unread.
import type { Content } from "../../contract/change-set.ts";
import { decodeFile } from "../../std/decode-text.ts";
import { MOST_BYTES_AT_ONCE, type ObjectFacts, type Objects } from "./objects.ts";

export const MOST_FILE_BYTES = 1_000_000;
const MOST_BYTES = 128_000_000;
/** So that they are never much more than is read at once. */
const FILES_AT_ONCE = Math.floor(MOST_BYTES_AT_ONCE / MOST_FILE_BYTES);

export async function readBlobs(objects: Objects, ids: Iterable<string>): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>();
  const readable: ObjectFacts[] = [];
  const asked = [...new Set(ids)];
  let total = 0;
  for (const [index, found] of (await objects.look(asked)).entries()) {
    const id = asked[index]!;
    if (found?.type !== "blob") contents.set(id, MISSING);
    else if (found.bytes > MOST_FILE_BYTES) contents.set(id, tooLarge(found.bytes));
    else if (total + found.bytes > MOST_BYTES) contents.set(id, { kind: "unread", why: `the change has more than ${MOST_BYTES} bytes` });
    else {
      total += found.bytes;
      readable.push(found);
    }
  }
  // Not all at once: what was read is told apart as text or not before the next are.
  for (let at = 0; at < readable.length; at += FILES_AT_ONCE) {
    const some = readable.slice(at, at + FILES_AT_ONCE);
    const read = await objects.read(some);
    for (const { id } of some) contents.set(id, contentOrMissing(read.get(id)));
  }
  return contents;
}

const MISSING: Content = { kind: "unread", why: "the object is missing from the repository" };

const contentOrMissing = (bytes: Uint8Array | undefined): Content => (bytes === undefined ? MISSING : contentOf(bytes));

export const tooLarge = (bytes: number): Content => ({ kind: "unread", why: `the file has ${bytes} bytes, more than ${MOST_FILE_BYTES}` });

export function contentOf(bytes: Uint8Array): Content {
  const text = decodeFile(bytes);
  return text === undefined ? { kind: "binary" } : { kind: "text", pieces: [{ line: 1, text }] };
}
