/** The failures of the outside world that we know by name. Bugs stay plain Errors. */
export type ErrorCode =
  | "bad-input"
  | "repo-unusable"
  | "ref-missing"
  | "git-failed"
  | "cannot-judge"
  | "command-blocked"
  | "injection"
  | "gather-failed"
  | "mcp-failed"
  | "maker-failed"
  | "maker-rate-limited"
  | "prepare-failed"
  | "setup-failed"
  | "model-failed"
  | "model-limited"
  | "workspace-lost"
  | "box-unusable"
  | "proposal-conflict"
  | "notify-failed"
  | "action-failed"
  | "budget-spent"
  | "runaway"
  | "loop-busy"
  | "loop-held"
  | "journal-busy"
  | "journal-damaged"
  | "store-unusable"
  | "interrupted"
  | "review-pending"
  | "bug";

interface About {
  readonly retry: "never" | "later";
  /** What to do next, as a full sentence. */
  readonly hint: string;
  /** When it may be tried again, as an ISO time, where that is known. */
  readonly until?: string | undefined;
  /** It failed before anything was done, so that there is nothing to pay for. */
  readonly isFree?: boolean;
  readonly cause?: unknown;
}

/** Something outside failed in a way we know. It says what happened, and what to do next. */
export class LoopError extends Error {
  override readonly name = "LoopError";
  readonly code: ErrorCode;
  readonly retry: "never" | "later";
  readonly hint: string;
  readonly until: string | undefined;
  readonly isFree: boolean;

  constructor(code: ErrorCode, message: string, about: About) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.retry = about.retry;
    this.hint = about.hint;
    this.until = about.until;
    this.isFree = about.isFree ?? false;
  }
}

/** Whether it is one of ours. By its name, because a command comes from another file than who called it, with a class of its own. */
export const isLoopError = (error: unknown): error is LoopError => error instanceof Error && error.name === "LoopError";

/** What the operating system said of a path, or of a disk, is about somebody's disk, and no bug of ours; undefined for everything else. */
export function failureOfDisk(error: unknown): LoopError | undefined {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return undefined;
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT";
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  // What is written to an open file fails without a word about which; that no room is left is told all the same.
  if (path === undefined && !isFull && error.code !== "EIO" && error.code !== "EROFS") return undefined;
  return new LoopError("store-unusable", `${path ?? "a file"} cannot be used: ${error.message}`, {
    retry: "later",
    hint: isFull
      ? "The disk is full: make room, then go on with `lw resume`."
      : "Look at what is there: a file or folder of that name, a link to nothing, or permissions; put it right, then go on with `lw resume`.",
    cause: error,
  });
}
