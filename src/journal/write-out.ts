// A record in the one text form that it is stored and hashed in.
import type { LoopRecord } from "../contract/record.ts";
import { canonicalJson } from "../std/hash.ts";
import type { Line, Place } from "./journal.ts";

/** A record in the one text form it is stored and hashed in. It is made before the journal is locked: it may be large. */
export interface Written {
  readonly place: Place;
  /** Where somebody said so. */
  readonly at: string | undefined;
  readonly kind: string;
  readonly body: string;
}

export function writeOut({ loop, run, record, at }: Line): Written {
  return { place: { loop: named(loop), run: named(run) }, at, kind: record.kind, body: canonicalJson(speakable(record)) };
}

/** The record as it is read again. */
export const readBack = ({ body }: Pick<Written, "body">): LoopRecord => JSON.parse(body) as LoopRecord; // what was just written out

/** Names are columns of the store, which end at a NUL character. */
function named(name: string): string {
  if (name.includes("\0")) throw new TypeError(`${JSON.stringify(name)} cannot be the name of a loop or run: it holds a NUL character`);
  return name.toWellFormed();
}

/** Half a surrogate pair cannot be written as UTF-8: it becomes the replacement character, here and nowhere else. What JSON cannot say is refused. */
function speakable(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(speakable);
  if (value === null || value === undefined || typeof value === "boolean" || Number.isFinite(value)) return value;
  if (!isPlain(value))
    throw new TypeError(`a record holds what JSON cannot say: ${Object.prototype.toString.call(value)} ${String(value)}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), speakable(inner)]));
}

/** Neither a date nor a map nor anything else that would lose what it is. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && Object.prototype.toString.call(value) === "[object Object]" && !(value instanceof Map);
}
