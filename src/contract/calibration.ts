// How far a rubric agrees with people who labelled examples: as it is on record, with no more said than the numbers allow.

/** A figure with the range in which it lies nineteen times in twenty; null where it cannot be had. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Said yes or no about the same: how often they agreed, and how much of that is more than chance. */
export interface LabelAgreement {
  readonly n: number;
  /** First what people said, then what the rubric said. */
  readonly confusion: { readonly yesYes: number; readonly yesNo: number; readonly noYes: number; readonly noNo: number };
  readonly accuracy: Estimate | null;
  /** Cohen's kappa; null where one of them said the same of all, so that nothing is left but chance. */
  readonly kappa: Estimate | null;
}

/** Gave marks to the same: whether they order it alike, and how far apart they are. */
export interface MarkAgreement {
  readonly n: number;
  /** Spearman's rank correlation; null where there are too few, or all marks are the same. */
  readonly rank: Estimate | null;
  /** Mean absolute difference, on a scale from 0 to 1. */
  readonly apart: number | null;
}

export interface Agreement {
  readonly labels: LabelAgreement;
  /** Of the score, and of each dimension that people marked. */
  readonly marks: { readonly [dimension: string]: MarkAgreement };
  /** Examples that the rubric gave no answer to: they count for nothing, and are told. */
  readonly silent: number;
}

/** A rubric was held against labelled examples. */
export interface Calibrated {
  readonly kind: "calibrated";
  readonly verifier: string;
  /** Hash of the rubric's options: of another rubric, or other judges, it says nothing. */
  readonly rubric: string;
  /** Hash of the examples. */
  readonly examples: string;
  readonly agreement: Agreement;
  /** The same in one sentence. */
  readonly says: string;
  readonly costUsd: number;
}
