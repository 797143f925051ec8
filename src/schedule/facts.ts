// What the scheduling records of a loop come to, and nothing else is needed: a fold that begins anew after any death.
import type { Entry } from "../contract/record.ts";
import type { Slots } from "../contract/trigger.ts";
import type { Waking } from "../contract/waking.ts";
import type { Barred, Closing, HeardEvent, ScheduleFacts } from "./ports.ts";

/** The trigger as it was recorded; undefined in records that do not say it. */
export type TriggerRef = { readonly use: string; readonly with?: { readonly [option: string]: unknown } } | undefined;

/** What the loop's version is made of: whoever writes wakings asks that none of these came meanwhile. */
export const VERSION_KINDS = [
  "waking",
  "loop-known",
  "loop-wrong",
  "loop-removed",
  "loop-paused",
  "loop-halted",
  "loop-resumed",
] as const satisfies readonly Entry["record"]["kind"][];

export type ScheduleEntry = Pick<Entry, "seq" | "at" | "run" | "record">;

/**
 * The state of the fold. To begin it anew, these records are enough, in the order of the journal: the newest waking with `since` and all
 * that follow it; the newest `loop-known` before that, and of what made it wrong, removed, paused, halted or free; what was heard after the
 * newest `answered`; and, where the clock was set back after the newest `since`, all wakings recorded for slots after that instant.
 */
export interface ScheduleState extends Omit<ScheduleFacts, "barred" | "closings" | "life"> {
  readonly life: ScheduleFacts["life"] | "unknown";
  readonly closings: readonly Closing<TriggerRef>[];
  readonly trigger: TriggerRef;
  readonly triggerHash: string | undefined;
  readonly specHash: string | undefined;
  readonly wrong: Barred | undefined;
  readonly standing: (Barred & { readonly reason: "paused" | "halted" }) | undefined;
  /** The wakings of slots, for when the clock is set back. */
  readonly recent: readonly Recent[];
}

interface Recent {
  readonly slot: number;
  readonly key: string;
  readonly seq: number;
  readonly hasRun: boolean;
}

export const UNKNOWN: ScheduleState = {
  life: "unknown",
  version: { own: 0, home: 0 },
  since: Number.NEGATIVE_INFINITY,
  open: [],
  taken: [],
  closings: [],
  events: [],
  lastRan: undefined,
  begunAt: Number.NEGATIVE_INFINITY,
  absenceTold: undefined,
  withdrawn: new Map(),
  trigger: undefined,
  triggerHash: undefined,
  specHash: undefined,
  wrong: undefined,
  standing: undefined,
  recent: [],
};

/** From the oldest to the newest; undefined where nobody knows the loop. */
export const foldSchedule = (entries: readonly ScheduleEntry[]): ScheduleState => entries.reduce(afterEntry, UNKNOWN);

export function afterEntry(state: ScheduleState, entry: ScheduleEntry): ScheduleState {
  const at = Date.parse(entry.at);
  const { record } = entry;
  switch (record.kind) {
    case "waking":
      return afterWaking(versioned(state, entry.seq), entry.run, entry.seq, at, record);
    case "heard": {
      if (state.events.some(({ key }) => key === entry.run)) return state;
      const barred = record.barred ? { barred: record.barred } : {};
      const event: HeardEvent = { seq: entry.seq, key: entry.run, cause: record.cause, at, ...barred };
      return { ...state, events: [...state.events, event] };
    }
    case "loop-known":
      return afterKnown(versioned(state, entry.seq), at, record);
    case "loop-wrong": {
      const wrong: Barred = { reason: "not-valid", says: `its spec is not valid: ${record.problems[0] ?? record.path}`, since: at };
      const known = versioned(state, entry.seq);
      if (state.life === "known" || state.life === "wrong") return { ...known, life: "wrong", wrong: state.wrong ?? wrong };
      return {
        ...known,
        life: "wrong",
        wrong,
        since: Math.max(state.since, at),
        open: [],
        trigger: undefined,
        triggerHash: undefined,
        begunAt: at,
      };
    }
    case "loop-removed": {
      const known = versioned(state, entry.seq);
      if (state.life === "unknown" || state.life === "removed") return known;
      return { ...closed(known, at, "removed", `removed by ${record.by}`), life: "removed", wrong: undefined };
    }
    case "loop-paused":
      return { ...versioned(state, entry.seq), standing: pausedBy(record.by, record.why, at) };
    case "loop-halted":
      return {
        ...versioned(state, entry.seq),
        standing: { reason: "halted", says: `halted (${record.because}): ${record.reason}`, since: at },
      };
    case "loop-resumed": {
      const known = versioned(state, entry.seq);
      if (!state.standing) return known;
      const { reason, says } = state.standing;
      const freed = isLooked(state) ? { ...closed(known, at, reason, says), begunAt: at } : known;
      return { ...freed, standing: undefined };
    }
    case "clock-set-back":
      return afterSetBack({ ...state, version: { ...state.version, home: entry.seq } }, Date.parse(record.to));
    case "absence-told":
      return { ...state, absenceTold: Date.parse(record.since) };
    default:
      return state;
  }
}

