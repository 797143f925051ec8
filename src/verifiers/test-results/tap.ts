// TAP 12 to 14, with subtests as node:test, TAP 14 and vitest write them.
import { type Reading, type Seen, type TestOutcome, WHOLE } from "../../std/test-results.ts";
import { isImpossible, tellImpossible } from "./totals.ts";

const DEEP = 4;
const MOST_DEEP = 50 * DEEP;

interface Point {
  readonly name: string;
  readonly outcome: TestOutcome;
}

/** The points of one depth: they share a plan. */
interface Level {
  readonly indent: number;
  /** The point whose brace opened it, where the parent comes first. */
  readonly parent: Point | undefined;
  plan: number | undefined;
  readonly numbers: Set<number>;
  count: number;
  readonly seen: Seen[];
  /** What a deeper level held whose parent has yet to come. */
  below: Seen[];
}

const levelAt = (indent: number, parent?: Point): Level => ({
  indent,
  parent,
  plan: undefined,
  numbers: new Set(),
  count: 0,
  seen: [],
  below: [],
});

export function readTap(text: string): Reading {
  const seen: Seen[] = [];
  const problems: string[] = [];
  let levels: Level[] = [levelAt(0)];
  let hasBegun = false;
  let pointIndent: number | undefined;
  let blockIndent: number | undefined;

  /** Closes levels until the one at this depth is the last. */
  const closeTo = (indent: number): Level => {
    while (levels.at(-1)!.indent > indent) {
      const level = levels.pop()!;
      problems.push(...whyPlanFails(level));
      const parent = levels.at(-1)!;
      if (level.parent) problems.push(...adopt(parent, level.parent, [...level.seen, ...level.below]));
      else parent.below = [...parent.below, ...level.seen, ...level.below];
    }
    return levels.at(-1)!;
  };
  const levelFor = (indent: number): Level => {
    const level = closeTo(indent);
    if (level.indent === indent) return level;
    const deeper = levelAt(indent);
    levels.push(deeper);
    return deeper;
  };
  const closeDocument = (): void => {
    const root = closeTo(0);
    if (root.plan === undefined) problems.push("it has no plan, so it may be cut off");
    problems.push(...whyPlanFails(root));
    if (root.below.length > 0) problems.push("it breaks off inside a subtest");
    for (const each of root.seen) seen.push(each);
    for (const each of root.below) seen.push(each);
    levels = [levelAt(0)];
  };

  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const indent = line.length - line.trimStart().length;
    const said = line.trim();
    if (said === "") continue;
    if (blockIndent !== undefined) {
      if (indent >= blockIndent) {
        if (said === "..." && indent === blockIndent) blockIndent = undefined;
        continue;
      }
      problems.push("a block of details is not closed");
      blockIndent = undefined;
    }
    if (said === "---" && pointIndent !== undefined && indent > pointIndent) {
      blockIndent = indent;
      continue;
    }
    pointIndent = undefined;
    if (indent === 0 && /^TAP version \d+$/.test(said)) {
      if (hasBegun) closeDocument();
      hasBegun = true;
      continue;
    }
    if (/^Bail out!/i.test(said)) problems.push("the run bailed out");
    if (indent % DEEP !== 0 || indent > levels.at(-1)!.indent + DEEP) continue;
    if (indent > MOST_DEEP) {
      problems.push(`its subtests are nested more than ${MOST_DEEP / DEEP} deep`);
      break;
    }
    if (said === "}") {
      closeTo(indent);
      continue;
    }
    const plan = /^1\.\.(\d{1,9})(?:\s|#|$)/.exec(said);
    if (plan) {
      const level = levelFor(indent);
      if (level.plan !== undefined) problems.push("it has two plans");
      level.plan = Number(plan[1]);
      hasBegun = true;
      continue;
    }
    const total = totalIn(said);
    if (total && isImpossible(total.count)) problems.push(tellImpossible(total.count, total.of));
    const test = readPoint(said);
    if (!test) continue;
    hasBegun = true;
    pointIndent = indent;
    const level = levelFor(indent);
    level.count += 1;
    if (test.number !== undefined && level.numbers.has(test.number)) problems.push(`test ${test.number} came twice`);
    level.numbers.add(test.number ?? level.count);
    if (test.opensBrace) {
      levels.push(levelAt(indent + DEEP, test));
      continue;
    }
    const below = level.below;
    level.below = [];
    problems.push(...adopt(level, test, below));
  }
  if (blockIndent !== undefined) problems.push("it breaks off inside a block of details");
  closeDocument();
  return { seen, problems };
}

