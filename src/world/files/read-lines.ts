// Standard input, line by line.
import type { StandardInput } from "../../contract/around.ts";

/** As they come. */
export async function* readLines(input: StandardInput): AsyncIterable<string> {
  const [{ createInterface }, { Readable }] = await Promise.all([import("node:readline"), import("node:stream")]);
  yield* createInterface({ input: Readable.from(input.chunks()), crlfDelay: Number.POSITIVE_INFINITY });
}
