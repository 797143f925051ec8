// What a text from outside tries to do to its reader: every signal in every view, and one score of those that stand together.
import { displayLine } from "../../std/display-text.ts";
import { fold, withoutQuoting } from "./fold.ts";
import { hiddenPlaces, insideOf } from "./hidden-places.ts";
import { matchSignal } from "./match-signal.ts";
import { isMention } from "./mention.ts";
import { readConcepts, worse } from "./read-concepts.ts";
import { signals } from "./signals/index.ts";
import { lineCounter, type View, viewsOf } from "./views.ts";
import type { How } from "./vocabulary.ts";

export type TextSeverity = "none" | "low" | "medium" | "high";

export interface TextSignal {
  readonly id: string;
  /** What it added to the score. */
  readonly weight: number;
  /** The words, cut short. */
  readonly where: string;
  readonly line: number;
  readonly how: How;
}

export interface TextScan {
  readonly severity: TextSeverity;
  readonly score: number;
  readonly signals: readonly TextSignal[];
  /** False when there was more to decode than the bounds allow: then less than all was looked at. */
  readonly isWhole: boolean;
}

export const LEAST_SCORE = { low: 2, medium: 5, high: 9 } as const;
/** Signals this many words apart still speak together. */
const TOGETHER = 60;
const HIDDEN_COUNTS = 1.5;
const MOST_ECHO = 2;
const MENTION_COUNTS = 0.3;
/** However many examples a manual gives, they stay below medium. */
const MOST_MENTIONS = 3;
const MOST_WHERE = 120;

export function scanText(text: string): TextScan {
  const { views, isCut } = viewsOf(text);
  const plain = weigh(views[0]!, new Set());
  const inPlainSight = new Set(plain.map(nameOf));
  const groups = [plain, ...views.slice(1).map((view) => weigh(view, inPlainSight))].map(strongestGroup);
  const best = groups.reduce((most, one) => (one.score > most.score ? one : most));
  const score = Math.round(best.score * 10) / 10;
  return { severity: severityOf(score), score, signals: best.group.map(toldOf), isWhole: !isCut };
}

export function severityOf(score: number): TextSeverity {
  if (score >= LEAST_SCORE.high) return "high";
  if (score >= LEAST_SCORE.medium) return "medium";
  return score >= LEAST_SCORE.low ? "low" : "none";
}

/** One match of one signal, and what it weighs where it stands. */
interface Weighed {
  readonly id: string;
  readonly family: string;
  readonly weight: number;
  readonly words: string;
  readonly line: number;
  readonly how: How;
  readonly place: number;
  readonly start: number;
  readonly end: number;
  readonly isMention: boolean;
}

const nameOf = ({ id, words }: { readonly id: string; readonly words: string }): string => `${id} ${words}`;

const toldOf = ({ id, weight, words, line, how }: Weighed): TextSignal => ({
  id,
  weight,
  where: displayLine(words, MOST_WHERE),
  line,
  how,
});

/** What is read in plain sight is not hidden because it can also be read elsewhere. */
function weigh(view: View, inPlainSight: ReadonlySet<string>): readonly Weighed[] {
  const text = fold(withoutQuoting(view.text));
  const { sightings, placeOf } = readConcepts(text);
  const isHidden = insideOf(hiddenPlaces(text));
  const linesBefore = lineCounter(text);
  const weighed = signals.flatMap((signal) =>
    matchSignal(signal, text, sightings, placeOf).map(({ place, start, end, how }): Weighed => {
      const words = text.slice(start, Math.min(end, start + 2 * MOST_WHERE));
      const viewed = inPlainSight.has(nameOf({ id: signal.id, words })) ? "plain" : view.how;
      const seen = worse(worse(how, viewed), isHidden(start) ? "hidden" : "plain");
      const isOnlyMentioned = seen === "plain" && isMention(text, start, place, sightings);
      const counts = seen !== "plain" ? HIDDEN_COUNTS : isOnlyMentioned ? MENTION_COUNTS : 1;
      const line = view.line + (view.hasLines ? linesBefore(start) : 0);
      const { id, family, weight } = signal;
      return { id, family, weight: weight * counts, words, line, how: seen, place, start, end, isMention: isOnlyMentioned };
    }),
  );
  return weighed.sort((a, b) => a.place - b.place);
}

/** The words that weigh most together. A signal counts once, however often it is repeated. */
function strongestGroup(weighed: readonly Weighed[]): { readonly score: number; readonly group: readonly Weighed[] } {
  let best: { readonly score: number; readonly group: readonly Weighed[] } = { score: 0, group: [] };
  for (let first = 0; first < weighed.length; first++) {
    const group = new Map<string, Weighed>();
    for (let index = first; index < weighed.length && weighed[index]!.place - weighed[first]!.place <= TOGETHER; index++) {
      const one = weighed[index]!;
      const there = group.get(one.id);
      if (!there || there.weight < one.weight) group.set(one.id, one);
    }
    const all = [...group.values()];
    if (all.reduce((sum, { weight }) => sum + weight, 0) <= best.score) continue;
    const counted = withEchoes(all.sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1)));
    const score = sumOf(counted);
    if (score > best.score) best = { score, group: counted };
  }
  return best;
}

/** The same words say one thing: of a family's signals that overlap, the heaviest counts in full and the others add a little at most. */
function withEchoes(heaviestFirst: readonly Weighed[]): readonly Weighed[] {
  const left = new Map<string, number>();
  const counted: Weighed[] = [];
  for (const one of heaviestFirst) {
    const isEcho = counted.some((other) => other.family === one.family && one.start < other.end && other.start < one.end);
    const most = isEcho ? (left.get(one.family) ?? MOST_ECHO) : one.weight;
    const weight = Math.min(one.weight, most);
    if (isEcho) left.set(one.family, most - weight);
    if (weight > 0) counted.push({ ...one, weight });
  }
  return counted;
}

function sumOf(group: readonly Weighed[]): number {
  const sum = (isMention: boolean) => group.filter((one) => one.isMention === isMention).reduce((total, { weight }) => total + weight, 0);
  return sum(false) + Math.min(sum(true), MOST_MENTIONS);
}
