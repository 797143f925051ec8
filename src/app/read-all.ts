// Standard input as a whole.
import type { StandardInput } from "../contract/around.ts";
import { LoopError } from "../contract/errors.ts";

/** All of it as text. Bytes that are no UTF-8 are replaced, never swallowed. */
export async function readAll(input: StandardInput, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input.chunks()) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new LoopError("bad-input", `standard input is longer than ${mostBytes} bytes`, { retry: "never", hint: "Give less at once." });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
