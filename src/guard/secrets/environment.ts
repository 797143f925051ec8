// Which variables of an environment hold secrets: by their names, and by the looks of their values.
import { findSecrets } from "./find-secrets.ts";
import { type KnownSecret, knownFinder } from "./known.ts";
import { strengthOf } from "./names.ts";
import { hasLetterAndDigit, isHollow, isPath, isRandom, isUnheard } from "./shape.ts";

export type Variables = { readonly [name: string]: string | undefined };

/** Shorter ones would be found everywhere. */
const LEAST = 8;
const NONE = knownFinder([]);

/** All secret values, each once. What is short or common, a path, a number or a word is none, whatever its name. */
export function secretValuesOf(env: Variables): readonly KnownSecret[] {
  const known = new Map<string, KnownSecret>();
  for (const [name, value] of Object.entries(env)) {
    for (const secret of secretsIn(name, value ?? "")) if (!known.has(secret.value)) known.set(secret.value, secret);
  }
  return [...known.values()];
}

/** Whether what this variable holds, or a part of it, is a secret. */
export const isSecretVariable = (name: string, value: string): boolean => secretsIn(name, value).length > 0;

/** Whether the name alone says so. */
export const isSecretName = (name: string): boolean => strengthOf(name) === "strong";

function secretsIn(name: string, value: string): readonly KnownSecret[] {
  if (value.length < LEAST) return [];
  const inside = findSecrets(value, NONE)
    .map(({ start, end, kind }) => ({ kind, value: value.slice(start, end) }))
    .filter((secret) => secret.value.length >= LEAST);
  if (inside.some((secret) => secret.value === value) || !isSecretBy(name, value)) return inside;
  return [{ kind: "environment-secret", value }, ...inside];
}

function isSecretBy(name: string, value: string): boolean {
  const strength = strengthOf(name);
  if (strength === "none" || isPath(value) || isHollow(value) || /^[\d.,:-]+$/.test(value)) return false;
  if (strength === "weak") return !/\s/.test(value) && isRandom(value, 16);
  // A word may stand in any text; a long one, one with digits or signs, or one that nobody knows, is hardly a word.
  return hasLetterAndDigit(value) || /[^A-Za-z0-9_-]/.test(value) || value.length >= 16 || isUnheard(value);
}
