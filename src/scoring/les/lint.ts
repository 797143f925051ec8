// The lint score: what a spec lets one expect before anything ran, by what its checks, bounds and guards could do. Never by what it says of itself.
import { type Anatomy, type CheckNode, nodesOf } from "../../contract/anatomy.ts";
import { DIMENSIONS, type PerDimension } from "./dimensions.ts";
import { compose, type Measure, presentIn, type Score, shownAs } from "./score.ts";

export function lintScore(anatomy: Anatomy): Score {
  const dimensions = estimate(anatomy);
  return {
    ...shownAs(compose(dimensions)),
    label: `lint score (estimated from the spec alone, ${presentIn(dimensions)} of ${DIMENSIONS.length} categories)`,
    runs: 0,
    interval: null,
    dimensions,
    notes: notesOn(anatomy),
  };
}

const notesOn = (anatomy: Anatomy): readonly string[] => [
  "nothing was run: this is what the spec lets one expect at best",
  ...anatomy.claims.map(({ at }) => `what the file says of its own worth is not believed: ${at}`),
];

function estimate(anatomy: Anatomy): PerDimension<Measure> {
  const effectiveness = effectivenessOf(anatomy);
  // As with runs: to be cheap, sturdy or left alone while nothing can be achieved is worth nothing.
  const ifAny = (measure: { readonly value: number; readonly how: string }): Measure =>
    effectiveness.value === 0
      ? { kind: "estimated", value: 0, how: "nothing that it does could be shown to be right, so that this is worth nothing" }
      : { kind: "estimated", ...measure };
  return {
    effectiveness: { kind: "estimated", ...effectiveness },
    speed: { kind: "missing", why: "how long a round takes is not in a spec" },
    cost: ifAny(costOf(anatomy)),
    robustness: ifAny(robustnessOf(anatomy)),
    scalability: { kind: "missing", why: "it needs the same task at one, two, four and eight times its size" },
    safety: { kind: "estimated", ...safetyOf(anatomy) },
    adaptability: { kind: "missing", why: "it needs tasks of another kind with the same spec" },
    autonomy: ifAny(autonomyOf(anatomy)),
  };
}

interface Estimate {
  readonly value: number;
  readonly how: string;
}

/** What a yes of each kind of check is worth at best. */
const WORTH = { proof: 1, human: 0.6, opinion: 0.6, selfGraded: 0.3, form: 0.3 };

function effectivenessOf(anatomy: Anatomy): Estimate {
  const makers = nodesOf(anatomy, "maker");
  const checks = nodesOf(anatomy, "verifier");
  const idle = makers.flatMap(({ idle: why }) => why ?? []);
  if (makers.length === 0 && anatomy.composition === "none") return { value: 0, how: "nobody in it makes anything" };
  if (makers.length > 0 && idle.length === makers.length) return { value: 0, how: `nobody in it does anything: ${idle[0]}` };
  const able = checks.filter(({ refuses }) => refuses === "yes");
  if (able.length === 0) {
    const why = checks.length === 0 ? "it has none" : checks.map(({ name, doubt }) => `${name}: ${doubt}`).join("; ");
    return { value: 0, how: `no check of it could be shown to say no (${clip(why)})` };
  }
  const [best] = able.map((check) => ({ check, worth: worthOf(check) })).sort((a, b) => b.worth - a.worth);
  const ends = nodesOf(anatomy, "end").filter(({ family }) => family === "success");
  const isEnded = ends.some(({ holds }) => holds);
  const told = `the best of its checks, ${best!.check.name}, is ${tellCheck(best!.check)}: ${best!.worth}`;
  return {
    value: best!.worth * (isEnded ? 1 : 0.5),
    how: isEnded ? told : `${told} × 0.5, for no goal that ends it hangs on a check that could be missed`,
  };
}

function worthOf({ is, about, isSelfGraded }: CheckNode): number {
  if (about === "form") return WORTH.form;
  return is === "opinion" && isSelfGraded ? WORTH.selfGraded : WORTH[is];
}

function tellCheck({ is, about, isSelfGraded }: CheckNode): string {
  if (about === "form") return "about the form alone";
  if (is === "human") return "a person";
  if (is === "proof") return "a proof";
  return isSelfGraded ? "an opinion of the model that made it" : "an opinion";
}

function costOf(anatomy: Anatomy): Estimate {
  const { usd, usdStops } = anatomy.bounds;
  if (usd === undefined) return { value: 0, how: "nothing says what it may cost" };
  return usdStops ? { value: 1, how: `it ends at $${usd}` } : { value: 0.3, how: `at $${usd} it says so and goes on` };
}

function robustnessOf(anatomy: Anatomy): Estimate {
  const makers = nodesOf(anatomy, "maker");
  const ends = nodesOf(anatomy, "end");
  const able = nodesOf(anatomy, "verifier").filter(({ refuses }) => refuses === "yes");
  return share([
    ["what is refused comes back to a maker", anatomy.edges.some(({ kind }) => kind === "feedback"), 0.4],
    [
      "it ends when nothing gets better, or after so many rounds",
      ends.some(({ family, holds }) => holds && (family === "stall" || family === "bound")),
      0.2,
    ],
    ["two checks can refuse", able.length >= 2, 0.2],
    ["a maker that fails is tried again or replaced", makers.some(({ retries, isSpare }) => retries > 0 || isSpare) || lasts(anatomy), 0.2],
  ]);
}

const lasts = (anatomy: Anatomy): boolean => nodesOf(anatomy, "memory").some(({ lasts: how }) => how === "runs");

function safetyOf(anatomy: Anatomy): Estimate {
  const stopping = nodesOf(anatomy, "guard").filter(({ does }) => does === "stops").length;
  const isHeld = nodesOf(anatomy, "gate").some(({ asks }) => asks === "human") || nodesOf(anatomy, "action").length === 0;
  const value = 0.25 * Math.min(3, stopping) + (isHeld ? 0.25 : 0);
  return {
    value,
    how: `0.25 × ${Math.min(3, stopping)} guard(s) that stop something (of at most 3 that count) + ${isHeld ? "0.25" : "0"}, for ${isHeld ? "a person is asked, or nothing moves" : "what it does moves without a person"}`,
  };
}

function autonomyOf(anatomy: Anatomy): Estimate {
  const trigger = nodesOf(anatomy, "trigger").some(({ isByHand }) => !isByHand);
  const isAsked =
    nodesOf(anatomy, "gate").some(({ asks }) => asks === "human") ||
    nodesOf(anatomy, "verifier").some(({ is }) => is === "human") ||
    nodesOf(anatomy, "guard").some(({ does }) => does === "asks");
  return share([
    ["it wakes by itself", trigger, 0.5],
    ["no person is asked on the way", !isAsked, 0.5],
  ]);
}

const share = (parts: readonly (readonly [says: string, holds: boolean, worth: number])[]): Estimate => ({
  value: parts.reduce((sum, [, holds, worth]) => sum + (holds ? worth : 0), 0),
  how: parts.map(([says, holds, worth]) => `${holds ? worth : 0} of ${worth}: ${says}`).join("; "),
});

const clip = (text: string): string => (text.length > 300 ? `${text.slice(0, 299)}…` : text);
