// Canonical JSON (RFC 8785) and the hashes made over it.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** The one text form of a JSON value: the same value always gives the same bytes. Throws on what JSON cannot say. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("this value has no canonical JSON form");
  return text;
}

export const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
