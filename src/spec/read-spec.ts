// Reads the text of a spec: either the spec and its hash, or everything that is wrong with it, and where.

import type { Registries } from "../contract/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { type Complaint, readBySchema } from "./complaints.ts";
import { type Library, membersIn, NO_LIBRARY } from "./library.ts";
import { isWithin, showPath } from "./path.ts";
import type { Place } from "./place.ts";
import { MOST_CALLED, readCalled } from "./read-called.ts";
import { brokenRules, type Doubt, doubts } from "./rules.ts";
import type { SpecProblem, SpecReading } from "./spec-reading.ts";
import { filledIn } from "./team-rules.ts";
import { readSpecText, type SpecText } from "./text.ts";
import { wakingIsOver } from "./wake-rules.ts";

export type { SpecProblem, SpecReading } from "./spec-reading.ts";

/**
 * Never throws, whatever the text; the same spec in another layout or order of keys has the same hash. Where somebody just wrote it, `now`
 * also refuses what could have come once and does not any more; one that was right is not wrong because time passes. The files that it
 * names as workers are looked up in the library, and become part of it.
 */
export const readSpec = (file: string, text: string, registries: Registries, now?: Date, library?: Library): SpecReading =>
  readSpecClosely(file, text, registries, now, library).reading;

/** The same, with what else one reading of the text shows. */
export interface CloseReading {
  readonly reading: SpecReading;
  readonly text: SpecText;
  /** What the warnings say, each with what it is about; none where the spec is refused. */
  readonly doubts: readonly Doubt[];
}

export function readSpecClosely(
  file: string,
  text: string,
  registries: Registries,
  now?: Date,
  library: Library = NO_LIBRARY,
): CloseReading {
  let calls = 0;
  const mayCall = (): boolean => ++calls <= MOST_CALLED;
  const readOn = (from: string, inner: string, way: readonly string[]): CloseReading => {
    const read = readSpecText(inner);
    const called = readCalled(read.value, { file: from, library, way, mayCall }, registries, (...at) => readOn(...at).reading);
    // When a loop wakes by itself is nothing to one that calls it.
    const moment = way.length === 1 ? now : undefined;
    const own = readValue(from, read, called.value, registries, moment, [...called.complaints, ...handWritten(read.value)]);
    if (own.reading.kind === "read" || called.problems.length === 0) return { text: read, ...own };
    return { text: read, ...own, reading: { ...own.reading, problems: [...own.reading.problems, ...called.problems] } };
  };
  return readOn(file, text, [library.root]);
}

/** What a file says is read from that file, and from nowhere else. */
const handWritten = (value: unknown): readonly Complaint[] =>
  membersIn(value).flatMap(([id, { spec }]) =>
    spec === undefined
      ? []
      : [
          {
            path: ["team", "workers", id, "spec"],
            about: "key",
            problem: "is filled in from the file that `loop` names, and not written",
            instead: "Leave it out.",
          },
        ],
  );

/** A whole spec, or only those of its parts that should be others than in a spec that is on record. */
export function readChangedSpec(file: string, text: string, recorded: LoopSpec, registries: Registries): SpecReading {
  const read = readSpecText(text);
  return readValue(file, read, completed(read.value, recorded), registries).reading;
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

function readValue(
  file: string,
  read: SpecText,
  written: unknown,
  registries: Registries,
  now?: Date,
  besides: readonly Complaint[] = [],
): Omit<CloseReading, "text"> {
  const value = filledIn(written);
  const bySchema = readBySchema(value, registries);
  const complaints = [...besides, ...(bySchema.kind === "complaints" ? bySchema.complaints : []), ...brokenRules(value, registries)];
  if (now && complaints.length === 0) complaints.push(...wakingIsOver(value, registries, now.getTime()));
  const problems = inOrder([...textProblems(file, read), ...placed(file, read, complaints)]);
  if (problems.length > 0 || bySchema.kind === "complaints") return { reading: { kind: "refused", problems }, doubts: [] };
  const doubted = doubts(value, registries);
  const warnings = inOrder(placed(file, read, doubted));
  return { reading: { kind: "read", spec: bySchema.spec, hash: specHash(bySchema.spec), warnings }, doubts: doubted };
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
