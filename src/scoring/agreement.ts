// How far two judges of the same things agree, with how sure one can be of that. Pure.
import type { Agreement, Estimate, LabelAgreement, MarkAgreement } from "../contract/calibration.ts";
import { tellFigure } from "../std/tell-figure.ts";

/** One example, as people labelled it and as the rubric saw it; undefined where nobody said anything. */
export interface Compared {
  readonly label: boolean | undefined;
  readonly marks: { readonly [dimension: string]: number };
  readonly said: { readonly holds: boolean; readonly marks: { readonly [dimension: string]: number } } | undefined;
}

const Z = 1.96;
/** Fewer say nothing about a rubric. */
const FEWEST = 10;

export function agreementOf(all: readonly Compared[]): Agreement {
  const answered = all.flatMap((one) => (one.said ? [{ ...one, said: one.said }] : []));
  const dimensions = [...new Set(all.flatMap(({ marks }) => Object.keys(marks)))].toSorted();
  return {
    labels: labelsOf(answered.flatMap(({ label, said }) => (label === undefined ? [] : [[label, said.holds] as const]))),
    marks: Object.fromEntries(
      dimensions.map((name) => [
        name,
        marksOf(
          answered.flatMap(({ marks, said }) => {
            const [theirs, ours] = [marks[name], said.marks[name]];
            return theirs === undefined || ours === undefined ? [] : [[theirs, ours] as const];
          }),
        ),
      ]),
    ),
    silent: all.length - answered.length,
  };
}

type Pair<T> = readonly [people: T, rubric: T];

function labelsOf(pairs: readonly Pair<boolean>[]): LabelAgreement {
  const n = pairs.length;
  const count = (people: boolean, rubric: boolean): number => pairs.filter(([one, other]) => one === people && other === rubric).length;
  const confusion = { yesYes: count(true, true), yesNo: count(true, false), noYes: count(false, true), noNo: count(false, false) };
  if (n === 0) return { n, confusion, accuracy: null, kappa: null };
  const agreed = confusion.yesYes + confusion.noNo;
  return { n, confusion, accuracy: wilson(agreed, n), kappa: kappaOf(confusion, n) };
}

/** Also true for few, and for all or none of them. */
function wilson(hits: number, n: number): Estimate {
  const share = hits / n;
  const middle = (share + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n))) / (1 + (Z * Z) / n);
  return { value: share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

function kappaOf({ yesYes, yesNo, noYes, noNo }: LabelAgreement["confusion"], n: number): Estimate | null {
  const seen = (yesYes + noNo) / n;
  const [people, rubric] = [(yesYes + yesNo) / n, (yesYes + noYes) / n];
  const chance = people * rubric + (1 - people) * (1 - rubric);
  if (chance === 1) return null;
  const value = (seen - chance) / (1 - chance);
  // The error of the agreement itself by Wilson, so that few who all agree are not taken for certainty.
  const { low, high } = wilson(yesYes + noNo, n);
  const asKappa = (share: number): number => Math.max(-1, Math.min(1, (share - chance) / (1 - chance)));
  return { value, low: asKappa(low), high: asKappa(high) };
}

function marksOf(pairs: readonly Pair<number>[]): MarkAgreement {
  const n = pairs.length;
  if (n === 0) return { n, rank: null, apart: null };
  const apart = pairs.reduce((sum, [people, rubric]) => sum + Math.abs(people - rubric), 0) / n;
  return { n, rank: rankOf(pairs), apart };
}

/** Spearman's, with the mean rank for ties; its range by Fisher's transformation. */
function rankOf(pairs: readonly Pair<number>[]): Estimate | null {
  const n = pairs.length;
  if (n < 4) return null;
  const value = correlation(ranks(pairs.map(([people]) => people)), ranks(pairs.map(([, rubric]) => rubric)));
  if (value === null) return null;
  const z = Math.atanh(Math.max(-0.999999, Math.min(0.999999, value)));
  const half = Z * Math.sqrt((1 + (value * value) / 2) / (n - 3));
  return { value, low: Math.tanh(z - half), high: Math.tanh(z + half) };
}

function ranks(figures: readonly number[]): readonly number[] {
  return figures.map((figure) => {
    const below = figures.filter((other) => other < figure).length;
    const same = figures.filter((other) => other === figure).length;
    return below + (same + 1) / 2;
  });
}

function correlation(one: readonly number[], other: readonly number[]): number | null {
  const mean = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  const [a, b] = [mean(one), mean(other)];
  const both = one.reduce((sum, figure, index) => sum + (figure - a) * ((other[index] ?? b) - b), 0);
  const spread = (figures: readonly number[], middle: number): number => figures.reduce((sum, figure) => sum + (figure - middle) ** 2, 0);
  const size = Math.sqrt(spread(one, a) * spread(other, b));
  return size === 0 ? null : both / size;
}

/** In one sentence, with nothing that the numbers do not carry. */
export function tellAgreement({ labels, marks, silent }: Agreement): string {
  const score = marks.score ?? Object.values(marks)[0];
  const parts = labels.n > 0 ? tellLabels(labels) : score && score.n > 0 ? tellMarks(score) : ["no example was labelled and answered"];
  return [...parts, ...(silent > 0 ? [`${silent} without an answer`] : [])].join("; ");
}

function tellLabels({ n, accuracy, kappa }: LabelAgreement): readonly string[] {
  const agreed = accuracy
    ? `agrees with people on ${percent(accuracy.value)} of ${n} examples (${percent(accuracy.low)} to ${percent(accuracy.high)})`
    : "";
  if (n < FEWEST) return [agreed, `too few examples to say more (${FEWEST} at least)`];
  if (!kappa) return [agreed, "one of them said the same of all, so that it cannot be told from chance"];
  const beyond = `kappa ${tellFigure(kappa.value)} (${tellFigure(kappa.low)} to ${tellFigure(kappa.high)})`;
  return kappa.low <= 0 ? [agreed, beyond, "which cannot be told from chance"] : [agreed, beyond];
}

function tellMarks({ n, rank, apart }: MarkAgreement): readonly string[] {
  const distance = apart === null ? "" : `is ${tellFigure(apart)} away from people's marks on ${n} examples`;
  if (n < FEWEST || !rank) return [distance, `too few examples, or too much the same, to say whether it orders them alike`];
  const order = `rank agreement ${tellFigure(rank.value)} (${tellFigure(rank.low)} to ${tellFigure(rank.high)})`;
  return rank.low <= 0 ? [distance, order, "which cannot be told from chance"] : [distance, order];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
