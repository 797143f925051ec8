// The contents of many objects, asked for at once and bounded: what is too large is said to be unread.
import type { Content } from "../../contract/change-set.ts";
import { decodeFile } from "../../std/decode-text.ts";

/** Asks git something that it answers on stdout; a no is a failure. */
export type AskGit = (args: readonly string[], input?: string) => Promise<Buffer>;

export const MOST_FILE_BYTES = 1_000_000;
const MOST_BYTES = 128_000_000;
const BYTES_PER_ASK = 16_000_000;

export async function readBlobs(ask: AskGit, ids: Iterable<string>): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>();
  const readable: { readonly id: string; readonly bytes: number }[] = [];
  let total = 0;
  for (const { id, bytes } of await sizesOf(ask, [...new Set(ids)])) {
    if (bytes === undefined) contents.set(id, { kind: "unread", why: "the object is missing from the repository" });
    else if (bytes > MOST_FILE_BYTES) contents.set(id, tooLarge(bytes));
    else if (total + bytes > MOST_BYTES) contents.set(id, { kind: "unread", why: `the change has more than ${MOST_BYTES} bytes` });
    else {
      total += bytes;
      readable.push({ id, bytes });
    }
  }
  for (const batch of batchesOf(readable)) for (const [id, content] of await readBatch(ask, batch)) contents.set(id, content);
  return contents;
}

export const tooLarge = (bytes: number): Content => ({ kind: "unread", why: `the file has ${bytes} bytes, more than ${MOST_FILE_BYTES}` });

export function contentOf(bytes: Uint8Array): Content {
  const text = decodeFile(bytes);
  return text === undefined ? { kind: "binary" } : { kind: "text", pieces: [{ line: 1, text }] };
}

async function sizesOf(
  ask: AskGit,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly bytes: number | undefined }[]> {
  if (ids.length === 0) return [];
  const answer = (
    await ask(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], ids.map((id) => `${id}\n`).join(""))
  ).toString("latin1");
  const lines = answer.split("\n");
  return ids.map((id, index) => {
    const size = new RegExp(`^${id} blob (\\d+)$`).exec(lines[index] ?? "")?.[1];
    return { id, bytes: size === undefined ? undefined : Number(size) };
  });
}

function batchesOf(blobs: readonly { readonly id: string; readonly bytes: number }[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const { id, bytes } of blobs) {
    if (bytes > room || batches.length === 0) {
      batches.push([]);
      room = BYTES_PER_ASK;
    }
    batches.at(-1)!.push(id);
    room -= bytes;
  }
  return batches;
}

/** `<id> blob <bytes>\n<contents>\n`, over and over. */
async function readBatch(ask: AskGit, ids: readonly string[]): Promise<readonly (readonly [string, Content])[]> {
  const answer = await ask(["cat-file", "--batch"], ids.map((id) => `${id}\n`).join(""));
  let at = 0;
  return ids.map((id) => {
    const lineEnd = answer.indexOf(10, at);
    const head = answer.toString("latin1", at, lineEnd);
    const size = new RegExp(`^${id} blob (\\d+)$`).exec(head)?.[1];
    if (size === undefined) throw new Error(`git cat-file answered in a way we do not know: ${JSON.stringify(head.slice(0, 80))}`);
    const from = lineEnd + 1;
    at = from + Number(size) + 1;
    return [id, contentOf(answer.subarray(from, at - 1))];
  });
}
