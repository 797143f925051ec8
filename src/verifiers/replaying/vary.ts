// Values like a given one, and values far from it: what else a function can be asked. Pure, and the same for the same seed.
import { isObject } from "../../std/json-record.ts";
import { drawBelow } from "../../std/twins/twin.ts";

/** Encoded values, as programs note them. */
export type Value = unknown;

/** Other arguments, each told by how it differs: near ones have the shape of the given ones. */
export interface Variant {
  readonly args: Value;
  readonly isNear: boolean;
}

/** Where a text is a name that comes again, as of what lies in an object, it is also changed wherever it stands. */
export function variantsOf(args: Value, seed: string, most: number, hasNames = false): readonly Variant[] {
  const found = new Map<string, Variant>();
  const places = placesIn(args).filter((place) => place.length > 0);
  for (let turn = 0; turn < most * 4 && found.size < most && places.length > 0; turn += 1) {
    const draw = (below: number, ...about: readonly (string | number)[]): number => drawBelow(below, seed, turn, ...about);
    const place = places[draw(places.length, "place")]!;
    const isNear = turn % 2 === 0;
    const now = at(args, place);
    const other = isNear ? near(now, draw) : far(now, draw);
    if (other === undefined) continue;
    const whole = hasNames && typeof now === "string" && turn % 4 < 2 ? renamed(args, now, other) : replaced(args, place, other);
    const key = JSON.stringify(whole);
    if (key !== JSON.stringify(args) && !found.has(key)) found.set(key, { args: whole, isNear });
  }
  return [...found.values()];
}

type Place = readonly (string | number)[];
type Draw = (below: number, ...about: readonly (string | number)[]) => number;

/** Where texts and numbers stand in it. */
function placesIn(value: Value, here: Place = []): readonly Place[] {
  if (typeof value === "string" || typeof value === "number") return [here];
  if (Array.isArray(value)) return value.flatMap((one, index) => placesIn(one, [...here, index]));
  if (!isObject(value)) return [];
  if ("$float" in value) return [here];
  return Object.entries(value).flatMap(([key, one]) => placesIn(one, [...here, key]));
}

const at = (value: Value, place: Place): Value =>
  place.reduce<Value>((inner, key) => (inner as { readonly [key: string | number]: Value })[key], value);

function replaced(value: Value, [key, ...rest]: Place, other: Value): Value {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((one, index) => (index === key ? replaced(one, rest, other) : one));
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, name === key ? replaced(one, rest, other) : one]));
}

/** A text by another one, everywhere. */
export function renamed(value: Value, from: string, to: Value): Value {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((one) => renamed(one, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, from, to)]));
}

function near(value: Value, draw: Draw): Value | undefined {
  if (typeof value === "string") return value === "" ? undefined : nearText(value, draw);
  if (typeof value === "number") return otherNumber(value, [1, -1, 2, Math.round(value / 10) || 3][draw(4, "number")]!);
  return floating(value, draw, (one) => one + [0.5, 1, -1, one / 10][draw(4, "number")]!);
}

const KINDS = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] as const;

/** One or two characters are others of their kind. */
function nearText(value: string, draw: Draw): string | undefined {
  const spots = [...value].flatMap((char, index) => (KINDS.some((kind) => kind.includes(char)) ? [index] : []));
  if (spots.length === 0) return undefined;
  const chars = [...value];
  for (const which of [0, 1].slice(0, 1 + draw(2, "how many"))) {
    const spot = spots[draw(spots.length, "spot", which)]!;
    const kind = KINDS.find((one) => one.includes(chars[spot]!))!;
    // Digits become others much oftener than letters: another letter is mostly another word.
    chars[spot] = kind[draw(kind.length, "char", which)]!;
  }
  return chars.join("");
}

/** More than any small thing, and not so many that whoever makes as many of something is never ready. */
const MUCH = 70_001;

function far(value: Value, draw: Draw): Value | undefined {
  if (typeof value === "string") {
    const half = Math.ceil(value.length / 2);
    const digits = String(draw(100_000, "digits"));
    const all = [
      "",
      value + value,
      `${value} ${value}`,
      value.slice(0, half),
      value.slice(half),
      [...value].reverse().join(""),
      value.toUpperCase(),
      ` ${value} `,
      value.replace(/\d+/, digits),
      value.replace(/\d+(?!.*\d)/, digits),
      value.split(" ").reverse().join(" "),
      `${value}é`,
    ];
    return all[draw(all.length, "far")];
  }
  if (typeof value === "number") return otherNumber(0, [0, -value, value * 10, MUCH, value + 97][draw(5, "far")]!);
  return floating(value, draw, (one) => [0, -one, one * 10, one * 1000 + 0.5][draw(4, "far")]!);
}

const otherNumber = (value: number, by: number): number | undefined =>
  Number.isSafeInteger(value + by) || !Number.isInteger(value) ? value + by : undefined;

function floating(value: Value, _: Draw, change: (one: number) => number): Value | undefined {
  if (!isObject(value) || typeof value.$float !== "string" || !Number.isFinite(Number(value.$float))) return undefined;
  const other = change(Number(value.$float));
  return Number.isFinite(other) ? { $float: Number.isInteger(other) ? `${other}.0` : String(other) } : undefined;
}
