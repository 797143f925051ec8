// What somebody pipes in or names: read to its end or to a bound, and decoded without losing a byte.
import type { Input } from "../../contract/around.ts";
import { decodeText } from "../../std/decode-text.ts";
import { readChunks } from "./read-chunks.ts";

/** All of it as text. Past `mostBytes` it is cut at the end of a line. */
export async function readInput(input: Input, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(input)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) break;
  }
  const all = Buffer.concat(chunks);
  return decodeText(all.length > mostBytes ? all.subarray(0, all.lastIndexOf(10, mostBytes) + 1) : all);
}

/** A line, or undefined in place of one that is longer than can be read. */
export async function* readInputLines(input: Input, mostBytes: number): AsyncIterable<string | undefined> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes <= mostBytes) parts.push(part);
    else parts = [];
  };
  const line = (): string | undefined => {
    const read = bytes <= mostBytes ? decodeText(Buffer.concat(parts)) : undefined;
    parts = [];
    bytes = 0;
    return read;
  };
  for await (const chunk of readChunks(input)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      yield line();
      from = end + 1;
    }
    take(chunk.subarray(from));
  }
  if (bytes > 0) yield line();
}
