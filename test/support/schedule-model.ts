// The slow, obvious model of waking.md, section 13: it walks through every minute, remembers everything, and shares no code with the scheduler.
import { createHash } from "node:crypto";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GRACE = 60 * SECOND;
const NEVER = Number.NEGATIVE_INFINITY;

/** What the model knows of a spec. Triggers are on whole minutes. */
export interface ModelSpec {
  readonly everyMs: number;
  readonly fromMs: number;
  readonly jitterMs: number;
  readonly missed: "skip" | "once" | { readonly all: number };
  readonly overlapSlots: "skip" | "queue" | "stop";
  readonly overlapEvents: "skip" | "queue" | "stop";
  /** Shut in every hour of which this leaves the rest 0. */
  readonly shutEvery: number | undefined;
  readonly wip: number | undefined;
  readonly priority: number;
  readonly target: string;
}

interface ModelLoop {
  readonly name: string;
  spec: ModelSpec;
  isKnown: boolean;
  since: number;
  wrongAt: number | undefined;
  pausedAt: number | undefined;
  wait: number[];
  events: { readonly key: string; readonly at: number }[];
  run: { openedAt: number; readonly target: string; isWorkedOn: boolean } | undefined;
  lastRan: number;
  begun: number;
  proposals: number;
  caps: boolean;
  /** When the newest record of each kind was written, since the clock was last seen to be set back. */
  readonly written: Map<string, number>;
  readonly fates: Map<number, string>;
  readonly eventFates: Map<string, string>;
}

export interface Model {
  readonly loops: ReadonlyMap<string, ModelLoop>;
  know(t: number, name: string, spec: ModelSpec): void;
  remove(t: number, name: string): void;
  pause(t: number, name: string): void;
  resume(t: number, name: string): void;
  wrong(t: number, name: string): void;
  rest(name: string): void;
  hear(t: number, name: string, key: string): void;
  /** Runs that were worked on end with their daemon, and wait to be taken up. */
  death(): void;
  /** A daemon reads what is on record, and sees there how late it was once. */
  begin(): void;
  tick(t: number): void;
}

/** The trigger and when it may wake: where this is edited, what pends does not count any more. */
export const wakingOf = (spec: ModelSpec): string => JSON.stringify({ ...spec, target: undefined });

export const shutHour = (every: number | undefined, at: number): boolean => every !== undefined && Math.floor(at / HOUR) % every === 0;

