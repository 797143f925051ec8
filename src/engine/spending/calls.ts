// Model calls of one part: each is reserved before it is made, and settled after it.
import type { Amounts, Cap, Charged, Estimate, Meter, Spender, Usage } from "../../contract/ledger.ts";
import { capsOf, tellRefusal } from "../../guard/budget.ts";
import { type Costed, outputWithin, type PriceTable, whole } from "../../guard/price.ts";
import { dayIn } from "../../std/day.ts";
import { overAbove, overAt } from "./above.ts";
import { costed, named } from "./amounts.ts";
import { asking, type Spending } from "./spending.ts";

/** Model calls of one part: each is reserved before it is made, and settled after it. */
export interface Calls extends Pick<Meter, "reserve" | "settle"> {
  /** What nobody settled could have cost all that was reserved. */
  settleAll(): Promise<void>;
}

/** For a verifier, which has no launch to take its calls out of. */
export function openCalls(spending: Spending, who: Spender): Calls {
  const { spec, roundId, journal, purse, world } = spending;
  const caps = capsOf(spec, purse.limits);
  return createCalls(spending, () => caps, {
    who,
    reserved() {},
    refused() {},
    async settled() {
      const day = dayIn(purse.limits.zone, world.clock.now());
      const { loop, run } = journal;
      const place = { loop, run, round: roundId, day };
      const reached = (await overAt(journal, place, caps, "asks-first")) ?? (await overAbove(spending, day, "asks-first"));
      return reached ? "budget-spent" : "go-on";
    },
  });
}

interface CallsOf {
  readonly who: Spender;
  /** The launch that they are part of. */
  readonly within?: number;
  readonly reserved: (amounts: Amounts) => void;
  /** A call was not made, for want of room. */
  readonly refused: () => void;
  readonly settled: () => Promise<Charged>;
}

/** A reply of fewer tokens is not worth asking for. */
const LEAST_OUTPUT = 500;

export function createCalls(
  spending: Spending,
  capsNow: () => readonly Cap[],
  { who, within, reserved, refused, settled }: CallsOf,
): Calls {
  const { roundId, journal, purse } = spending;
  const open = new Map<number, Amounts>();

  return {
    async reserve(estimate) {
      const caps = capsNow();
      const { output = 0 } = estimate;
      const shortest = { ...estimate, output: Math.min(output, LEAST_OUTPUT) };
      const answer = await journal.reserve({
        ...asking(spending),
        purpose: estimate.purpose,
        who: { ...who, ...named(estimate.model) },
        wanted: estimated(estimate, caps, purse.prices),
        ...(output > LEAST_OUTPUT ? { least: estimated(shortest, caps, purse.prices) } : {}),
        caps,
        ...(within === undefined ? {} : { within }),
      });
      if (answer.kind === "refused") {
        refused();
        return { kind: "refused", why: tellRefusal(answer.refusal), refusal: answer.refusal };
      }
      const { amounts } = answer.entry.record;
      reserved(amounts);
      open.set(answer.entry.seq, amounts);
      return { kind: "reserved", reservation: answer.entry.seq, output: outputWithin(amounts, estimate, purse.prices) };
    },

    async settle(call, actual) {
      const held = open.get(call);
      if (!held) throw new TypeError(`the reservation ${call} is not open`);
      open.delete(call);
      const { amounts, basis, note } = costOfCall(actual, held, purse.prices);
      const model = typeof actual === "object" ? named(actual.model) : {};
      await journal.write({
        kind: "settled",
        roundId,
        reservation: call,
        amounts,
        basis,
        ...("model" in model ? { who: { ...who, ...model } } : {}),
        ...(note === undefined ? {} : { note }),
      });
      return settled();
    },

    async settleAll() {
      for (const [call, amounts] of open) await journal.write({ kind: "settled", roundId, reservation: call, amounts, basis: "unknown" });
      open.clear();
    },
  };
}

function costOfCall(actual: Usage | "unknown" | "not-made", held: Amounts, prices: PriceTable): Costed {
  if (actual === "unknown") return unknownCall(held);
  if (actual === "not-made") return { amounts: { calls: 1 }, basis: "reported", note: "its provider turned it away" };
  return filled(costed({ calls: 1, ...actual }, prices), held, actual);
}

/** A call of which nothing is known could cost all that one call may. */
function estimated(estimate: Estimate, caps: readonly Cap[], prices: PriceTable): Amounts {
  const { amounts } = costed({ calls: 1, ...estimate }, prices);
  const most = (measure: "microUsd" | "tokens") => caps.find((cap) => cap.scope === "call" && cap.measure === measure)?.most;
  const isPriced = (amounts.microUsd ?? 0) > 0 || estimate.price !== undefined;
  return whole({
    ...amounts,
    ...(isPriced ? {} : { microUsd: most("microUsd") ?? 0, tokens: Math.max(amounts.tokens ?? 0, most("tokens") ?? 0) }),
    timeMs: estimate.timeMs ?? 0,
  });
}

const unknownCall = (held: Amounts): Costed => ({
  amounts: held,
  basis: "unknown",
  note: "nobody said what it came to: it is charged as it was reserved",
});

/** What was not told is at its reserved size. */
function filled({ amounts, basis, note }: Costed, held: Amounts, { price }: Usage): Costed {
  const isFree = price !== undefined && (amounts.tokens ?? 0) > 0;
  const untold = (["microUsd", "tokens"] as const).filter(
    (measure) => !amounts[measure] && held[measure] && !(measure === "microUsd" && isFree),
  );
  const all = { ...amounts, ...Object.fromEntries(untold.map((measure) => [measure, held[measure]])) };
  return { amounts: all, basis: untold.length > 0 ? "unknown" : basis, ...(note === undefined ? {} : { note }) };
}
