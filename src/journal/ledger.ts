// The ledger as arithmetic: what each record moves in which scope, and whether one more thing fits. Pure; the store keeps the
// same sums as tables, and replaying the journal through this file must always give what they say.
import {
  type Amounts,
  type Cap,
  MEASURES,
  type Measure,
  type PlaceAbove,
  type Refusal,
  type ScopeName,
  type Spender,
} from "../contract/ledger.ts";
import type { Entry, Reserved } from "../contract/record.ts";

/** A sum that records add to: the tally of a scope, or a line of what was spent by whom. */
export interface Move {
  readonly into: "taken" | "spent";
  readonly key: string;
  readonly amounts: Amounts;
}

/** A reservation that is not settled yet, and what is left of it. */
export interface OpenReservation extends Omit<Reserved, "kind"> {
  readonly seq: number;
  readonly loop: string;
  readonly run: string;
  readonly left: Amounts;
}

export interface Effect {
  readonly moves: readonly Move[];
  /** What becomes of the reservations it is about. */
  readonly open?: readonly OpenReservation[];
  readonly close?: number;
  /** The day it is by now. */
  readonly day?: string;
}

/** What the ledger knew before a record. */
export interface Known {
  readonly openOf: (seq: number) => OpenReservation | undefined;
  readonly day: string | undefined;
}

const KINDS: ReadonlySet<string> = new Set(["reserved", "spent", "settled"]);

export const movesLedger = (kind: string): boolean => KINDS.has(kind);

/** What a record does to the ledger. */
export function effectOf(entry: Entry, { openOf, day: lastDay }: Known): Effect {
  const { record, seq, loop, run } = entry;
  if (record.kind === "reserved") {
    const { kind: _, ...reserved } = record;
    const day = laterDay(lastDay, record.day);
    const parent = record.within === undefined ? undefined : openOf(record.within);
    const covered = parent ? lesser(parent.left, record.amounts) : {};
    const more = minus(record.amounts, covered);
    return {
      moves: [...taking({ loop, run, round: record.roundId, day }, more), ...takingAbove(record.above, day, more)],
      open: [
        { ...reserved, day, seq, loop, run, left: record.amounts },
        ...(parent ? [{ ...parent, left: minus(parent.left, covered) }] : []),
      ],
      day,
    };
  }
  if (record.kind === "spent") {
    const amounts = record.amounts ?? spendAmounts(record.spend);
    const held = record.reservation === undefined ? undefined : openOf(record.reservation);
    const today = laterDay(lastDay, record.day ?? entry.at.slice(0, 10));
    const day = held?.day ?? today;
    const covered = held ? lesser(held.left, amounts) : {};
    const more = minus(amounts, covered);
    return {
      moves: [
        ...taking({ loop, run, round: record.roundId, day }, more),
        ...takingAbove(held?.above ?? record.above, day, more, record.timeAbove),
        spentBy({ day, loop, basis: record.basis ?? "reported" }, record.who ?? {}, amounts),
      ],
      ...(held ? { open: [{ ...held, left: minus(held.left, covered) }] } : {}),
      day: today,
    };
  }
  if (record.kind === "settled") {
    const held = openOf(record.reservation);
    // Settled already by somebody who took its owner for dead: what it gave then is not given back.
    if (!held) return { moves: [] };
    const more = minus(record.amounts, held.left);
    const timeMs = held.left.timeMs ?? 0;
    return {
      moves: [
        ...taking({ loop: held.loop, run: held.run, round: held.roundId, day: held.day }, more),
        ...takingAbove(
          held.above,
          held.day,
          more,
          record.timeAbove?.map((counted) => counted - timeMs),
        ),
        spentBy({ day: held.day, loop: held.loop, basis: record.basis }, record.who ?? held.who, record.amounts),
      ],
      close: held.seq,
    };
  }
  return { moves: [] };
}

interface Place {
  readonly loop: string;
  readonly run: string;
  readonly round: string;
  readonly day: string;
}

/** The key of each tally that a place belongs to. */
export const tallyKeys = ({ loop, run, round, day }: Place): { readonly [S in Exclude<ScopeName, "call">]: string } => ({
  round: `round ${round}`,
  run: `run ${run}`,
  "loop-day": `loop ${loop} ${day}`,
  "loop-month": `loop ${loop} ${day.slice(0, 7)}`,
  "machine-day": `machine ${day}`,
  "machine-month": `machine ${day.slice(0, 7)}`,
});

/** What is taken in each of them. */
export const talliesAt = (
  keys: ReturnType<typeof tallyKeys>,
  takenAt: (key: string) => Amounts,
): { readonly [S in Exclude<ScopeName, "call">]: Amounts } => ({
  round: takenAt(keys.round),
  run: takenAt(keys.run),
  "loop-day": takenAt(keys["loop-day"]),
  "loop-month": takenAt(keys["loop-month"]),
  "machine-day": takenAt(keys["machine-day"]),
  "machine-month": takenAt(keys["machine-month"]),
});

