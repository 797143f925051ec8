// What one spec lets a loop do that another does not: whoever changes a spec by a recipe is told, and asked.
import type { Box, LoopSpec } from "../contract/spec.ts";
import { makersOf } from "../contract/spec.ts";
import { parseCount } from "../std/count.ts";
import { parseDuration } from "../std/duration.ts";
import { canonicalJson } from "../std/hash.ts";
import { parseUsd } from "../std/usd.ts";

export interface Loosening {
  readonly path: string;
  readonly says: string;
}

/** Everything that is wider, higher or fewer in the second. What cannot be compared counts as loosened where it differs. */
export function loosened(before: LoopSpec, after: LoopSpec): readonly Loosening[] {
  return [
    ...(after.level > before.level ? [{ path: "level", says: `goes from ${before.level} to ${after.level}` }] : []),
    ...capsAbove(before.budget, after.budget, "budget"),
    ...missing("verifiers", before.verifiers, after.verifiers, "is no longer checked by"),
    ...missing("seal", before.seal, after.seal, "is no longer sealed:"),
    ...missing("unseal", after.unseal, before.unseal, "is left open:"),
    ...gatesOf(before, after),
    ...boxOf(before.box, after.box),
    ...(after.outsiders.level > before.outsiders.level ? [{ path: "outsiders.level", says: `goes to ${after.outsiders.level}` }] : []),
    ...(after.outsiders.network === "open" && before.outsiders.network === "closed"
      ? [{ path: "outsiders.network", says: "is opened" }]
      : []),
    ...(before.recheck === "always" && after.recheck !== "always" ? [{ path: "recheck", says: "is no longer always proven again" }] : []),
    ...(before.rooms?.caches === "cold" && after.rooms?.caches !== "cold"
      ? [{ path: "rooms.caches", says: "no longer compiles everything anew" }]
      : []),
    ...missing("act", after.act, before.act, "also does"),
    ...(after.baseline.when === "off" && before.baseline.when !== "off"
      ? [{ path: "baseline.when", says: "no longer looks at base" }]
      : []),
    ...(before.baseline.want !== "any" && after.baseline.want !== before.baseline.want
      ? [{ path: "baseline.want", says: `wants ${after.baseline.want} of base` }]
      : []),
    ...missing("referee.protect", before.referee.protect, after.referee.protect, "no longer protects"),
    ...missing("referee.deny", before.referee.deny, after.referee.deny, "no longer denies"),
    ...missing("referee.allow", after.referee.allow, before.referee.allow, "also allows"),
    ...missing("maker", inheritedOf(after), inheritedOf(before), "also sees the variable"),
    ...changed("until", before.until, after.until),
    ...changed("metrics", before.metrics, after.metrics),
    ...fewerWindows(before, after),
  ];
}

const inheritedOf = (spec: LoopSpec): readonly unknown[] =>
  [...makersOf(spec), ...Object.values(spec.team?.workers ?? {})].flatMap(({ with: options }) =>
    Array.isArray(options?.inherit) ? (options.inherit as readonly unknown[]) : [],
  );

/** What was there and is not any more. */
const missing = (path: string, from: readonly unknown[], inside: readonly unknown[], says: string): readonly Loosening[] => {
  const known = new Set(inside.map((one) => canonicalJson(one)));
  return from.filter((one) => !known.has(canonicalJson(one))).map((one) => ({ path, says: `${says} ${tell(one)}` }));
};

const tell = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const changed = (path: string, before: unknown, after: unknown): readonly Loosening[] =>
  before !== undefined && canonicalJson(before) !== canonicalJson(after ?? null)
    ? [{ path, says: "says something else about what is enough" }]
    : [];

