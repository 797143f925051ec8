// What somebody pipes in or names: read to its end or to a bound, and decoded without losing a byte.
import { createReadStream } from "node:fs";
import { LoopError } from "../contract/errors.ts";
import { decodeText } from "../std/decode-text.ts";

export type Input = { readonly kind: "stdin" } | { readonly kind: "file"; readonly path: string };

/** All of it as text. Past `mostBytes` it is cut at the end of a line. */
export async function readInput(input: Input, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(input)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) break;
  }
  const all = Buffer.concat(chunks);
  return decodeText(all.length > mostBytes ? all.subarray(0, all.lastIndexOf(10, mostBytes) + 1) : all);
}

/** A line, or undefined in place of one that is longer than can be read. */
export async function* readInputLines(input: Input, mostBytes: number): AsyncIterable<string | undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer): void => {
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
  for await (const chunk of chunksOf(input)) {
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

/** Whether somebody would have to type what is asked for. */
export const isTypedInput = (): boolean => process.stdin.isTTY === true;

async function* chunksOf(input: Input): AsyncIterable<Buffer> {
  if (input.kind === "stdin") {
    for await (const chunk of process.stdin) yield chunk as Buffer; // no encoding is set, so chunks are buffers
    return;
  }
  try {
    for await (const chunk of createReadStream(input.path)) yield chunk as Buffer;
  } catch (cause) {
    throw new LoopError("bad-input", `${input.path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      retry: "never",
      hint: "Name a file with a diff in it, or pipe one in.",
      cause,
    });
  }
}
