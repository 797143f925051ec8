// What an answer of a server means for whoever reads pages from it: it is there, it is not, somewhere else, later, or never. Pure.
import { LoopError } from "../../../contract/errors.ts";
import { displayLine } from "../../../std/display-text.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/** What is known of the request that was answered. */
export interface Request {
  readonly url: URL;
  readonly accept: keyof typeof TYPES;
  readonly made: number;
  readonly redirects: number;
  readonly nowMs: number;
  /** How long a limit may still be waited for. */
  readonly leashMs: number;
  /** Hosts besides its own that answers may lead to; nothing secret goes there. */
  readonly mayLeadTo: readonly RegExp[];
}

export type Meaning =
  | { readonly kind: "page" }
  | { readonly kind: "unchanged" }
  | { readonly kind: "missing" }
  | { readonly kind: "follow"; readonly url: URL; readonly isOwn: boolean }
  | { readonly kind: "wait"; readonly ms: number; readonly for: "limit" | "outage" }
  /** What the server says of it is added to the message. */
  | { readonly kind: "failed"; readonly failure: (said: string) => LoopError };

export const TYPES = {
  json: /^application\/(?:[\w.+-]+\+)?json(?:;|$)/i,
  text: /^text\/plain(?:;|$)/i,
} as const;

const MOST_TRIES = 4;
const MOST_REDIRECTS = 3;
const FIRST_WAIT_MS = 500;

export function meaningOf(answer: Answer, request: Request): Meaning {
  const { status, headers } = answer;
  if (status === 304) return { kind: "unchanged" };
  if (status === 200) return typed(headers, request);
  if ([301, 302, 307, 308].includes(status)) return redirected(headers, request);
  const limitedUntilMs = limitEnds(answer, request.nowMs);
  if (limitedUntilMs !== undefined) return limited(limitedUntilMs, request);
  if (status === 404 || status === 410) return { kind: "missing" };
  if (status >= 500) return outage(`answered ${status}`, request);
  return failed(request, `answered ${status}`, "never", HINTS[status] ?? "Look at the repository's name, the address and the token.");
}

const HINTS: { readonly [status: number]: string } = {
  401: "Its token was not taken: look at where the spec says that it comes from.",
  403: "Its token may not read this: give it the right to, or take the connector out.",
};

function typed(headers: Headers, request: Request): Meaning {
  const type = headers.get("content-type") ?? "";
  if (TYPES[request.accept].test(type)) return { kind: "page" };
  return failed(
    request,
    `sent ${displayLine(type, 60) || "something"} where ${request.accept} was asked for`,
    "never",
    "Look whether `api` is where its API begins.",
  );
}

/** To the same place with all that was sent; to one that its makers name without any of it; nowhere else. */
function redirected(headers: Headers, request: Request): Meaning {
  const location = headers.get("location") ?? "";
  const to = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
  const isOwn = to !== undefined && to.origin === request.url.origin;
  const isKnown =
    to !== undefined && to.protocol === "https:" && to.port === "" && request.mayLeadTo.some((host) => host.test(to.hostname));
  if (request.redirects < MOST_REDIRECTS && to && to.username + to.password === "" && (isOwn || isKnown))
    return { kind: "follow", url: to, isOwn };
  const where = to === undefined ? "nowhere" : request.redirects < MOST_REDIRECTS ? displayLine(to.host, 100) : "one place after another";
  return failed(
    request,
    `sends us to ${where}, where we do not go`,
    "never",
    "Name the place where it really is in `api`, and the repository by its new name.",
  );
}

/** As GitHub and GitLab tell it; undefined where no limit is in the way. */
function limitEnds({ status, headers }: Answer, nowMs: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = headers.get("retry-after");
  if (after !== null && /^\d{1,7}$/.test(after)) return nowMs + Number(after) * 1000;
  const left = headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining");
  const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset");
  if (reset !== null && /^\d{9,11}$/.test(reset) && (left === "0" || status === 429)) return Math.max(nowMs, Number(reset) * 1000) + 1000;
  return status === 429 ? nowMs + 60_000 : undefined;
}

/** Nobody waits for longer than this, whatever a server says. */
const FARTHEST_MS = 366 * 24 * 3600 * 1000;

function limited(untilMs: number, request: Request): Meaning {
  const ms = untilMs - request.nowMs;
  if (ms <= request.leashMs) return { kind: "wait", ms, for: "limit" };
  const until = new Date(request.nowMs + Math.min(ms, FARTHEST_MS)).toISOString();
  return failed(
    request,
    "takes no more requests for now",
    "later",
    `Go on with \`lw resume\` after ${until}; what was read is kept.`,
    until,
  );
}

export function outage(what: string, request: Pick<Request, "url" | "made">): Meaning {
  if (request.made < MOST_TRIES) return { kind: "wait", ms: FIRST_WAIT_MS * 2 ** (request.made - 1), for: "outage" };
  return failed(request, `${what}, ${request.made} times`, "later", "Look whether it is up, then go on with `lw resume`.");
}

/** Without what stands behind the path: nothing secret goes there, and nobody needs it. */
const failed = ({ url }: Pick<Request, "url">, what: string, retry: "later" | "never", hint: string, until?: string): Meaning => ({
  kind: "failed",
  failure: (said) =>
    new LoopError("gather-failed", `${url.host}${displayLine(url.pathname, 200)} ${what}${said === "" ? "" : `: ${said}`}`, {
      retry,
      hint,
      until,
    }),
});
