// What calls came to under test, in a plain process, again and again, and on base: and what follows from that. Pure.
import { isObject } from "../../std/json-record.ts";
import type { Value } from "./vary.ts";

/** One call from outside of the product, with what came of it while it was tested; or all that was done to one object, from when it was made. */
export interface NotedCall {
  readonly path: string;
  /** A function; of what was done to an object, its class. */
  readonly name: string;
  /** Of an object: its methods, in the order in which they were called. */
  readonly deeds?: readonly string[] | undefined;
  /** Of an object: what it was made with, and then what each method was called with. */
  readonly args: Value;
  /** As text, so that it can be compared; undefined where it cannot be told in another process. Of an object, a list of what each method gave. */
  readonly came: string | undefined;
}

/** What a plain process said: of each call the first answer, and one that differs from it if there was one. */
export interface Played {
  readonly came: ReadonlyMap<number, string | undefined>;
  readonly again: ReadonlyMap<number, string>;
  /** Calls for which a question was answered otherwise than ever under test, and what comes when it is answered as it was there. */
  readonly rivals: readonly Rival[];
}

export interface Rival {
  readonly at: number;
  readonly condition: number;
  readonly came: string | undefined;
}

export interface Recording {
  readonly calls: readonly NotedCall[];
  /** Of Python, by path: how modules are called, and what ran them. */
  readonly modules: ReadonlyMap<string, string>;
  readonly program: string | undefined;
  /** Of Python, where the tests' process looked for modules. */
  readonly looked: readonly string[];
  /** By the number of a question in changed code: the one answer that it had under test, where it had but one. */
  readonly usual: ReadonlyMap<number, boolean>;
}

const MOST_CALLS = 1500;

export function readRecording(text: string): Recording {
  const calls = new Map<string, NotedCall>();
  const modules = new Map<string, string>();
  const sides = new Map<number, Set<boolean>>();
  const objects = new Map<string, Life>();
  let program: string | undefined;
  let looked: readonly string[] = [];
  for (const said of linesOf(text)) {
    const { path, name, args, came, module, condition, side, object } = said;
    if (typeof object === "string") {
      note(objects, object, said);
      continue;
    }
    if (typeof condition === "number" && typeof side === "boolean") sides.set(condition, (sides.get(condition) ?? new Set()).add(side));
    if (Array.isArray(said.looked)) looked = said.looked.filter((one) => typeof one === "string").slice(0, 200);
    if (typeof path !== "string") continue;
    if (typeof module === "string") modules.set(path, module);
    if (typeof said.program === "string") program = said.program;
    const key = typeof name === "string" ? JSON.stringify([path, name, args]) : undefined;
    if (key === undefined || args === undefined || calls.has(key) || calls.size >= MOST_CALLS) continue;
    calls.set(key, { path, name: name as string, args, came: told(came) });
  }
  for (const [key, call] of [...objects.values()].flatMap(lived)) if (!calls.has(key) && calls.size < MOST_CALLS) calls.set(key, call);
  const usual = new Map([...sides].flatMap(([at, [side, other]]) => (side === undefined || other !== undefined ? [] : [[at, side]])));
  return { calls: [...calls.values()], modules, program, looked, usual };
}

/** What was done to one object, as its lines come: of what waits, the answer comes later. */
interface Life {
  readonly path: string;
  readonly name: string;
  readonly made: Value;
  readonly deeds: Map<number, { readonly deed: string; readonly args: Value; readonly came: unknown }>;
}

const MOST_OBJECTS = 3000;

function note(
  objects: Map<string, Life>,
  object: string,
  { path, name, args, at, deed, came }: { readonly [name: string]: unknown },
): void {
  if (typeof path === "string" && typeof name === "string" && objects.size < MOST_OBJECTS)
    objects.set(object, { path, name, made: args, deeds: new Map() });
  if (typeof at === "number" && typeof deed === "string") objects.get(object)?.deeds.set(at, { deed, args, came });
}

/** Up to the first method that gave nothing that could be noted: after it, nobody knows what the object was like. */
function lived({ path, name, made, deeds }: Life): readonly (readonly [key: string, call: NotedCall])[] {
  const known = [...deeds.keys()].sort((one, other) => one - other).filter((at, place) => at === place);
  if (known.length === 0) return [];
  const all = known.map((at) => deeds.get(at)!);
  const call = { path, name, deeds: all.map(({ deed }) => deed), args: [made, ...all.map(({ args }) => args)] };
  return [[keyOf(call), { ...call, came: told(all.map(({ came }) => came)) }]];
}

/** The same for the same call. */
export const keyOf = ({ path, name, deeds, args }: Omit<NotedCall, "came">): string =>
  JSON.stringify(deeds === undefined ? [path, name, args] : [path, name, args, deeds]);

