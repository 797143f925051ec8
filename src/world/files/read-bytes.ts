// Bytes of a file or of standard input, up to a bound.
import type { Input } from "../../contract/around.ts";
import { readChunks } from "./read-chunks.ts";

export type BytesReading =
  | { readonly kind: "read"; readonly bytes: Uint8Array /** False when there was more than the bound. */; readonly isWhole: boolean }
  | { readonly kind: "unreadable"; readonly why: string };

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