/** With the times of the triggers that were before, as far as their parts can still be made. */
export function factsOf(state: ScheduleState, slotsOf: (trigger: TriggerRef) => Slots | undefined): ScheduleFacts | undefined {
  const { life } = state;
  if (life === "unknown") return undefined;
  const closings = state.closings.length === 0 ? [] : state.closings.map((closing) => ({ ...closing, slots: slotsOf(closing.slots) }));
  const gone: Barred | undefined = life === "removed" ? { reason: "removed", says: "removed", since: state.since } : undefined;
  const { version, since, open, taken, events, lastRan, begunAt, absenceTold, withdrawn } = state;
  const barred = gone ?? state.wrong ?? state.standing;
  return { version, life, since, open, taken, barred, closings, events, lastRan, begunAt, absenceTold, withdrawn };
}

/** Without the wakings of slots up to that instant, once the clock cannot be set back so far any more. */
export const forgetBefore = (state: ScheduleState, instant: number): ScheduleState => ({
  ...state,
  recent: state.recent.filter(({ slot }) => slot > instant),
});

const versioned = (state: ScheduleState, seq: number): ScheduleState => ({ ...state, version: { ...state.version, own: seq } });

const isLooked = ({ life }: ScheduleState): boolean => life === "known" || life === "wrong";

function pausedBy(by: string, why: string, at: number): NonNullable<ScheduleState["standing"]> {
  return { reason: "paused", says: `paused by ${by}${why === "" ? "" : `: ${why}`}, since ${new Date(at).toISOString()}`, since: at };
}

function afterWaking(state: ScheduleState, key: string, seq: number, at: number, waking: Waking): ScheduleState {
  const { cause, fate, since } = waking;
  const hasRun = fate === "ran";
  const recent = cause.kind === "slot" ? [...state.recent, { slot: Date.parse(cause.slot), key, seq, hasRun }] : state.recent;
  const events = state.events.length === 0 ? state.events : state.events.filter((event) => event.key !== key);
  const known = { ...state, recent, events, withdrawn: without(state.withdrawn, key), lastRan: hasRun ? at : state.lastRan };
  if (since === undefined) return known;
  const covered = Date.parse(since);
  return {
    ...known,
    since: covered,
    open: (waking.open ?? []).map(Date.parse),
    taken: (waking.taken ?? []).map(Date.parse),
    closings: state.closings.length === 0 ? state.closings : state.closings.filter(({ upTo }) => upTo > covered),
  };
}

function without(map: ReadonlyMap<string, number>, key: string): ReadonlyMap<string, number> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

type Known = Extract<Entry["record"], { kind: "loop-known" }>;

function afterKnown(state: ScheduleState, at: number, { triggerHash, trigger, specHash }: Known): ScheduleState {
  const now = { trigger, triggerHash, specHash, life: "known", wrong: undefined } as const;
  // Its slots may be covered further than now, where its clock went back a little: that is never taken back.
  if (!isLooked(state)) return { ...state, ...now, since: Math.max(state.since, at), open: [], begunAt: at };
  if (state.triggerHash !== triggerHash) {
    const says = state.wrong ? `${state.wrong.says}; it was mended with another trigger` : "its trigger was changed";
    return { ...closed(state, at, "changed", says), ...now, begunAt: at };
  }
  if (state.wrong) return { ...closed(state, at, "not-valid", state.wrong.says), ...now, begunAt: at };
  return { ...state, ...now, begunAt: state.specHash === specHash ? state.begunAt : at };
}

/** What is open up to then gets no run any more, whatever comes. */
function closed(state: ScheduleState, at: number, reason: Closing["reason"], says: string): ScheduleState {
  const { since, open, taken, trigger } = state;
  const upTo = Math.max(since, at);
  const closing = { from: since, upTo, open, taken: taken.filter((slot) => slot <= upTo), slots: trigger, reason, says };
  return { ...state, closings: [...state.closings, closing], since: upTo, open: [], taken: taken.filter((slot) => slot > upTo) };
}

/** What did not run of later slots is withdrawn; what ran never runs again. */
function afterSetBack(state: ScheduleState, to: number): ScheduleState {
  const since = Math.min(state.since, to);
  const later = state.recent.filter(({ slot }) => slot > to);
  const ran = state.recent.filter(({ hasRun }) => hasRun).map(({ slot }) => slot);
  const taken = [...new Set([...state.taken, ...ran])].filter((slot) => slot > since).toSorted((a, b) => a - b);
  const withdrawn = new Map(state.withdrawn);
  for (const { key, seq, hasRun } of later) if (!hasRun) withdrawn.set(key, seq);
  const upTo = <B extends Barred>(barred: B | undefined): B | undefined => barred && { ...barred, since: Math.min(barred.since, to) };
  return {
    ...state,
    since,
    open: state.open.filter((slot) => slot <= to),
    taken,
    withdrawn,
    closings: state.closings.map((closing) => until(closing, to)),
    // Else what was heard before would be due only when the clock comes there again, and every slot until then before it.
    events: state.events.map((event) => ({ ...event, at: Math.min(event.at, to) })),
    begunAt: Math.min(state.begunAt, to),
    lastRan: state.lastRan === undefined ? undefined : Math.min(state.lastRan, to),
    wrong: upTo(state.wrong),
    standing: upTo(state.standing),
    recent: state.recent.filter(({ slot, hasRun }) => hasRun || slot <= to),
  };
}

const until = (closing: Closing<TriggerRef>, to: number): Closing<TriggerRef> => ({
  ...closing,
  from: Math.min(closing.from, to),
  upTo: Math.min(closing.upTo, to),
  open: closing.open.filter((slot) => slot <= to),
});