const taking = (place: Place, amounts: Amounts): readonly Move[] =>
  isNothing(amounts) ? [] : Object.values(tallyKeys(place)).map((key) => ({ into: "taken", key, amounts }));

/** What is taken in the runs above: all but rounds, which are each run's own, and days and months of the machine, which have it already. */
function takingAbove(
  above: readonly PlaceAbove[] | undefined,
  day: string,
  amounts: Amounts,
  timeAbove?: readonly number[],
): readonly Move[] {
  return (above ?? []).flatMap((place, index) => {
    const { rounds: _, ...own } = { ...amounts, timeMs: timeAbove?.[index] ?? amounts.timeMs ?? 0 };
    return isNothing(own) ? [] : Object.values(keysAbove(place, day)).map((key) => ({ into: "taken" as const, key, amounts: own }));
  });
}

/** The key of each tally of a run above; `worker` is all that was called for one of its workers. */
export function keysAbove({ loop, run, roundId, worker }: PlaceAbove, day: string): { readonly [S in AboveScope]: string } {
  const { "machine-day": _, "machine-month": __, ...own } = tallyKeys({ loop, run, round: roundId, day });
  return { ...own, worker: `worker ${run} ${worker}` };
}

/** Where caps of a run above hold. */
export type AboveScope = Exclude<ScopeName, "call" | "machine-day" | "machine-month"> | "worker";

/** What a run above still lets through: its own caps, and the share of the worker that calls. */
export interface CapsAbove extends PlaceAbove {
  readonly caps: readonly Cap[];
  readonly share: readonly Cap[];
}

/** What was granted, as it goes on record in every store. */
export const reservedBy = (
  ask: Pick<Reserved, "roundId" | "purpose" | "who" | "owner"> & { readonly above?: readonly CapsAbove[] },
  amounts: Amounts,
  { day, within }: { readonly day: string; readonly within: number | undefined },
): Reserved => ({
  kind: "reserved",
  roundId: ask.roundId,
  purpose: ask.purpose,
  who: ask.who,
  amounts,
  day,
  owner: ask.owner,
  ...(within === undefined ? {} : { within }),
  ...placesAbove(ask),
});

/** The runs above as they go on record: without their caps, which are in their own specs. */
export const placesAbove = ({ above }: { readonly above?: readonly CapsAbove[] }): Pick<Reserved, "above"> =>
  above ? { above: above.map(({ loop, run, roundId, worker }) => ({ loop, run, roundId, worker })) } : {};

/** Takes what is wanted where every cap of the run itself and of all runs above has room for it. */
export function grantAll(
  {
    wanted,
    least = wanted,
    caps,
    above = [],
  }: { readonly wanted: Amounts; readonly least?: Amounts; readonly caps: readonly Cap[]; readonly above?: readonly CapsAbove[] },
  place: Place,
  { takenAt, heldAt }: { readonly takenAt: (key: string) => Amounts; readonly heldAt: (key: string) => Amounts },
): ReturnType<typeof grant> {
  const own = tallyKeys(place);
  const first = grant({ wanted, least }, caps, (scope) => takenAt(own[scope]));
  if (first.kind === "refused") return told(first.refusal, first.refusal.cap.scope === "call" ? "" : own[first.refusal.cap.scope]);
  let granted = first.amounts;
  for (const one of above) {
    const keys = keysAbove(one, place.day);
    const isOwn = ({ scope, measure }: Cap): boolean => measure !== "rounds" && scope !== "machine-day" && scope !== "machine-month";
    const all = [
      ...one.caps.filter(isOwn).map((cap) => ({ cap, key: cap.scope === "call" ? "" : keys[cap.scope as AboveScope], isShare: false })), // the others are filtered out
      ...one.share.map((cap) => ({ cap, key: keys.worker, isShare: true })),
    ];
    for (const { cap, key, isShare } of all) {
      const answer = grant({ wanted: granted, least }, [cap], () => takenAt(key));
      const { loop, run, roundId, worker } = one;
      if (answer.kind === "refused") return told({ ...answer.refusal, above: { loop, run, roundId, worker, isShare } }, key);
      granted = answer.amounts;
    }
  }
  return { kind: "granted", amounts: granted };

  /** What is only set aside is told apart from what is spent. */
  function told(refusal: Refusal, key: string): ReturnType<typeof grant> {
    const { measure } = refusal.cap;
    // A launch or a round counts from its beginning.
    const held = measure === "launches" || measure === "rounds" ? 0 : Math.min(refusal.taken, heldAt(key)[measure] ?? 0);
    return { kind: "refused", refusal: held > 0 ? { ...refusal, held } : refusal };
  }
}

/** What is set aside and not spent in one tally, by these reservations. */
export const heldIn = (open: Iterable<OpenReservation>, key: string): Amounts =>
  [...open].reduce((sum, one) => (keysOf(one).includes(key) ? plus(sum, one.left) : sum), {} as Amounts);

