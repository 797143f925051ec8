// The world and the journal with the redactor in the way: what goes through here holds no secrets.
import type { ArtifactRef } from "../contract/evidence.ts";
import type { LoopRecord } from "../contract/record.ts";
import { untrustedText } from "../contract/text.ts";
import type { Files, MarkedCommand, Proc } from "../contract/world.ts";
import { type Carry, NOTHING_YET, type Redactor, redacted, redactPart, redactValue } from "../guard/secrets/redact.ts";
import type { Ask, Journal } from "../journal/journal.ts";
import { type ArtifactSink, type ArtifactStore, keepThrough, MOST_KEPT_BYTES } from "../world/artifacts.ts";

/** Records are redacted before they are written, so that their hashes cover what is there. */
export const redactingJournal = (journal: Journal, redactor: Redactor): Journal => ({
  ...journal,
  get mended() {
    return journal.mended;
  },
  // Redaction changes texts and nothing else, so it is still the same record.
  append: (place, record) => journal.append(place, redactValue(redactor, record) as LoopRecord),
  reserve: (place, ask) =>
    journal.reserve(place, { ...ask, ...(redactValue(redactor, { purpose: ask.purpose, who: ask.who }) as Pick<Ask, "purpose" | "who">) }),
});

export function redactingArtifacts(store: ArtifactStore, redactor: Redactor): ArtifactStore {
  const receive = async (): Promise<ArtifactSink> => redactingSink(await store.receive(), redactor);
  return {
    ...store,
    receive,
    keep: keepThrough(receive),
  };
}

/** Bytes are read as Latin-1, one character a byte, so that those which are no text come out as they went in. */
function redactingSink(sink: ArtifactSink, redactor: Redactor): ArtifactSink {
  let carry: Carry = NOTHING_YET;
  let bytes = 0;
  const pass = async (part: string, which: "more" | "last"): Promise<void> => {
    const done = redactPart(redactor, carry, part, which);
    carry = done.carry;
    if (done.text !== "") await sink.write(Buffer.from(done.text, "latin1"));
  };
  return {
    async write(chunk) {
      const isFull = bytes > MOST_KEPT_BYTES;
      bytes += chunk.length;
      // More than is kept: who prints without end should not keep us busy as well.
      if (!isFull) await pass(Buffer.from(chunk).toString("latin1"), "more");
    },
    async keep(): Promise<ArtifactRef> {
      // Where it was cut off, the last of it may be the beginning of a secret that cannot be told any more.
      if (bytes <= MOST_KEPT_BYTES) await pass("", "last");
      const ref = await sink.keep();
      // What was given was cut at the cap already: that it is shorter now does not make it whole.
      return { ...ref, truncated: ref.truncated || bytes > MOST_KEPT_BYTES };
    },
    drop: () => sink.drop(),
  };
}

/** What a command is told, and the last of what it said. */
export const redactingProc = (proc: Proc<MarkedCommand>, redactor: Redactor): Proc<MarkedCommand> => ({
  // What is heard on the way is not redacted here: a protocol that is changed in between is none. What is kept of it goes through the journal.
  async run(command, dialogue) {
    const { input } = command;
    const finished = await proc.run(input === undefined ? command : { ...command, input: redacted(redactor, input) }, dialogue);
    const { tail, output } = finished;
    const isCut = output.bytes > Buffer.byteLength(tail);
    // Where the tail was cut off, its first word may be the end of a secret that cannot be told any more.
    return { ...finished, tail: untrustedText(redacted(redactor, isCut ? tail.replace(/^\S{1,1024}/, "…") : tail)) };
  },
});

export const redactingFiles = (files: Files, redactor: Redactor): Files => ({
  ...files,
  writeText: (path, text) => files.writeText(path, redacted(redactor, text)),
});