export function readPlayed(text: string): Played {
  const came = new Map<number, string | undefined>();
  const again = new Map<number, string>();
  const rivals: Rival[] = [];
  for (const said of linesOf(text)) {
    if (typeof said.at !== "number") continue;
    if (typeof said.condition === "number") rivals.push({ at: said.at, condition: said.condition, came: told(said.rival) });
    if (said.came !== undefined && !came.has(said.at)) came.set(said.at, told(said.came));
    const other = told(said.again);
    if (other !== undefined) again.set(said.at, other);
  }
  return { came, again, rivals };
}

/** The call in which the process ended or was ended, where it was one. */
export function endedIn(text: string): number | undefined {
  let open: number | undefined;
  for (const { begun, at, ended } of linesOf(text)) {
    if (typeof begun === "number") open = begun;
    else if (at === open || ended === true) open = undefined;
  }
  return open;
}

/** Text that is the same for the same answer; nothing for what lives in one process only. */
function told(came: unknown): string | undefined {
  if (Array.isArray(came)) return JSON.stringify(came.map((one) => (isObject(one) && one.live === true ? { live: true } : inOrder(one))));
  if (!isObject(came) || came.live === true) return undefined;
  return JSON.stringify(inOrder(came));
}

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  );
};

function* linesOf(text: string): Iterable<{ readonly [name: string]: unknown }> {
  for (const line of text.split("\n")) {
    try {
      const said: unknown = line === "" ? undefined : JSON.parse(line);
      if (isObject(said)) yield said;
    } catch {
      // Cut off, or not ours.
    }
  }
}

// ── what differs ────────────────────────────────────────────────────────────────────────────────────────────────

export interface Gap {
  readonly call: NotedCall;
  readonly one: string;
  readonly other: string;
}

/** Calls that a plain process answers otherwise than the tests were told. */
export const watchedIn = (calls: readonly NotedCall[], { came }: Played): readonly Gap[] =>
  calls.flatMap((call, at) => {
    const plain = came.get(at);
    return call.came !== undefined && plain !== undefined && plain !== call.came ? [{ call, one: call.came, other: plain }] : [];
  });

/** Calls that are answered now so, now so: in one process, or in two. */
export const unsteadyIn = (calls: readonly NotedCall[], first: Played, second: Played): readonly Gap[] =>
  calls.flatMap((call, at) => {
    const one = first.came.get(at);
    const other = first.again.get(at) ?? second.again.get(at) ?? second.came.get(at);
    return one !== undefined && other !== undefined && one !== other ? [{ call, one, other }] : [];
  });

export const functionOf = ({ path, name }: NotedCall): string => `${path}#${name}`;

/** Without those of functions of which base is like that as well: what base does is habit. */
export function beyondHabit(gaps: readonly Gap[], ofBase: readonly Gap[]): readonly Gap[] {
  const habits = new Set(ofBase.map(({ call }) => functionOf(call)));
  return gaps.filter(({ call }) => !habits.has(functionOf(call)));
}

/** Where the answers of an object's methods part. */
const partsAt = ({ one, other }: Gap): number => {
  const [ones, others] = [eachCame(one) ?? [], eachCame(other) ?? []];
  const at = ones.findIndex((came, index) => came !== others[index]);
  return at < 0 ? ones.length : at;
};

/** What base's tests were told: of an object, as far as the same was done to one of theirs. */
export function toldOn(onBase: readonly NotedCall[]): (call: NotedCall) => string | undefined {
  const known = new Map(onBase.map((one) => [keyOf(one), one.came]));
  return (call) => {
    if (call.deeds === undefined || known.has(keyOf(call))) return known.get(keyOf(call));
    const alike = onBase.filter(({ path, name, deeds }) => deeds !== undefined && path === call.path && name === call.name);
    const [longest] = alike.map((one) => sameDeeds(one, call)).sort((a, b) => b.length - a.length);
    return longest && longest.length > 0 ? `[${longest.join(",")}]` : undefined;
  };
}

function sameDeeds(one: NotedCall, call: NotedCall): readonly string[] {
  const came = one.came === undefined ? [] : (eachCame(one.came) ?? []);
  const [ones, others] = [one.args as readonly Value[], call.args as readonly Value[]];
  if (JSON.stringify(ones[0]) !== JSON.stringify(others[0])) return [];
  const parted = came.findIndex(
    (_, at) => one.deeds![at] !== call.deeds![at] || JSON.stringify(ones[at + 1]) !== JSON.stringify(others[at + 1]),
  );
  return parted < 0 ? came : came.slice(0, parted);
}

/** Calls that base itself answers otherwise in a plain process than under test. */
export const habitsOn = (onBase: readonly NotedCall[], shown: readonly NotedCall[], base: Played): readonly Gap[] => {
  const under = toldOn(onBase);
  return shown.flatMap((call, at) => {
    const [one, plain] = [under(call), base.came.get(at)];
    if (one === undefined || plain === undefined) return [];
    const other = call.deeds === undefined ? plain : `[${(eachCame(plain) ?? []).slice(0, eachCame(one)!.length).join(",")}]`;
    return one === other ? [] : [{ call, one, other }];
  });
};

