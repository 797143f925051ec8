// What a launch spends through: the reservation it was started on, and everything it reports on the way. The journal has it
// before the maker hears an answer; a cap that is reached ends the launch.

import type { Finished, Used } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { Amounts, Basis, Cap, Charged, Estimate, Meter, Refusal, ScopeName, Spender, Usage } from "../contract/ledger.ts";
import type { Entry, LoopRecord, Reserved, RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Limits, LoopSpec } from "../contract/spec.ts";
import type { Watch } from "../contract/watch.ts";
import type { World } from "../contract/world.ts";
import { isRunaway, type Pace } from "../guard/anomaly.ts";
import { capReached, capsOf, estimateUnreported, launchEstimate, tellRefusal, tellRemedy } from "../guard/budget.ts";
import { type Costed, costOf, outputWithin, type PriceTable, whole } from "../guard/price.ts";
import type { Tallies } from "../journal/journal.ts";
import { lesser, minus, plus } from "../journal/ledger.ts";
import type { RunJournal } from "../journal/run-journal.ts";
import { dayIn } from "../std/day.ts";
import { sha256 } from "../std/hash.ts";

/** What all spending of a run goes by, besides its spec. */
export interface Purse {
  readonly limits: Limits;
  readonly prices: PriceTable;
  /** Earlier runs of the loop. */
  readonly history: readonly Pace[];
}

/** What a launch, or a check, spends with. */
export interface Spending {
  readonly spec: LoopSpec;
  readonly roundId: string;
  readonly journal: RunJournal;
  readonly world: Pick<World, "clock" | "census">;
  readonly purse: Purse;
  readonly watch: Watch;
}

export const spendingOf = (
  { id }: Pick<Round, "id">,
  { opened, journal, world, purse, watch }: Omit<Spending, "spec" | "roundId"> & { readonly opened: RunOpened },
): Spending => ({ spec: opened.spec, roundId: id, journal, world, purse, watch });

/** A maker at work, and what it may still use. */
export interface Launch {
  readonly meter: Meter;
  /** What is left for it in every scope that caps time. */
  readonly timeLeftMs: number;
  /** What is near its cap, for the brief. */
  readonly taken: Tallies;
  /** Adds what a command came to. */
  add(finished: Finished): void;
  /** Why it may not go on, if it may not; `running` is what a command that still runs has used. */
  over(running?: Used): LoopError | undefined;
  /** Puts what it came to in place of what was set aside. */
  settle(): Promise<void>;
}

/** Sets something aside for a maker, or says which cap is in the way. */
export async function openLaunch(spending: Spending): Promise<Launch> {
  const { spec, roundId, journal } = spending;
  const caps = capsOf(spec, spending.purse.limits);
  const launchCaps = caps.filter(({ scope }) => scope !== "call");
  const isFirst = !journal.entries.some(({ record }) => record.kind === "reserved" && record.roundId === roundId && record.amounts.rounds);
  const counts: Amounts = { launches: 1, ...(isFirst ? { rounds: 1 } : {}) };
  const answer = await journal.reserve({
    ...asking(spending),
    purpose: `launch ${spec.maker.use}`,
    who: { maker: spec.maker.use },
    wanted: { ...launchEstimate(caps), ...counts },
    least: counts,
    caps: launchCaps,
  });
  if (answer.kind === "refused") throw overrun(answer.refusal);
  spending.watch({ kind: "recorded", entry: answer.entry });
  const { day } = answer.entry.record;
  return createLaunch(spending, caps, answer.entry, counts, minusOwn(await journal.taken(roundId, day), answer.entry.record.amounts));
}

/** A round that starts no maker counts all the same. */
export async function countRound(spending: Spending): Promise<void> {
  const { spec, roundId, journal, watch } = spending;
  if (journal.entries.some(({ record }) => record.kind === "reserved" && record.roundId === roundId)) return;
  const caps = capsOf(spec, spending.purse.limits).filter(({ scope }) => scope !== "call");
  const answer = await journal.reserve({
    ...asking(spending),
    purpose: `report by ${spec.maker.use}`,
    who: { maker: spec.maker.use },
    wanted: { rounds: 1 },
    caps,
  });
  if (answer.kind === "refused") throw overrun(answer.refusal);
  const reservation = answer.entry.seq;
  const entry = await journal.append({ kind: "settled", roundId, reservation, amounts: { rounds: 1 }, basis: "reported" });
  watch({ kind: "recorded", entry });
}

const asking = ({ roundId, world, purse }: Spending) => ({
  roundId,
  today: dayIn(purse.limits.zone, world.clock.now()),
  owner: world.census.self(),
  isGone: world.census.isGone,
});