export function newModel(limits: { readonly runs: number }): Model {
  const loops = new Map<string, ModelLoop>();
  let last: number | undefined;
  let awake = NEVER;
  let latest = NEVER;

  const names = ({ everyMs, fromMs }: ModelSpec, s: number): boolean => s >= fromMs && (s - fromMs) % everyMs === 0;
  const slots = (spec: ModelSpec, a: number, b: number): readonly number[] => {
    const found: number[] = [];
    for (let s = (Math.floor(a / MINUTE) + 1) * MINUTE; s <= b; s += MINUTE) if (names(spec, s)) found.push(s);
    return found;
  };
  const nextAfter = (spec: ModelSpec, s: number): number => {
    let x = (Math.floor(s / MINUTE) + 1) * MINUTE;
    while (!names(spec, x)) x += MINUTE;
    return x;
  };
  const chance = (name: string, s: number): number => {
    const hash = createHash("sha256")
      .update(`${name}\0${new Date(s).toISOString()}`)
      .digest();
    return hash.readUIntBE(0, 6) / 2 ** 48;
  };
  const shuts = ({ shutEvery }: ModelSpec, s: number): number => {
    if (shutEvery === undefined) return Number.POSITIVE_INFINITY;
    if (shutHour(shutEvery, s)) return Number.POSITIVE_INFINITY;
    let x = (Math.floor(s / HOUR) + 1) * HOUR;
    while (!shutHour(shutEvery, x)) x += HOUR;
    return x;
  };
  const due = ({ name, spec }: ModelLoop, s: number): number =>
    spec.jitterMs === 0 ? s : s + Math.floor(chance(name, s) * Math.min(spec.jitterMs, nextAfter(spec, s) - s, shuts(spec, s) - s));
  const open = (l: ModelLoop, t: number): readonly number[] => slots(l.spec, l.since, t).filter((s) => !l.fates.has(s));
  const write = (l: ModelLoop, all: readonly number[], fate: string): void => {
    for (const s of all) {
      if (l.fates.has(s)) throw new Error(`the model writes ${l.name} ${s} twice`);
      l.fates.set(s, fate);
    }
    l.wait = l.wait.filter((s) => !all.includes(s));
  };
  const close = (l: ModelLoop, t: number, why: string): void => {
    write(l, open(l, t), `skipped ${why}`);
    l.since = Math.max(l.since, t);
    l.wait = [];
  };
  const isBarred = (l: ModelLoop): boolean => l.wrongAt !== undefined || l.pausedAt !== undefined;
  const places = ({ missed }: ModelSpec): number => (typeof missed === "object" ? missed.all : 1);
  const isKept = (l: ModelLoop, s: number): boolean => typeof l.spec.missed === "object" && due(l, s) <= awake - GRACE;
  const isFull = (l: ModelLoop): boolean => l.spec.wip !== undefined && l.proposals >= l.spec.wip;
  const byName = (): readonly ModelLoop[] => [...loops.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const slotKey = (l: ModelLoop, s: number): string => `${l.name}/slot/${new Date(s).toISOString()}`;

  function setBack(t: number): void {
    for (const l of loops.values()) {
      for (const [s, fate] of l.fates) if (s > t && fate !== "ran") l.fates.delete(s);
      l.since = Math.min(l.since, t);
      l.wait = l.wait.filter((s) => due(l, s) <= t);
      l.begun = Math.min(l.begun, t);
      l.lastRan = Math.min(l.lastRan, t);
      l.events = l.events.map(({ key, at }) => ({ key, at: Math.min(at, t) }));
      if (l.wrongAt !== undefined) l.wrongAt = Math.min(l.wrongAt, t);
      if (l.pausedAt !== undefined) l.pausedAt = Math.min(l.pausedAt, t);
      if (l.run) l.run.openedAt = Math.min(l.run.openedAt, t);
      l.written.clear();
    }
  }

  /** The line of a loop: slots that pend, then what else gets a place, in the order in which it is due. */
  type InLine = { readonly slot: number } | { readonly event: string; readonly at: number };
  const lines = new Map<string, InLine[]>();

  function decide(l: ModelLoop, t: number, upTo: number): void {
    const { spec } = l;
    const n = places(spec);
    const d = open(l, t).filter((s) => due(l, s) <= t && !l.wait.includes(s));
    const late = d.filter((s) => due(l, s) > (last ?? NEVER) && due(l, s) <= upTo);
    // A clock that went back a little brings some of them before their time again.
    const pend = l.wait.filter((s) => due(l, s) <= t);
    let stays: number | undefined;
    if (spec.missed === "skip") write(l, late, "missed nothing-was-running");
    else if (spec.missed === "once") {
      if (late.length > 0) stays = pend[0] ?? d.findLast((s) => !shutHour(spec.shutEvery, s)) ?? d.at(-1);
      write(
        l,
        late.filter((s) => s !== stays),
        "coalesced joined",
      );
    } else write(l, late.slice(0, Math.max(0, late.length - n)), "missed more-than-kept");

    const line: InLine[] = pend.map((slot) => ({ slot }));
    const rest = [
      ...d.filter((s) => !l.fates.has(s)).map((s) => ({ at: due(l, s), key: slotKey(l, s), slot: s as number | undefined, order: 0 })),
      ...l.events.map(({ key, at }, index) => ({ at, key, slot: undefined as number | undefined, order: index + 1 })),
    ].sort((a, b) => a.at - b.at || (a.order * b.order > 0 ? a.order - b.order : a.key < b.key ? -1 : 1));
    for (const { slot: s, key, at } of rest) {
      if (s === undefined) {
        const overlaps = l.run && spec.overlapEvents === "skip" && l.run.openedAt < at;
        if (shutHour(spec.shutEvery, t)) continue;
        if (overlaps) answer(l, key, "skipped overlap");
        else if (isFull(l) || l.caps) continue;
        else if (line.length >= n) answer(l, key, "coalesced joined");
        else line.push({ event: key, at });
        continue;
      }
      if (shutHour(spec.shutEvery, s)) write(l, [s], "skipped window");
      else if (l.run && spec.overlapSlots === "skip" && !isKept(l, s)) write(l, [s], "skipped overlap");
      else if (isFull(l)) write(l, [s], "skipped wip");
      else if (l.caps) write(l, [s], "skipped budget");
      else if (line.length >= n || (stays !== undefined && s !== stays)) write(l, [s], "coalesced joined");
      else {
        line.push({ slot: s });
        l.wait.push(s);
      }
    }
    lines.set(l.name, line);
  }

  function answer(l: ModelLoop, key: string, fate: string): void {
    if (l.eventFates.has(key)) throw new Error(`the model answers ${key} twice`);
    l.eventFates.set(key, fate);
    l.events = l.events.filter((event) => event.key !== key);
  }

  const dueOf = (l: ModelLoop, one: InLine): number => ("slot" in one ? due(l, one.slot) : one.at);

  function startAll(t: number): void {
    const unserved = (l: ModelLoop, oldest: number): number => Math.min(oldest, due(l, nextAfter(l.spec, Math.max(l.lastRan, l.begun))));
    const free = byName().filter((l) => l.isKnown && !isBarred(l));
    const interrupted = free.flatMap((l) =>
      l.run && !l.run.isWorkedOn ? [{ l, rank: 0, due: l.run.openedAt, since: l.run.openedAt }] : [],
    );
    const inLine = free
      .filter((l) => !l.run && (lines.get(l.name)?.length ?? 0) > 0)
      .map((l) => ({ l, oldest: Math.min(...(lines.get(l.name) ?? []).map((one) => dueOf(l, one))) }))
      .map(({ l, oldest }) => ({ l, rank: 1, due: oldest, since: unserved(l, oldest) }));
    const ready = [...interrupted, ...inLine]
      .map((one) => ({ ...one, effective: one.l.spec.priority + Math.max(0, Math.floor((t - one.since) / (10 * MINUTE))) }))
      .sort((a, b) => a.rank - b.rank || b.effective - a.effective || a.due - b.due || (a.l.name < b.l.name ? -1 : 1));
    let keptRuns = 0;
    const keptTargets = new Set<string>();
    for (const { l, since } of ready) {
      const target = l.run?.target ?? l.spec.target;
      const running = [...loops.values()].flatMap(({ run }) => (run?.isWorkedOn ? [run.target] : []));
      const isTargetFree = !running.includes(target) && !keptTargets.has(target);
      const isPlaceFree = running.length + keptRuns < limits.runs;
      if (!isTargetFree || !isPlaceFree) {
        if (t - since >= HOUR) {
          if (isPlaceFree) keptRuns++;
          if (isTargetFree) keptTargets.add(target);
        }
        continue;
      }
      if (l.run) l.run.isWorkedOn = true;
      else startOne(l, t);
    }
  }

  function startOne(l: ModelLoop, t: number): void {
    for (const one of lines.get(l.name) ?? []) {
      if ("slot" in one) {
        const why = shutHour(l.spec.shutEvery, t) ? "window" : isFull(l) ? "wip" : l.caps ? "budget" : undefined;
        write(l, [one.slot], why === undefined ? "ran" : `skipped ${why}`);
        if (why !== undefined) continue;
      } else answer(l, one.event, "ran");
      l.run = { openedAt: t, target: l.spec.target, isWorkedOn: true };
      l.lastRan = t;
      return;
    }
  }

  return {
    loops,
    know(t, name, spec) {
      const l = loops.get(name);
      if (!l) {
        loops.set(name, {
          name,
          spec,
          isKnown: true,
          since: t,
          wrongAt: undefined,
          pausedAt: undefined,
          wait: [],
          events: [],
          run: undefined,
          lastRan: NEVER,
          begun: t,
          proposals: 0,
          caps: false,
          written: new Map([["known", t]]),
          fates: new Map(),
          eventFates: new Map(),
        });
        return;
      }
      l.written.set("known", t);
      const isOther = wakingOf(l.spec) !== wakingOf(spec);
      if (l.isKnown && isOther) close(l, t, "changed");
      else if (l.isKnown && l.wrongAt !== undefined) close(l, t, "not-valid");
      if (!l.isKnown) l.since = Math.max(l.since, t);
      Object.assign(l, { spec, isKnown: true, wrongAt: undefined, begun: t });
    },
    remove(t, name) {
      const l = loops.get(name);
      l?.written.set("removed", t);
      if (!l?.isKnown) return;
      close(l, t, "removed");
      Object.assign(l, { isKnown: false, wrongAt: undefined });
    },
    pause(t, name) {
      const l = loops.get(name);
      l?.written.set("paused", t);
      if (l) l.pausedAt = t;
    },
    resume(t, name) {
      const l = loops.get(name);
      l?.written.set("resumed", t);
      if (l?.pausedAt === undefined) return;
      if (l.isKnown) {
        close(l, t, "paused");
        l.begun = t;
      }
      l.pausedAt = undefined;
    },
    wrong(t, name) {
      const l = loops.get(name);
      l?.written.set("wrong", t);
      if (l?.isKnown) l.wrongAt ??= t;
    },
    rest(name) {
      const l = loops.get(name);
      if (l) l.run = undefined;
    },
    hear(t, name, key) {
      loops.get(name)?.written.set("heard", t);
      loops.get(name)?.events.push({ key, at: t });
    },
    death() {
      for (const { run } of loops.values()) if (run) run.isWorkedOn = false;
    },
    begin() {
      latest = Math.max(NEVER, ...[...loops.values()].flatMap(({ written }) => [...written.values()]));
    },
    tick(t) {
      lines.clear();
      if (t < Math.max(last ?? NEVER, latest) - GRACE) {
        setBack(t);
        awake = last === undefined ? t : Math.min(awake, t);
        last = t;
      }
      latest = NEVER;
      const isGap = last === undefined || t - last > GRACE;
      if (isGap) awake = t;
      for (const l of byName()) {
        if (!l.isKnown) for (const { key } of l.events) answer(l, key, "skipped removed");
        else if (isBarred(l)) {
          const word = l.wrongAt === undefined ? "paused" : "not-valid";
          for (const { key } of l.events) answer(l, key, `skipped ${word}`);
          if (t >= Math.max(l.since, l.wrongAt ?? l.pausedAt ?? NEVER) + DAY) close(l, t, word);
        } else decide(l, t, isGap ? t - GRACE : NEVER);
      }
      startAll(t);
      for (const l of byName()) {
        if (!l.isKnown || isBarred(l)) continue;
        const period = (s: number): number => Math.min(Math.max(nextAfter(l.spec, s) - s, HOUR), DAY);
        const over = l.wait.filter((s) => !isKept(l, s) && t - Math.max(due(l, s), awake) > period(s));
        const isBusy = [...loops.values()].some((other) => other !== l && other.run?.isWorkedOn && other.run.target === l.spec.target);
        for (const s of over) write(l, [s], `skipped ${l.run ? "overlap" : isBusy ? "collision" : "machine"}`);
      }
      for (const l of loops.values()) if (l.isKnown && !isBarred(l)) l.since = firstOpen(open(l, t)) ?? Math.max(l.since, t);
      last = Math.max(last ?? NEVER, t);
    },
  };

  function firstOpen(all: readonly number[]): number | undefined {
    return all[0] === undefined ? undefined : all[0] - 1;
  }
}
