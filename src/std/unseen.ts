// What of a list is new since it was looked at last, where all of the list comes every time: what was seen is kept as short hashes.
import { sha256 } from "./hash.ts";

export interface Unseen<T> {
  /** As they stand in the list, and at most as many as asked for. */
  readonly fresh: readonly T[];
  /** How many more are new; they are new the next time too. */
  readonly left: number;
  /** To be kept, and handed in the next time. */
  readonly cursor: string;
}

const LENGTH = 12;
const HASHES = /^(?:[0-9a-f]{12}(?: |$))*$/;

/** Two of the same id are one. What is no longer in the list is forgotten, so that it is new if it comes back. */
export function unseenOf<T extends { readonly id: string }>(list: readonly T[], cursor: string | undefined, most: number): Unseen<T> {
  const seen = new Set(cursor !== undefined && HASHES.test(cursor) ? cursor.split(" ") : []);
  const byHash = new Map<string, T>();
  for (const one of list) {
    const hash = sha256(one.id).slice(0, LENGTH);
    if (!byHash.has(hash)) byHash.set(hash, one);
  }
  const there = [...byHash];
  const fresh = there.filter(([hash]) => !seen.has(hash));
  const brought = fresh.slice(0, most);
  const kept = [...there.filter(([hash]) => seen.has(hash)), ...brought].map(([hash]) => hash);
  return { fresh: brought.map(([, one]) => one), left: fresh.length - brought.length, cursor: kept.join(" ") };
}
