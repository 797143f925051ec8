// Reads the text of a spec: either the spec and its hash, or everything that is wrong with it, and where.

import type { Registries } from "../contract/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { type Complaint, readBySchema } from "./complaints.ts";
import { isWithin, showPath } from "./path.ts";
import type { Place } from "./place.ts";
import { brokenRules, doubts } from "./rules.ts";
import { filledIn } from "./team-rules.ts";
import { readSpecText, type SpecText } from "./text.ts";

export interface SpecProblem {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly path: string;
  readonly problem: string;
  readonly instead: string;
}

export type SpecReading =
  | { readonly kind: "read"; readonly spec: LoopSpec; readonly hash: string; readonly warnings: readonly SpecProblem[] }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

/** Never throws, whatever the text; the same spec in another layout or order of keys has the same hash. */
export function readSpec(file: string, text: string, registries: Registries): SpecReading {
  const read = readSpecText(text);
  return readValue(file, read, read.value, registries);
}

/** A whole spec, or only those of its parts that should be others than in a spec that is on record. */
export function readChangedSpec(file: string, text: string, recorded: LoopSpec, registries: Registries): SpecReading {
  const read = readSpecText(text);
  return readValue(file, read, completed(read.value, recorded), registries);
}

/** Whoever names a loop or a maker means a whole spec. */
function completed(value: unknown, recorded: LoopSpec): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "name" in value || "maker" in value) return value;
  const inner = (field: "budget" | "gate" | "outsiders") => {
    const own: unknown = Reflect.get(value, field);
    return typeof own === "object" && own !== null ? { [field]: { ...recorded[field], ...own } } : {};
  };
  return { ...recorded, ...value, ...inner("budget"), ...inner("gate"), ...inner("outsiders") };
}

function readValue(file: string, read: SpecText, written: unknown, registries: Registries): SpecReading {
  const value = filledIn(written);
  const bySchema = readBySchema(value, registries);
  const complaints = [...(bySchema.kind === "complaints" ? bySchema.complaints : []), ...brokenRules(value, registries)];
  const problems = inOrder([...textProblems(file, read), ...placed(file, read, complaints)]);
  if (problems.length > 0 || bySchema.kind === "complaints") return { kind: "refused", problems };
  const warnings = inOrder(placed(file, read, doubts(value, registries)));
  return { kind: "read", spec: bySchema.spec, hash: specHash(bySchema.spec), warnings };
}

/** What a spec goes by. */
export const specHash = (spec: LoopSpec): string => sha256(canonicalJson(spec));

/** `file:line:col  path: what is wrong. What to write instead.` */
export const formatProblem = ({ file, line, col, path, problem, instead }: SpecProblem): string =>
  `${file}:${line}:${col}  ${path}: ${problem.replace(/\.$/, "")}. ${instead}`;

/** What is wrong with the text itself. */
export const textProblems = (file: string, { problems, lineCol }: SpecText): readonly SpecProblem[] =>
  problems.map(({ at, path, problem, instead }) => ({ file, ...lineCol(at), path: path ? showPath(path) : "yaml", problem, instead }));

/** Finds the places. Leaves out what a problem of the text already explains, and what broken text only seems to say. */
export function placed(
  file: string,
  { place, problems, brokenAt, lineCol }: SpecText,
  complaints: readonly Complaint[],
): readonly SpecProblem[] {
  return complaints.flatMap(({ path, about, problem, instead }) => {
    const { at, end, isThere } = find(place, path, about);
    const isExplained = problems.some(
      (known) => known.path !== undefined && isWithin(path, known.path) && find(place, known.path, "value").at === known.at,
    );
    const isSeeming = brokenAt !== undefined && (!isThere || end >= brokenAt);
    return isExplained || isSeeming ? [] : [{ file, ...lineCol(at), path: showPath(path), problem, instead }];
  });
}

interface Span {
  readonly at: number;
  readonly end: number;
  readonly isThere: boolean;
}

/** Where a path stands; what is not there stands where the map begins that it should be in. */
function find(root: Place, path: Complaint["path"], about: Complaint["about"]): Span {
  let place = root;
  for (const step of path) {
    const inner = place.inside.get(step);
    if (inner === undefined) return { at: place.at, end: place.end, isThere: false };
    place = inner;
  }
  return about === "key" ? { at: place.keyAt, end: place.keyAt, isThere: true } : { at: place.at, end: place.end, isThere: true };
}

function inOrder(problems: readonly SpecProblem[]): readonly SpecProblem[] {
  const once = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  return [...once.values()].sort((a, b) => a.line - b.line || a.col - b.col);
}
