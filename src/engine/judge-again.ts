// What would have become of a run under another spec: its recorded evidence is judged again, and nothing is made, run or asked.

import type { Evidence, Proof } from "../contract/evidence.ts";
import { factsOf } from "../contract/proposal.ts";
import type { Entry, RunOpened } from "../contract/record.ts";
import type { LoopSpec, PartRef } from "../contract/spec.ts";
import type { Rest, Verdict } from "../contract/verdict.ts";
import { isUntouched, planSeal, type SealPlan } from "../guard/seal.ts";
import { foldRun, type RunState } from "../journal/fold.ts";
import { compileGlobs } from "../std/glob.ts";
import { canonicalJson } from "../std/hash.ts";
import { sealEvidence, triedTreesIn } from "./examine.ts";
import { isWorthVerifying, judge } from "./judge.ts";
import { nextRound } from "./next-round.ts";
import { isNotAsked } from "./not-asked.ts";
import { termsOf } from "./terms.ts";
import { weighRound } from "./weigh-round.ts";

export interface JudgedAgain {
  readonly rounds: readonly RoundAgain[];
  readonly end: { readonly kind: "rest"; readonly rest: Rest } | { readonly kind: "cannot-tell"; readonly why: string };
}

export interface RoundAgain {
  readonly id: string;
  readonly number: number;
  /** Undefined where the round did not come to its end. */
  readonly before: Verdict | undefined;
  /** Undefined also where the run would have rested before this round. */
  readonly after: Verdict | undefined;
  readonly isReached: boolean;
  /** What the new spec wants to know and nobody looked at. */
  readonly missing: readonly string[];
}

export interface Rejudging {
  readonly loop: string;
  readonly run: string;
  readonly opened: RunOpened;
  readonly entries: readonly Entry[];
  /** The spec that is judged by. Only what gates and verdicts depend on matters: level, gate, seal, unseal, budget, outsiders, verifiers. */
  readonly spec: LoopSpec;
}

/** Goes through the records as the engine once did: each move is decided, and each round judged, by the new spec. */
export function judgeAgain({ loop, run, opened, entries, spec }: Rejudging): JudgedAgain {
  const place = { loop, run };
  const now: RunOpened = { ...opened, spec };
  const replayed: Entry[] = [];
  const missing = new Map<string, readonly string[]>();
  let early: Rest | undefined;
  for (const entry of entries) {
    const { record } = entry;
    if (record.kind === "round-opened" || record.kind === "run-resumed") {
      const next = nextRound(place, now, foldRun(replayed));
      if (next.kind === "rest") {
        early = next.rest;
        break;
      }
    }
    if (record.kind !== "round-closed") {
      replayed.push(entry);
      continue;
    }
    const state = foldRun(replayed);
    const number = state.rounds.find(({ round }) => round.id === record.roundId)?.round.number ?? state.rounds.length;
    const known = evidenceUnder(spec, opened.spec, record.evidence);
    missing.set(record.roundId, known.missing);
    const verdict = judge(
      { spec, terms: termsOf({ ...opened, spec }), roundNumber: number, triedTrees: triedTreesIn(state) },
      known.evidence,
    );
    const weighed = weighRound({ id: record.roundId, number }, now, state, { evidence: known.evidence, verdict }, "told");
    const evidence = weighed.evidence.metrics ? { ...record.evidence, metrics: weighed.evidence.metrics } : record.evidence;
    replayed.push({ ...entry, record: { ...record, evidence, verdict: weighed.verdict } });
  }
  const after = foldRun(replayed);
  return {
    rounds: roundsOf(foldRun(entries), after, missing),
    end: early ? { kind: "rest", rest: early } : endOf(place, now, after, opened),
  };
}

function roundsOf(before: RunState, after: RunState, missing: ReadonlyMap<string, readonly string[]>): readonly RoundAgain[] {
  return before.rounds.map(({ round: { id, number }, verdict }) => {
    const reached = after.rounds.find(({ round }) => round.id === id);
    return { id, number, before: verdict, after: reached?.verdict, isReached: reached !== undefined, missing: missing.get(id) ?? [] };
  });
}

function endOf(
  place: { readonly loop: string; readonly run: string },
  now: RunOpened,
  state: RunState,
  opened: RunOpened,
): JudgedAgain["end"] {
  const next = nextRound(place, now, state);
  const last = state.rounds.at(-1);
  const isSameBudget = canonicalJson(now.spec.budget) === canonicalJson(opened.spec.budget);
  if (last?.failures.some(({ code, retry }) => code === "budget-spent" && retry === "never") && !isSameBudget)
    return {
      kind: "cannot-tell",
      why: "the last round ran out of the budget it had, and what it would have come to with another is not on record",
    };
  if (next.kind === "rest") return { kind: "rest", rest: next.rest };
  // Somebody ended it, whatever the spec said.
  if (state.rest?.verdict.kind === "halt" && state.rest.verdict.because === "stopped") return { kind: "rest", rest: state.rest.verdict };
  const why =
    next.kind === "open"
      ? "another round would have been made, and there is none on record"
      : "the last round did not come to its end, so there is nothing to judge";
  return { kind: "cannot-tell", why };
}

interface Known {
  readonly evidence: Evidence;
  readonly missing: readonly string[];
}

