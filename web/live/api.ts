// How the page asks its server: one function for reading, one for sending, and an answer that is always a value.
import type { Refusal } from "../../src/contract/api.ts";
import { keepKey, keyHeader } from "./page-key.ts";

export type Answer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly status: number; readonly refusal: Refusal }
  /** Nobody answered, or what answered is not our server. */
  | { readonly kind: "unreachable" };

export const read = <T>(path: string, stop?: AbortSignal): Promise<Answer<T>> => ask<T>(path, { method: "GET", signal: stop ?? null });

export const send = <T>(path: string, body: object): Promise<Answer<T>> =>
  ask<T>(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function ask<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  const headers = { ...init.headers, ...keyHeader() };
  const response = await fetch(path, { ...init, headers, credentials: "same-origin", cache: "no-store" }).catch(() => undefined);
  if (!response) return { kind: "unreachable" };
  keepKey(response);
  const value: unknown = await response.json().catch(() => undefined);
  // Both sides share the types of the contract; this is the schema's edge.
  if (response.ok && value !== undefined) return { kind: "ok", value: value as T };
  if (isRefusal(value)) return { kind: "refused", status: response.status, refusal: value };
  return response.status === 401 ? { kind: "refused", status: 401, refusal: NO_SESSION } : { kind: "unreachable" };
}

const NO_SESSION: Refusal = {
  error: { code: "no-session", message: "This browser has no session here.", hint: "Open the link that lw open prints." },
};

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "error" in value && typeof value.error === "object" && value.error !== null;

/** A piece of a text that the server keeps, by its place in bytes. */
export interface TextPart {
  readonly text: string;
  readonly bytes: number;
  /** All that there is. */
  readonly total: number;
}

/** Reads part of a text; the whole may be far more than a page can show. */
export async function readText(path: string, from: number, most: number, stop?: AbortSignal): Promise<Answer<TextPart>> {
  const response = await fetch(path, {
    headers: { ...keyHeader(), range: `bytes=${from}-${from + most - 1}` },
    credentials: "same-origin",
    signal: stop ?? null,
  }).catch(() => undefined);
  if (!response) return { kind: "unreachable" };
  if (response.status === 416) return { kind: "ok", value: { text: "", bytes: 0, total: from } };
  if (!response.ok) {
    const value: unknown = await response.json().catch(() => undefined);
    return isRefusal(value) ? { kind: "refused", status: response.status, refusal: value } : { kind: "unreachable" };
  }
  const bytes = new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
  const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? bytes.length);
  return { kind: "ok", value: { text: new TextDecoder().decode(bytes), bytes: bytes.length, total } };
}
