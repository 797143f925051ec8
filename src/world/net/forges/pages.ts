// Reads pages from one server: bounded in size and time, asked for again only when they changed, with a token that goes nowhere else.
import type { Clock, Stop } from "../../../contract/clock.ts";
import { LoopError } from "../../../contract/errors.ts";
import type { Files } from "../../../contract/files.ts";
import { displayLine } from "../../../std/display-text.ts";
import { sha256 } from "../../../std/hash.ts";
import { readRecord, textIn } from "../../../std/json-record.ts";
import { type Meaning, meaningOf, outage, type Request, type TYPES } from "./answer.ts";

export interface PagesFooting {
  readonly clock: Clock;
  /** Ends early when a stop is asked for. */
  readonly wait: (ms: number, stop: Stop) => Promise<void>;
  readonly stop: Stop;
  readonly files: Pick<Files, "readText" | "writeText">;
  /** Where pages are kept, so that one that did not change need not be sent again. */
  readonly folder: string;
  /** How long one answer may take, to its last byte. */
  readonly patienceMs?: number;
}

export interface PagesPlace {
  /** Where every path begins. */
  readonly base: string;
  readonly headers: { readonly [name: string]: string };
  readonly token: { readonly header: string; readonly value: string; readonly secret: string } | undefined;
  /** For whom pages are kept, and since when they count as fresh. */
  readonly owner: string;
  readonly sinceMs: number;
  readonly waitMs: number;
  readonly mayLeadTo: readonly RegExp[];
}

export interface PageWish {
  /** Behind the base, or the whole address of a next page. */
  readonly path: string;
  /** What it is kept under: another page of the same name takes its place. */
  readonly name: string;
  readonly accept?: keyof typeof TYPES;
  /** Sent by POST, as a question to be answered and no more. */
  readonly question?: unknown;
}

export interface Page {
  readonly text: string;
  /** The address of the next one, as the server says; always of the same server. */
  readonly next: string | undefined;
}

/** Undefined where there is no such thing, or nobody is let know of it. */
export type GetPage = (wish: PageWish) => Promise<Page | undefined>;

const MOST_BYTES = 8 * 1024 * 1024;
const PATIENCE_MS = 30_000;

export function openPages(footing: PagesFooting, place: PagesPlace): GetPage {
  const base = new URL(place.base);
  let leashMs = place.waitMs;
  const hide = (text: string): string =>
    place.token && place.token.secret.length >= 6 ? text.replaceAll(place.token.secret, "[the token]") : text;

  return async (wish) => {
    const { accept = "json" } = wish;
    const first = addressOf(base, wish.path);
    const kept = await readKept(footing, keptAt(footing, place, wish), identityOf(first, wish));
    if (kept && kept.readMs >= place.sinceMs) return kept.page;
    let [url, isOwn, redirects] = [first, true, 0];
    for (let made = 1; ; ) {
      const request: Request = { url, accept, made, redirects, nowMs: footing.clock.now().getTime(), leashMs, mayLeadTo: place.mayLeadTo };
      const { meaning, text, headers } = await ask(footing, place, wish, request, { isOwn, etag: kept?.etag });
      switch (meaning.kind) {
        case "page": {
          const page = { text: hide(text), next: nextIn(headers, url, base) };
          await keep(footing, keptAt(footing, place, wish), identityOf(first, wish), page, headers.get("etag") ?? undefined);
          return page;
        }
        case "unchanged":
          if (!kept)
            throw new LoopError("gather-failed", `${url.host} says that a page did not change which was never read`, {
              retry: "later",
              hint: "Go on with `lw resume`.",
            });
          await keep(footing, keptAt(footing, place, wish), identityOf(first, wish), kept.page, kept.etag);
          return kept.page;
        case "missing":
          return undefined;
        case "follow":
          [url, isOwn, redirects] = [meaning.url, isOwn && meaning.isOwn, redirects + 1];
          break;
        case "wait":
          if (meaning.for === "limit") leashMs -= meaning.ms;
          else made += 1;
          await footing.wait(meaning.ms, footing.stop);
          if (footing.stop.asked()) throw interrupted();
          break;
        case "failed":
          throw meaning.failure(displayLine(hide(wordsIn(text)), 300));
      }
    }
  };
}

/** What is behind the base stays on its server, whatever it says. */
function addressOf(base: URL, path: string): URL {
  const url = /^https?:/.test(path) ? new URL(path) : new URL(`${base.href.replace(/\/+$/, "")}${path}`);
  if (url.origin !== base.origin) throw new TypeError(`${url.origin} is not ${base.origin}`);
  return url;
}

interface Asking {
  /** Whether it is still the server that the token is for. */
  readonly isOwn: boolean;
  readonly etag: string | undefined;
}

interface Heard {
  readonly meaning: Meaning;
  readonly text: string;
  readonly headers: Headers;
}

