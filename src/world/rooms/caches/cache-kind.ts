// What is known of the cache of one tool chain: where it lies, and what of it may be lent.
import type { CacheEntry, CachePlace } from "../../../contract/caches.ts";

/** A cache that was found in a room of base. */
export interface FoundCache {
  readonly under: CachePlace;
  /** Below the home, or the copy. */
  readonly paths: readonly string[];
  /** What it must be kept from, as the entry says it. */
  readonly bounds?: Pick<CacheEntry, "unlessIn" | "unless" | "unlessGone" | "byTime" | "alone">;
}

export interface CacheRoom {
  readonly home: string;
  readonly work: string;
  /** The files of base. */
  readonly tracked: readonly string[];
}

/**
 * A tool chain whose cache is understood: it goes by content, or is stripped of what does not. Base's own code filled it, so that nothing in
 * it is believed: links are not followed, and what is not known is taken out.
 */
export interface CacheKind {
  readonly name: string;
  /** Finds it, and takes out what must not be lent: results, and what undeclared inputs decide. Nothing where nothing is left. */
  prepare(room: CacheRoom): Promise<FoundCache | undefined>;
}
