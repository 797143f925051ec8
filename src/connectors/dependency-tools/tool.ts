// What the tools of ecosystems say of dependencies, read into one form. Pure: what they printed goes in.
import { type Fields, fieldsOf, isObject } from "../../std/json-record.ts";

/** One ecosystem's own tool: what is run for each question, and how its answer is read. */
export interface DependencyTool {
  readonly outdated: Question<Outdated>;
  readonly vulnerable: Question<Vulnerable>;
  /** Where people look at a version of a package. */
  readonly address: (name: string, version: string) => string;
}

interface Question<Found> {
  readonly run: string;
  /** Exit codes with which it has answered: some tools say by theirs that they found something. */
  readonly answers: readonly number[];
  /** Undefined where what it printed is no such answer: an error, or another tool. */
  readonly read: (printed: string) => Reading<Found> | undefined;
}

export interface Reading<Found> {
  readonly found: readonly Found[];
  /** What it did not look at, by its own words. */
  readonly notes?: readonly string[];
}

export interface Outdated {
  readonly name: string;
  /** Undefined where it is not installed. */
  readonly version: string | undefined;
  readonly latest: string;
  /** What else is to be known, in a few words. */
  readonly more?: readonly string[];
}

export interface Vulnerable {
  readonly name: string;
  readonly version: string | undefined;
  /** What the advisory is called, such as GHSA-… or CVE-…. */
  readonly advisory: string;
  readonly title: string;
  readonly severity: string | undefined;
  /** The version, or range, without it. */
  readonly mendedIn: string | undefined;
  readonly address: string | undefined;
  readonly more?: readonly string[];
}

export function readJson(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return undefined;
  }
}

/** The fields of one object. */
export const readFields = (printed: string): Fields | undefined => fieldsOf(readJson(printed));

/** One object after the other, with or without line breaks in them. Undefined where anything else stands among them. */
export function readObjects(printed: string): readonly Fields[] | undefined {
  const found: Fields[] = [];
  let [depth, start, isText, isEscaped] = [0, 0, false, false];
  for (let at = 0; at < printed.length; at++) {
    const char = printed[at]!;
    if (isEscaped) isEscaped = false;
    else if (isText) [isText, isEscaped] = [char !== '"', char === "\\"];
    else if (char === "{") depth += 1;
    else if (depth === 0 && !/\s/.test(char)) return undefined;
    else if (char === '"') isText = true;
    else if (char === "}") {
      depth -= 1;
      if (depth > 0) continue;
      const fields = readFields(printed.slice(start, at + 1));
      if (!fields) return undefined;
      found.push(fields);
      start = at + 1;
    }
  }
  return depth === 0 ? found : undefined;
}

export const listIn = (fields: Fields | undefined, name: string): readonly unknown[] | undefined => {
  const value = fields?.get(name);
  return Array.isArray(value) ? value : undefined;
};

export const textsIn = (fields: Fields | undefined, name: string): readonly string[] =>
  (listIn(fields, name) ?? []).filter((one) => typeof one === "string");

/** Every entry of an object whose values are objects, or lists of such; undefined where one is neither. */
export function entriesOf(value: unknown): readonly (readonly [name: string, fields: Fields])[] | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map((each) => [name, fieldsOf(each)] as const),
  );
  return entries.every((entry): entry is readonly [string, Fields] => entry[1] !== undefined) ? entries : undefined;
}

/** What a part of an address may be made of, so that no name leads elsewhere. */
export const part = (text: string): string => encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%40", "@");
