// What a round measured, and what the ends of the spec make of its verdict. Pure.
import type { Evidence } from "../contract/evidence.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { untrustedText } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { RunState } from "../journal/fold.ts";
import { endRound, hasEnds, isEnough, type Measurement, measurementsIn } from "./ends.ts";
import { measureRound, telemetryOf } from "./measure-round.ts";
import { usedUp } from "./next-round.ts";
import { termsOf } from "./terms.ts";

/** What a round comes to. */
export interface Judged {
  readonly evidence: Evidence;
  readonly verdict: Verdict;
}

/** `quiet`: some checks are kept from the maker, and so are figures. A spec without metrics and ends changes nothing. */
export function weighRound(
  { id, number }: Pick<Round, "id" | "number">,
  opened: RunOpened,
  state: RunState,
  checked: Judged,
  telling: "quiet" | "told",
): Judged {
  const { spec } = opened;
  const { evidence } = checked;
  if (!hasEnds(spec)) return checked;
  const now: Measurement = {
    number,
    values: measureRound(spec, evidence, telemetryOf(state, id, evidence)),
    proofs: evidence.proofs,
    holds: checked.verdict.kind === "accept",
    because: undefined,
  };
  const the = { spec, terms: termsOf(opened), past: measurementsIn(state), now, overrun: usedUp(opened, state) };
  const metrics = { values: now.values, holds: now.holds, isEnough: isEnough(the, now) };
  const verdict = endRound(the, checked.verdict);
  return { evidence: { ...evidence, metrics }, verdict: telling === "quiet" ? withoutFigures(verdict) : verdict };
}

/** Figures of checks that the maker is told nothing of are not told either. */
const withoutFigures = (verdict: Verdict): Verdict =>
  verdict.kind === "retry" && verdict.because === "below-target"
    ? { ...verdict, lesson: untrustedText("The checks hold, and the goal is not reached.") }
    : verdict;
