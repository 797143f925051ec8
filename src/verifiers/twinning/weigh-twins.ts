// What it means how twins ended, on the proposal and on base. Pure.
import type { Sight } from "../../contract/verifier.ts";
import { tellNames } from "../../std/tell-tests.ts";
import type { TestOutcome, TestResult } from "../../std/test-results.ts";
import type { TwinKind } from "../../std/twins/twin.ts";
import { escapePattern, type FileTwin, stemOf } from "./plan-twins.ts";

/** How a run with twins among its tests ended: test by test, the known ones and the twins apart. */
export interface TwinRun {
  readonly known: ReadonlyMap<string, TestOutcome>;
  /** By the id of the known test. */
  readonly twins: { readonly [kind in TwinKind]: ReadonlyMap<string, Twinned> };
}

export interface Twinned {
  readonly outcome: TestOutcome;
  readonly file: string;
  /** Whether the test is turned in it, so that it must fail; a twin of the kind `same` always is what it should be. */
  readonly isTurned: boolean;
  readonly isSure: boolean;
}

/** Parts what one run of files beside each other said. */
export function readBeside(results: readonly TestResult[], twins: readonly FileTwin[]): TwinRun {
  const known = new Map<string, TestOutcome>();
  const found = { same: new Map<string, Twinned>(), tail: new Map<string, Twinned>(), neg: new Map<string, Twinned>() };
  const byWord = new Map(twins.map((twin) => [twin.word, twin]));
  const anyWord = twins.length === 0 ? undefined : new RegExp(twins.map(({ word }) => word).join("|"));
  for (const { id, outcome } of results) {
    const twin = byWord.get(anyWord?.exec(id)?.[0] ?? "");
    if (!twin) known.set(id, outcome);
    else {
      const of = knownId(id, twin);
      found[twin.kind].set(of, twinned(twin, of, outcome));
    }
  }
  return { known, twins: found };
}

/** Of languages whose twins stand in place of the known file, each kind has a run of its own. */
export function readInPlace(runs: { readonly [kind in TwinKind]: readonly TestResult[] }, twins: readonly FileTwin[]): TwinRun {
  const inPlace = (kind: TwinKind): ReadonlyMap<string, Twinned> =>
    new Map(
      runs[kind].flatMap(({ id, outcome }) => {
        const [twin, more] = twins.filter((one) => one.kind === kind && one.tests.some(({ name }) => isNamed(id, name)));
        // A name that several files have belongs to none of them for sure.
        return twin && !more ? [[id, twinned(twin, id, outcome)] as const] : [];
      }),
    );
  return {
    known: new Map(runs.same.map(({ id, outcome }) => [id, outcome])),
    twins: { same: inPlace("same"), tail: inPlace("tail"), neg: inPlace("neg") },
  };
}

const twinned = (twin: FileTwin, id: string, outcome: TestOutcome): Twinned => {
  const test = twin.tests.find(({ name }) => isNamed(id, name));
  return { outcome, file: twin.known, isTurned: test !== undefined, isSure: test?.isSure === true };
};

/** The id that the known test has. */
const knownId = (id: string, { path, known, word }: FileTwin): string =>
  id.replaceAll(stemOf(path), stemOf(known)).replaceAll(` ${word}`, "").replaceAll(word, "");

