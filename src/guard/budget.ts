// Budgets: which caps a spec and a machine set, what is said when one is reached, and what is assumed where nobody reported.
import type { Amounts, Cap, Measure, Refusal, ScopeName } from "../contract/ledger.ts";
import { Budget, type Caps, Limits, type LoopSpec } from "../contract/spec.ts";
import { formatCount, parseCount } from "../std/count.ts";
import { formatDuration, parseDuration } from "../std/duration.ts";
import { formatUsd, parseUsd } from "../std/usd.ts";
import { whole } from "./price.ts";
import { formatSize, parseSize } from "./size.ts";

const UNLIMITED = "unlimited";

/** Which measure each field caps, and how it is read and written. */
const FIELDS: { readonly [F in keyof Caps]-?: { readonly measure: Measure; readonly read: (text: string) => number | undefined } } = {
  usd: { measure: "microUsd", read: (text) => times(parseUsd(text), 1e6) },
  tokens: { measure: "tokens", read: parseCount },
  time: { measure: "timeMs", read: parseDuration },
  cpu: { measure: "cpuMs", read: parseDuration },
  rounds: { measure: "rounds", read: parseCount },
  launches: { measure: "launches", read: parseCount },
  calls: { measure: "calls", read: parseCount },
  tools: { measure: "tools", read: parseCount },
  processes: { measure: "processes", read: parseCount },
  disk: { measure: "diskBytes", read: parseSize },
};
const FIELD_NAMES = Object.keys(FIELDS) as readonly (keyof Caps)[]; // the keys it was made with

/** Every cap that holds for a run of this spec. A spec on record from before there were so many gets the defaults. */
export function capsOf({ budget: written, level }: Pick<LoopSpec, "budget" | "level">, limits: Limits): readonly Cap[] {
  const budget = fullBudget(written);
  const machine = level === "L3" ? withoutLifted(limits) : limits;
  const { rounds: _, ...run } = budget;
  return [
    ...capsIn("call", budget.perCall, "budget.perCall"),
    ...capsIn("round", budget.perRound, "budget.perRound"),
    ...capsIn("run", run, "budget"),
    ...capsIn("loop-day", budget.loop.day, "budget.loop.day"),
    ...capsIn("loop-month", budget.loop.month, "budget.loop.month"),
    ...capsIn("machine-day", machine.day, "day in limits.yaml"),
    ...capsIn("machine-month", machine.month, "month in limits.yaml"),
  ];
}

/** The same as caps, for what is called for a worker: it is summed up over all of the run. */
export const shareCapsOf = (caps: Caps, from: string): readonly Cap[] => capsIn("run", caps, from);

/** What a worker may use, in the measures that are counted. */
export const shareOf = (caps: Caps): Amounts =>
  Object.fromEntries(capsIn("call", caps, "budget").map(({ measure, most }) => [measure, most]));

/** With everything that an older version did not write down. What cannot be read at all stays, and is then a cap of nothing. */
export function fullBudget(written: LoopSpec["budget"]): LoopSpec["budget"] {
  const parsed = Budget.safeParse(written);
  return parsed.success ? parsed.data : { ...Budget.parse({}), ...written };
}

/** A cap that cannot be read lets nothing through: nothing is unlimited by accident. */
function capsIn(scope: ScopeName, caps: Caps, from: string): readonly Cap[] {
  return FIELD_NAMES.flatMap((field) => {
    const written = caps[field];
    if (written === undefined || written === UNLIMITED) return [];
    const { measure, read } = FIELDS[field];
    const most = read(String(written)) ?? 0;
    return [{ scope, measure, most, written: String(written), from: place(from, field) }];
  });
}

const place = (from: string, field: string): string => (from.includes(" ") ? from.replace(" ", `.${field} `) : `${from}.${field}`);

