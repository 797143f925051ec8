// Whether what was proven of a proposal needs not be proven again before it moves: where nothing that the proof went by can have changed. Pure.
import type { Proof } from "../contract/evidence.ts";
import type { Entry } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { Verdict } from "../contract/verdict.ts";
import { entryHash } from "../std/chain.ts";
import { canonicalJson } from "../std/hash.ts";
import type { Proposed } from "./proposed.ts";

/** An older proof is made again, whatever is the same: time and the outside world are part of no list. */
const FRESH_MS = 60 * 60 * 1000;

/** How everything is now. */
export interface Now {
  readonly at: Date;
  /** Not there where it cannot be told. */
  readonly surroundings: string | undefined;
  readonly rules: string;
}

export type StandsOn =
  | { readonly kind: "stands"; readonly seq: number; readonly at: string; readonly verdict: Verdict }
  | { readonly kind: "again"; readonly why: string };

/** That base is where it was is known to who asks; that it is younger, boxed, certain and unaltered is asked here, and the rest by `unlessChanged`. */
export function standsOn({ opened, round, evidence, proposal, state, best }: Proposed, entries: readonly Entry[], now: Now): StandsOn {
  const again = (why: string): StandsOn => ({ kind: "again", why });
  const { spec } = opened;
  if (spec.recheck === "always") return again("the spec asks for it");
  if (spec.level === "L3") return again("an L3 loop proves what moves once more");
  if (state.amendedBy !== undefined || state.tree !== proposal.tree || state.commit !== proposal.commit) return again("it was amended");
  if (best) return again("it is the best of several rounds");
  const closed = entries.findLast(({ record }) => record.kind === "round-closed" && record.roundId === round.id);
  if (closed?.record.kind !== "round-closed") return again("its proof is not on record");
  if (entries.some((entry) => entryHash(entry, canonicalJson(entry.record)) !== entry.hash)) return again("its records were altered");
  const ageMs = now.at.getTime() - Date.parse(closed.at);
  if (!(ageMs >= 0 && ageMs < FRESH_MS)) return again("its proof is older than an hour");
  if (evidence.surroundings === undefined || evidence.surroundings !== now.surroundings)
    return again("this machine, or how it boxes commands, is not as it was");
  if (opened.policyHash === undefined || opened.policyHash !== now.rules)
    return again("the rules for commands, or caps, have changed since");
  if (reachesOut(opened)) return again("its checks read what the spec opens or brings from elsewhere");
  if (evidence.notTraced !== undefined) return again("it could not be told what its checks read");
  const unsure = evidence.proofs.find((proof) => !isCertain(proof));
  if (unsure) return again(`what ${unsure.verifier} saw may rest on more than the tree`);
  if (isWavering(entries)) return again("checks of its base waver");
  return { kind: "stands", seq: closed.seq, at: closed.at, verdict: closed.record.verdict };
}

/** When programs, packages and toolchains last changed is not there where it cannot be told. */
export const unlessChanged = (stands: StandsOn, { openedAt }: Pick<Round, "openedAt">, changed: Date | undefined): StandsOn =>
  changed === undefined || changed.getTime() >= Date.parse(openedAt)
    ? { kind: "again", why: "programs of this machine may have changed since" }
    : stands;

/** It holds, and was seen in a box without a network, which shows what is on the list and nothing else. */
export const isCertain = ({ outcome, box }: Pick<Proof, "outcome" | "box">): boolean =>
  outcome === "holds" &&
  (box?.kind === "unused" || (box !== undefined && "network" in box && box.network === "closed" && box.writes.length === 0));

/** Variables of ours that its checks are given, and what is prepared for them. */
export const inheritedBy = ({ verifiers, prepare }: Pick<LoopSpec, "verifiers" | "prepare">): readonly string[] =>
  [...verifiers.map(({ with: options }) => options?.inherit), prepare?.inherit].flatMap((names) =>
    Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [],
  );

/** Nobody looks whether that is as it was. */
const reachesOut = ({ spec: { box, verifiers } }: Proposed["opened"]): boolean =>
  (box?.verifiers.reads.length ?? 0) > 0 || verifiers.some(({ use }) => use === "holdout");

const isWavering = (entries: readonly Entry[]): boolean =>
  entries.some(
    ({ record }) =>
      record.kind === "baseline-taken" &&
      record.baseline.checks.some(
        ({ state, flaky, quarantined }) => state === "unstable" || state === "cannot-run" || flaky.length > 0 || quarantined.length > 0,
      ),
  );
