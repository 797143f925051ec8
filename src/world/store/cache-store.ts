// Where caches of tool chains lie that base's own look filled: kept like what is prepared, by their hash, and never written again.
import type { CacheEntry, CacheOrder, CacheStore } from "../../contract/caches.ts";
import { LoopError } from "../../contract/errors.ts";
import type { PreparedStore } from "../../contract/prepared.ts";
import { sha256 } from "../../std/hash.ts";
import type { CacheKind, FoundCache } from "../rooms/caches/cache-kind.ts";

/** Two looks at the same do not wait for each other: the second stays as it is. */
const WAIT_MS = 5_000;

type Keeping = Pick<PreparedStore, "exclusively" | "put" | "lend" | "lay" | "collect">;

export function createCacheStore(store: Keeping, kinds: readonly CacheKind[]): CacheStore {
  const keep = async (kind: CacheKind, order: CacheOrder): Promise<readonly CacheEntry[]> => {
    const found = await kind.prepare({ ...order.room, tracked: order.tracked });
    if (found === undefined || !(await isOurs(found, order))) return [];
    const id = sha256(`${order.key} ${kind.name}`).slice(0, 40);
    const { under, paths, bounds } = found;
    const kept = await store.exclusively(id, WAIT_MS, () => store.put(id, { work: order.room[under], home: order.room.home }, paths));
    return [{ tool: kind.name, id, sha256: kept.sha256, under, paths, files: kept.files, bytes: kept.bytes, ...bounds }];
  };
  return {
    async fill(order) {
      const filled: CacheEntry[] = [];
      // What is not kept is only slower: no look fails for it.
      for (const kind of kinds) filled.push(...(await keep(kind, order).catch(() => [])));
      if (filled.length > 0) await store.collect().catch(() => {});
      return filled;
    },

    async lend(entry, room, may) {
      const place = { work: room[entry.under] };
      try {
        const lending = may === "lend" ? await store.lend(entry, place, entry.paths) : ({ kind: "not-lent" } as const);
        if (lending.kind !== "not-lent") return lending;
        return { kind: (await store.lay(entry, place, entry.paths)) ? "copied" : "gone" };
      } catch (error) {
        // Something of the proposal's may be in the way: then it has none.
        if (error instanceof LoopError && error.retry === "never") return { kind: "gone" };
        throw error;
      }
    },
  };
}

/** Of the copy only what git takes no notice of: else a room would differ from the commit that it is of. */
async function isOurs({ under, paths }: FoundCache, { tracked, without, ignored }: CacheOrder): Promise<boolean> {
  if (under === "home") return true;
  const touch = (one: string, other: string): boolean => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
  if (paths.some((path) => [...tracked, ...without].some((other) => touch(path, other)))) return false;
  return (await ignored(paths)).length === paths.length;
}
