// Reads a file of any size line by line, or a piece of it, with no more in memory than what is shown.
import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** The beginning of it, without its line end. */
  readonly text: string;
  /** Where it begins, in bytes. */
  readonly at: number;
  /** Where the rest of it begins, when it is longer than what is kept of it. */
  readonly restAt?: number;
}

export interface LinesSeen {
  /** False when a NUL was met: then it is no text, and reading ended there. */
  readonly isText: boolean;
  /** False when the visitor had enough. */
  readonly isWhole: boolean;
  readonly count: number;
}

/** Calls the visitor with every line until it gives back false. */
export async function eachLine(file: FileHandle, mostLineBytes: number, visit: (line: Line) => boolean): Promise<LinesSeen> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;
  let lineAt = 0;
  let count = 0;
  let at = 0;
  const keep = (bytes: Buffer): void => {
    lineBytes += bytes.length;
    const space = mostLineBytes - keptBytes;
    if (space <= 0 || bytes.length === 0) return;
    const part = Buffer.from(bytes.subarray(0, space));
    kept.push(part);
    keptBytes += part.length;
  };
  const endLine = (): boolean => {
    count += 1;
    const bytes = Buffer.concat(kept);
    const isCut = lineBytes > keptBytes;
    const shown = isCut ? wholeCharacters(bytes) : bytes;
    const goesOn = visit({
      number: count,
      text: shown.toString("utf8").replace(/\r$/, ""),
      at: lineAt,
      ...(isCut ? { restAt: lineAt + shown.length } : {}),
    });
    kept = [];
    keptBytes = 0;
    lineBytes = 0;
    return goesOn;
  };

  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (bytes.includes(0)) return { isText: false, isWhole: false, count };
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE, from); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      keep(bytes.subarray(from, end));
      if (!endLine()) return { isText: true, isWhole: false, count };
      from = end + 1;
      lineAt = at + from;
    }
    keep(bytes.subarray(from));
    at += bytesRead;
  }
  if (lineBytes > 0) endLine();
  return { isText: true, isWhole: true, count };
}

/** The text of a piece of a file, from the first whole character in it to the last. */
export async function pieceOf(
  file: FileHandle,
  from: number,
  most: number,
): Promise<{ readonly text: string; readonly from: number; readonly to: number } | undefined> {
  const bytes = Buffer.alloc(most);
  let filled = 0;
  while (filled < most) {
    const { bytesRead } = await file.read(bytes, filled, most - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const read = bytes.subarray(0, filled);
  if (read.includes(0)) return undefined;
  let start = 0;
  while (start < 3 && start < read.length && isContinuation(read[start]!)) start++;
  const whole = filled === most ? wholeCharacters(read.subarray(start)) : read.subarray(start);
  return { text: whole.toString("utf8"), from: from + start, to: from + start + whole.length };
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Without the beginning of a character at its end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
