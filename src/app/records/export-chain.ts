// Writes the whole journal as lines that anyone can check: every record, and last a signed checkpoint of exactly these.
import { writePieces } from "../../world/files/write-pieces.ts";
import type { House } from "../open-house.ts";
import { makeCheckpoint } from "./sign.ts";

/** Gives the text piece by piece; none while nothing is on record. */
export async function* exportChain(house: House): AsyncIterable<string> {
  const made = await makeCheckpoint(house, () => {});
  if (!made) return;
  const { seq } = made.record.checkpoint;
  for (let after = 0; after < seq; ) {
    const page = await house.journal.lines(after, seq);
    if (!page) break;
    yield page.text;
    after = page.last;
  }
  yield made.line;
}

/** The same into a file; how many bytes it came to. */
export const exportChainTo = (house: House, path: string): Promise<number> => writePieces(path, exportChain(house));
