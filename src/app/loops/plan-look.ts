// What changes about the known loops when their places are looked at again. Pure: from what is known and what was seen to what is recorded.
import type { LoopRecord } from "../../contract/record.ts";
import type { LoopSpec, PartRef } from "../../contract/spec.ts";
import type { KnownLoop } from "../../journal/known-loops.ts";
import { chainProblem, tellChain } from "../../schedule/chains.ts";
import { canonicalJson, sha256 } from "../../std/hash.ts";

/** One spec file as it was found, whatever is in it. */
export interface SpecSeen {
  readonly path: string;
  readonly reading: SpecReadAgain;
}

export type SpecReadAgain =
  /** It is as it was when it was last read, and belongs to this loop. */
  | { readonly kind: "same"; readonly loop: string }
  | {
      readonly kind: "read";
      readonly spec: LoopSpec;
      /** As it goes on record. */
      readonly recorded: unknown;
      readonly specHash: string;
      readonly sha256: string;
      readonly stamp: string | undefined;
    }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

export interface Looking {
  /** Every loop that was ever made known. */
  readonly known: readonly KnownLoop[];
  /** Complaints about files and folders that no known loop comes from. */
  readonly complaints: readonly { readonly path: string; readonly problems: readonly string[] }[];
  readonly seen: readonly SpecSeen[];
  /** Complaints about places that cannot be looked at now. */
  readonly unseen: readonly { readonly path: string; readonly problems: readonly string[] }[];
  /** Whether a spec that is not among those seen may still be there: its place cannot be read now. */
  readonly isOutOfSight: (path: string) => boolean;
  /** By which other loops a trigger is woken. */
  readonly wokenBy: (trigger: PartRef) => readonly string[];
  readonly by: string;
}

export interface Change {
  readonly kind: "added" | "changed" | "mended" | "wrong" | "removed";
  readonly loop: string;
  readonly path: string;
  readonly record: Extract<LoopRecord, { kind: "loop-known" | "loop-wrong" | "loop-removed" }>;
  /** The loop as it was before; undefined where it was never known. */
  readonly before: KnownLoop | undefined;
}

/** A change about something that is no known loop's. */
export interface Complaint {
  readonly path: string;
  /** None: there is nothing to complain about any more. */
  readonly problems: readonly string[];
}

export interface LookPlan {
  readonly changes: readonly Change[];
  readonly complaints: readonly Complaint[];
}

/** Where this changes, what is pending does not count any more. */
export const triggerHashOf = ({ trigger, wake }: Pick<LoopSpec, "trigger" | "wake">): string =>
  sha256(canonicalJson(JSON.parse(JSON.stringify({ trigger, wake }))));

export function planLook({ known, complaints, seen, unseen, isOutOfSight, wokenBy, by }: Looking): LookPlan {
  const living = known.filter(({ state }) => state !== "removed");
  const byPath = new Map(living.map((loop) => [loop.path, loop]));
  const byName = new Map(known.map((loop) => [loop.loop, loop]));
  const readings = new Map(seen.map(({ path, reading }) => [path, reading]));
  const claims = claimsOf(seen);
  const changes: Change[] = [];
  const learned = new Set<string>();
  const troubles = new Map(unseen.map(({ path, problems }) => [path, problems]));
  const chains = chainsIn(
    living,
    seen.filter(({ path, reading }) => reading.kind === "read" && ownerOf(reading.spec.name) === path),
    wokenBy,
  );

  for (const { path, reading } of seen) {
    const holder = byPath.get(path);
    const problems = problemsOf(path, reading);
    // What is wrong with a spec that a loop comes from is said in the loop; all else in the home's own place.
    if (problems.length > 0 && holder) changes.push(...wrong(holder, problems));
    else if (problems.length > 0) troubles.set(path, problems);
    else if (reading.kind === "read") {
      learned.add(reading.spec.name);
      changes.push(...learn(byName.get(reading.spec.name), path, reading, by));
    }
  }
  for (const { loop, path, ...rest } of living) {
    const now = readings.get(path);
    const isOther = now?.kind === "read" && now.spec.name !== loop && problemsOf(path, now).length === 0;
    const isGone = now === undefined && !isOutOfSight(path);
    if ((isGone || isOther) && !learned.has(loop))
      changes.push({ kind: "removed", loop, path, before: { loop, path, ...rest }, record: { kind: "loop-removed", path, by } });
  }
  return { changes, complaints: complaintsAfter(complaints, troubles) };

  function problemsOf(path: string, reading: SpecReadAgain): readonly string[] {
    if (reading.kind === "wrong") return reading.problems;
    const name = nameIn(reading);
    const owner = ownerOf(name);
    if (owner === path) return chains.get(path) ?? [];
    const others = new Set([...(owner === undefined ? [] : [owner]), ...(claims.get(name) ?? [])].filter((other) => other !== path));
    return [`two specs are called ${name}: ${path} and ${[...others].join(" and ")}; give one of them another name, or take one away`];
  }

  /** Whose the name is among all files that say it: that which it is known from, unless that says another name or is gone; else the only one. */
  function ownerOf(name: string): string | undefined {
    const paths = claims.get(name) ?? [];
    const holder = byName.get(name);
    if (holder && holder.state !== "removed") {
      const now = readings.get(holder.path);
      const isHolding = now === undefined ? isOutOfSight(holder.path) : now.kind === "wrong" || nameIn(now) === name;
      if (isHolding) return holder.path;
    }
    return paths.length === 1 ? paths[0] : undefined;
  }
}

