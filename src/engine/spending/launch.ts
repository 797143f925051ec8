// What a launch spends through: the reservation it was started on, and everything it reports on the way. The journal has it
// before the maker hears an answer; a cap that is reached ends the launch.
import type { Finished, Used } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Amounts, Basis, Cap, Charged, Measure, Meter, Refusal, ScopeName, Spender, Usage } from "../../contract/ledger.ts";
import type { Entry, Reserved } from "../../contract/record.ts";
import { isRunaway } from "../../guard/anomaly.ts";
import { capReached, capsOf, estimateUnreported, launchEstimate } from "../../guard/budget.ts";
import { whole } from "../../guard/price.ts";
import type { Tallies } from "../../journal/journal.ts";
import { lesser, minus, plus } from "../../journal/ledger.ts";
import { sha256 } from "../../std/hash.ts";
import type { Tide } from "../steps.ts";
import { crowdAbove, overAbove, overAt, type TimeBound, tighter, timeAbove, timeBoundOf, timeLeftAbove, UNBOUND } from "./above.ts";
import { costed, named, overrun } from "./amounts.ts";
import { createCalls } from "./calls.ts";
import { isShareSpent, mustHaveShare, shareCaps, sharedOut, shareSpent } from "./share.ts";
import { asking, type Spending } from "./spending.ts";

/** A maker at work, and what it may still use. */
export interface Launch {
  readonly meter: Meter;
  /** What is left for it in every scope that caps time. */
  readonly timeLeftMs: number;
  /** The cap that leaves no more than that; not there where none holds. */
  readonly timeBy?: Refusal;
  /** What is near its cap, for the brief. */
  readonly taken: Tallies;
  /** Adds what a command came to. */
  add(finished: Finished): void;
  /** Why it may not go on, if it may not; `running` is what a command that still runs has used. */
  over(running?: Used): LoopError | undefined;
  /** Puts what it came to in place of what was set aside. */
  settle(): Promise<void>;
}

/** A worker of a team: what it may use of the run, and beside how many it works. */
export interface Share {
  readonly worker: string;
  readonly most: Amounts;
  readonly beside: number;
  readonly tide: Tide;
}

/** Who is launched. */
export interface Launched {
  readonly maker: string;
  /** It spends neither money nor tokens, and so needs none set aside. */
  readonly isFree: boolean;
  /** There for a worker of a team. */
  readonly share?: Share;
}

/** Sets something aside for a maker, or says which cap is in the way. */
export async function openLaunch(spending: Spending, { maker, isFree, share }: Launched): Promise<Launch> {
  const { spec, roundId, journal } = spending;
  if (share) mustHaveShare(journal.entries, share);
  const caps = capsOf(spec, spending.purse.limits);
  const launchCaps = caps.filter(({ scope }) => scope !== "call");
  const isFirst = !journal.entries.some(({ record }) => record.kind === "reserved" && record.roundId === roundId && record.amounts.rounds);
  const counts: Amounts = { launches: 1, ...(isFirst ? { rounds: 1 } : {}) };
  const alone = whole(divided(launchEstimate(caps), crowdAbove(spending.purse)));
  const estimate = share ? sharedOut(alone, share, journal.entries) : alone;
  const { timeMs = 0 } = estimate;
  const answer = await journal.reserve({
    ...asking(spending),
    purpose: `launch ${maker}`,
    who: { maker, ...(share ? { worker: share.worker } : {}) },
    // What is held and never settled counts as spent: who cannot spend holds nothing of it.
    wanted: isFree ? { timeMs, ...counts } : { ...estimate, ...counts },
    least: counts,
    caps: launchCaps,
  });
  if (answer.kind === "refused") throw overrun(answer.refusal);
  const { day } = answer.entry.record;
  return createLaunch(
    { ...spending, maker, isFree, ...(share ? { share } : {}) },
    caps,
    answer.entry,
    counts,
    minusOwn(await journal.taken(roundId, day), answer.entry.record.amounts),
    await timeLeftAbove(spending, day, answer.entry.record.amounts),
  );
}

/** Those who work side by side under one run set aside no more together than one maker does alone. */
const divided = (amounts: Amounts, by: number): Amounts =>
  by === 1 ? amounts : Object.fromEntries(Object.entries(amounts).map(([measure, amount]) => [measure, amount / by]));

