/** One open SQLite database, whichever driver is behind it. Synchronous: every call is short. */
export interface Database {
  exec(sql: string): void;
  run(sql: string, ...values: readonly SqlValue[]): void;
  all(sql: string, ...values: readonly SqlValue[]): readonly Row[];
  close(): void;
}

export type SqlValue = string | number | null;
export type Row = { readonly [column: string]: unknown };

/** What went wrong in a store, told by kind and not by a driver's own words. */
export type StoreFailure = "busy" | "damaged" | "moved" | "other";

/** Where the journal lies: the database file, and beside it a few small marks of how far it once went. */
export interface Store {
  /** Opens the database. One that is just being replaced counts as damaged. */
  open(): Database;
  failureOf(error: unknown): StoreFailure;
  /**
   * Moves a damaged database out of the way, whole, and puts in its place what `rebuild` makes of it. Only for one process
   * at a time. Whoever is killed in the middle of it leaves it to the next one, who goes on where it was.
   */
  replace(rebuild: (damaged: DamagedFile, fresh: Database) => void): void;
  /** All marks that are there, in no order. */
  readMarks(): readonly string[];
  /** Writes a mark into its place; there are a few dozen places, and a higher number takes the place of a lower one. */
  writeMark(number: number, text: string): void;
  /** They are begun anew. */
  clearMarks(): void;
  /** Runs the work while no other process may do the same. */
  exclusively<T>(work: () => T): Promise<T>;
  /** Tells those who have the store that somebody waits for it. */
  sayWaiting(): void;
  /** Whether somebody said so just now. */
  isAwaited(): boolean;
  /** A short wait of varying length, so that those who wait for the same thing do not wake together. */
  pause(attempt: number): Promise<void>;
}

export interface DamagedFile {
  /** Where the damaged file is kept from now on. */
  readonly keptAs: string;
  readonly bytes: Uint8Array;
}