const nameIn = (reading: Exclude<SpecReadAgain, { kind: "wrong" }>): string => (reading.kind === "same" ? reading.loop : reading.spec.name);

function learn(
  before: KnownLoop | undefined,
  path: string,
  { spec, recorded, specHash, sha256: text, stamp }: Extract<SpecReadAgain, { kind: "read" }>,
  by: string,
): Change[] {
  const good = before?.good.record;
  const triggerHash = triggerHashOf(spec);
  // Another layout of the same spec changes nothing.
  if (before?.state === "known" && good?.path === path && good.specHash === specHash && good.triggerHash === triggerHash) return [];
  const kind = !before || before.state === "removed" ? "added" : before.state === "wrong" ? "mended" : "changed";
  const file = { sha256: text, ...(stamp === undefined ? {} : { stamp }) };
  const record = { kind: "loop-known", path, specHash, triggerHash, trigger: triggerOf(spec), by, spec: recorded, ...file } as const;
  return [{ kind, loop: spec.name, path, before, record }];
}

const triggerOf = ({ trigger }: LoopSpec) => ({ use: trigger.use, ...(trigger.with === undefined ? {} : { with: trigger.with }) });

/** Each complaint once, until it changes or there is none any more. */
function wrong(holder: KnownLoop, problems: readonly string[]): Change[] {
  if (holder.state === "wrong" && isSameText(holder.problems, problems)) return [];
  const { loop, path } = holder;
  return [{ kind: "wrong", loop, path, before: holder, record: { kind: "loop-wrong", path, problems } }];
}

function complaintsAfter(before: Looking["complaints"], troubles: ReadonlyMap<string, readonly string[]>): readonly Complaint[] {
  const known = new Map(before.map(({ path, problems }) => [path, problems]));
  const fresh = [...troubles].filter(([path, problems]) => !isSameText(known.get(path) ?? [], problems));
  const over = before.filter(({ path }) => !troubles.has(path));
  return [...fresh.map(([path, problems]) => ({ path, problems })), ...over.map(({ path }) => ({ path, problems: [] }))];
}

/** Loops that would wake one another in a circle, or too many in a row: the spec that was read last is refused, by its path. */
function chainsIn(
  living: readonly KnownLoop[],
  read: readonly SpecSeen[],
  wokenBy: Looking["wokenBy"],
): ReadonlyMap<string, readonly string[]> {
  const problems = new Map<string, readonly string[]>();
  const wakers = new Map(living.map(({ loop, good }) => [loop, good.record.trigger ? wokenBy(good.record.trigger) : []]));
  for (const { path, reading } of read) {
    if (reading.kind !== "read") continue;
    const { name, trigger } = reading.spec;
    const before = wakers.get(name);
    const now = wokenBy(trigger);
    wakers.set(name, now);
    // Whoever is woken by none adds no way to any other.
    const problem = now.length === 0 ? undefined : chainProblem(name, wakers);
    if (!problem) continue;
    problems.set(path, [tellChain(problem)]);
    wakers.set(name, before ?? []);
  }
  return problems;
}

/** Which files say a name. */
function claimsOf(seen: readonly SpecSeen[]): ReadonlyMap<string, readonly string[]> {
  const claims = new Map<string, string[]>();
  for (const { path, reading } of seen) {
    if (reading.kind === "wrong") continue;
    const paths = claims.get(nameIn(reading));
    if (paths) paths.push(path);
    else claims.set(nameIn(reading), [path]);
  }
  return claims;
}

const isSameText = (one: readonly string[], other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other);