function createLaunch(spending: Spending, caps: readonly Cap[], opened: Entry<Reserved>, counts: Amounts, before: Tallies): Launch {
  const { spec, roundId, journal, world, purse, watch } = spending;
  const { seq: reservation, record: reserved } = opened;
  const startedMs = world.clock.monotonicMs();
  const who: Spender = { maker: spec.maker.use };
  let left = reserved.amounts;
  let totals: Usage = {};
  let isFree = false;
  let hasReported = false;
  let transcriptBytes = 0;
  let commands: Amounts = {};
  let reached: LoopError | undefined;

  const record = async (line: LoopRecord): Promise<void> => watch({ kind: "recorded", entry: await journal.append(line) });

  /** After every figure: is a cap used up, or does the loop run away? */
  async function looked(): Promise<Charged> {
    const taken = await journal.taken(roundId, reserved.day);
    const refusal = capReached(caps, (scope) => minus(taken[scope], left));
    const { used, workedMs } = journal.state;
    const runaway = isRunaway({ used, workedMs: workedMs + world.clock.monotonicMs() - startedMs }, purse.history);
    reached ??= refusal ? overrun(refusal) : runaway === undefined ? undefined : runsAway(runaway);
    return reached ? "budget-spent" : "go-on";
  }

  async function charge(usage: Usage): Promise<Charged> {
    const { amounts, basis, note } = costed(usage, purse.prices);
    const { microUsd = 0, tokens = 0 } = amounts;
    hasReported ||= microUsd > 0 || tokens > 0;
    left = minus(left, lesser(left, amounts));
    await record({
      kind: "spent",
      roundId,
      spend: { usd: microUsd / 1e6, tokens },
      amounts,
      basis,
      who: { ...who, ...named(usage.model) },
      reservation,
      day: reserved.day,
      ...(note === undefined ? {} : { note }),
      ...(usage.did === undefined ? {} : { did: usage.did.map((word) => sha256(word).slice(0, 12)) }),
    });
    return looked();
  }

  const calls = createCalls(spending, caps, {
    who,
    within: reservation,
    reserved(amounts) {
      left = minus(left, lesser(left, amounts));
    },
    settled() {
      hasReported = true;
      return looked();
    },
  });

  return {
    timeLeftMs: timeLeft(caps, before),
    taken: before,
    meter: {
      charge,
      reserve: calls.reserve,
      settle: calls.settle,
      total(usage) {
        const more = since(totals, usage);
        totals = { ...totals, ...usage };
        return more ? charge(more) : Promise.resolve(reached ? "budget-spent" : "go-on");
      },
      free() {
        isFree = true;
      },
    },
    add({ output, tookMs, used = {} }) {
      transcriptBytes += output.bytes;
      commands = plus(commands, whole({ timeMs: tookMs, ...used }));
    },
    over(running = {}) {
      const sofar = plus(commands, whole({ ...running }));
      const refusal = capReached(
        caps.filter(({ measure }) => measure !== "timeMs" && measure !== "microUsd" && measure !== "tokens"),
        (scope) => plus(before[scope], minus(sofar, { timeMs: sofar.timeMs ?? 0 })),
      );
      reached ??= refusal ? overrun(refusal) : undefined;
      return reached;
    },
    async settle() {
      await calls.settleAll();
      const timeMs = Math.max(0, world.clock.monotonicMs() - startedMs);
      const isKnown = isFree || hasReported;
      const guess = isKnown ? {} : estimateUnreported({ bytes: transcriptBytes, timeMs });
      const basis: Basis = isKnown ? "reported" : "estimated";
      const note = isKnown ? {} : { note: "the maker reported nothing: estimated by what it printed and how long it took" };
      const { timeMs: commandMs = 0, ...counted } = commands;
      const amounts = [counts, counted, guess, whole({ timeMs: Math.max(timeMs, commandMs) })].reduce(plus);
      left = {};
      await record({ kind: "settled", roundId, reservation, amounts, basis, ...note });
      await looked();
    },
  };
}

/** Model calls of one part: each is reserved before it is made, and settled after it. */
export interface Calls extends Pick<Meter, "reserve" | "settle"> {
  /** What nobody settled could have cost all that was reserved. */
  settleAll(): Promise<void>;
}

/** For a verifier, which has no launch to take its calls out of. */
export function openCalls(spending: Spending, who: Spender): Calls {
  const { spec, roundId, journal, purse, world } = spending;
  const caps = capsOf(spec, purse.limits);
  return createCalls(spending, caps, {
    who,
    reserved() {},
    async settled() {
      const taken = await journal.taken(roundId, dayIn(purse.limits.zone, world.clock.now()));
      return capReached(caps, (scope) => taken[scope]) ? "budget-spent" : "go-on";
    },
  });
}

