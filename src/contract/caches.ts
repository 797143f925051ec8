// What compilers of known tool chains left behind when base was looked at, and which rooms it may be lent to.
import type { Lending } from "./prepared.ts";
import type { Checkout } from "./workshop.ts";

/** How the caches of tool chains come to rooms. `honest`: what goes by content, without results. `cold`: not at all. */
export type CacheWish = "honest" | "cold";

/** What one tool chain left in one look at base; it lies in the home by its id and hash, and is never written to. */
export interface CacheEntry {
  readonly tool: string;
  readonly id: string;
  readonly sha256: string;
  /** Where it lies: in the home of a room, or in its copy. */
  readonly under: CachePlace;
  readonly paths: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** Not for a room whose change touches what lies in one of these folders of the copy. */
  readonly unlessIn?: readonly string[];
  /** Or what is named so: globs. */
  readonly unless?: readonly string[];
  /** Not for a room whose change takes a file away, under this name. */
  readonly unlessGone?: true;
  /** Goes by times of files as well: not for rooms whose files seem older than they are. */
  readonly byTime?: true;
  /** Two of them would not fit together: only the first of its tool is lent. */
  readonly alone?: true;
}

export type CachePlace = "home" | "work";

/** Caches that base's own look filled. Nobody else writes them. */
export interface CacheStore {
  /** Moves what is left in a room of base into the store, without what must not be lent. The caller says of which paths git takes no notice. */
  fill(order: CacheOrder): Promise<readonly CacheEntry[]>;
  /** Lays an entry under a room, which is then named, or copies it there. `gone`: the room stays cold. */
  lend(entry: CacheEntry, room: Pick<Checkout, "work" | "home">, may: "lend" | "copy"): Promise<Lending | { readonly kind: "copied" }>;
}

export interface CacheOrder {
  /** Stands for all that the caches were filled by: base, what was run, tool chains. */
  readonly key: string;
  readonly room: Pick<Checkout, "work" | "home">;
  /** The files of base. */
  readonly tracked: readonly string[];
  /** Folders that are made otherwise. */
  readonly without: readonly string[];
  /** Of these paths of the copy, those that git leaves out. */
  readonly ignored: (paths: readonly string[]) => Promise<readonly string[]>;
}