async function ask(footing: PagesFooting, place: PagesPlace, wish: PageWish, request: Request, { isOwn, etag }: Asking): Promise<Heard> {
  const stopping = new AbortController();
  const goAway = footing.stop.onAsk(() => stopping.abort());
  const patienceMs = footing.patienceMs ?? PATIENCE_MS;
  const timeout = AbortSignal.timeout(patienceMs);
  try {
    const response = await fetch(request.url, {
      method: wish.question === undefined || !isOwn ? "GET" : "POST",
      headers: isOwn ? headersOf(place, wish, etag) : { "user-agent": "loopwright" },
      redirect: "manual",
      signal: AbortSignal.any([stopping.signal, timeout]),
      ...(wish.question === undefined || !isOwn ? {} : { body: JSON.stringify(wish.question) }),
    });
    const meaning = meaningOf(response, request);
    return { meaning, text: await readWhole(response, request.url), headers: response.headers };
  } catch (error) {
    if (footing.stop.asked()) throw interrupted();
    if (error instanceof LoopError) throw error;
    const why = timeout.aborted ? `gave no whole answer in ${patienceMs / 1000} s` : `could not be reached (${reasonIn(error)})`;
    return { meaning: outage(why, request), text: "", headers: new Headers() };
  } finally {
    goAway();
  }
}

const headersOf = ({ headers, token }: PagesPlace, { accept = "json", question }: PageWish, etag: string | undefined) => ({
  accept: accept === "json" ? "application/json" : "text/plain",
  "user-agent": "loopwright",
  ...headers,
  ...(token ? { [token.header]: token.value } : {}),
  ...(question === undefined ? {} : { "content-type": "application/json" }),
  ...(etag === undefined ? {} : { "if-none-match": etag }),
});

/** What is larger than anybody sends who means well is not read to its end, and nothing is made of its beginning. */
async function readWhole(response: Response, url: URL): Promise<string> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > MOST_BYTES) {
    await response.body?.cancel();
    throw tooLarge(url);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge(url);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const tooLarge = (url: URL): LoopError =>
  new LoopError("gather-failed", `${url.host}${displayLine(url.pathname, 200)} sends more than ${MOST_BYTES} bytes`, {
    retry: "never",
    hint: "Ask for less with the options of the connector, or look at what is there.",
  });

const interrupted = (): LoopError =>
  new LoopError("interrupted", "stopped while work was gathered", { retry: "later", hint: "Go on with `lw resume`." });

const reasonIn = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? displayLine("code" in cause ? String(cause.code) : cause.message, 100) : "no reason is known";
};

/** What a server says of its refusal. */
function wordsIn(text: string): string {
  const reading = readRecord(text.slice(0, 10_000));
  const fields = reading.kind === "record" ? reading.fields : undefined;
  return textIn(fields, "message") ?? textIn(fields, "error") ?? "";
}

/** As RFC 8288 has it, or as GitLab counts pages; nothing where it would lead elsewhere. */
function nextIn(headers: Headers, url: URL, base: URL): string | undefined {
  const link = /<([^<>]{1,4000})>\s*;[^<,]{0,200}\brel="?next"?/.exec((headers.get("link") ?? "").slice(0, 16_000))?.[1];
  const number = headers.get("x-next-page") ?? "";
  const next = link ?? (/^\d{1,7}$/.test(number) ? withPage(url, number) : undefined);
  if (next === undefined || !URL.canParse(next, url.href)) return undefined;
  const to = new URL(next, url);
  return to.origin === base.origin ? to.href : undefined;
}

function withPage(url: URL, number: string): string {
  const to = new URL(url);
  to.searchParams.set("page", number);
  return to.href;
}

// ── what is kept ──

const keptAt = ({ folder }: PagesFooting, { owner, base }: PagesPlace, { name }: PageWish): string =>
  `${folder}/${sha256(JSON.stringify([owner, base, name]))}.json`;

/** The same page for the same question. */
const identityOf = (url: URL, { question, accept }: PageWish): string =>
  sha256(JSON.stringify([url.href, question ?? null, accept ?? "json"]));

interface Kept {
  readonly page: Page;
  readonly etag: string | undefined;
  readonly readMs: number;
}

/** What was kept of another address, or cannot be read, is nothing. */
async function readKept({ files }: PagesFooting, path: string, identity: string): Promise<Kept | undefined> {
  const reading = readRecord((await files.readText(path)) ?? "");
  if (reading.kind !== "record" || reading.fields.get("of") !== identity) return undefined;
  const [text, readMs] = [reading.fields.get("text"), reading.fields.get("readMs")];
  if (typeof text !== "string" || typeof readMs !== "number") return undefined;
  return { page: { text, next: textIn(reading.fields, "next") }, etag: textIn(reading.fields, "etag"), readMs };
}

const keep = ({ files, clock }: PagesFooting, path: string, of: string, { text, next }: Page, etag: string | undefined): Promise<void> =>
  files.writeText(path, JSON.stringify({ of, text, next, etag, readMs: clock.now().getTime() }), "for-now");