/** Base's tests did the same to an object of theirs, up to where the answers part: so that habit would have been seen. */
export const isHeardOn = (onBase: readonly NotedCall[]): ((gap: Gap) => boolean) => {
  const under = toldOn(onBase);
  return (gap) => gap.call.deeds === undefined || (eachCame(under(gap.call) ?? "[]")?.length ?? 0) > partsAt(gap);
};

/** Which shown calls each variant was made of. */
export interface Asked {
  readonly call: NotedCall;
  /** The place of the shown call; undefined for a shown call itself. */
  readonly of: number | undefined;
  readonly isNear: boolean;
}

/** How a change answers: with another value, or with an error where base had a value. */
type Kind = "value" | "error";

export interface Reach {
  readonly name: string;
  readonly kind: Kind;
  /** Of those shown calls that the change answers in this way. */
  readonly shown: readonly Gap[];
  readonly variants: number;
  readonly changed: number;
}

const MOST_REACH = 0.1;
const LEAST_VARIANTS = 20;

/**
 * Of the functions whose shown answers changed: on which share of the variants of those calls anything changed in the same way.
 * By kind, since a table of known answers that refuses all else changes every call, and mends none.
 */
export function reachOf(asked: readonly Asked[], proposal: Played, base: Played): readonly Reach[] {
  const answers = (at: number): Gap | undefined => {
    const [one, other] = [base.came.get(at), proposal.came.get(at)];
    return one === undefined || other === undefined ? undefined : { call: asked[at]!.call, one, other };
  };
  const names = [...new Set(asked.map(({ call }) => functionOf(call)))];
  return names.flatMap((name) =>
    (["value", "error"] as const).flatMap((kind): readonly Reach[] => {
      const mine = asked.flatMap((one, at) => (functionOf(one.call) === name ? [{ ...one, at }] : []));
      const changed = mine.filter(({ of, at }) => of === undefined && kindOf(answers(at)) === kind);
      if (changed.length === 0) return [];
      const shown = new Set(changed.map(({ at }) => at));
      const variants = mine.flatMap(({ of, at }) => {
        const both = of !== undefined && shown.has(of) ? answers(at) : undefined;
        return both && !(isThrown(both.one) && isThrown(both.other)) ? [both] : [];
      });
      const alike = variants.filter((gap) => kindOf(gap) === kind);
      return [{ name, kind, shown: changed.map(({ at }) => answers(at)!), variants: variants.length, changed: alike.length }];
    }),
  );
}

function kindOf(gap: Gap | undefined): Kind | undefined {
  if (gap === undefined || gap.one === gap.other) return undefined;
  return isThrown(gap.other) ? "error" : "value";
}

/** Of an object: what each of its methods gave. */
export const eachCame = (came: string): readonly string[] | undefined =>
  came.startsWith("[") ? (JSON.parse(came) as readonly unknown[]).map((one) => JSON.stringify(one)) : undefined; // written by `told`

/** Of an object: one of its methods threw. */
export const isThrown = (came: string): boolean =>
  eachCame(came)?.some(isThrown) ?? (came.startsWith('{"threw"') || came.includes('{"$error":true}'));

/** Next to nothing changed but what the tests show. One point alone may be a rule of its own. */
export const fitsOnlyWhatIsShown = ({ shown, variants, changed }: Reach): boolean =>
  shown.length >= 2 && variants >= LEAST_VARIANTS && changed <= variants * MOST_REACH;

// ── told ────────────────────────────────────────────────────────────────────────────────────────────────────────

const MOST_TOLD = 3;
export const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text);
export const tellCame = (came: string): string =>
  eachCame(came)?.map(tellCame).join(", ") ??
  cut(came.replace(/^\{"(?:value|threw)":(.*)\}$/s, (whole, inner: string) => (isThrown(whole) ? `an error (${inner})` : inner)));

export const tellGaps = (gaps: readonly Gap[], one: string, other: string): string =>
  gaps
    .slice(0, MOST_TOLD)
    .map(({ call, ...gap }) => `${tellCall(call)}: ${one} ${cut(tellCame(gap.one))}, ${other} ${cut(tellCame(gap.other))}`)
    .join("\n");

export function tellCall({ path, name, deeds, args }: NotedCall): string {
  if (deeds === undefined || !Array.isArray(args)) return `${name} of ${path}, asked ${cut(JSON.stringify(args))}`;
  const given: readonly unknown[] = args;
  const tell = (deed: string, at: number): string => `${deed} ${cut(JSON.stringify(given[at + 1]))}`;
  return `${name} of ${path}, made with ${cut(JSON.stringify(given[0]))}, then ${deeds.map(tell).join(", ")}`;
}
