// Bytes of a file or of standard input, up to a bound.
import type { Input } from "../../contract/around.ts";
import type { BytesReading } from "../../contract/files.ts";
import { readChunks } from "./read-chunks.ts";

/** A pipe is read to its end, a folder is not read. */
export async function readBytes(input: Input, mostBytes: number): Promise<BytesReading> {
  const chunks: Uint8Array[] = [];
  let left = mostBytes;
  try {
    for await (const chunk of readChunks(input)) {
      chunks.push(chunk.subarray(0, left));
      if (chunk.length > left) return { kind: "read", bytes: Buffer.concat(chunks), isWhole: false };
      left -= chunk.length;
    }
  } catch (error) {
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
  return { kind: "read", bytes: Buffer.concat(chunks), isWhole: true };
}
