// Canonical JSON (RFC 8785) and the hashes made over it.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import canonicalize from "canonicalize";

/** The one text form of a JSON value: the same value always gives the same bytes. Throws on what JSON cannot say. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("this value has no canonical JSON form");
  return text;
}

export const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** As content policies write it. */
export const sha256Base64 = (text: string): string => createHash("sha256").update(text).digest("base64");

/** A hash that only the holder of the key can make, so that a short text cannot be guessed from it. */
export const hmacSha256 = (key: string | Uint8Array, text: string | Uint8Array): string =>
  createHmac("sha256", key).update(text).digest("hex");

/** Whether two digests are the same, in a time that does not tell how much of them is. */
export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Of several pieces as if they were one. */
export function sha256Of(...pieces: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