/** How much a cap is, whatever its unit; undefined where it is no number. */
function amountOf(cap: unknown): number | undefined {
  if (typeof cap === "number") return cap;
  if (typeof cap !== "string") return undefined;
  if (cap === "unlimited") return Number.POSITIVE_INFINITY;
  if (cap.startsWith("$")) return parseUsd(cap);
  const size = /^([\d.]+)(kB|MB|GB)$/.exec(cap);
  if (size) return Number(size[1]) * { kB: 1e3, MB: 1e6, GB: 1e9 }[size[2] as "kB" | "MB" | "GB"];
  return parseCount(cap) ?? parseDuration(cap);
}

/** A cap that is not there is none. */
function capsAbove(before: object, after: object, path: string): readonly Loosening[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => key !== "warnAt")
    .flatMap((key): readonly Loosening[] => {
      const [old, now]: readonly unknown[] = [Reflect.get(before, key), Reflect.get(after, key)];
      const at = `${path}.${key}`;
      if (isMap(old) || isMap(now)) return capsAbove(isMap(old) ? old : {}, isMap(now) ? now : {}, at);
      if (key === "patience") return (amountOf(now) ?? 0) > (amountOf(old) ?? 0) ? [{ path: at, says: `waits up to ${tell(now)}` }] : [];
      const [least, most] = [amountOf(old) ?? Number.POSITIVE_INFINITY, amountOf(now) ?? Number.POSITIVE_INFINITY];
      return most > least ? [{ path: at, says: `goes from ${tell(old)} to ${now === undefined ? "no cap" : tell(now)}` }] : [];
    });
}

const isMap = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);

/** A gate that is still there may be wider. */
function gatesOf(before: LoopSpec, after: LoopSpec): readonly Loosening[] {
  return [
    ...before.gate.all.flatMap((gate, index) => {
      const now = after.gate.all.filter(({ use }) => use === gate.use);
      if (now.length === 0) return [{ path: `gate.all[${index}]`, says: `no longer asks ${gate.use}` }];
      return now.some((other) => canonicalJson(other) === canonicalJson(gate))
        ? []
        : [{ path: `gate.all[${index}]`, says: `${gate.use} asks for something else` }];
    }),
    ...(after.gate.tampering === "retry" && before.gate.tampering === "escalate"
      ? [{ path: "gate.tampering", says: "lets a maker that cheated try again" }]
      : []),
  ];
}

const WHEN = ["off", "available", "required"];
const NETWORK = (network: Box["maker"]["network"]): number => (network === "closed" ? 0 : network === "open" ? 2 : 1);

function boxOf(before: Box, after: Box): readonly Loosening[] {
  const whose = (["maker", "verifiers"] as const).flatMap((who): readonly Loosening[] => [
    ...(WHEN.indexOf(after[who].when) < WHEN.indexOf(before[who].when)
      ? [{ path: `box.${who}.when`, says: `goes to ${after[who].when}` }]
      : []),
    ...(NETWORK(after[who].network) > NETWORK(before[who].network)
      ? [{ path: `box.${who}.network`, says: "reaches more of the network" }]
      : []),
    ...missing(`box.${who}.reads`, after[who].reads, before[who].reads, "also reads"),
  ]);
  const [old, now] = [before.maker.network, after.maker.network];
  return [
    ...whose,
    ...missing("box.maker.writes", after.maker.writes, before.maker.writes, "also writes"),
    ...(typeof old === "object" && typeof now === "object" ? missing("box.maker.network.allow", now.allow, old.allow, "also reaches") : []),
  ];
}

function fewerWindows({ wake: before }: LoopSpec, { wake: after }: LoopSpec): readonly Loosening[] {
  return [
    ...missing("wake.not", before?.not ?? [], after?.not ?? [], "also wakes in"),
    ...(before?.within && canonicalJson(before.within) !== canonicalJson(after?.within ?? null)
      ? [{ path: "wake.within", says: "wakes at other times" }]
      : []),
    ...(before?.wip !== undefined && (after?.wip ?? Number.POSITIVE_INFINITY) > before.wip
      ? [{ path: "wake.wip", says: "wakes while more proposals wait" }]
      : []),
  ];
}
