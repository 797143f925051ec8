// Calls that stay close to a given one: other figures in the same places, the same words in another order, without one of them, or with one of another call. Pure, and the same for the same seed.
import { isObject } from "../../std/json-record.ts";
import { drawBelow } from "../../std/twins/twin.ts";
import { renamed, type Value } from "./vary.ts";

/**
 * `figures`: nothing but figures differ. `order`: the same parts, in another order. `part`: one part is left out.
 * `mixed`: one part is, or one more is, one that stands elsewhere in this call or in another. `renamed`: a name is another one, wherever it stands.
 */
export type Gentle = "figures" | "order" | "part" | "mixed" | "renamed";

export interface GentleVariant {
  readonly args: Value;
  readonly how: Gentle;
}

type Draw = (below: number, ...about: readonly (string | number)[]) => number;

const TURNS: readonly Gentle[] = ["figures", "order", "part", "mixed", "figures", "mixed"];
const TURNS_WITH_NAMES: readonly Gentle[] = [...TURNS, "renamed"];

export interface GentleOrder {
  readonly args: Value;
  /** Arguments of other calls of the same function. */
  readonly others: readonly Value[];
  /** How deep in `args` the arguments themselves stand: one step, or two where named ones have a place of their own. */
  readonly depth: number;
  /** Texts that are names: of what was put into an object, such as a thing that is taken out of it again. */
  readonly hasNames?: boolean;
  readonly seed: string;
  readonly most: number;
}

export function gentleVariantsOf({ args, others, depth, hasNames, seed, most }: GentleOrder): readonly GentleVariant[] {
  const found = new Map<string, GentleVariant>();
  const asked = new Set([args, ...others].map((one) => JSON.stringify(one)));
  const parts = [...new Set([args, ...others].flatMap(partsIn))].slice(0, MOST_PARTS);
  for (let turn = 0; turn < most * 4 && found.size < most; turn += 1) {
    const draw: Draw = (below, ...about) => drawBelow(below, seed, "gentle", turn, ...about);
    const turns = hasNames ? TURNS_WITH_NAMES : TURNS;
    const how = turns[turn % turns.length]!;
    const places = placesFor(how, args, depth);
    if (places.length === 0) continue;
    const place = places[draw(places.length, "place")]!;
    // By chance alone, figures longer than any that was shown would be asked in one run and not in the next.
    const other = turn === 0 ? longer(at(args, place), draw) : CHANGES[how](at(args, place), draw, parts);
    if (other === undefined) continue;
    const whole = how === "renamed" ? renamed(args, at(args, place) as string, other) : put(args, place, other);
    const key = JSON.stringify(whole);
    if (!asked.has(key) && !found.has(key)) found.set(key, { args: whole, how });
  }
  return [...found.values()];
}

const MOST_PARTS = 200;

/** What a call looks like when its figures are left out of sight. */
export const shapeOf = (args: Value): string =>
  JSON.stringify(args, (_, one: unknown) => (typeof one === "number" ? "0" : typeof one === "string" ? one.replace(/\d+/g, "0") : one));

// ── places ──────────────────────────────────────────────────────────────────────────────────────────────────────

type Place = readonly (string | number)[];

function placesFor(how: Gentle, value: Value, depth: number, here: Place = [], isRow = false): readonly Place[] {
  const mine = here.length >= depth && IS_PLACE[how](value) && !(isRow && WHOLE_LISTS.has(how)) ? [here] : [];
  const areRows = here.length >= depth && haveOneLength(value);
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) && !("$tuple" in value) ? Object.entries(value) : [];
  return [...mine, ...inner.flatMap(([key, one]) => placesFor(how, one, depth, [...here, key], areRows))];
}

const WHOLE_LISTS: ReadonlySet<Gentle> = new Set(["order", "part"]);
/** Lists in a list that are all as long are records as well: each place means something. */
const haveOneLength = (value: Value): boolean =>
  Array.isArray(value) && value.every((one) => Array.isArray(one) && one.length === (value[0] as readonly Value[]).length);

const hasWords = (value: Value): boolean => typeof value === "string" && wordsOf(value).words.length > 1;
/** Lists of texts may be records, whose places mean something. */
const isPlainList = (value: Value): boolean =>
  Array.isArray(value) && value.length > 1 && value.every((one) => typeof one === "number" || Array.isArray(one) || isObject(one));

