// What loops spend, in one vocabulary: measures, caps, and the reservations that are taken before anything is spent.

/**
 * What is counted, in whole numbers: money in millionths of a dollar, times in milliseconds, disk in bytes. `tokens` is all of
 * them together; the four kinds are disjoint, and are there only where somebody told them apart.
 */
export const MEASURES = [
  "microUsd",
  "tokens",
  "input",
  "output",
  "cached",
  "reasoning",
  "timeMs",
  "cpuMs",
  "rounds",
  "launches",
  "calls",
  "tools",
  "processes",
  "diskBytes",
] as const;
export type Measure = (typeof MEASURES)[number];
/** What is not named is none of it. */
export type Amounts = { readonly [M in Measure]?: number };

/** No single amount is more: what claims to be is written down as this, and is past every cap all the same. */
export const MOST_AT_ONCE = 1e12;

/** Where a figure comes from: somebody who knows said so, it was worked out, or nobody knows and the worst was taken. */
export type Basis = "reported" | "estimated" | "unknown";

/** Dollars for a million tokens of each kind. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Reading from a cache; as fresh input where it is not told. */
  readonly cached?: number;
}

/** Who spent it, as far as it is known. */
export interface Spender {
  /** Or a verifier that asks models. */
  readonly maker?: string;
  readonly model?: string;
  /** Which worker of a team. */
  readonly worker?: string;
}

/** A model that was asked for a maker, or for a verifier that asks models. */
export type AskedModel = { readonly maker: string; readonly model: string };

/** Where a cap holds. A call is one reservation; days and months are those on the record. */
export const SCOPES = ["call", "round", "run", "loop-day", "loop-month", "machine-day", "machine-month"] as const;
export type ScopeName = (typeof SCOPES)[number];

/** At most so much of a measure in one scope. What has no cap is not limited there. */
export interface Cap {
  readonly scope: ScopeName;
  readonly measure: Measure;
  readonly most: number;
  /** As a person wrote it, and where: `budget.usd`. */
  readonly written: string;
  readonly from: string;
}

/** A run above: what is spent in the runs that it calls comes out of it as well. */
export interface PlaceAbove {
  readonly loop: string;
  readonly run: string;
  readonly roundId: string;
  /** Which of its workers calls. */
  readonly worker: string;
}

/** The process that holds a reservation, told apart from any later one with the same number. */
export interface Owner {
  readonly pid: number;
  /** When it began, as its system counts; not there where the system does not tell. */
  readonly began?: string;
  /** Which start of which system it belongs to; not there where the system does not tell. */
  readonly boot?: string;
}

/** Why a reservation was refused, with the numbers. */
export interface Refusal {
  readonly cap: Cap;
  /** Spent and reserved so far in that scope. */
  readonly taken: number;
  /** How much of that is only set aside, for what still goes on. */
  readonly held?: number;
  readonly asked: number;
  /** There where it is a cap of a run above, or of what its worker may use. */
  readonly above?: PlaceAbove & { readonly isShare: boolean };
}

/** What a maker or a model says it used. What it leaves out is unknown, and unknown is never zero. */
export interface Usage {
  readonly usd?: number;
  /** All tokens together, where their kinds are not told apart. */
  readonly tokens?: number;
  /** Fresh input, that is without what came from a cache. */
  readonly input?: number;
  /** Visible output, that is without reasoning. */
  readonly output?: number;
  readonly cached?: number;
  readonly reasoning?: number;
  readonly calls?: number;
  readonly tools?: number;
  readonly model?: string;
  /** What its user says that it costs; of a model that costs nothing, nothing. */
  readonly price?: Price;
  /** Nobody counted the tokens: they were worked out from lengths. */
  readonly isGuess?: true;
  /** What its tool calls were, in a word each; the same ones round after round are a sign of going in circles. */
  readonly did?: readonly string[];
}

/** What is about to be spent at most. */
export interface Estimate extends Omit<Usage, "did"> {
  /** In a few words, for the record: `quorum: one vote`. */
  readonly purpose: string;
  readonly timeMs?: number;
}

export type Reserving =
  /** `output` is how much of it there is room for, which may be less than was asked for. */
  | { readonly kind: "reserved"; readonly reservation: number; readonly output: number }
  | { readonly kind: "refused"; readonly why: string; readonly refusal: Refusal };

export type Charged = "go-on" | "budget-spent";

/**
 * What everything is spent through. Reserve before a model call, settle after it; charge what was spent without being asked.
 * All of it is on record before the answer is given.
 */
export interface Meter {
  /** Takes the estimate from what is left at every scope, or says which cap it would pass and takes nothing. */
  reserve(estimate: Estimate): Promise<Reserving>;
  /**
   * Puts the real figure in place of the reservation; what is unknown stays at the reserved size. `not-made` is for a call that
   * its provider turned away.
   */
  settle(reservation: number, actual: Usage | "unknown" | "not-made"): Promise<Charged>;
  charge(usage: Usage): Promise<Charged>;
  /** The same for those who count up: what was used since the launch, all together. Only what is new is charged. */
  total(usage: Usage): Promise<Charged>;
  /** Says that no model is behind this launch: what was not charged was not spent. */
  free(): void;
}