/** Whether a result is one of the test that the file calls so. Titles may hold places for values, and runners put groups before them. */
export function isNamed(id: string, name: string): boolean {
  const plain = id.replace(/ #\d+$/, "").replace(/\[[^\]]*\]$/, "");
  const escaped = name
    .replace(/\\(.)/g, "$1")
    .replace(/\s+/g, " ")
    .split(/\$\{[^}]*\}|%[a-z#%]|\$\w+(?:\.\w+)*/)
    .map(escapePattern)
    .join(".*");
  return new RegExp(`(?:^|[\\s:.>])${escaped.trim()}$`, "u").test(plain);
}

/** One twin that did not end as it must. */
export interface Misbehaved {
  readonly id: string;
  readonly kind: TwinKind;
  readonly was: TestOutcome | "missing";
  readonly twin: Pick<Twinned, "file" | "isSure">;
}

/** Twins of known tests that pass. */
export function misbehaved(run: TwinRun, apart: ReadonlySet<string>): readonly Misbehaved[] {
  const passing = [...run.known].filter(([id, outcome]) => outcome === "passed" && !apart.has(id)).map(([id]) => id);
  return (["same", "tail", "neg"] as const).flatMap((kind) =>
    passing.flatMap((id): readonly Misbehaved[] => {
      const twin = run.twins[kind].get(id);
      // Twins of one file come together: what one of them shows, the others must show as well.
      const sibling = run.twins.same.get(id) ?? run.twins.tail.get(id);
      if (!twin) return kind !== "neg" && sibling?.isTurned ? [{ id, kind, was: "missing", twin: sibling }] : [];
      const isAsItMust = kind === "same" ? twin.outcome === "passed" : !twin.isTurned || twin.outcome === "failed";
      return isAsItMust ? [] : [{ id, kind, was: twin.outcome, twin }];
    }),
  );
}

export interface TwinRuns {
  readonly proposal: TwinRun;
  /** The same on base, where it was asked. */
  readonly base: TwinRun | undefined;
  /** The proposal's tests without twins in the usual surroundings, where it was asked. */
  readonly plain: ReadonlyMap<string, TestOutcome> | undefined;
  /** The same without twins, in the other surroundings. */
  readonly elsewhere: ReadonlyMap<string, TestOutcome> | undefined;
}

/** Twins of which nothing at all was heard. */
export const absentTwins = (run: TwinRun, twins: readonly FileTwin[]): readonly FileTwin[] => {
  const heard = new Set(
    (["same", "tail", "neg"] as const).flatMap((kind) => [...run.twins[kind].values()].map(({ file }) => `${kind} ${file}`)),
  );
  return twins.filter(({ kind, known }) => !heard.has(`${kind} ${known}`));
};

type Weighed = Pick<Sight, "outcome" | "detail">;

const MUST: { readonly [kind in TwinKind]: string } = {
  same: "the same test in another file does not pass",
  tail: "does not fail though something false is asserted at its end",
  neg: "does not fail though it says the contrary, so that what it asserts does not hold",
};

/**
 * Base is the control. What base's own twins do as well is habit, and told. Where base cannot tell, since the test fails there,
 * a twin is believed only if nothing in its text lets it end otherwise.
 */
export function weighTwins(
  { proposal, base, plain, elsewhere }: TwinRuns,
  quarantined: readonly string[],
  red: readonly string[] | undefined,
): Weighed {
  const apart = new Set(quarantined);
  const odd = misbehaved(proposal, apart).map((one) => ({ one, says: base ? askBase(one, base) : "cannot tell" }) as const);
  const watched = [...proposal.known]
    .filter(([id, outcome]) => outcome !== "passed" && !apart.has(id) && plain?.get(id) === "passed")
    .map(([id]) => id);
  const heard = (says: string) => odd.filter((each) => each.says === says).map(({ one }) => one);
  const [deaf, open, habits] = [heard("hears"), heard("cannot tell"), heard("habit")];
  const lasting = watched.filter((id) => base?.known.get(id) === "passed" || elsewhere?.get(id) === "passed");
  const unsure = watched.filter((id) => !lasting.includes(id) && !isHabit(id, base, red));

  const told = [
    ...(lasting.length > 0
      ? [`watched: pass by themselves, and not with twins beside them (${lasting.length}): ${tellNames(lasting)}`]
      : []),
    ...tellOdd("deaf", deaf),
    ...(unsure.length > 0
      ? [
          `pass by themselves, and not with twins beside them in other surroundings; base cannot tell which is true (${unsure.length}): ${tellNames(unsure)}`,
        ]
      : []),
    ...tellOdd("cannot be told from base", open),
  ];
  const notes = tellNotes(proposal, { habits, red: red ?? [] });
  const detail = (what: readonly string[]): string => [...what, ...notes].join("\n");
  if (lasting.length > 0 || deaf.length > 0) return { outcome: "refuted", detail: detail(told) };
  if (unsure.length > 0 || open.length > 0) return { outcome: "gap", detail: detail(told) };
  const count = countTwinned(proposal) - new Set(habits.map(({ id }) => id)).size;
  if (count <= 0)
    return { outcome: "unknown", detail: detail(["no twin of a passing test was heard, so it cannot be told whether the tests hear"]) };
  return {
    outcome: "holds",
    detail: detail([`twins of ${count} tests ended as they must, among ${proposal.known.size} tests in other surroundings`]),
  };
}

/** A test that base itself runs red in these surroundings, and not by itself. */
const isHabit = (id: string, base: TwinRun | undefined, red: readonly string[] | undefined): boolean =>
  base?.known.get(id) !== undefined && base.known.get(id) !== "passed" && red !== undefined && !red.includes(id);

function askBase({ id, kind, twin }: Misbehaved, base: TwinRun): "hears" | "habit" | "cannot tell" {
  const theirs = base.twins[kind].get(id);
  if (base.known.get(id) === "passed") {
    const behaves = theirs !== undefined && (kind === "same" ? theirs.outcome === "passed" : theirs.outcome === "failed");
    return behaves ? "hears" : "habit";
  }
  if (kind !== "same" && twin.isSure) return "hears";
  // Another test of the same file, which base runs green in its twin, shows that such a file can be had twice.
  const canBeTwice = [...base.twins.same.values()].some(({ file, outcome }) => file === twin.file && outcome === "passed");
  return kind === "same" && canBeTwice ? "hears" : "cannot tell";
}

const tellOdd = (word: string, odd: readonly Misbehaved[]): readonly string[] =>
  (["same", "tail", "neg"] as const).flatMap((kind) => {
    const ids = odd.filter((one) => one.kind === kind).map(({ id }) => id);
    return ids.length === 0 ? [] : [`${word}: ${MUST[kind]} (${ids.length}): ${tellNames(ids)}`];
  });

const countTwinned = ({ known, twins }: TwinRun): number =>
  [...known].filter(([id, outcome]) => outcome === "passed" && twins.tail.get(id)?.isTurned).length;

function tellNotes(
  run: TwinRun,
  { habits, red }: { readonly habits: readonly Misbehaved[]; readonly red: readonly string[] },
): readonly string[] {
  const left = [...new Set(habits.map(({ id }) => id))];
  const bare = red.filter((id) => run.known.get(id) === "passed" && !run.twins.tail.get(id)?.isTurned);
  return [
    ...(bare.length > 0 ? [`not twinned, though this change turned them green (${bare.length}): ${tellNames(bare)}`] : []),
    ...(left.length > 0 ? [`left out, since base's own twins do not end as they must (${left.length}): ${tellNames(left)}`] : []),
  ];
}