function createLaunch(
  spending: Spending & Launched,
  caps: readonly Cap[],
  opened: Entry<Reserved>,
  counts: Amounts,
  before: Tallies,
  boundAbove: TimeBound,
): Launch {
  const { maker, share, roundId, journal, world, purse } = spending;
  const { seq: reservation, record: reserved } = opened;
  const startedMs = world.clock.monotonicMs();
  const { leftMs, by } = tighter(timeBound(caps, before), boundAbove);
  const who: Spender = { maker, ...(share ? { worker: share.worker } : {}) };
  let left = reserved.amounts;
  let totals: Usage = {};
  let { isFree } = spending;
  let hasReported = false;
  /** Money that was worked out for what counts up, and that nobody has reported yet. */
  let guessedMicroUsd = 0;
  let transcriptBytes = 0;
  let commands: Amounts = {};
  let reached: LoopError | undefined;

  /** After every figure: is a cap used up, or does the loop run away? */
  async function looked(held: Amounts | "asks-first"): Promise<Charged> {
    const { loop, run } = journal;
    const place = { loop, run, round: roundId, day: reserved.day };
    const refusal = (await overAt(journal, place, caps, held)) ?? (await overAbove(spending, reserved.day, held));
    const { used, workedMs } = journal.state;
    const runaway = isRunaway({ used, workedMs: workedMs + world.clock.monotonicMs() - startedMs }, purse.history);
    if (share && isShareSpent(journal.entries, share)) reached ??= shareSpent(share);
    reached ??= refusal ? overrun(refusal) : runaway === undefined ? undefined : runsAway(runaway);
    return reached ? "budget-spent" : "go-on";
  }

  async function charge(usage: Usage): Promise<Charged> {
    const { amounts, basis, note } = costed(usage, purse.prices);
    const { microUsd = 0, tokens = 0 } = amounts;
    hasReported ||= microUsd > 0 || tokens > 0;
    left = minus(left, lesser(left, amounts));
    await journal.write({
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
    return looked(left);
  }

  /** Agents tell tokens as they go, and what these cost at the end: what was worked out for them meanwhile is not paid besides. */
  async function takeBackGuess(): Promise<void> {
    if (guessedMicroUsd === 0) return;
    const amounts: Amounts = { microUsd: -guessedMicroUsd };
    left = minus(left, lesser(left, amounts));
    await journal.write({
      kind: "spent",
      roundId,
      spend: { usd: -guessedMicroUsd / 1e6, tokens: 0 },
      amounts,
      basis: "estimated",
      who,
      reservation,
      day: reserved.day,
      note: "what the maker reported since takes the place of this estimate",
    });
    guessedMicroUsd = 0;
  }

  const calls = createCalls(spending, () => (share ? [...caps, ...shareCaps(journal.entries, share)] : caps), {
    who,
    within: reservation,
    reserved(amounts) {
      left = minus(left, lesser(left, amounts));
    },
    // Whoever asks models through us is known to the last call, also where none was made.
    refused() {
      hasReported = true;
    },
    settled() {
      hasReported = true;
      return looked("asks-first");
    },
  });

  return {
    timeLeftMs: leftMs,
    ...(by ? { timeBy: by } : {}),
    taken: before,
    meter: {
      charge,
      reserve: calls.reserve,
      settle: calls.settle,
      async total(usage) {
        const more = since(totals, usage);
        totals = { ...totals, ...usage };
        if (!more) return reached ? "budget-spent" : "go-on";
        const { amounts, basis } = costed(more, purse.prices);
        if ((more.usd ?? 0) > 0) await takeBackGuess();
        else if (basis === "estimated") guessedMicroUsd += amounts.microUsd ?? 0;
        return charge(more);
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
        caps.filter(({ measure }) => !COUNTED_ELSEWHERE.has(measure)),
        (scope) => plus(before[scope], minus(sofar, { timeMs: sofar.timeMs ?? 0 })),
      );
      reached ??= refusal ? overrun(refusal) : undefined;
      return reached;
    },
    async settle() {
      await calls.settleAll();
      const timeMs = share ? share.tide.count(startedMs) : Math.max(0, world.clock.monotonicMs() - startedMs);
      const isKnown = isFree || hasReported;
      // An estimate is no bill: it comes to what was set aside at most, so that what somebody prints stops nobody else.
      const { microUsd = 0, tokens = 0 } = reserved.amounts;
      const estimate = isKnown ? {} : estimateUnreported({ bytes: transcriptBytes, timeMs });
      const guess = lesser(estimate, { microUsd, tokens });
      const isCut = JSON.stringify(guess) !== JSON.stringify(estimate);
      const basis: Basis = isKnown ? "reported" : "estimated";
      const note = isKnown
        ? {}
        : {
            note: `the maker reported nothing: estimated by what it printed and how long it took${isCut ? ", and no more than was set aside for it" : ""}`,
          };
      const { timeMs: commandMs = 0, ...counted } = commands;
      const amounts = [counts, counted, guess, whole({ timeMs: Math.max(timeMs, commandMs) })].reduce(plus);
      left = {};
      // With what the launch came to, which is written next.
      journal.hold({ kind: "settled", roundId, reservation, amounts, basis, ...timeAbove(purse, startedMs), ...note });
    },
  };
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

/** What is looked at where it is charged or granted, and not while a command runs. */
const COUNTED_ELSEWHERE: ReadonlySet<Measure> = new Set(["timeMs", "microUsd", "tokens", "rounds", "launches"]);

function minusOwn(taken: Tallies, own: Amounts): Tallies {
  const entries = Object.entries(taken).map(([scope, amounts]) => [scope, minus(amounts, own)] as const);
  return Object.fromEntries(entries) as { [S in Exclude<ScopeName, "call">]: Amounts }; // the same keys
}

const timeBound = (caps: readonly Cap[], before: Tallies): TimeBound =>
  caps.reduce(
    (least, cap) => (cap.measure === "timeMs" && cap.scope !== "call" ? tighter(least, timeBoundOf(cap, before[cap.scope].timeMs)) : least),
    UNBOUND,
  );

const runsAway = (why: string): LoopError =>
  new LoopError("runaway", why, {
    retry: "never",
    hint: "Look at what it did with `lw show`; if it is as it should be, start it again with `lw run`.",
  });
