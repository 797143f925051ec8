/** One open SQLite database, whichever driver is behind it. Synchronous: every call is short. */
export interface Database {
  exec(sql: string): void;
  run(sql: string, ...values: readonly SqlValue[]): void;
  all(sql: string, ...values: readonly SqlValue[]): readonly Row[];
  iterate(sql: string, ...values: readonly SqlValue[]): Iterable<Row>;
  close(): void;
}

export type SqlValue = string | number | null;
export type Row = { readonly [column: string]: unknown };

/** What went wrong in a store, told by kind and not by a driver's own words. */
export type StoreFailure = "busy" | "damaged" | "moved" | "other";

/** Where the journal lies: the database file, and beside it a small mark of how far it once went. */
export interface Store {
  open(): Database;
  failureOf(error: unknown): StoreFailure;
  /** Moves a damaged database out of the way, whole, and says where to. */
  setAside(): string;
  openAside(path: string): Database;
  /** The last mark written; undefined when there is none. */
  readMark(): string | undefined;
  writeMark(text: string): void;
  /** Runs the work while no other process may do the same. */
  exclusively<T>(work: () => T): Promise<T>;
  /** A short wait of varying length, so that those who wait for the same thing do not wake together. */
  pause(attempt: number): Promise<void>;
}
