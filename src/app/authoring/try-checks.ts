// Runs the tests of a repository once, as a loop would: prepared from base, guarded, boxed, in a clean copy. No maker is called.
import type { BaselineTaken } from "../../contract/record.ts";
import { readSpec } from "../../spec/read-spec.ts";
import type { SpecField } from "../../spec/write-spec.ts";
import { builtIn } from "../crew.ts";
import type { House } from "../open-house.ts";
import { runSpec } from "../runs/wake.ts";
import type { Candidate, Tried } from "./outline-loop.ts";

export interface TriedCandidate {
  readonly candidate: Candidate;
  readonly tried: Tried;
}

/** The first that runs; where none does, the first, with why. */
export async function tryChecks(
  candidates: readonly Candidate[],
  tryOne: (candidate: Candidate) => Promise<Tried>,
): Promise<TriedCandidate | undefined> {
  let first: TriedCandidate | undefined;
  for (const candidate of candidates) {
    const tried = await tryOne(candidate);
    first ??= { candidate, tried };
    if (tried.kind === "ran") return { candidate, tried };
  }
  return first;
}

/** A loop with the same checks whose maker does nothing. Base is looked at once. */
export async function tryOnBase(
  house: House,
  at: { readonly path: string; readonly folder: string },
  fields: readonly SpecField[],
): Promise<Tried> {
  const written: { readonly [key: string]: unknown } = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
  const spec = {
    ...written,
    name: NAME,
    trigger: { use: "manual" },
    maker: { use: "scripted", with: { scenes: [{ say: "Nothing is made: only base is looked at." }] } },
    baseline: { want: "red", runs: 1 },
    budget: { rounds: 1, time: MOST_TIME },
  };
  const reading = readSpec(at.path, JSON.stringify(spec), builtIn);
  if (reading.kind === "refused") return { kind: "not-tried", why: reading.problems.map(({ problem }) => problem).join("; ") };
  const result = await runSpec(house, { ...reading, ...at }, { onlyIfDue: false, again: true }, NOBODY);
  if (result.kind !== "ran") return { kind: "not-tried", why: "no run was opened" };
  if (result.outcome.kind === "paused")
    return { kind: "cannot-run", why: result.outcome.failure.message, hint: result.outcome.failure.hint };
  const [taken] = await house.journal.newestOf(NAME, "baseline-taken", { most: 1 });
  return taken ? triedOf(taken.record, readsTests(written.verifiers)) : { kind: "not-tried", why: "base was not looked at" };
}

/** What is seen of it is told in one line, afterwards. */
const NOBODY = (): void => {};
const NAME = "init-try";
const MOST_TIME = "15m";

const readsTests = (verifiers: unknown): boolean => JSON.stringify(verifiers ?? "").includes('"results":');

/** What the shell says of a program that is not there, and a runner of a module that is not: nothing of the target was tried. */
const NO_PROGRAM = /^(?:make|gmake|env|bash|sh|\/bin\/sh)\b.*(?:not found|No such file or directory)\s*$|\bError 127\b|\bexited 127\b/m;
const NO_MODULE = /ModuleNotFoundError|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|\berrors? during collection\b/;

/** Where a single test passed, the runner did not fall over. */
const fellOver = (detail: string, readsThem: boolean): boolean =>
  !/\b[1-9]\d* passed\b/.test(detail) && (NO_PROGRAM.test(detail) || (readsThem && NO_MODULE.test(detail)));

/** Red without a red test: the runner fell over before its tests did, or wrote nothing that can be read. */
export function triedOf({ baseline, tookMs }: Pick<BaselineTaken, "baseline" | "tookMs">, readsThem: boolean): Tried {
  const [check] = baseline.checks;
  if (baseline.failure) return { kind: "cannot-run", why: baseline.failure.message, hint: baseline.failure.hint };
  if (!check) return { kind: "not-tried", why: "base was not looked at" };
  const isVain = (readsThem && check.redCount === 0) || fellOver(check.detail, readsThem);
  if (check.state === "red" && isVain) return { kind: "cannot-run", why: check.detail, hint: check.hint };
  // What is told green must be so by all of them: the rest of a test script may be red where its tests are not.
  const other = check.state === "green" ? baseline.checks.find(({ state }) => state === "red") : undefined;
  if (other) return { kind: "ran", state: "red", detail: other.detail, redCount: other.redCount, tookMs };
  if (check.state === "green" || check.state === "red")
    return { kind: "ran", state: check.state, detail: check.detail, redCount: check.redCount, tookMs };
  return { kind: "cannot-run", why: check.detail, hint: check.hint };
}
