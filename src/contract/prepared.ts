// What a copy needs that is no part of the repository: prepared folders, lent files, ports.
import type { PreparedEntry } from "./evidence.ts";
import type { Included } from "./proposal.ts";
import type { Apart, Checkout } from "./workshop.ts";

/** What became of the wish to lend an entry to a room. */
export type Lending =
  /** A folder that is to lie under the room (`Checkout.below`): what was in its place there is gone. */
  | { readonly kind: "lent"; readonly layer: string }
  /** It is no longer what it was. */
  | { readonly kind: "gone" }
  /** It has to be copied: rooms here have no layers, or it is so small that copying is quicker. */
  | { readonly kind: "not-lent" };

/** Folders that are prepared once, and copied into many rooms or lent to them. An entry never changes: one that did is no entry any more. */
export interface PreparedStore {
  /** Which kind of machine this is, as far as installed things depend on it. */
  readonly machine: string;
  /** Runs the work while no other process does the same for this id; a wait that takes too long, or a stop, is a failure that passes. */
  exclusively<T>(id: string, waitMs: number, work: () => Promise<T>): Promise<T>;
  /** An entry of that id, looked at file by file; what is there and is not whole is thrown away. Only for who works exclusively. */
  find(id: string): Promise<PreparedEntry | undefined>;
  /** Moves folders of a room into the store: whole or not at all. Only for who works exclusively. */
  put(id: string, room: Checkout, keep: readonly string[]): Promise<PreparedEntry>;
  /** Copies an entry into a room, in place of whatever is there. False, and nothing there, when it is no longer what it was. */
  lay(entry: Pick<PreparedEntry, "id" | "sha256">, room: Pick<Checkout, "work">, keep: readonly string[]): Promise<boolean>;
  /** The same without copying, for a room whose commands are all run in a box. */
  lend(
    entry: Pick<PreparedEntry, "id" | "sha256" | "files"> & Partial<Pick<PreparedEntry, "bytes">>,
    room: Pick<Checkout, "work">,
    keep: readonly string[],
  ): Promise<Lending>;
  /** Throws an entry away. */
  drop(entry: Pick<PreparedEntry, "id" | "sha256">): Promise<void>;
  /** Throws away what has not been used for long. */
  collect(): Promise<void>;
}

/** What a maker's copy needs that is no part of the repository. */
export interface Outfitter {
  /** Copies what `.worktreeinclude` names from the user's checkout into the maker's copy, and never over anything; undefined when nothing is named. */
  include(order: IncludeOrder): Promise<Included | undefined>;
  /** Takes ports in a row that are free and that no other run of this user has; they are given back when our process ends, however it ends. */
  takePorts(count: number): Promise<PortBlock>;
}

export interface IncludeOrder {
  readonly repo: string;
  /** The maker's copy. */
  readonly work: string;
  /** What lies under it. */
  readonly below?: readonly string[];
  /** Base's `.worktreeinclude`, for a checkout that has none. */
  readonly byBase: string | undefined;
  /** Where nothing is put: what is hidden from the maker, and what was prepared for it. */
  readonly apart: Apart;
}

export interface PortBlock {
  readonly first: number;
  readonly last: number;
  release(): Promise<void>;
}
