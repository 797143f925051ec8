// Whether a note says to weaken what judges the work, in whatever tone: a friendly tip is followed as well as an order. Stricter than the scanner, for texts that makers leave to makers.
import { fold } from "./fold.ts";
import { readConcepts, type Sighting } from "./read-concepts.ts";
import { indexOf } from "./vocabulary.ts";

const WITHIN = 6;
/** Words of the lexicon that mean it only beside others. */
const EVERYDAY =
  /^(?:pass|change|edit|modify|set to|replace|rewrite|overwrite|raise|increase|lift|merge|approve|fake|stub|stub out|mark the|mark it as|mark this as|unlimited|claim that|report that)$/;
/** What is told of the past is no tip, but what may be done is one. */
const MAY_BE =
  /\b(?:can|could|should|may|might|must|needs? to|have to|ought to|want to|to|just|simply|safely) (?:\w+ )?(?:be (?:\w+ )?)?(?:skip(?:ped)?|disabled?|deleted?|removed?|commented? out|turn(?:ed)? off|switch(?:ed)? off|ignored?|dropp?(?:ed)?|bypass(?:ed)?|mut(?:e|ed)|weaken(?:ed)?|loosen(?:ed)?|xfail(?:ed)?|left out|leave out|taken out|take out)\b/g;
const CHECKS =
  /\b(?:tests?|test suite|assert(?:ion)?s?|checks?|specs?|ci|lint(?:er)?|verifiers?|verification|coverage|type ?check(?:s|ing|er)?|hooks?|gates?)\b/;
const AROUND = 60;

export function asksToWeaken(text: string): boolean {
  const folded = fold(text);
  return (
    namesBoth(folded) ||
    [...folded.matchAll(MAY_BE)].some(({ index }) => CHECKS.test(folded.slice(Math.max(0, index - AROUND), index + AROUND)))
  );
}

function namesBoth(folded: string): boolean {
  const { sightings } = readConcepts(folded);
  const of = (concept: "disable" | "check"): readonly Sighting[] => sightings[indexOf(concept)] ?? [];
  const weakening = of("disable").filter(({ start, end }) => !EVERYDAY.test(folded.slice(start, end)));
  return weakening.some((one) => of("check").some((check) => Math.abs(check.place - one.place) <= WITHIN && apart(one, check)));
}

const apart = (one: Sighting, other: Sighting): boolean => one.end <= other.start || one.start >= other.end;
