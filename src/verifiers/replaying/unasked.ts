// What a change alters close to what the tests show, and no test asks for: nobody can say that it is wrong, and a person should see it. Pure.
import type { Condition } from "./find-conditions.ts";
import { type Gentle, shapeOf } from "./gentle.ts";
import { cut, eachCame, functionOf, isThrown, type NotedCall, type Played, tellCall, tellCame } from "./weigh-replay.ts";

export interface AskedGently {
  readonly call: NotedCall;
  /** The place of the shown call that it stays close to; undefined for a shown call itself. */
  readonly of: number | undefined;
  readonly how: Gentle | undefined;
}

export interface Weighed {
  readonly asked: readonly AskedGently[];
  readonly base: Played;
  readonly proposal: Played;
  /** The proposal with its questions noted. */
  readonly usual: Played;
  readonly conditions: readonly Condition[];
  /** Text of product source, as it is and as it was on base. */
  readonly sources: Sources;
}

export type Sources = ReadonlyMap<string, { readonly text: string; readonly before: string }>;

/**
 * `refused`: a call is refused that base answered, as is the shown call that it stays close to; no shown call of its shape is.
 * `altered`: another answer than on base, while the shown call keeps its own; no shown call of its shape is answered anew.
 * `alone`: a shown call is answered anew, as others are, and nothing close to it.
 * `untested`: changed code answers a question in a way that no test ever saw, and another program that all tests accept gives another answer.
 */
export type UnaskedKind = "refused" | "altered" | "alone" | "untested";

export interface Unasked {
  readonly kind: UnaskedKind;
  readonly call: NotedCall;
  readonly one: string;
  readonly other: string;
  /** How many calls more are like it. */
  readonly like: number;
  readonly condition: Condition | undefined;
}

export function unaskedIn(weighed: Weighed): readonly Unasked[] {
  const names = [...new Set(weighed.asked.map(({ call }) => functionOf(call)))];
  const own = names.filter((name) => !onlyFollows(name, names, weighed));
  const near = [
    ...own.flatMap((name) => [...refusedIn(name, weighed), ...alteredIn(name, weighed)]),
    ...names.flatMap((name) => aloneIn(name, weighed)),
  ];
  return [...near, ...untestedIn(weighed)];
}

/** Its own text is as on base, and it calls one that tests show to be mended: what that one answers now is told of that one. */
function onlyFollows(name: string, names: readonly string[], weighed: Weighed): boolean {
  const own = textOf(name, weighed);
  if (own === undefined || own.text !== own.before) return false;
  return names.some((other) => {
    const called = calledOf(other);
    if (other === name || !new RegExp(`(?<![\\w$])${called}(?![\\w$])`).test(own.text)) return false;
    return [...shownIn(pointsOf(other, weighed)).values()].some((point) => point.one !== point.other);
  });
}

/** As it is called in source: of a method in Go, without its type. */
const calledOf = (name: string): string =>
  name
    .slice(name.lastIndexOf("#") + 1)
    .replace(/^\(.*\)\./, "")
    .replaceAll("$", "\\$");

/** What stands between the head of a definition and the next line that begins where it does. */
function textOf(name: string, { sources }: Weighed): { readonly text: string; readonly before: string } | undefined {
  const source = sources.get(name.slice(0, name.lastIndexOf("#")));
  const head = new RegExp(
    `^(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?(?:function|const|let|var|class|def|func)\\s+${calledOf(name)}(?![\\w$])`,
  );
  const within = (text: string): string | undefined => {
    const lines = text.split("\n");
    const from = lines.findIndex((line) => head.test(line));
    const to = lines.findIndex((line, at) => at > from && /^[^\s)\]}]/.test(line));
    return from === -1
      ? undefined
      : lines
          .slice(from, to === -1 ? undefined : to)
          .join("\n")
          .trimEnd();
  };
  const [text, before] = [source && within(source.text), source && within(source.before)];
  return text === undefined || before === undefined ? undefined : { text, before };
}

interface Point extends AskedGently {
  readonly at: number;
  readonly one: string;
  readonly other: string;
}

/** Calls of a function that both sides answered. */
const pointsOf = (name: string, { asked, base, proposal }: Weighed): readonly Point[] =>
  asked.flatMap((gently, at) => {
    const [one, other] = [base.came.get(at), proposal.came.get(at)];
    return functionOf(gently.call) !== name || one === undefined || other === undefined ? [] : [{ ...gently, at, one, other }];
  });

const isValue = ({ one, other }: Point): boolean => !isThrown(one) && !isThrown(other);
const shownIn = (points: readonly Point[]): ReadonlyMap<number, Point> =>
  new Map(points.filter(({ of }) => of === undefined).map((point) => [point.at, point]));
/** What is answered anew, by what it looks like: the call itself; of an object, the methods of which that is true. */
const shapesOf = (point: Point, isAnew: (one: string, other: string) => boolean): readonly string[] => {
  const [ones, others] = [eachCame(point.one), eachCame(point.other)];
  if (!ones || !others) return [shapeOf(point.call.args)];
  return (point.call.deeds ?? []).filter((_, at) => isAnew(ones[at] ?? "", others[at] ?? ""));
};
const isRefused = (_: string, other: string): boolean => isThrown(other);
const isAltered = (one: string, other: string): boolean => one !== other;
const GENTLE_ENOUGH: ReadonlySet<Gentle | undefined> = new Set(["figures", "order", "part"]);