/** The evidence as the new spec would have had it. What nobody looked at is an unknown, and so can never become a pass. */
function evidenceUnder(spec: LoopSpec, recorded: LoopSpec, evidence: Evidence): Known {
  const { proposal } = evidence;
  if (!isWorthVerifying(proposal)) return { evidence, missing: [] };
  // What was seen of base's checks is on record with the evidence; another spec may leave it open.
  const decides = { read: new Set(evidence.seal?.read), found: new Set(evidence.seal?.dropped) };
  const plan = planSeal(factsOf(proposal).changes, spec, decides);
  const pick = lookPicker(plan, evidence);
  const looked = spec.verifiers.map((ref): readonly Proof[] | "skipped" => {
    const looks = looksOf(ref, recorded, evidence);
    if (looks === "skipped") return looks;
    const picked = typeof pick === "string" ? pick : looks && pick(looks);
    if (picked === undefined) return [notOnRecord(ref.use, `nobody asked ${ref.use} with these options`)];
    return typeof picked === "string" ? [notOnRecord(ref.use, picked)] : picked.map((proof) => named(proof, ref.id));
  });
  // Who was not asked then is not asked now, as long as something else refutes it.
  const seen = looked.flatMap((proofs) => (proofs === "skipped" ? [] : proofs));
  const proofs = looked.flatMap((one, index) => {
    if (one !== "skipped") return one;
    const { use = "", id } = spec.verifiers[index] ?? {};
    const isIdle = isNotAsked({ kind: "opinion", asks: use === PERSON }, id, seen);
    return isIdle ? [] : [notOnRecord(use, `nobody asked ${use}, since the change was refused anyway`)];
  });
  const all = [...proofs, ...scanUnder(spec, recorded, evidence)];
  const { seal: _, ...rest } = evidence;
  return {
    evidence: { ...rest, ...sealEvidence(plan), proofs: all },
    missing: [...new Set(all.filter(isNotOnRecord).map(({ detail }) => detail))],
  };
}

/** As the new spec calls it. */
const named = ({ id: _, ...proof }: Proof, id: string | undefined): Proof => (id === undefined ? proof : { ...proof, id });

/** The verifier that asks a person. */
const PERSON = "human";

const NOT_ON_RECORD = "not on record: ";
const notOnRecord = (verifier: string, why: string): Proof => ({
  verifier,
  kind: "proof",
  outcome: "unknown",
  detail: `${NOT_ON_RECORD}${why}`,
  output: undefined,
});
const isNotOnRecord = ({ outcome, detail }: Proof): boolean => outcome === "unknown" && detail.startsWith(NOT_ON_RECORD);

/** What one verifier saw: once, or with base's version of the sealed files and with the proposal's own. */
interface Looks {
  readonly once: Proof | undefined;
  readonly sealed: Proof | undefined;
  readonly own: Proof | undefined;
}

/** Verifiers look in the order of the spec, and twice each where sealed files were changed; who was not asked left nothing. */
function looksOf(ref: PartRef, { verifiers }: LoopSpec, { proofs }: Evidence): Looks | "skipped" | undefined {
  const asked = verifiers.find((other) => isSamePart(other, ref));
  if (!asked) return undefined;
  const alike = verifiers.filter(({ use, id }) => use === asked.use && id === asked.id);
  const theirs = proofs.filter(({ verifier, id }) => verifier === asked.use && id === asked.id);
  if (theirs.length === 0) return "skipped";
  const each = theirs.length / alike.length;
  if (!Number.isInteger(each)) return undefined;
  const own = theirs.slice(alike.indexOf(asked) * each).slice(0, each);
  const inRoom = (room: Proof["room"]): Proof | undefined => own.find((proof) => proof.room === room);
  return { once: inRoom(undefined), sealed: inRoom("sealed"), own: inRoom("own") };
}

const isSamePart = (a: PartRef, b: PartRef): boolean => a.use === b.use && canonicalJson(a.with ?? {}) === canonicalJson(b.with ?? {});

/** Which looks count under the new seal; a text says why none does. */
function lookPicker(plan: SealPlan, { seal }: Evidence): string | ((looks: Looks) => readonly Proof[] | undefined) {
  const sealedNow = [...plan.restored, ...plan.dropped].map(({ path }) => path);
  const sealedThen = seal ? [...seal.restored, ...seal.dropped] : [];
  if (isUntouched(plan)) {
    return ({ once, own }) => {
      if (once) return [once];
      if (!own) return undefined;
      const { room: _, ...proof } = own;
      return [proof];
    };
  }
  if (isSameSet(sealedNow, sealedThen)) return ({ sealed, own }) => (sealed && own ? [sealed, own] : undefined);
  const other = sealedNow.filter((path) => !sealedThen.includes(path));
  return other.length > 0
    ? `${other.slice(0, 5).join(", ")} would be sealed, and was verified in the proposal's own version`
    : `only ${sealedNow.slice(0, 5).join(", ")} would be sealed, and it was verified with more of base's files`;
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean => canonicalJson([...a].sort()) === canonicalJson([...b].sort());

/** The diff scanner goes by the files that a spec seals by name: where those are others now, it might have found something else. */
function scanUnder(spec: LoopSpec, recorded: LoopSpec, { proposal }: Evidence): readonly Proof[] {
  const [isNow, wasThen] = [spec.seal, recorded.seal].map((globs) => (globs.length === 0 ? () => false : compileGlobs(globs))) as [
    Match,
    Match,
  ];
  return factsOf(proposal).changes.some(({ path }) => isNow(path) !== wasThen(path))
    ? [notOnRecord("scan", "the change was scanned with other files sealed by name")]
    : [];
}

type Match = (path: string) => boolean;
