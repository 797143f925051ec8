// Finds the journal's rows in the bytes of a database that SQLite itself cannot read any more. Pure: bytes in, rows out.
// Every page is tried as if it held rows, whatever it says of itself; only rows whose hash holds are taken, so nothing is made up.
// The layout is SQLite's file format, version 3: https://www.sqlite.org/fileformat2.html
import { LAST_SEQ, readEntry, type StoredRow } from "./rows.ts";

const COLUMNS = ["at", "loop", "run", "kind", "prev", "hash", "body"] as const;
const DEFAULT_PAGE = 4096;
const HASH_LENGTH = 64;
const PREV = COLUMNS.indexOf("prev");
const HASH = COLUMNS.indexOf("hash");

interface Pages {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly size: number;
}

/** The sound rows, oldest first, one for each number. */
export function carveRows(bytes: Uint8Array): readonly StoredRow[] {
  const found = new Map<number, StoredRow>();
  for (const size of pageSizes(bytes)) {
    const pages = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), size };
    for (let start = 0; start < bytes.length; start += size) {
      for (const row of rowsOnPage(pages, start)) if (!found.has(row.seq) && readEntry(row)) found.set(row.seq, row);
    }
    if (found.size > 0) break;
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

/** What the header says, and what we would have written, should the header be damaged. */
function pageSizes(bytes: Uint8Array): readonly number[] {
  const said = bytes.length < 18 ? 0 : (bytes[16]! << 8) | bytes[17]!;
  return said >= 512 && said !== DEFAULT_PAGE && (said & (said - 1)) === 0 ? [DEFAULT_PAGE, said] : [DEFAULT_PAGE];
}

function* rowsOnPage(pages: Pages, start: number): Iterable<StoredRow> {
  const { view, size } = pages;
  const end = Math.min(start + size, view.byteLength);
  for (let at = start + (start === 0 ? 100 : 0) + 8; at + 2 <= end; at += 2) {
    const cell = view.getUint16(at);
    // Cells lie behind the pointers to them.
    if (start + cell <= at || cell >= size) continue;
    const row = rowAt(pages, start + cell, end);
    if (row) yield row;
  }
}

function rowAt(pages: Pages, start: number, end: number): StoredRow | undefined {
  const [length, seqAt] = readVarint(pages.bytes, start, end);
  const [seq, payloadAt] = readVarint(pages.bytes, seqAt, end);
  if (!(seq >= 1 && seq <= LAST_SEQ)) return undefined;
  const lengths = columnLengths(pages.bytes.subarray(payloadAt, end), length);
  const payload = lengths && readPayload(pages, payloadAt, length, end);
  return payload && rowIn(payload, seq, lengths);
}

/** A payload begins with the length of its head and the kinds of its columns. Ours are the key, which is kept elsewhere, and then texts. */
function columnLengths(start: Uint8Array, payloadLength: number): readonly number[] | undefined {
  const [headLength, first] = readVarint(start, 0, start.length);
  const lengths: number[] = [];
  for (let column = -1, at = first; column < COLUMNS.length; column++) {
    const [kind, next] = readVarint(start, at, headLength);
    at = next;
    if (column === -1 && kind === 0) continue;
    if (!(kind >= 13 && kind % 2 === 1)) return undefined;
    lengths.push((kind - 13) / 2);
  }
  const whole = headLength + lengths.reduce((sum, length) => sum + length, 0);
  // A later version may have columns behind ours.
  return whole <= payloadLength && lengths[PREV] === HASH_LENGTH && lengths[HASH] === HASH_LENGTH ? [headLength, ...lengths] : undefined;
}

/** A long row begins on its page and goes on over a list of further pages. */
function readPayload({ bytes, view, size }: Pages, start: number, length: number, end: number): Uint8Array | undefined {
  const here = lengthOnPage(length, size);
  if (start + here > end) return undefined;
  if (here === length) return bytes.subarray(start, start + length);
  if (length > bytes.length || start + here + 4 > end) return undefined;
  const payload = new Uint8Array(length);
  payload.set(bytes.subarray(start, start + here));
  let next = view.getUint32(start + here);
  for (let filled = here; filled < length; ) {
    const page = (next - 1) * size;
    const part = Math.min(length - filled, size - 4);
    if (next === 0 || page + 4 + part > bytes.length) return undefined;
    payload.set(bytes.subarray(page + 4, page + 4 + part), filled);
    filled += part;
    next = view.getUint32(page);
  }
  return payload;
}

function lengthOnPage(length: number, size: number): number {
  const most = size - 35;
  if (length <= most) return length;
  const least = Math.floor(((size - 12) * 32) / 255) - 23;
  const here = least + ((length - least) % (size - 4));
  return here <= most ? here : least;
}

function rowIn(payload: Uint8Array, seq: number, lengths: readonly number[]): StoredRow {
  const [headLength = 0, ...columns] = lengths;
  let start = headLength;
  const [at, loop, run, kind, prev, hash, body] = columns.map((length) => {
    start += length;
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(payload.subarray(start - length, start));
  }) as [string, string, string, string, string, string, string]; // one for each of COLUMNS
  return { seq, at, loop, run, kind, prev, hash, body };
}

/** A number in one to nine bytes, and where it ends; NaN when it does not end in time. */
function readVarint(bytes: Uint8Array, start: number, end: number): readonly [number, number] {
  let value = 0;
  for (let at = start; at < end && at < start + 8; at++) {
    value = value * 128 + (bytes[at]! & 0x7f);
    if (bytes[at]! < 0x80) return [value, at + 1];
  }
  return [Number.NaN, end];
}
