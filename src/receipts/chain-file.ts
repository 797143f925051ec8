// Checks an exported chain: one entry a line, and a signed checkpoint of its head as the last line. Streams; holds one line at a time.
import type { ChainPlace, Checkpoint } from "../contract/receipt.ts";
import { GENESIS } from "../std/chain.ts";
import type { PublicKey } from "../std/ed25519.ts";
import { sha256Of } from "../std/hash.ts";
import { openCheckpoint } from "./checkpoint.ts";

export type ChainFile =
  | { readonly kind: "whole"; readonly entries: number; readonly checkpoint: Checkpoint; readonly by: readonly string[] }
  /** All of it fits together, but it is signed by nobody whose key was given: it may be all made up. */
  | { readonly kind: "foreign"; readonly entries: number; readonly keyids: readonly string[] }
  /** `at` is the number of the first record that is not as it was written, or is missing. */
  | { readonly kind: "broken"; readonly entries: number; readonly at: number; readonly why: string };

/** No record of ours is longer. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;

/** `visit` gets each sound entry as it is written, before it is known whether the whole is signed. */
export async function readChainFile(
  chunks: AsyncIterable<Uint8Array>,
  keys: readonly PublicKey[],
  visit: (line: string) => void = () => {},
): Promise<ChainFile> {
  let head: ChainPlace | undefined;
  let closing: Buffer | undefined;
  const broken = (why: string): ChainFile => ({ kind: "broken", entries: head?.seq ?? 0, at: (head?.seq ?? 0) + 1, why });

  for await (const line of linesOf(chunks)) {
    if (line === "too-long") return broken("the line is too long to be a record");
    if (line === "torn") return broken("the file ends in the middle of a line");
    if (closing) return broken("something follows the signed end");
    if (line.subarray(0, CLOSING.length).equals(CLOSING)) {
      closing = Buffer.from(line);
      continue;
    }
    const entry = readLine(line);
    if (!entry) return broken("this record is not what was written");
    if (entry.seq !== (head?.seq ?? 0) + 1) return broken(`the record ${entry.seq} stands where another should`);
    if (entry.prev !== (head?.hash ?? GENESIS)) return broken("this record does not follow the one before it");
    head = { chain: head?.chain ?? entry.hash, seq: entry.seq, hash: entry.hash };
    visit(line.toString("utf8"));
  }
  if (!head) return broken("there are no records");
  if (!closing) return broken("the signed end is missing: records may have been cut off");
  return close(head, `${closing.toString("utf8")}\n`, keys, broken);
}

function close(head: ChainPlace, text: string, keys: readonly PublicKey[], broken: (why: string) => ChainFile): ChainFile {
  const opened = openCheckpoint(text, keys);
  switch (opened.kind) {
    case "refused":
      return broken(`the signed end cannot be believed: ${opened.why}`);
    case "foreign":
      return { kind: "foreign", entries: head.seq, keyids: opened.keyids };
    case "signed": {
      const { checkpoint, by } = opened;
      const isSame = checkpoint.chain === head.chain && checkpoint.seq === head.seq && checkpoint.hash === head.hash;
      return isSame ? { kind: "whole", entries: head.seq, checkpoint, by } : broken("the signed end is of other records than these");
    }
  }
}

const CLOSING = Buffer.from('{"payload":');
const OPENING = Buffer.from('{"at":"');
const HASH = Buffer.from('"hash":"');
const LOOP = Buffer.from('"loop":"');
const PREV = Buffer.from(',"prev":"');
const RECORD = Buffer.from('","record":{');
const TAIL = Buffer.from(',"v":1}');
const SEQ = Buffer.from(',"seq":');
const TIME_LENGTH = 24;
const HASH_LENGTH = 64;
/** Where the hash stands, since what is before it is always as long. */
const HASH_AT = OPENING.length + TIME_LENGTH + 2;
const AFTER_HASH = HASH_AT + HASH.length + HASH_LENGTH + 2;
const [QUOTE, BACKSLASH, ZERO, NINE] = [0x22, 0x5c, 0x30, 0x39];

/**
 * What chains an entry, read from its bytes without parsing the record: the hash covers every one of them but its own.
 * Undefined where the hash does not hold, or where the line is not laid out as we write it.
 */
function readLine(line: Buffer): { readonly seq: number; readonly hash: string; readonly prev: string } | undefined {
  if (!stands(line, OPENING, 0) || !stands(line, HASH, HASH_AT) || !stands(line, LOOP, AFTER_HASH)) return undefined;
  const hash = line.toString("latin1", HASH_AT + HASH.length, AFTER_HASH - 2);
  if (sha256Of(line.subarray(0, HASH_AT), line.subarray(AFTER_HASH)) !== hash) return undefined;
  const prevAt = endOfString(line, AFTER_HASH + LOOP.length);
  const prevEnd = prevAt + PREV.length + HASH_LENGTH;
  if (!stands(line, PREV, prevAt) || !stands(line, RECORD, prevEnd)) return undefined;
  const seq = readSeq(line);
  return seq === undefined ? undefined : { seq, hash, prev: line.toString("latin1", prevAt + PREV.length, prevEnd) };
}

/** The number stands last but one. */
function readSeq(line: Buffer): number | undefined {
  const end = line.length - TAIL.length;
  let start = end;
  while (start > 0 && line[start - 1]! >= ZERO && line[start - 1]! <= NINE) start--;
  const isThere = stands(line, TAIL, end) && stands(line, SEQ, start - SEQ.length) && end - start > 0 && end - start <= 15;
  return isThere ? Number(line.toString("latin1", start, end)) : undefined;
}

const stands = (line: Buffer, what: Buffer, at: number): boolean =>
  at >= 0 && line.length >= at + what.length && line.compare(what, 0, what.length, at, at + what.length) === 0;

/** Behind the quote that ends a string. */
function endOfString(line: Buffer, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === BACKSLASH) at++;
    else if (line[at] === QUOTE) return at + 1;
  }
  return line.length;
}

/** Lines without their ends, as bytes. What is no text is no reason to stop: its hash will not hold. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Buffer | "torn" | "too-long"> {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  for await (const piece of chunks) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const rest = chunk.subarray(start, end);
      yield kept.length === 0 ? rest : Buffer.concat([...kept, rest]);
      kept = [];
      keptBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) kept.push(Buffer.from(chunk.subarray(start)));
    keptBytes += chunk.length - start;
    if (keptBytes > MOST_LINE_BYTES) {
      yield "too-long";
      return;
    }
  }
  if (keptBytes > 0) yield "torn";
}
