// Looks at base before the first maker is called: runs every check there, a few times, in fresh copies.
import type { BaseCheck, Baseline, BaseReads, BaseSight } from "../contract/baseline.ts";
import type { CacheEntry } from "../contract/caches.ts";
import type { BoxFact } from "../contract/commands.ts";
import type { CrewOf } from "../contract/crew.ts";
import { KINDS, type KindName } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { LookAtBase } from "../contract/verifier.ts";
import { type FlakeSighting, isInQuarantine, quarantineAfter, type Recollection } from "../journal/flakes.ts";
import { parseDuration } from "../std/duration.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { weighReads } from "./base-reads.ts";
import { leastOf } from "./box-wish.ts";
import { fillCaches } from "./lend-caches.ts";
import { baseRoundOf } from "./names.ts";
import { timeLeftMs } from "./next-round.ts";
import { wishForBase } from "./on-base.ts";
import type { Run } from "./run.ts";
import type { Tally } from "./spending/meter.ts";
import { type WeighedRuns, weighRuns } from "./weigh-base.ts";
import { boxVerifier } from "./worlds/box-world.ts";
import { outOfTime } from "./worlds/guard-proc.ts";
import { createBaseRooms, createVerifierWorld } from "./worlds/verifier-world.ts";

/** For how long the same check of the same base is not looked at again. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** No run is repeated once this share of the run's time is used. */
const MOST_OF_TIME = 0.25;

/** One thing to look at, and who leans on it. */
export interface Look extends Pick<BaseCheck, "matter" | "verifiers" | "isHidden"> {
  readonly look: LookAtBase["look"];
  /** There where nobody but its commands looks at its room, save for these files. */
  readonly onlyRuns?: readonly string[];
}

/** What there is to look at; nothing for a report, or where the spec wants none. */
export function looksOf(
  { spec }: Pick<RunOpened, "spec">,
  { proposes, verifiers }: Pick<CrewOf<KindName>, "proposes" | "verifiers">,
): readonly Look[] {
  // Runs that were opened before base was looked at have no such wish.
  const wish: LoopSpec["baseline"] | undefined = spec.baseline;
  if (!KINDS[proposes].hasBase || wish === undefined || wish.when === "off") return [];
  const looks = new Map<string, Look>();
  for (const [index, verifier] of verifiers.entries()) {
    if (!verifier.baseline) continue;
    const { matter: about, isHidden, look } = verifier.baseline;
    const matter = sha256(canonicalJson([about, isHidden, surroundingsOf(spec)])).slice(0, 32);
    const known = looks.get(matter);
    looks.set(matter, {
      matter,
      isHidden,
      look,
      ...(verifier.onlyRuns ? { onlyRuns: verifier.onlyRuns } : known?.onlyRuns ? { onlyRuns: known.onlyRuns } : {}),
      verifiers: [...(known?.verifiers ?? []), { number: index + 1, name: verifier.name }],
    });
  }
  return [...looks.values()];
}

/** Whatever else a spec says may change what a check sees; what is named here cannot. */
function surroundingsOf(spec: LoopSpec): object {
  const { $schema, name, intent, level, target, task, trigger, gather, maker, verifiers, budget, baseline, flakes, ...more } = spec;
  const { seal, unseal, parts, recheck, rooms, gate, act, alert, outsiders, notify, referee, ...surroundings } = more;
  return surroundings;
}