function refusedIn(name: string, weighed: Weighed): readonly Unasked[] {
  const points = pointsOf(name, weighed);
  const shown = shownIn(points);
  const refusedShapes = new Set([...shown.values()].filter(({ other }) => isThrown(other)).flatMap((point) => shapesOf(point, isRefused)));
  const found = points.filter((point) => {
    const { of, how, one, other } = point;
    const source = of === undefined ? undefined : shown.get(of);
    if (!source || !isValue(source) || !GENTLE_ENOUGH.has(how) || isThrown(one) || !isThrown(other)) return false;
    return shapesOf(point, isRefused).some((shape) => !refusedShapes.has(shape));
  });
  return summed("refused", found);
}

function alteredIn(name: string, weighed: Weighed): readonly Unasked[] {
  const points = pointsOf(name, weighed);
  const shown = shownIn(points);
  const changedShapes = new Set(
    [...shown.values()].filter(({ one, other }) => one !== other).flatMap((point) => shapesOf(point, isAltered)),
  );
  const found = points.filter((point) => {
    const source = point.of === undefined ? undefined : shown.get(point.of);
    if (!source || source.one !== source.other || !GENTLE_ENOUGH.has(point.how)) return false;
    return isValue(point) && point.one !== point.other && shapesOf(point, isAltered).some((shape) => !changedShapes.has(shape));
  });
  return summed("altered", found);
}

const LEAST_AROUND = 4;

/** One point that is the whole change may be a rule of its own; one that stands apart from the rest of the change is looked at. */
function aloneIn(name: string, weighed: Weighed): readonly Unasked[] {
  const points = pointsOf(name, weighed);
  const changed = [...shownIn(points).values()].filter(({ one, other }) => one !== other);
  if (changed.length < 2) return [];
  const around = changed.map((point) => {
    const figures = points.filter(({ of, how, one, other }) => of === point.at && how === "figures" && !(isThrown(one) && isThrown(other)));
    const alike = figures.filter(({ one, other }) => one !== other && isThrown(other) === isThrown(point.other));
    return { point, figures: figures.length, alike: alike.length };
  });
  if (!around.some(({ alike }) => alike > 0)) return [];
  return summed(
    "alone",
    around.filter(({ figures, alike }) => figures >= LEAST_AROUND && alike === 0).map(({ point }) => point),
  );
}

function untestedIn({ asked, usual, proposal, conditions }: Weighed): readonly Unasked[] {
  // Errors that the tests saw are answers; others are only accidents of the other program.
  const known = new Set(
    asked.flatMap(({ call, of }) => (of === undefined && call.came !== undefined && isThrown(call.came) ? [call.came] : [])),
  );
  const byCondition = new Map<number, Unasked>();
  for (const { at, condition, came } of usual.rivals) {
    const [call, now, where] = [asked[at]?.call, proposal.came.get(at), conditions[condition]];
    if (!call || !where || now === undefined || came === undefined || came === now) continue;
    if (asked[at]?.how === undefined || usual.came.get(at) !== now) continue;
    if (isThrown(came) && !known.has(came)) continue;
    const before = byCondition.get(condition);
    byCondition.set(
      condition,
      before ? { ...before, like: before.like + 1 } : { kind: "untested", call, one: came, other: now, like: 0, condition: where },
    );
  }
  return [...byCondition.values()];
}

function summed(kind: UnaskedKind, points: readonly Point[]): readonly Unasked[] {
  const [first] = [...points].sort((a, b) => JSON.stringify(a.call.args).length - JSON.stringify(b.call.args).length);
  return first ? [{ kind, call: first.call, one: first.one, other: first.other, like: points.length - 1, condition: undefined }] : [];
}

// ── told ────────────────────────────────────────────────────────────────────────────────────────────────────────

const MOST_LINES = 5;

export function tellUnasked(all: readonly Unasked[]): string {
  const lines = all.map(tellOne);
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `and ${lines.length - MOST_LINES + 1} more`] : lines;
  return shown.join("\n");
}

function tellOne({ kind, call, one, other, like, condition }: Unasked): string {
  const what = tellCall(call);
  const more = like > 0 ? ` (and ${like} like it)` : "";
  switch (kind) {
    case "refused":
      return `newly refused: ${what}: ${tellCame(one)} on base, ${tellCame(other)} now${more}`;
    case "altered":
      return `also altered: ${what}: ${tellCame(one)} on base, ${tellCame(other)} now${more}`;
    case "alone":
      return `only there: ${what}: ${tellCame(one)} on base, ${tellCame(other)} now, and nothing like it changed so${more}`;
    case "untested":
      return `never tested: ${what}: ${tellCame(other)} by \`${cut(condition!.text.replace(/\s+/g, " "))}\` (${condition!.path}:${condition!.line}), else ${tellCame(one)}${more}`;
  }
}