const IS_PLACE: { readonly [how in Gentle]: (value: Value) => boolean } = {
  figures: (value) => (typeof value === "number" ? Number.isInteger(value) && value >= 0 : typeof value === "string" && /\d/.test(value)),
  order: (value) => hasWords(value) || isPlainList(value),
  part: (value) => hasWords(value) || isPlainList(value),
  mixed: hasWords,
  renamed: (value) => typeof value === "string" && /^[\p{L}_]{2,}$/u.test(value),
};

const at = (value: Value, place: Place): Value =>
  place.reduce<Value>((inner, key) => (inner as { readonly [key: string | number]: Value })[key], value);

function put(value: Value, [key, ...rest]: Place, other: Value): Value {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((one, index) => (index === key ? put(one, rest, other) : one));
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, name === key ? put(one, rest, other) : one]));
}

// ── changes ─────────────────────────────────────────────────────────────────────────────────────────────────────

const SEPARATORS = /\s+|[,;/:+_.-]/;

interface Words {
  readonly words: readonly string[];
  readonly between: string;
}

/** A text as its words, by what first stands between two of them. */
function wordsOf(text: string): Words {
  const between = /\S(\s+)\S/.exec(text)?.[1] ?? SEPARATORS.exec(text.slice(1, -1))?.[0];
  return between === undefined ? { words: [text], between: "" } : { words: text.split(between), between };
}

const partsIn = (value: Value): readonly string[] => {
  if (typeof value === "string") return wordsOf(value).words.filter((word) => word !== "");
  if (Array.isArray(value)) return value.flatMap(partsIn);
  return isObject(value) ? Object.values(value).flatMap(partsIn) : [];
};

type Change = (value: Value, draw: Draw, parts: readonly string[]) => Value | undefined;

const CHANGES: { readonly [how in Gentle]: Change } = {
  figures(value, draw) {
    if (typeof value === "number") return figure(draw, String(value).length);
    const text = value as string;
    const runs = [...text.matchAll(/\d+/g)];
    const only = draw(2, "all") === 0 ? undefined : draw(runs.length, "which");
    let seen = -1;
    return text.replace(/\d+/g, (run) => {
      seen += 1;
      return only === undefined || seen === only ? String(figure(draw, run.length, seen)) : run;
    });
  },
  order(value, draw) {
    if (Array.isArray(value)) return shuffled(value, draw);
    const { words, between } = wordsOf(value as string);
    return shuffled(words, draw).join(between);
  },
  part(value, draw) {
    if (Array.isArray(value)) return without(value, draw(value.length, "which"));
    const { words, between } = wordsOf(value as string);
    return without(words, draw(words.length, "which")).join(between);
  },
  mixed(value, draw, parts) {
    const { words, between } = wordsOf(value as string);
    const others = parts.filter((part) => !part.includes(between.trim() || " "));
    if (others.length === 0) return undefined;
    const which = draw(words.length, "which");
    const other = others[draw(others.length, "other")]!;
    return (draw(2, "one more") === 0 ? words.toSpliced(which, 0, other) : words.with(which, other)).join(between);
  },
  renamed: (value, draw) => [...(value as string)].map((_, at) => LETTERS[draw(26, "letter", at)]!).join(""),
};

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Now nothing, now as long as it was, now longer. */
function figure(draw: Draw, length: number, ...about: readonly number[]): number {
  const kind = draw(5, "kind", ...about);
  if (kind === 0) return 0;
  return draw(10 ** Math.min(9, kind < 3 ? length : length + draw(4, "longer", ...about)), "figure", ...about);
}

/** All of its figures, each three digits longer. */
function longer(value: Value, draw: Draw): Value {
  const grown = (run: string, about: number): number =>
    10 ** Math.min(9, run.length + 2) + draw(10 ** Math.min(9, run.length + 2), "grown", about);
  if (typeof value === "number") return grown(String(value), 0);
  return (value as string).replace(/\d+/g, (run, at: number) => String(grown(run, at)));
}

const without = <T>(all: readonly T[], which: number): readonly T[] => all.filter((_, index) => index !== which);

function shuffled<T>(all: readonly T[], draw: Draw): readonly T[] {
  const turned = [...all];
  for (let last = turned.length - 1; last > 0; last -= 1) {
    const other = draw(last + 1, "swap", last);
    [turned[last], turned[other]] = [turned[other]!, turned[last]!];
  }
  return turned;
}
