// What the readers of other people's ledgers share: lines in, a source out, and everything amiss named on the way.
import type { LedgerSource } from "../contract/receipt.ts";
import { isNestedDeeper } from "../std/json-depth.ts";
import { type Fields, readRecord } from "../std/json-record.ts";

/** Takes a ledger's lines as they come; a line that was too long to be read is `undefined`. */
export interface LedgerReader {
  line(text: string | undefined): void;
  end(): LedgerSource;
}

/** Each costs memory for as long as it is counted; who has more is told so, and never that all is well. */
export const MOST_ENTRIES = 1_000_000;

const MOST_DEPTH = 64;
const MOST_TOLD = 4;
const MOST_TEXT = 200;

/** The fields of a line that is a JSON object, or why it is none. */
export function readFields(text: string | undefined): { readonly fields: Fields } | { readonly why: string } {
  if (text === undefined) return { why: "is too long, and was not read" };
  if (isNestedDeeper(text, MOST_DEPTH)) return { why: "is nested too deeply, and was not read" };
  const read = readRecord(text);
  return read.kind === "record" ? { fields: read.fields } : { why: "is not a JSON object" };
}

/** The first few of what is amiss, and how many there are. */
export interface Complaints {
  add(line: number, why: string): void;
  readonly first: number | undefined;
  readonly last: number | undefined;
  tell(): string;
}

export function createComplaints(): Complaints {
  const told: string[] = [];
  let count = 0;
  let first: number | undefined;
  let last: number | undefined;
  return {
    add(line, why) {
      first ??= line;
      last = line;
      count += 1;
      if (told.length < MOST_TOLD) told.push(`line ${line} ${why}`);
    },
    get first() {
      return first;
    },
    get last() {
      return last;
    },
    tell: () => `${told.join("; ")}${count > told.length ? `; and ${count - told.length} more` : ""}`,
  };
}

/** A time as another system wrote it, in the one form in which times can be compared as texts; empty when it is none. */
export function timeOf(value: unknown): string {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(value)) return "";
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString();
}

/** A name or an id, no longer than such things are. */
export const cut = (text: string): string => text.slice(0, MOST_TEXT).toWellFormed();

export const isCount = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
