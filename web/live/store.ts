// What the whole page shares: how it stands to its server, who is on record, what time it is, and every live event as it comes.
import { computed, signal } from "@preact/signals";
import type { Health, LiveEvent, Session } from "../../src/contract/api.ts";
import type { Viewer } from "../words/format.ts";
import { read, send } from "./api.ts";
import { type Connection, foldConnection, type Happening, isAway, mayDecide, NOT_YET, waitBeforeTry } from "./connection.ts";
import { NOTHING_READ, readEvents } from "./events.ts";
import { keyHeader } from "./page-key.ts";

export const connection = signal<Connection>(NOT_YET);
export const health = signal<Health | undefined>(undefined);
/** `none`: the browser has no cookie of this home. */
export const session = signal<"asking" | "there" | "none">("asking");
/** How far the server's clock is ahead of this browser's: every age is told by the server's, which wrote the times. */
let aheadMs = 0;
/** Less than this may be the way that the answer took. */
const SKEW_MS = 30_000;
export const nowMs = signal(Date.now());
export const viewer = computed<Viewer>(() => ({ nowMs: nowMs.value, zone: undefined }));
/** When the next try to reach the server is made, in milliseconds. */
export const nextTryMs = signal<number | undefined>(undefined);
export const canDecide = computed(() => mayDecide(connection.value) && health.value?.isReadOnly === false);
export const isStale = computed(() => isAway(connection.value));

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const fold = (happening: Happening): void => {
  connection.value = foldConnection(connection.value, happening);
};

export const dismissBack = (): void => fold({ kind: "dismissed" });

/** The link that lw prints has the token behind a #, so that no server and no log sees it; it leaves the address at once. */
async function takeToken(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  await send<Session>("/api/session", { token });
}

/** Three beats long: who has said nothing for so long is gone, whatever the connection says. */
const SILENCE_MS = 40_000;
let wake: (() => void) | undefined;

export const tryNow = (): void => wake?.();

/** Goes on as long as the page is open. */
export async function stayConnected(): Promise<void> {
  setInterval(() => {
    nowMs.value = Date.now() + aheadMs;
  }, 10_000);
  await takeToken();
  while (true) {
    await connectOnce();
    if (session.value !== "none") fold({ kind: "lost" });
    const waitMs = session.value === "none" ? 5000 : waitBeforeTry(connection.value.tries);
    nextTryMs.value = Date.now() + waitMs;
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, waitMs);
    });
    nextTryMs.value = undefined;
  }
}

/** Returns when the connection is over, for whatever reason. */
async function connectOnce(): Promise<void> {
  const stop = new AbortController();
  const greeting = await read<Health>("/api/health");
  if (greeting.kind === "refused" && greeting.status === 401) {
    session.value = "none";
    return;
  }
  if (greeting.kind !== "ok") return;
  session.value = "there";
  health.value = greeting.value;
  const skewMs = Date.parse(greeting.value.at) - Date.now();
  aheadMs = Math.abs(skewMs) < SKEW_MS ? 0 : skewMs;
  nowMs.value = Date.now() + aheadMs;
  const seen = connection.value.seq;
  const after = seen === 0 ? (greeting.value.journal?.seq ?? 0) : seen;
  // Asked before it is said that we are here: what comes meanwhile is sent after this number.
  const response = await fetch("/api/events", {
    headers: { ...keyHeader(), "last-event-id": String(after) },
    signal: stop.signal,
    cache: "no-store",
  }).catch(() => undefined);
  if (!response?.ok || !response.body) return;
  fold({ kind: "greeted", seq: greeting.value.journal?.seq ?? 0, since: greeting.value.since, atMs: Date.now() });
  const watch = setInterval(() => {
    if (Date.now() - connection.value.heardMs > SILENCE_MS) stop.abort();
  }, 5000);
  await readStream(response.body).catch(() => undefined);
  clearInterval(watch);
}

/** Events are folded once a frame at most: a hundred records a second change the page as often as it is drawn. */
async function readStream(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unread = NOTHING_READ;
  let waiting: LiveEvent[] = [];
  const tell = (): void => {
    const events = waiting;
    waiting = [];
    let folded = connection.value;
    for (const event of events) folded = foldConnection(folded, { kind: "heard", event, atMs: Date.now() });
    connection.value = folded;
    for (const event of events) for (const listener of listeners) listener(event);
  };
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    const next = readEvents(unread, decoder.decode(value, { stream: true }));
    unread = next.unread;
    if (waiting.length === 0 && next.events.length > 0) onceDrawn(tell);
    waiting.push(...next.events);
  }
  if (waiting.length > 0) tell();
}

/** A page in the background draws no frames, and hears all the same. */
function onceDrawn(work: () => void): void {
  if (document.visibilityState === "hidden") setTimeout(work, 200);
  else requestAnimationFrame(work);
}
