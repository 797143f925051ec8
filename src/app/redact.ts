// The world and the journal with the redactor in the way: what goes through here holds no secrets.
import { type ArtifactRef, type ArtifactSink, type ArtifactStore, keepThrough, MOST_KEPT_BYTES } from "../contract/artifacts.ts";
import type { MarkedCommand, Proc } from "../contract/commands.ts";
import type { CopyFiles, Files, ReadLine, Refused } from "../contract/files.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import { untrustedText } from "../contract/text.ts";
import { type Carry, holdsPlaceholder, NOTHING_YET, type Redactor, redacted, redactPart, redactValue } from "../guard/secrets/redact.ts";
import type { Ask, Journal, Line, Only, Overtaken } from "../journal/journal.ts";

/** Records are redacted before they are written, so that their hashes cover what is there. */
export function redactJournal(journal: Journal, redactor: Redactor): Journal {
  // Redaction changes texts and nothing else, so it is still the same record.
  const clean = (line: Line): Line => ({ ...line, record: redactValue(redactor, line.record) as LoopRecord });
  const cleanAsk = ({ purpose, who }: Ask) => redactValue(redactor, { purpose, who }) as Pick<Ask, "purpose" | "who">;

  function append(lines: readonly Line[]): Promise<readonly Entry[]>;
  function append(lines: readonly Line[], only: Only | readonly Only[] | undefined): Promise<readonly Entry[] | Overtaken>;
  function append(lines: readonly Line[], only?: Only | readonly Only[]): Promise<readonly Entry[] | Overtaken> {
    return journal.append(lines.map(clean), only);
  }

  return {
    ...journal,
    get mended() {
      return journal.mended;
    },
    append,
    draft: (line) => journal.draft(clean(line)),
    reserve: (place, ask, before = []) => journal.reserve(place, { ...ask, ...cleanAsk(ask) }, before.map(clean)),
  };
}

export function redactArtifacts(store: ArtifactStore, redactor: Redactor): ArtifactStore {
  const receive = async (): Promise<ArtifactSink> => redactSink(await store.receive(), redactor);
  return {
    ...store,
    receive,
    keep: keepThrough(receive),
  };
}

/** Bytes are read as Latin-1, one character a byte, so that those which are no text come out as they went in. */
function redactSink(sink: ArtifactSink, redactor: Redactor): ArtifactSink {
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
export const redactProc = (proc: Proc<MarkedCommand>, redactor: Redactor): Proc<MarkedCommand> => ({
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

export const redactFiles = (files: Files, redactor: Redactor): Files => ({
  ...files,
  writeText: (path, text, lasts) => files.writeText(path, redacted(redactor, text), lasts),
});

/** What a model gets to see of files holds no secrets, and what it makes of a placeholder is not written in a secret's place. */
export const redactCopyFiles = (files: CopyFiles, redactor: Redactor): CopyFiles => ({
  ...files,
  async readLines(path, from, most) {
    const read = await files.readLines(path, from, most);
    return read.kind === "lines" ? { ...read, lines: redactedLines(read.lines, redactor) } : read;
  },
  async readBytes(path, from, most) {
    const read = await files.readBytes(path, from, most);
    return read.kind === "bytes" ? { ...read, text: redacted(redactor, read.text) } : read;
  },
  async search(text, folder, most) {
    const found = await files.search(text, folder, most);
    if (found.kind !== "hits") return found;
    return { ...found, hits: found.hits.map((hit) => ({ ...hit, text: redacted(redactor, hit.text) })) };
  },
  write: async (path, text) => (holdsPlaceholder(text) ? placeholderRefused(path) : files.write(path, text)),
  replace: async (path, before, after) => (holdsPlaceholder(after) ? placeholderRefused(path) : files.replace(path, before, after)),
});

const placeholderRefused = (path: string): Refused => ({
  kind: "refused",
  why: `${JSON.stringify(path.slice(0, 300))} is refused: the text holds [redacted:…], which stands for a secret that you are not shown; leave that place as it is, and patch around it`,
});

/** A secret of several lines becomes one placeholder: then the lines it may have been in are no longer told, and the others keep their numbers. */
function redactedLines(lines: readonly ReadLine[], redactor: Redactor): readonly ReadLine[] {
  const clean = redacted(redactor, lines.map(({ text }) => text).join("\n")).split("\n");
  if (clean.length === lines.length) return lines.map((line, index) => ({ ...line, text: clean[index]! }));
  const isSame = (index: number, from: number): boolean => lines[index]?.text === clean[from];
  let head = 0;
  while (head < clean.length && isSame(head, head)) head++;
  let tail = 0;
  while (tail < clean.length - head && isSame(lines.length - 1 - tail, clean.length - 1 - tail)) tail++;
  return lines.map((line, index) => (index < head || index >= lines.length - tail ? line : { ...line, text: "[redacted]" }));
}
