// Redacts a file or standard input, piece by piece, with what is known of this machine's own secrets.
import type { Input, Variables } from "../../contract/around.ts";
import { secretValuesOf } from "../../guard/secrets/environment.ts";
import { type Carry, createRedactor, NOTHING_YET, type Redaction, type Redactor, redactPart } from "../../guard/secrets/redact.ts";
import { readChunks } from "../../world/files/read-chunks.ts";
import { borrowRedactionKey } from "../../world/store/redaction-key.ts";
import type { Home } from "../home.ts";

/** For whoever only reads or talks: nothing is made in the home for it. */
export const borrowRedactor = (home: Home, env: Variables): Redactor =>
  createRedactor(borrowRedactionKey(home.folder), secretValuesOf(env));

export interface RedactedPiece {
  readonly bytes: Uint8Array;
  readonly found: readonly Redaction[];
}

/** Memory stays small however much there is; bytes that are no text come out as they went in. */
export async function* redactInput(redactor: Redactor, input: Input): AsyncIterable<RedactedPiece> {
  let carry: Carry = NOTHING_YET;
  for await (const chunk of readChunks(input)) {
    const done = redactPart(redactor, carry, Buffer.from(chunk).toString("latin1"), "more");
    carry = done.carry;
    if (done.text !== "") yield { bytes: Buffer.from(done.text, "latin1"), found: done.found };
  }
  const { text, found } = redactPart(redactor, carry, "", "last");
  yield { bytes: Buffer.from(text, "latin1"), found };
}