/** An L3 loop acts alone: what a machine's file leaves unlimited is at its default for it. */
function withoutLifted(limits: Limits): Limits {
  const plain = Limits.parse({});
  const kept = (caps: Caps, plainCaps: Caps): Caps => ({
    ...plainCaps,
    ...Object.fromEntries(Object.entries(caps).filter(([, written]) => written !== UNLIMITED)),
  });
  return { ...limits, day: kept(limits.day, plain.day), month: kept(limits.month, plain.month) };
}

/** The cap that is used up by what was spent, if any. */
export function capReached(caps: readonly Cap[], spentIn: (scope: Exclude<ScopeName, "call">) => Amounts): Refusal | undefined {
  for (const cap of caps) {
    if (cap.scope === "call") continue;
    const taken = spentIn(cap.scope)[cap.measure] ?? 0;
    if (taken >= cap.most) return { cap, taken, asked: 0 };
  }
  return undefined;
}

type In = { readonly [S in Exclude<ScopeName, "call">]: Amounts };

/**
 * The cap that ends somebody who is at work: one that is spent, or one of which others hold the rest and it has nothing set aside
 * itself. What is granted one by one, as rounds and launches are, ends nobody who was granted it.
 */
export function capOver(
  caps: readonly Cap[],
  { taken, held }: { readonly taken: In; readonly held: In },
  left: Amounts | "asks-first",
): Refusal | undefined {
  for (const cap of caps) {
    const { scope, measure, most } = cap;
    if (scope === "call" || measure === "rounds" || measure === "launches") continue;
    const own = left === "asks-first" ? 0 : (left[measure] ?? 0);
    const all = (taken[scope][measure] ?? 0) - own;
    const others = Math.max(0, (held[scope][measure] ?? 0) - own);
    const isOver = all - others >= most || (left !== "asks-first" && own === 0 && all >= most);
    if (isOver) return { cap, taken: all, asked: 0, ...(others > 0 ? { held: others } : {}) };
  }
  return undefined;
}

const SCOPE_NAMES: { readonly [S in ScopeName]: string } = {
  call: "one call",
  round: "this round",
  run: "this run",
  "loop-day": "this loop today",
  "loop-month": "this loop this month",
  "machine-day": "all loops today",
  "machine-month": "all loops this month",
};

/** `$1.20 of $1.00 are taken for this run (budget.usd)`; what is only set aside is told apart from what is spent. */
export function tellRefusal({ cap, taken, held = 0, asked, above }: Refusal): string {
  const { scope, measure, written, from } = cap;
  const have = `${tellAmount(measure, taken)} of ${written}`;
  const parts =
    held > 0 ? `: ${tellAmount(measure, taken - held)} spent, and ${tellAmount(measure, held)} set aside for what still goes on` : "";
  const more = asked > 0 && taken < cap.most ? `, and ${tellAmount(measure, asked)} more are asked for` : "";
  return `${have} are taken for ${above ? aboveName(scope, above) : SCOPE_NAMES[scope]}${parts}${more} (${from})`;
}

/** Whose time is over, how much of it others had used, and what was left for who worked now. */
export function tellTimeOver({ cap, taken, above }: Refusal, before: string): string {
  const whose = above ? `${aboveName(cap.scope, above)},` : SCOPE_NAMES[cap.scope];
  const had = `${tellAmount("timeMs", taken)} of it were used or set aside already, and ${tellAmount("timeMs", cap.most - taken)} were left`;
  return `the ${cap.written} of ${whose} were over before ${before}: ${had} (${cap.from})`;
}

function aboveName(scope: ScopeName, { loop, run, roundId, worker, isShare }: NonNullable<Refusal["above"]>): string {
  if (isShare) return `${worker} in ${run}`;
  if (scope === "round") return `${roundId}, which called it`;
  return scope === "run" || scope === "call"
    ? `${run}, which called it`
    : SCOPE_NAMES[scope].replace("this loop", `${loop}, which called it,`);
}

