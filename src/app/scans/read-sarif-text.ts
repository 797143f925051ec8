// Reads the text of a SARIF file that somebody hands over.
import type { Input } from "../../contract/around.ts";
import type { Inputs } from "../../contract/files.ts";

const MOST_BYTES = 32 * 1024 * 1024;

/** The text; undefined when it is not there, or too large to be shown in a job. */
export async function readSarifText(inputs: Pick<Inputs, "bytes">, input: Input): Promise<string | undefined> {
  const reading = await inputs.bytes(input, MOST_BYTES);
  return reading.kind === "read" && reading.isWhole ? Buffer.from(reading.bytes).toString("utf8") : undefined;
}
