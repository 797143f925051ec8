// Whether a call that failed is worth another try, and when. Pure.
import { LoopError } from "../../../contract/errors.ts";
import { saysTooLong } from "../../../contract/models.ts";
import { displayLine } from "../../../std/display-text.ts";

/** What is known of a failed call. */
export interface CallFailure {
  /** Undefined when there was no answer at all. */
  readonly status: number | undefined;
  readonly headers: { readonly [name: string]: string };
  readonly isPassing: boolean;
  /** Nobody was reached. */
  readonly isUnreached: boolean;
  readonly message: string;
  readonly cause: unknown;
}

export interface Tries {
  readonly made: number;
  readonly leftMs: number;
  readonly nowMs: number;
  /** From 0 to 1, so that many who wait do not wake together. */
  readonly chance: number;
  readonly model: string;
}

export type NextTry = { readonly kind: "wait"; readonly ms: number } | { readonly kind: "give-up"; readonly failure: LoopError };

/** HTTP's own word for it, whatever the text says. */
const TOO_LARGE = 413;
const MOST_TRIES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;

export function nextTry(failure: CallFailure, tries: Tries): NextTry {
  // However it is told (as a limit, as a fault of the server, in the middle of a stream), the same prompt will be no shorter.
  if (failure.status === TOO_LARGE || saysTooLong(failure.message)) return { kind: "give-up", failure: tooLong(failure, tries) };
  const askedMs = retryAfterMs(failure.headers, tries.nowMs);
  const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** (tries.made - 1), LONGEST_WAIT_MS) * (0.5 + tries.chance / 2);
  const ms = Math.max(askedMs ?? 0, backOffMs);
  if (failure.isPassing && tries.made < MOST_TRIES && ms < tries.leftMs) return { kind: "wait", ms };
  return { kind: "give-up", failure: failure.status === 429 ? limited(failure, tries, askedMs) : failed(failure, tries) };
}

/** Seconds or a date, as HTTP has it, or milliseconds as some providers add. Undefined when nothing sound was said. */
function retryAfterMs(headers: CallFailure["headers"], nowMs: number): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const told = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(told)) return Number(told) * 1000;
  const atMs = Date.parse(told);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Nobody waits for longer than this, whatever a server says. */
const FARTHEST_MS = 366 * 24 * 3600 * 1000;

function limited({ cause }: CallFailure, { model, made, nowMs }: Tries, askedMs: number | undefined): LoopError {
  const until = askedMs === undefined ? undefined : new Date(nowMs + Math.min(askedMs, FARTHEST_MS)).toISOString();
  return new LoopError("model-limited", `${model} takes no more requests for now (429, ${made} tries)`, {
    retry: "later",
    hint: until ? `Go on with \`lw resume\` after ${until}.` : "Go on with `lw resume` in a while.",
    until,
    cause,
  });
}

const failed = ({ status, message, isPassing, isUnreached, cause }: CallFailure, { model, made }: Tries): LoopError =>
  new LoopError(
    "model-failed",
    `${model} could not be asked (${made} tries): ${status === undefined ? "" : `${status}, `}${displayLine(message, 300)}`,
    {
      retry: isPassing ? "later" : "never",
      isFree: isUnreached || (status ?? 0) >= 400,
      hint:
        HINTS[status ?? 0] ??
        (isPassing ? "See whether its server is up, then try again." : "Look at the model's name, its address and its key."),
      cause,
    },
  );

/** Refused before any of it was read, so that there is nothing to pay for. */
const tooLong = ({ status, message, cause }: CallFailure, { model }: Tries): LoopError =>
  new LoopError(
    "model-failed",
    `the prompt is too long for ${model}: ${status === undefined ? "" : `${status}, `}${displayLine(message, 300)}`,
    { retry: "never", isFree: true, hint: "Ask for less at once, or name a model that takes more.", cause },
  );

const HINTS: { readonly [status: number]: string } = {
  401: "Its key was not taken: look at the variable that `keyVariable` names.",
  403: "Its key may not do this: look at the variable that `keyVariable` names.",
  404: "There is no such model or address: look at `model` and `baseUrl`.",
};