/** What a person can do about it. */
export function tellRemedy({ cap, above }: Refusal): string {
  const { scope, from } = cap;
  const spec = above ? `the spec of ${above.loop}` : "the spec";
  const where = scope.startsWith("machine") ? `\`${from}\` of loopwright's home` : `\`${from}\` in ${spec}`;
  const reset = scope.endsWith("day") ? ", or wait for the next day" : scope.endsWith("month") ? ", or wait for the next month" : "";
  return `Raise ${where}${reset}, then go on with \`lw resume\`; \`lw spend\` shows what it went to.`;
}

export function tellAmount(measure: Measure, amount: number): string {
  switch (measure) {
    case "microUsd":
      return formatUsd(amount / 1e6);
    case "timeMs":
    case "cpuMs":
      return `${formatDuration(amount)}${measure === "cpuMs" ? " of CPU" : ""}`;
    case "diskBytes":
      return formatSize(amount);
    case "tokens":
    case "input":
    case "output":
    case "cached":
    case "reasoning":
      return `${formatCount(amount)} tokens`;
    case "rounds":
    case "launches":
    case "calls":
    case "tools":
    case "processes":
      return `${formatCount(amount)} ${NOUNS[measure]}`;
  }
}

const NOUNS = { rounds: "rounds", launches: "launches", calls: "model calls", tools: "tool calls", processes: "processes" } as const;

/** What a maker should know before it begins: the caps of which so much is taken already. */
export function softLines(
  caps: readonly Cap[],
  warnAt: number,
  spentIn: (scope: Exclude<ScopeName, "call">) => Amounts,
): readonly string[] {
  return caps.flatMap((cap) => {
    if (cap.scope === "call" || cap.most === 0) return [];
    const taken = spentIn(cap.scope)[cap.measure] ?? 0;
    if (taken * 100 < cap.most * warnAt) return [];
    return [tellRefusal({ cap, taken, asked: 0 })];
  });
}

/** What is said once a run is past the line from which on it goes easy; undefined before that, or where there is none. */
export function softReached({ budget }: Pick<LoopSpec, "budget">, used: Amounts): string | undefined {
  const { soft } = budget;
  if (!soft || (used.tokens ?? 0) < (parseCount(soft.tokens) ?? 0)) return undefined;
  return `${tellAmount("tokens", used.tokens ?? 0)} are used, and this run should do with ${soft.tokens} (budget.soft.tokens)`;
}

/** How much of a run's caps a launch holds while it runs. A crash costs this much, so it is a part and not the whole. */
const LAUNCH_SHARE = 0.1;

/** What is set aside before a maker is started, out of what its run may use. */
export function launchEstimate(caps: readonly Cap[]): Amounts {
  const share = (measure: Measure): number => {
    const own = caps.filter(({ scope, measure: of }) => of === measure && (scope === "run" || scope === "round"));
    return Math.min(...own.map(({ most }) => most), MOST_UNCAPPED[measure] ?? 0) * LAUNCH_SHARE;
  };
  return whole({ microUsd: share("microUsd"), tokens: share("tokens"), timeMs: share("timeMs") });
}

/** Where a run has no cap of its own, its launches still set something aside. */
const MOST_UNCAPPED: { readonly [M in Measure]?: number } = { microUsd: 20e6, tokens: 10e6, timeMs: 3_600_000 };

/** Nobody said what a launch cost: what a hard-working model could have, by what it printed and how long it took. */
export function estimateUnreported({ bytes, timeMs }: { readonly bytes: number; readonly timeMs: number }): Amounts {
  const tokens = Math.max(bytes / BYTES_A_TOKEN, (timeMs / 1000) * TOKENS_A_SECOND);
  return whole({ tokens, microUsd: tokens * USD_A_MILLION });
}

/** Few enough to count too many tokens rather than too few. */
const BYTES_A_TOKEN = 3;
const TOKENS_A_SECOND = 100;
const USD_A_MILLION = 25;

const times = (amount: number | undefined, factor: number): number | undefined =>
  amount === undefined ? undefined : Math.round(amount * factor);
