// What calls came to under test, in a plain process, again and again, and on base: and what follows from that. Pure.
import { isObject } from "../../std/json-record.ts";
import type { Value } from "./vary.ts";

/** One call from outside of the product, with what came of it while it was tested. */
export interface NotedCall {
  readonly path: string;
  readonly name: string;
  readonly args: Value;
  /** As text, so that it can be compared; undefined where it cannot be told in another process. */
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
  /** By the number of a question in changed code: the one answer that it had under test, where it had but one. */
  readonly usual: ReadonlyMap<number, boolean>;
}

const MOST_CALLS = 1500;

export function readRecording(text: string): Recording {
  const calls = new Map<string, NotedCall>();
  const modules = new Map<string, string>();
  const sides = new Map<number, Set<boolean>>();
  let program: string | undefined;
  for (const said of linesOf(text)) {
    const { path, name, args, came, module, condition, side } = said;
    if (typeof condition === "number" && typeof side === "boolean") sides.set(condition, (sides.get(condition) ?? new Set()).add(side));
    if (typeof path !== "string") continue;
    if (typeof module === "string") modules.set(path, module);
    if (typeof said.program === "string") program = said.program;
    const key = typeof name === "string" ? JSON.stringify([path, name, args]) : undefined;
    if (key === undefined || args === undefined || calls.has(key) || calls.size >= MOST_CALLS) continue;
    calls.set(key, { path, name: name as string, args, came: told(came) });
  }
  const usual = new Map([...sides].flatMap(([at, [side, other]]) => (side === undefined || other !== undefined ? [] : [[at, side]])));
  return { calls: [...calls.values()], modules, program, usual };
}

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

/** Text that is the same for the same answer; nothing for what lives in one process only. */
function told(came: unknown): string | undefined {
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

export const isThrown = (came: string): boolean => came.startsWith('{"threw"') || came.includes('{"$error":true}');

/** Next to nothing changed but what the tests show. One point alone may be a rule of its own. */
export const fitsOnlyWhatIsShown = ({ shown, variants, changed }: Reach): boolean =>
  shown.length >= 2 && variants >= LEAST_VARIANTS && changed <= variants * MOST_REACH;

// ── told ────────────────────────────────────────────────────────────────────────────────────────────────────────

const MOST_TOLD = 3;
export const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text);
export const tellCame = (came: string): string =>
  cut(came.replace(/^\{"(?:value|threw)":(.*)\}$/s, (whole, inner: string) => (isThrown(whole) ? `an error (${inner})` : inner)));

export const tellGaps = (gaps: readonly Gap[], one: string, other: string): string =>
  gaps
    .slice(0, MOST_TOLD)
    .map(
      ({ call, ...gap }) =>
        `${call.name} of ${call.path}, asked ${cut(JSON.stringify(call.args))}: ${one} ${tellCame(gap.one)}, ${other} ${tellCame(gap.other)}`,
    )
    .join("\n");