/** A crash before this is on record looks again, in the same places. */
export async function takeBaseline(run: Run, looks: readonly Look[], past: Recollection): Promise<Baseline> {
  const { opened, journal, world } = run;
  const { spec, repo } = opened;
  const at = world.clock.now();
  const round = baseRoundOf(journal, opened, at.toISOString());
  const tree = await world.workshop.treeOf(repo, opened.base.commit);
  const active = past.flakes.filter((flake) => isInQuarantine(flake, at));
  const isActive = (matter: string, id: string): boolean => active.some((flake) => flake.matter === matter && flake.id === id);
  const known = past.last?.record.baseline.tree === tree ? past.last.record.baseline.checks : [];
  const stillGood = (check: BaseCheck): boolean => isFresh(check, spec, at) && check.quarantined.every((id) => isActive(check.matter, id));

  const checks: BaseCheck[] = [];
  const seen: FlakeSighting[] = [];
  const spend = startSpending(run);
  const commands = run.meter.commands(round);
  let isOpen = false;
  for (const [index, look] of looks.entries()) {
    const { matter, verifiers, isHidden } = look;
    const old = known.find((check) => check.matter === matter && stillGood(check));
    if (old) {
      checks.push({ ...old, verifiers });
      continue;
    }
    // What a look takes may be long: that the run is open is on record before it.
    if (!isOpen) await journal.write();
    if (!isOpen) await world.workshop.openForBase(repo, round);
    isOpen = true;
    const apart = active.filter((flake) => flake.matter === matter).map(({ id }) => id);
    const { seen: looked, rooms } = await lookInRooms(run, round, { look, index, spend, commands, tree });
    const [first, ...others] = looked;
    const sights = [first.sight, ...others.map(({ sight }) => sight)] as const;
    const { flaky, stillApart, ...weighed } = weighRuns(sights, new Set(apart));
    seen.push(...sightingsOf(look, weighed, flaky));
    const ids = flaky.map(({ id }) => id);
    checks.push({
      matter,
      verifiers,
      isHidden,
      ...weighed,
      asked: spec.baseline.runs,
      flaky: ids,
      quarantined: [...new Set([...ids, ...stillApart])],
      lookedAt: at.toISOString(),
      lookedBy: journal.run,
      box: leastOf([first, ...others].map(({ box }) => box)),
      ...(rooms ? { rooms } : {}),
      ...(first.reads ? { reads: first.reads } : {}),
      ...(first.caches && first.caches.length > 0 ? { caches: first.caches } : {}),
    });
  }
  await commands.settle();
  return { tree, checks, quarantine: quarantineAfter(past.flakes, seen, { at, lastsMs: parseDuration(spec.flakes.quarantine) ?? 0 }) };
}

/** What could not be told is always looked at again: somebody may have mended it. */
const isFresh = ({ state, flaky, asked, lookedAt }: BaseCheck, { baseline: { runs } }: LoopSpec, at: Date): boolean => {
  const ageMs = at.getTime() - Date.parse(lookedAt);
  return (state === "red" || state === "green") && flaky.length === 0 && asked === runs && ageMs >= 0 && ageMs < FRESH_MS;
};

const sightingsOf = (
  { matter, verifiers }: Look,
  { runs }: Pick<WeighedRuns, "runs">,
  flaky: WeighedRuns["flaky"],
): readonly FlakeSighting[] => flaky.map(({ id, failed }) => ({ id, matter, verifier: verifiers[0]?.name ?? "", runs, failed }));

interface Spending {
  readonly leftMs: () => number;
  /** Whether there is time to look once more at something that was looked at already. */
  readonly hasTimeForMore: () => boolean;
}

function startSpending({ opened, journal, world: { clock } }: Run): Spending {
  const startedMs = clock.monotonicMs();
  const allMs = timeLeftMs(opened, journal.state);
  const usedMs = (): number => clock.monotonicMs() - startedMs;
  return { leftMs: () => Math.max(0, Math.floor(allMs - usedMs())), hasTimeForMore: () => usedMs() < allMs * MOST_OF_TIME };
}

interface OneLook {
  readonly look: Look;
  readonly index: number;
  readonly spend: Spending;
  readonly commands: Pick<Tally, "add">;
  /** As it is checked out, with copies of what is prepared. */
  readonly isCopied?: true;
  readonly tree: string;
}

interface Seen {
  readonly sight: BaseSight;
  readonly box: BoxFact;
  /** Of the first run alone: a trace is as good as any other. */
  readonly reads?: BaseReads;
  /** Base lay under its room. */
  readonly isOnBase?: true;
  /** Of the first run as well. */
  readonly caches?: readonly CacheEntry[];
}

interface Looked {
  readonly seen: readonly [Seen, ...Seen[]];
  readonly rooms?: NonNullable<BaseCheck["rooms"]>;
}

/**
 * Where what is prepared lies under the room a few things are not as in a copy: who is not root cannot rename a folder of it. What does
 * not hold on base is looked at once more with copies, and if it ends otherwise there, copies it is.
 */
