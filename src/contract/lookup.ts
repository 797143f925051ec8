/** What became of one cited commit id. `unknown` means that nobody could tell: it is never read as success. */
export interface Lookup {
  /** As it was written. */
  readonly asked: string;
  readonly outcome: "commit" | "fabricated" | "gap" | "unknown";
  /** The full id, where one object stands for what was asked. */
  readonly commit: string | undefined;
  readonly why: string;
}
