// Reads commit messages as whole objects, framed by their size: no byte a stranger wrote can be taken for structure.
import type { Repository } from "./open-repository.ts";

interface Message {
  readonly subject: string;
  readonly body: string;
  readonly author: string;
}

interface SizedObject {
  readonly id: string;
  readonly bytes: number;
}

const MOST_COMMIT_BYTES = 1024 * 1024;
const MOST_BATCH_BYTES = 16 * 1024 * 1024;
const MOST_SUBJECT_BYTES = 1000;
const MOST_HEADER_BYTES = 4096;
/** The name alone: nobody's address goes on record. */
const AUTHOR = /^author ([^<\n]*)</m;
const HALF_BODY_BYTES = 8 * 1024;

export async function readMessages(
  repository: Repository,
  ids: readonly string[],
): Promise<{ readonly byId: ReadonlyMap<string, Message>; readonly tooLong: readonly string[] }> {
  const sized = parseSizes(await repository.read(["cat-file", "--batch-check=%(objectname) %(objectsize)"], lines(ids)));
  const readable = sized.filter(({ bytes }) => bytes <= MOST_COMMIT_BYTES);
  const byId = new Map<string, Message>();
  for (const batch of inBatches(readable)) {
    const objects = await repository.read(["cat-file", "--batch"], lines(batch));
    for (const [id, object] of splitBatch(objects)) byId.set(id, parseCommit(object));
  }
  return { byId, tooLong: ids.filter((id) => !byId.has(id)) };
}

const parseSizes = (answer: Buffer): readonly SizedObject[] =>
  answer
    .toString("latin1")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "))
    .map(([id = "", bytes]) => ({ id, bytes: Number(bytes) }));

function inBatches(sized: readonly SizedObject[]): readonly (readonly string[])[] {
  const batches: string[][] = [[]];
  let bytes = 0;
  for (const object of sized) {
    if (bytes + object.bytes > MOST_BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    bytes += object.bytes;
    batches.at(-1)?.push(object.id);
  }
  return batches.filter((batch) => batch.length > 0);
}

/** Reads `<id> <type> <size>\n<size bytes>\n` over and over: the size says where an object ends, never its content. */
function splitBatch(answer: Buffer): readonly (readonly [string, Buffer])[] {
  const objects: [string, Buffer][] = [];
  let at = 0;
  while (at < answer.length) {
    const headEnd = answer.indexOf(0x0a, at);
    const [id, , size] = answer.toString("latin1", at, headEnd).split(" ");
    if (headEnd < 0 || id === undefined || size === undefined) throw new Error("git cat-file --batch answered in a way we do not know");
    const start = headEnd + 1;
    const end = start + Number(size);
    objects.push([id, answer.subarray(start, end)]);
    at = end + 1;
  }
  return objects;
}

/** The message begins after the first empty line; its first line that says something is the subject. */
function parseCommit(object: Buffer): Message {
  const headersEnd = object.indexOf("\n\n");
  if (headersEnd < 0) return { subject: "", body: "", author: "" };
  const author =
    AUTHOR.exec(object.toString("utf8", 0, Math.min(headersEnd, MOST_HEADER_BYTES)))?.[1]
      ?.trim()
      .slice(0, 100) ?? "";
  const message = object.subarray(headersEnd + 2);
  const start = message.findIndex((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0x20);
  if (start < 0) return { subject: "", body: "", author };

  const lineEnd = message.indexOf(0x0a, start);
  const subjectEnd = lineEnd < 0 ? message.length : lineEnd;
  const subject = message.subarray(start, Math.min(subjectEnd, start + MOST_SUBJECT_BYTES));
  return { subject: subject.toString("utf8").trim(), body: decodeBody(message.subarray(subjectEnd)), author };
}

/** Cut as bytes and then decoded, so that the text is well formed wherever it was cut. Footers stand last, so the end is kept too. */
function decodeBody(bytes: Buffer): string {
  if (bytes.length <= 2 * HALF_BODY_BYTES) return bytes.toString("utf8").trim();
  return `${bytes.toString("utf8", 0, HALF_BODY_BYTES)}\n…\n${bytes.toString("utf8", bytes.length - HALF_BODY_BYTES)}`.trim();
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join("");
