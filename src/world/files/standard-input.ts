import { readSync } from "node:fs";
import { LoopError } from "../../contract/errors.ts";

/**
 * All of standard input as text. It is read straight from its descriptor where that waits, because the streams take
 * longer to load than a hook takes to answer. Bytes that are no UTF-8 are replaced, never swallowed.
 */
export async function readAllAtOnce(mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const add = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new LoopError("bad-input", `standard input is longer than ${mostBytes} bytes`, { retry: "never", hint: "Give less at once." });
    chunks.push(chunk);
  };
  if (!readBlocking(add)) for await (const chunk of process.stdin) add(chunk as Buffer); // no encoding is set, so chunks are buffers
  return Buffer.concat(chunks).toString("utf8");
}

/** Line by line, as they come. */
export async function* readLines(): AsyncIterable<string> {
  const { createInterface } = await import("node:readline");
  yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}

/** Reads to the end, or gives false where the descriptor does not wait for what is still to come. */
function readBlocking(take: (chunk: Buffer) => void): boolean {
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const read = readOnce(chunk);
    if (read === "would-wait") return false;
    if (read === 0) return true;
    take(chunk.subarray(0, read));
  }
}

function readOnce(chunk: Buffer): number | "would-wait" {
  try {
    return readSync(0, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN") return "would-wait";
    if (code === "EOF") return 0;
    throw error;
  }
}
