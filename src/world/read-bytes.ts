// Bytes of a file or of standard input, up to a bound.
import { constants } from "node:fs";
import { open } from "node:fs/promises";

export type BytesReading =
  | { readonly kind: "read"; readonly bytes: Uint8Array /** False when there was more than the bound. */; readonly isWhole: boolean }
  | { readonly kind: "unreadable"; readonly why: string };

/** `-` is standard input. A pipe is read to its end, a folder is not read. */
export async function readBytes(path: string, mostBytes: number): Promise<BytesReading> {
  if (path === "-") return take(process.stdin, mostBytes);
  try {
    const file = await open(path, constants.O_RDONLY);
    try {
      if ((await file.stat()).isDirectory()) return { kind: "unreadable", why: `${path} is a folder` };
      return await take(file.createReadStream({ autoClose: false }), mostBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
}

async function take(stream: AsyncIterable<unknown>, mostBytes: number): Promise<BytesReading> {
  const chunks: Buffer[] = [];
  let left = mostBytes;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer; // no encoding is set, so chunks are buffers
    chunks.push(bytes.subarray(0, left));
    if (bytes.length > left) return { kind: "read", bytes: Buffer.concat(chunks), isWhole: false };
    left -= bytes.length;
  }
  return { kind: "read", bytes: Buffer.concat(chunks), isWhole: true };
}
