// Redacts what comes piece by piece, with what is known of this machine's own secrets.
import { type Carry, NOTHING_YET, type Redaction, type Redactor, redactPart } from "../../guard/secrets/redact.ts";

export interface RedactedPiece {
  readonly bytes: Uint8Array;
  readonly found: readonly Redaction[];
}

/** Memory stays small however much there is; bytes that are no text come out as they went in. */
export async function* redactChunks(redactor: Redactor, chunks: AsyncIterable<Uint8Array>): AsyncIterable<RedactedPiece> {
  let carry: Carry = NOTHING_YET;
  for await (const chunk of chunks) {
    const done = redactPart(redactor, carry, Buffer.from(chunk).toString("latin1"), "more");
    carry = done.carry;
    if (done.text !== "") yield { bytes: Buffer.from(done.text, "latin1"), found: done.found };
  }
  const { text, found } = redactPart(redactor, carry, "", "last");
  yield { bytes: Buffer.from(text, "latin1"), found };
}
