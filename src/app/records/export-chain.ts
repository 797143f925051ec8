// Writes the whole journal as lines that anyone can check: every record, and last a signed checkpoint of exactly these.
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