/** A plan that could not be read, and the sums that node:test writes as comments. */
function totalIn(said: string): { readonly count: string; readonly of: string } | undefined {
  const [, planned] = /^1\.\.(\S+)/.exec(said) ?? [];
  if (planned !== undefined) return { count: planned, of: "tests in its plan" };
  const [, of, count] = /^# (tests|suites|pass|fail|cancelled|skipped|todo) (\S+)$/.exec(said) ?? [];
  return of !== undefined && count !== undefined ? { count, of } : undefined;
}

function whyPlanFails({ plan, count, numbers, indent }: Level): readonly string[] {
  if (plan === undefined) return indent === 0 ? [] : ["a subtest has no plan, so it may be cut off"];
  if (plan !== count) return [`its plan says ${plan} tests, and ${count} came`];
  return [...numbers].some((number) => number < 1 || number > plan) ? [`a test has a number that is not in its plan of ${plan}`] : [];
}

/** Takes a point up: as a test, or, when there are tests below it, as their suite. */
function adopt(level: Level, { name, outcome }: Point, below: readonly Seen[]): readonly string[] {
  if (below.length === 0) {
    level.seen.push({ suite: [], name, outcome });
    return [];
  }
  for (const test of below) {
    const expected = outcome === "todo" && test.outcome === "failed" ? "todo" : test.outcome;
    level.seen.push({ suite: [name, ...test.suite], name: test.name, outcome: expected });
  }
  if (outcome === "failed" && !below.some((test) => test.outcome === "failed")) level.seen.push({ suite: [name], name: WHOLE, outcome });
  return outcome === "passed" && below.some((test) => test.outcome === "failed")
    ? [`${JSON.stringify(name.slice(0, 100))} says ok, and a test in it failed`]
    : [];
}

type ReadPoint = Point & { readonly number: number | undefined; readonly opensBrace: boolean };

function readPoint(said: string): ReadPoint | undefined {
  const begin = /^(not )?ok(?=\s|$)/.exec(said);
  if (!begin) return undefined;
  const [head, number] = /^\s*(\d{1,9})?(?:\s+|$)(?:-\s+)?/.exec(said.slice(begin[0].length)) ?? ["", undefined];
  const rest = said.slice(begin[0].length + head.length);
  const opensBrace = /(?:^|\s)\{$/.test(rest);
  const told = opensBrace ? rest.slice(0, -1).trimEnd() : rest;
  const mark = directiveIn(told);
  return {
    name: unescaped(mark ? told.slice(0, mark.at) : told),
    outcome: mark?.outcome ?? (begin[1] ? "failed" : "passed"),
    number: number === undefined ? undefined : Number(number),
    opensBrace,
  };
}

/** The last `#` that is not escaped begins what is said about a test: skipped, to do, or how long it took. */
function directiveIn(told: string): { readonly at: number; readonly outcome: TestOutcome | undefined } | undefined {
  for (let at = told.lastIndexOf("#"); at >= 0; at = at === 0 ? -1 : told.lastIndexOf("#", at - 1)) {
    if (told[at - 1] === "\\") continue;
    const word = /^#\s{0,8}(skip|todo|time=)/i.exec(told.slice(at, at + 20))?.[1]?.toLowerCase();
    if (word === "skip") return { at, outcome: "skipped" };
    if (word === "todo") return { at, outcome: "todo" };
    if (word === "time=") return { at, outcome: undefined };
  }
  return undefined;
}

const unescaped = (name: string): string => name.replace(/\\([#\\])/g, "$1").trim();
