// A record in the one text form that it is stored and hashed in.
import type { Entry, LoopRecord } from "../contract/record.ts";
import { canonicalJson } from "../std/hash.ts";

export type Place = Pick<Entry, "loop" | "run">;
/** A record in the one text form it is stored and hashed in. It is made before the journal is locked: it may be large. */
export interface Written {
  readonly place: Place;
  readonly kind: string;
  readonly body: string;
}

export function writeOut({ loop, run }: Place, record: LoopRecord): Written {
  return { place: { loop: named(loop), run: named(run) }, kind: record.kind, body: canonicalJson(speakable(record)) };
}

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