/** All tallies that a reservation is taken from. */
const keysOf = ({ loop, run, roundId, day, above = [] }: OpenReservation): readonly string[] => [
  ...Object.values(tallyKeys({ loop, run, round: roundId, day })),
  ...above.flatMap((place) => Object.values(keysAbove(place, day))),
];

export interface SpentLine extends Spender {
  readonly day: string;
  readonly loop: string;
  readonly basis: string;
}

const spentBy = (
  { day, loop, basis }: { readonly day: string; readonly loop: string; readonly basis: string },
  who: Spender,
  amounts: Amounts,
): Move => ({
  into: "spent",
  key: JSON.stringify([day, loop, who.maker ?? "", who.model ?? "", basis]),
  amounts,
});

export function readSpentKey(key: string): SpentLine {
  const [day, loop, maker, model, basis] = JSON.parse(key) as [string, string, string, string, string]; // as `spentBy` writes it
  return { day, loop, basis, ...(maker ? { maker } : {}), ...(model ? { model } : {}) };
}

/** How records from before the ledger tell what was spent. */
const spendAmounts = ({ usd, tokens }: { readonly usd: number; readonly tokens: number }): Amounts => ({
  microUsd: Math.ceil(usd * 1e6),
  tokens: Math.ceil(tokens),
});

/** Takes what is wanted, where every cap has room for it; `least` is what would do, and between the two it takes what is left. */
export function grant(
  { wanted, least = wanted }: { readonly wanted: Amounts; readonly least?: Amounts },
  caps: readonly Cap[],
  takenIn: (scope: Exclude<ScopeName, "call">) => Amounts,
): { readonly kind: "granted"; readonly amounts: Amounts } | { readonly kind: "refused"; readonly refusal: Refusal } {
  let granted = wanted;
  for (const cap of caps) {
    const taken = cap.scope === "call" ? 0 : (takenIn(cap.scope)[cap.measure] ?? 0);
    const asked = granted[cap.measure] ?? 0;
    const enough = least[cap.measure] ?? 0;
    const left = cap.most - taken;
    // What is used up is used up, also for those who ask for nothing of it: a call of unknown cost must not slip through.
    if (left <= 0 || left < enough) return { kind: "refused", refusal: { cap, taken, asked: enough } };
    if (asked > left) granted = { ...granted, [cap.measure]: left };
  }
  return { kind: "granted", amounts: granted };
}

/** What a reservation comes to whose owner is gone: all of it, as far as anybody knows, but no more time than has passed since. */
export function leftOver({ left }: Pick<OpenReservation, "left">, reservedAt: string | undefined, now: Date): Amounts {
  const passedMs = now.getTime() - Date.parse(reservedAt ?? "");
  // A clock that was set back says nothing.
  return left.timeMs === undefined || !(passedMs >= 0) ? left : { ...left, timeMs: Math.min(left.timeMs, passedMs) };
}

/** The later of two days: a clock that was set back opens neither an old day again nor a new one. */
export const laterDay = (known: string | undefined, today: string): string =>
  known !== undefined && known > today && !isFarFrom(known, today) ? known : today;

/** A clock that goes back by more was wrong before, and not now: else a day of another year would hold until that year comes. */
const MOST_BACK_MS = 31 * 24 * 3_600_000;
const isFarFrom = (known: string, today: string): boolean => Date.parse(known) - Date.parse(today) > MOST_BACK_MS;

/** The whole ledger, worked out again from the records alone. */
export interface Replayed {
  readonly taken: ReadonlyMap<string, Amounts>;
  readonly spent: ReadonlyMap<string, Amounts>;
  readonly open: ReadonlyMap<number, OpenReservation>;
  readonly day: string | undefined;
}

export function replay(entries: Iterable<Entry>): Replayed {
  const sums = { taken: new Map<string, Amounts>(), spent: new Map<string, Amounts>() };
  const open = new Map<number, OpenReservation>();
  let last: string | undefined;
  for (const entry of entries) {
    const { moves, open: opened, close, day } = effectOf(entry, { openOf: (seq) => open.get(seq), day: last });
    for (const { into, key, amounts } of moves) sums[into].set(key, plus(sums[into].get(key) ?? {}, amounts));
    for (const one of opened ?? []) open.set(one.seq, one);
    if (close !== undefined) open.delete(close);
    last = day ?? last;
  }
  return { ...sums, open, day: last };
}

export const plus = (a: Amounts, b: Amounts): Amounts => combine(a, b, (x, y) => x + y);
export const minus = (a: Amounts, b: Amounts): Amounts => combine(a, b, (x, y) => x - y);
export const lesser = (a: Amounts, b: Amounts): Amounts => combine(a, b, Math.min);

const isNothing = (amounts: Amounts): boolean => MEASURES.every((measure) => !amounts[measure]);

function combine(a: Amounts, b: Amounts, how: (x: number, y: number) => number): Amounts {
  const result: { [M in Measure]?: number } = {};
  for (const measure of MEASURES) {
    const amount = how(a[measure] ?? 0, b[measure] ?? 0);
    if (amount !== 0) result[measure] = amount;
  }
  return result;
}