interface CallsOf {
  readonly who: Spender;
  /** The launch that they are part of. */
  readonly within?: number;
  readonly reserved: (amounts: Amounts) => void;
  readonly settled: () => Promise<Charged>;
}

/** A reply of fewer tokens is not worth asking for. */
const LEAST_OUTPUT = 500;

function createCalls(spending: Spending, caps: readonly Cap[], { who, within, reserved, settled }: CallsOf): Calls {
  const { roundId, journal, purse, watch } = spending;
  const open = new Map<number, Amounts>();
  const record = async (line: LoopRecord): Promise<void> => watch({ kind: "recorded", entry: await journal.append(line) });

  return {
    async reserve(estimate) {
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
      if (answer.kind === "refused") return { kind: "refused", why: tellRefusal(answer.refusal), refusal: answer.refusal };
      watch({ kind: "recorded", entry: answer.entry });
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
      await record({
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
      for (const [call, amounts] of open) await record({ kind: "settled", roundId, reservation: call, amounts, basis: "unknown" });
      open.clear();
    },
  };
}

function costOfCall(actual: Usage | "unknown" | "not-made", held: Amounts, prices: PriceTable): Costed {
  if (actual === "unknown") return unknownCall(held);
  if (actual === "not-made") return { amounts: { calls: 1 }, basis: "reported", note: "its provider turned it away" };
  return filled(costed({ calls: 1, ...actual }, prices), held, actual);
}

/** What commands use that are no maker's is on record too. They spend no money, and what the system does not tell about them is not known. */
export function countCommands({ roundId, journal, world, purse, watch }: Spending): {
  readonly add: (finished: Finished) => void;
  readonly settle: () => Promise<void>;
} {
  let amounts: Amounts = {};
  return {
    add({ tookMs, used = {} }) {
      amounts = plus(amounts, whole({ timeMs: tookMs, ...used }));
    },
    async settle() {
      if (Object.keys(amounts).length === 0) return;
      const day = dayIn(purse.limits.zone, world.clock.now());
      const entry = await journal.append({ kind: "spent", roundId, spend: { usd: 0, tokens: 0 }, amounts, basis: "reported", day });
      watch({ kind: "recorded", entry });
    },
  };
}

function costed(usage: Usage, prices: PriceTable): Costed {
  const cost = costOf(usage, prices);
  if (cost) return cost;
  throw new LoopError("maker-failed", `the maker reported a spend that is no amount: $${usage.usd ?? 0}, ${usage.tokens ?? 0} tokens`, {
    retry: "never",
    hint: "Mend how the maker reports its usage; unknown spending is left out, not written as a number.",
  });
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

/** What is new in a figure that counts up; one that went back says nothing new. */
function since(before: Usage, now: Usage): Usage | undefined {
  const keys = ["usd", "tokens", "input", "output", "cached", "reasoning", "calls", "tools"] as const;
  // What is no amount must be seen as such, and not taken for less than before.
  const isOdd = keys.some((key) => now[key] !== undefined && !(Number.isFinite(now[key]) && now[key] >= 0));
  if (isOdd) return now;
  const more = keys.flatMap((key) => {
    const amount = (now[key] ?? 0) - (before[key] ?? 0);
    return amount > 0 ? [[key, amount] as const] : [];
  });
  if (more.length === 0) return undefined;
  return { ...Object.fromEntries(more), ...named(now.model), ...(now.did === undefined ? {} : { did: now.did }) };
}

const named = (model: string | undefined): { readonly model?: string } => (model === undefined ? {} : { model: model.slice(0, 100) });

function minusOwn(taken: Tallies, own: Amounts): Tallies {
  const entries = Object.entries(taken).map(([scope, amounts]) => [scope, minus(amounts, own)] as const);
  return Object.fromEntries(entries) as { [S in Exclude<ScopeName, "call">]: Amounts }; // the same keys
}

const timeLeft = (caps: readonly Cap[], before: Tallies): number =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    ...caps.flatMap(({ scope, measure, most }) =>
      measure === "timeMs" && scope !== "call" ? [Math.max(1, most - (before[scope].timeMs ?? 0))] : [],
    ),
  );

export const overrun = (refusal: Refusal): LoopError =>
  new LoopError("budget-spent", tellRefusal(refusal), { retry: "never", hint: tellRemedy(refusal) });

const runsAway = (why: string): LoopError =>
  new LoopError("runaway", why, {
    retry: "never",
    hint: "Look at what it did with `lw show`; if it is as it should be, start it again with `lw run`.",
  });
