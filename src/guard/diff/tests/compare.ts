// What became of the tests: both inventories of every test file laid side by side, moves and renames taken out.

import { isTestFile } from "../test-files.ts";
import { type ChangeView, type FileView, piecesOf } from "../view.ts";
import { type Disabling, EMPTY, type Fact, type Inventory, type Test } from "./inventory.ts";
import { readInventory } from "./read-inventory.ts";
import { readLines } from "./read-lines.ts";
import { likeness, wordsOf } from "./words.ts";

export interface Pair<Kind extends Fact = Fact> {
  readonly lost: Kind;
  readonly gained: Kind;
}

/** One test file: what it lost, what it gained, what was rewritten. */
export interface TestDelta {
  readonly file: FileView;
  /** Tests that are gone from the whole change. */
  readonly lostTests: readonly Test[];
  readonly gainedTests: readonly Test[];
  /** Tests that go by another name now. */
  readonly renamed: readonly Pair<Test>[];
  /** Tests whose body now stands in a function that no runner collects. */
  readonly uncollected: readonly { readonly lost: Test; readonly helper: Fact }[];
  /** Assertions that are gone, though their tests are not. */
  readonly lostAssertions: readonly Fact[];
  /** In which hunk a line of one side stands: what is in one hunk was changed together. */
  readonly hunkOf: (side: "before" | "after", line: number) => number;
  readonly gainedAssertions: readonly Fact[];
  readonly rewritten: readonly Pair[];
  readonly disablings: readonly Disabling[];
  readonly enablings: readonly Disabling[];
  readonly swallows: readonly Fact[];
  readonly mocks: readonly Fact[];
  /** Functions that came, are no tests, and assert something. */
  readonly newHelpers: readonly Fact[];
  /** Names of the tests that were there before: what is new in them was done to them. */
  readonly oldTests: ReadonlySet<string>;
  /** Whether a grammar read it, or only its lines. */
  readonly by: "syntax" | "lines";
}

const known = new WeakMap<ChangeView, readonly TestDelta[]>();

export function testDeltas(view: ChangeView): readonly TestDelta[] {
  const found = known.get(view) ?? compareAll(view);
  known.set(view, found);
  return found;
}

interface Sides {
  readonly file: FileView;
  readonly before: Inventory;
  readonly after: Inventory;
  readonly by: TestDelta["by"];
}

function compareAll(view: ChangeView): readonly TestDelta[] {
  const sides = view.files.flatMap((file) => (holdsTests(file) ? [readSides(file)] : []));
  const arrivals: Arrivals = {
    tests: countTexts(sides.flatMap(({ before, after }) => minus(after.tests, before.tests, nameOf)).map(nameOf)),
    assertions: countTexts(sides.flatMap(({ before, after }) => minus(after.assertions, before.assertions, textOf)).map(textOf)),
  };
  return sides.map((side) => compare(side, arrivals));
}

