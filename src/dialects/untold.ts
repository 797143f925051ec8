// What of a file no translation spoke of, so that nothing is dropped in silence.
import { type Path, showPath } from "../spec/path.ts";
import type { Fate } from "./translation.ts";

/** Why such a thing is lost. */
export const NO_COUNTERPART = "no counterpart: nothing of ours does this";

/**
 * The highest places that nothing is told of, nor of anything inside them. Where something is asked, what stands beside it in the same
 * entry waits for the answer, and is not told of either.
 */
export function untold(root: unknown, fates: readonly Fate[]): readonly Path[] {
  const told = toldIn(fates);
  const asked = new Set(fates.flatMap(({ kind, path }) => (kind === "asked" ? [aboveOf(path)] : [])));
  const look = (value: unknown, path: Path): readonly Path[] => {
    const here = showPath(path);
    if (path.length > 0 && (told.whole.has(here) || saysNothing(value))) return [];
    if (path.length > 0 && asked.has(here)) return [];
    if (path.length > 0 && !told.parts.has(here)) return [path];
    return childrenOf(value).flatMap(([step, inner]) => look(inner, [...path, step]));
  };
  return look(root, []);
}

interface Told {
  readonly whole: ReadonlySet<string>;
  /** What has something told inside. */
  readonly parts: ReadonlySet<string>;
}

export function toldIn(fates: readonly Fate[]): Told {
  const whole = new Set(fates.map(({ path }) => path));
  const parts = new Set(
    [...whole].flatMap((path) => [...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)).filter((prefix) => prefix !== "")),
  );
  return { whole, parts };
}

export function childrenOf(value: unknown): readonly (readonly [step: string | number, inner: unknown])[] {
  if (Array.isArray(value)) return value.map((inner, index) => [index, inner] as const);
  return isMap(value) ? Object.entries(value) : [];
}

const aboveOf = (path: string): string => path.replace(/(?:\.[^.[]+|\[\d+\])$/, "");

const isMap = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);

/** An empty list has no entry that could be lost. */
const saysNothing = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