async function lookInRooms(run: Run, round: Round, about: OneLook): Promise<Looked> {
  const seen = await lookAgainAndAgain(run, round, about);
  const [first] = seen;
  if (first.sight.state !== "green" && isLayered(first) && about.spend.hasTimeForMore()) {
    const copied = await lookAgainAndAgain(run, round, { ...about, isCopied: true });
    if (endOf(copied[0]) !== endOf(first)) return { seen: copied, rooms: "copied" };
  }
  const onBase = seen.find(({ isOnBase }) => isOnBase);
  if (!onBase) return { seen };
  if (endOf(onBase) !== endOf(first)) return { seen: await inItsPlace(run, round, about, seen) };
  // That all failed where nothing else is told says nothing of what a mended one would meet.
  return first.sight.state === "green" || first.sight.tests !== undefined ? { seen, rooms: "on-base" } : { seen };
}

/** Ended otherwise with base under it, a look counts no more than if it had not been: it is made once more. */
async function inItsPlace(run: Run, round: Round, about: OneLook, seen: Looked["seen"]): Promise<Looked["seen"]> {
  const [first, ...others] = seen;
  const kept = others.filter(({ isOnBase }) => !isOnBase);
  return about.spend.hasTimeForMore() ? [first, ...kept, await lookOnce(run, round, about, seen.length + 1)] : [first, ...kept];
}

const isLayered = ({ box }: Seen): boolean => "rooms" in box && box.rooms === "layered";

/** How it ended, test by test where that is told. */
const endOf = ({ sight: { state, tests } }: Seen): string => canonicalJson([state, tests ?? null]);

/** Each run has a fresh copy, so that what one leaves behind does not make the next one fail. */
async function lookAgainAndAgain(run: Run, round: Round, about: OneLook): Promise<readonly [Seen, ...Seen[]]> {
  const first = await lookOnce(run, round, about, 1);
  const sights: [Seen, ...Seen[]] = [first];
  while (sights.length < run.opened.spec.baseline.runs && sights.at(-1)?.sight.state !== "cannot-run" && about.spend.hasTimeForMore())
    sights.push(await lookOnce(run, round, about, sights.length + 1));
  return sights;
}

async function lookOnce(bare: Run, round: Round, about: OneLook, turn: number): Promise<Seen> {
  const { look, index, spend, commands, isCopied, tree } = about;
  const { run, enforced } = boxVerifier(bare);
  const { opened, world } = run;
  const leftMs = spend.leftMs();
  if (leftMs === 0) throw outOfTime(opened.spec.budget);
  // The first is traced, for which its files must lie there; the last of several shows whether base may lie under rooms.
  const mayLie = turn > 1 && turn === opened.spec.baseline.runs && !isCopied && !look.isHidden && look.onlyRuns;
  const onBase = mayLie ? wishForBase(run, tree, mayLie) : undefined;
  const checkout = await world.workshop.openRoom(round, {
    name: `base-${index + 1}-${turn}`,
    commit: round.base,
    ...(isCopied ? { isCopied } : {}),
    ...(onBase ? { onBase } : {}),
  });
  try {
    const verifier = createVerifierWorld(round.id, leftMs, opened.spec.budget, run, createBaseRooms(round, run), commands.add);
    // What a hold-out brings is no part of base, and what it reads is told to nobody.
    const trace = turn === 1 && !look.isHidden ? await world.workshop.trace(checkout, opened.spec.prepare?.keep ?? []) : undefined;
    const sight = await look.look(checkout, verifier);
    const traced = await trace?.end();
    const reads = trace && traced ? { reads: await weighReads(checkout, { paths: trace.paths, traced, sight }, world) } : {};
    const isUseful = turn === 1 && !look.isHidden && sight.state !== "cannot-run";
    const caches = isUseful ? { caches: await fillCaches(run, round, checkout, { tree, matter: look.matter }) } : {};
    return { sight, box: enforced(), ...(checkout.isOnBase ? { isOnBase: true } : {}), ...reads, ...caches };
  } finally {
    await world.workshop.discard(checkout);
  }
}
