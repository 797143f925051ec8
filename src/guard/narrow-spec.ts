// What a loop may do that another one calls: the less of what either may, and all that holds for either. Pure.
import { GUARD_MATRIX, type Guard } from "../contract/guarding.ts";
import { Box, type Level, type LoopSpec } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";

const LEVELS: readonly Level[] = ["L1", "L2", "L3"];
const lower = <L extends Level>(one: L, other: L): L => (LEVELS.indexOf(one) <= LEVELS.indexOf(other) ? one : other);

/** The called spec as its run goes by it. Its own caps stay: those of the caller hold besides, for all that they spend together. */
export function underCaller(
  caller: LoopSpec,
  called: LoopSpec,
  { id, time }: { readonly id: string; readonly time?: string | undefined },
): LoopSpec {
  const guards = guardsOfBoth(caller.guards ?? [], called.guards ?? [], id);
  return {
    ...called,
    level: lower(caller.level, called.level),
    seal: union(caller.seal, called.seal),
    // Sealed in either is sealed; only what both leave open is open.
    unseal: called.unseal.filter((glob) => caller.unseal.includes(glob)),
    gate: {
      ...called.gate,
      all: unionOf(caller.gate.all, called.gate.all),
      tampering: [caller.gate.tampering, called.gate.tampering].includes("escalate") ? "escalate" : "retry",
    },
    outsiders: {
      level: lower(caller.outsiders.level, called.outsiders.level),
      network: closedIfAny(caller.outsiders.network, called.outsiders.network),
    },
    box: boxOfBoth(Box.parse(caller.box ?? {}), Box.parse(called.box ?? {})),
    budget: { ...called.budget, time: shorter(called.budget.time, time) },
    ...(guards.length > 0 ? { guards } : {}),
    // It never moves anything, wakes by itself, or tells anybody: whoever calls it does.
    act: [],
    notify: [],
    trigger: { use: "manual" },
  };
}

/** Those of the caller that are about this worker look at all that its loop does, and at what it proposes, which is its result. */
function guardsOfBoth(caller: readonly Guard[], called: readonly Guard[], worker: string): Guard[] {
  const taken = new Set(called.map(({ id }) => id));
  const above = caller.flatMap(({ of, ...guard }): readonly Guard[] => {
    if (of && !of.includes(worker)) return [];
    const ids = (name: string): string => (taken.has(name) ? `above-${name}` : name);
    const own = { ...guard, id: ids(guard.id) };
    const allowed = GUARD_MATRIX.proposal[guard.rule];
    if (guard.at !== "result" || !allowed) return [own];
    const then = allowed.includes(guard.then) ? guard.then : "withhold";
    return [own, { ...guard, id: ids(`${guard.id}-given`), at: "proposal", then }];
  });
  return [...called, ...above].slice(0, MOST_GUARDS);
}

/** More than any two specs can name in all that call each other. */
const MOST_GUARDS = 400;

const union = (one: readonly string[], other: readonly string[]): string[] => [...new Set([...one, ...other])];

const unionOf = <T>(one: readonly T[], other: readonly T[]): T[] => {
  const known = new Set(one.map((part) => JSON.stringify(part)));
  return [...one, ...other.filter((part) => !known.has(JSON.stringify(part)))];
};

const closedIfAny = (one: "closed" | "open", other: "closed" | "open"): "closed" | "open" =>
  one === "closed" || other === "closed" ? "closed" : "open";

const WHEN = ["off", "available", "required"] as const;
type BoxWhen = Box["maker"]["when"];
const stricter = (one: BoxWhen, other: BoxWhen): BoxWhen => (WHEN.indexOf(one) >= WHEN.indexOf(other) ? one : other);

/** Whoever calls opens nothing by calling: a place that only one of them may see or write stays shut. */
function boxOfBoth(caller: Box, called: Box): LoopSpec["box"] {
  const when = stricter(caller.maker.when, called.maker.when);
  const network = networkOfBoth(caller.maker.network, called.maker.network);
  return {
    maker: {
      // A list of hosts needs a box to be kept to.
      when: when === "off" && typeof network !== "string" ? "required" : when,
      network,
      reads: called.maker.reads.filter((path) => caller.maker.reads.includes(path)),
      writes: called.maker.writes.filter((path) => caller.maker.writes.includes(path)),
    },
    verifiers: {
      when: stricter(caller.verifiers.when, called.verifiers.when),
      network: closedIfAny(caller.verifiers.network, called.verifiers.network),
      reads: called.verifiers.reads.filter((path) => caller.verifiers.reads.includes(path)),
    },
  };
}

type Network = Box["maker"]["network"];

/** Only hosts that both list: a pattern of one of them is no host of the other. */
function networkOfBoth(caller: Network, called: Network): Network {
  if (caller === "closed" || called === "closed") return "closed";
  if (caller === "open") return called;
  if (called === "open") return caller;
  return {
    allow: called.allow.filter((host) => caller.allow.includes(host)),
    credentials: called.credentials.filter((own) => caller.credentials.some((other) => JSON.stringify(other) === JSON.stringify(own))),
  };
}

/** What cannot be read is as it was: it lets nothing through elsewhere. */
function shorter(own: string, most: string | undefined): string {
  const [ownMs, mostMs] = [parseDuration(own), parseDuration(most ?? "")];
  if (most === undefined || mostMs === undefined) return own;
  return own === "unlimited" || (ownMs !== undefined && mostMs < ownMs) ? most : own;
}