/** By name on either side; a source file may hold its own tests as well. */
const holdsTests = (file: FileView): boolean =>
  file.role === "test" ||
  file.role === "harness" ||
  (file.oldPath !== undefined && isTestFile(file.oldPath)) ||
  (file.language === "rust" && file.hunks.some(({ lines }) => lines.some(({ text }) => /#\[(?:\w+::)*test\]|#\[cfg\(test\)\]/.test(text))));

function readSides(file: FileView): Sides {
  if (!file.language) {
    return {
      file,
      before: readLines(piecesOf(file, "before"), file.path),
      after: readLines(piecesOf(file, "after"), file.path),
      by: "lines",
    };
  }
  const read = (side: "before" | "after"): Inventory => (file[side] ? readInventory(file.trees(side), file.language!) : EMPTY);
  return { file, before: read("before"), after: read("after"), by: "syntax" };
}

interface Arrivals {
  readonly tests: Map<string, number>;
  readonly assertions: Map<string, number>;
}

function compare({ file, before, after, by }: Sides, arrivals: Arrivals): TestDelta {
  const hunkOf = hunkFinder(file);
  const gainedTests = minus(after.tests, before.tests, nameOf);
  const gonePlaces = minus(before.tests, after.tests, nameOf);
  const moved = new Set(gonePlaces.filter((test) => isElsewhere(arrivals.tests, nameOf(test))).map(nameOf));
  const leavers = gonePlaces.filter((test) => !moved.has(nameOf(test)));
  const isNear = (lost: Fact, gained: Fact): boolean => hunkOf("before", lost.line) === hunkOf("after", gained.line);
  const { pairs: renamed, rest: gone } = pairUp(leavers, gainedTests, (lost, gained) => (isNear(lost, gained) ? 0.6 : 0.85));
  const { found, rest: lostTests } = uncollectedOf(gone, minus(after.helpers, before.helpers, textOf));
  const uncollected = [...found, ...unmarked(before.tests, after.tests)];
  const lostNames = new Set([...lostTests, ...uncollected.map(({ lost }) => lost)].map(nameOf));

  const sameTest = new Map(renamed.map(({ lost, gained }) => [nameOf(lost), nameOf(gained)]));
  const { lost, gained: gainedAssertions } = unmatched(before.assertions, after, sameTest, file);
  const leaving = lost.filter(
    (one) =>
      !lostNames.has(one.test) && !((one.text.length >= DISTINCTIVE || moved.has(one.test)) && isElsewhere(arrivals.assertions, one.text)),
  );
  const { pairs: rewritten, rest } = pairWithin(leaving, gainedAssertions, sameTest);
  const lostAssertions = withoutMoved(rest, gainedAssertions);
  return {
    file,
    by,
    lostTests,
    gainedTests: gainedTests.filter((test) => !renamed.some(({ gained }) => gained === test)),
    renamed,
    uncollected,
    hunkOf,
    lostAssertions,
    gainedAssertions: gainedAssertions.filter((one) => !rewritten.some(({ gained }) => gained === one)),
    rewritten,
    disablings: minus(after.disablings, before.disablings, placeOf),
    enablings: minus(before.disablings, after.disablings, placeOf),
    swallows: minus(after.swallows, before.swallows, textOf),
    mocks: minus(after.mocks, before.mocks, textOf),
    newHelpers: minus(after.helpers, before.helpers, textOf).filter((helper) =>
      after.assertions.some(({ test }) => test.endsWith(`/${helper.text}`)),
    ),
    oldTests: new Set(before.tests.map(nameOf)),
  };
}

/** Shorter assertions look alike without being the same. */
const DISTINCTIVE = 40;

/** Hunks by their last lines: a line belongs to the first that reaches it. */
function hunkFinder({ hunks }: FileView): TestDelta["hunkOf"] {
  return (side, line) => hunks.findIndex(({ lines }) => lines[0]![side] <= line && line <= lines.at(-1)![side]);
}

/** What is left on both sides once lines that stayed, and assertions that stayed in their tests, are taken out. */
function unmatched(
  before: readonly Fact[],
  { assertions: after, tests }: Inventory,
  sameTest: ReadonlyMap<string, string>,
  file: FileView,
): { readonly lost: readonly Fact[]; readonly gained: readonly Fact[] } {
  const lineAfter = lineMapper(file);
  const stayed = new Set<Fact>();
  const remaining = new Set(tests.map(nameOf));
  const byLine = new Map(after.map((one) => [`${one.line} ${one.text}`, one]));
  const had = countTexts(before.map(nameOf));
  const has = countTexts(after.map(nameOf));
  const left = before.filter((one) => {
    const line = lineAfter(one.line);
    const same = line === undefined ? undefined : byLine.get(`${line} ${one.text}`);
    const name = sameTest.get(one.test) ?? one.test;
    // A line may stay and come to stand in another test. Its own test must not be the poorer for it.
    const isKept = same !== undefined && (same.test === name || !remaining.has(name) || (has.get(name) ?? 0) >= had.get(one.test)!);
    if (isKept) stayed.add(same);
    return !isKept;
  });
  const came = after.filter((one) => !stayed.has(one));
  const key = (one: Fact): string => `${one.test} ${one.text}`;
  const renamedKey = (one: Fact): string => `${sameTest.get(one.test) ?? one.test} ${one.text}`;
  const counts = countTexts(came.map(key));
  const lost = left.filter((one) => !isElsewhere(counts, renamedKey(one)));
  const gone = countTexts(left.map(renamedKey));
  return { lost, gained: came.filter((one) => !isElsewhere(gone, key(one))) };
}

/** Where a line that stayed stands now; undefined for one that was taken out. */
function lineMapper({ hunks }: FileView): (line: number) => number | undefined {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const kept = new Map(lines.filter(({ kind }) => kind === "same").map(({ before, after }) => [before, after]));
  const removed = new Set(lines.filter(({ kind }) => kind === "removed").map(({ before }) => before));
  const ends = hunks.map(({ lines: own }) => own.at(-1)!);
  return (line) => {
    if (removed.has(line)) return undefined;
    const known = kept.get(line);
    if (known !== undefined) return known;
    const last = ends.findLast(({ before }) => before < line);
    return last ? line + last.after - last.before + (last.kind === "added" ? 1 : last.kind === "removed" ? -1 : 0) : line;
  };
}

/** Still there by name, and no longer marked as a test where marks are what counts. */
function unmarked(before: readonly Test[], after: readonly Test[]): TestDelta["uncollected"] {
  const marked = new Map(before.filter(({ isMarked, kind }) => isMarked && kind === "test").map((test) => [test.test, test]));
  return after.flatMap((test) => {
    const lost = marked.get(test.test);
    return lost && !test.isMarked ? [{ lost, helper: test }] : [];
  });
}

const nameOf = ({ test }: Fact): string => test;
const textOf = ({ text }: Fact): string => text;
const placeOf = ({ text, kind }: Disabling): string => `${kind} ${text}`;

/** What the first list has more than the second, by key, counted. */
function minus<Kind>(list: readonly Kind[], other: readonly Kind[], key: (one: Kind) => string): readonly Kind[] {
  const counts = countTexts(other.map(key));
  return list.filter((one) => {
    const left = counts.get(key(one)) ?? 0;
    if (left > 0) counts.set(key(one), left - 1);
    return left === 0;
  });
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Takes one arrival, so that what came once accounts for one departure. */
function isElsewhere(arrivals: Map<string, number>, key: string): boolean {
  const left = arrivals.get(key) ?? 0;
  if (left > 0) arrivals.set(key, left - 1);
  return left > 0;
}

/** Each lost one with the gained one most like it, if any is like enough. */
function pairUp<Kind extends Fact>(
  lost: readonly Kind[],
  gained: readonly Kind[],
  atLeast: (lost: Kind, gained: Kind) => number,
): { readonly pairs: readonly Pair<Kind>[]; readonly rest: readonly Kind[] } {
  const left = gained.map((one) => ({ one, words: wordsOf(one.raw) }));
  const pairs: Pair<Kind>[] = [];
  const rest: Kind[] = [];
  for (const one of lost) {
    const words = wordsOf(one.raw);
    const scored = left.slice(0, 400).map(({ one: other, words: its }, index) => {
      const score = likeness(words, its);
      return { index, score: score >= atLeast(one, other) ? score : 0 };
    });
    const best = scored.reduce((top, next) => (next.score > top.score ? next : top), { index: -1, score: 0 });
    if (best.score > 0) pairs.push({ lost: one, gained: left.splice(best.index, 1)[0]!.one });
    else rest.push(one);
  }
  return { pairs, rest };
}

/** An assertion is rewritten within its own test; elsewhere it would be another one. */
function pairWithin(
  lost: readonly Fact[],
  gained: readonly Fact[],
  sameTest: ReadonlyMap<string, string>,
): { readonly pairs: readonly Pair[]; readonly rest: readonly Fact[] } {
  const pairs: Pair[] = [];
  const rest: Fact[] = [];
  const taken = new Set<Fact>();
  const byTest = byName(gained);
  for (const [test, mine] of byName(lost)) {
    const theirs = (byTest.get(sameTest.get(test) ?? test) ?? []).filter((one) => !taken.has(one));
    const close = pairUp(mine, theirs, () => 0.3);
    for (const pair of close.pairs) taken.add(pair.gained);
    pairs.push(...close.pairs);
    rest.push(...close.rest);
  }
  return { pairs, rest };
}

function byName(facts: readonly Fact[]): ReadonlyMap<string, readonly Fact[]> {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) groups.set(fact.test, [...(groups.get(fact.test) ?? []), fact]);
  return groups;
}

/** A long assertion that came back elsewhere all but the same was moved. */
function withoutMoved(lost: readonly Fact[], gained: readonly Fact[]): readonly Fact[] {
  const long = lost.filter(({ text }) => text.length >= 2 * DISTINCTIVE);
  const moved = new Set(pairUp(long, gained, () => 0.8).pairs.map((pair) => pair.lost));
  return lost.filter((one) => !moved.has(one));
}

/** The same body under a name that is not collected: renamed away, or stripped of its mark. */
function uncollectedOf(
  lost: readonly Test[],
  helpers: readonly Fact[],
): { readonly found: TestDelta["uncollected"]; readonly rest: readonly Test[] } {
  const found: { lost: Test; helper: Fact }[] = [];
  const rest: Test[] = [];
  for (const test of lost) {
    const words = wordsOf(test.raw);
    const helper = helpers.find(({ raw }) => likeness(words, wordsOf(raw)) > 0.75);
    if (helper) found.push({ lost: test, helper });
    else rest.push(test);
  }
  return { found, rest };
}
