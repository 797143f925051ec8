// The records that a look at a loop comes to: one for slots that share a fate, and what they say of how far the slots are covered.
import { slotKey, type Waking } from "../contract/waking.ts";
import type { Decision } from "./decide-waking.ts";
import { type Due, namedBy, slotCause } from "./due.ts";
import type { Closing, LoopFacts, WakingLine } from "./ports.ts";

interface Recorded {
  readonly due: Due;
  readonly decision: Extract<Decision, { kind: "record" }>;
}

/** Slots right after one another that share a fate are one record, which goes by the last of them. */
export function grouped(records: readonly Recorded[]): readonly Recorded[] {
  const groups: Recorded[] = [];
  for (const record of records) {
    const before = groups.at(-1);
    const both = before && together(before, record);
    if (both) groups[groups.length - 1] = both;
    else groups.push(record);
  }
  return groups;
}

function together(a: Recorded, b: Recorded): Recorded | undefined {
  const [one, other] = [a.due.slot, b.due.slot];
  if (!one || !other || one.wasOpen || other.wasOpen) return undefined;
  if (one.at + one.periodMs !== (other.covers?.first ?? other.at)) return undefined;
  const { fate, reason, into, says } = b.decision;
  if (a.decision.fate !== fate || a.decision.reason !== reason || a.decision.into !== into || a.decision.says !== says) return undefined;
  const covers = { first: one.covers?.first ?? one.at, count: (one.covers?.count ?? 0) + 1 + (other.covers?.count ?? 0) };
  return { decision: b.decision, due: { ...b.due, slot: { ...other, covers } } };
}

export function recordLine(
  facts: LoopFacts,
  { key, cause, dueAt: due, slot }: Due,
  decision: Extract<Decision, { kind: "record" }>,
): WakingLine {
  const { fate, reason, says, into } = decision;
  const covers = slot?.covers;
  return lineOf(facts, key, {
    kind: "waking",
    fate,
    cause,
    dueAt: iso(due),
    reason,
    says,
    ...(into === undefined ? {} : { into }),
    ...(covers ? { covers: { first: iso(covers.first), count: covers.count } } : {}),
  });
}

function lineOf({ withdrawn }: LoopFacts, key: string, waking: Waking): WakingLine {
  const instead = withdrawn.get(key);
  return { key, waking, ...(instead === undefined ? {} : { instead }) };
}

/** The last record of slots says how far they are covered now. */
export function covering(lines: readonly WakingLine[], facts: LoopFacts, since: number, open: readonly number[]): readonly WakingLine[] {
  const last = lines.at(-1);
  if (!last) return [];
  return [...lines.slice(0, -1), { ...last, waking: { ...last.waking, ...coverage(facts, since, open) } }];
}

export function coverage({ taken }: LoopFacts, since: number, open: readonly number[]): Pick<Waking, "since" | "open" | "taken"> {
  const later = taken.filter((slot) => slot > since);
  return { since: iso(since), ...(open.length > 0 ? { open: open.map(iso) } : {}), ...(later.length > 0 ? { taken: later.map(iso) } : {}) };
}

/** The last answer says up to where everything that was heard has its waking. */
export function answering(lines: readonly WakingLine[], events: LoopFacts["events"]): readonly WakingLine[] {
  const last = lines.at(-1);
  if (!last) return [];
  const keys = new Set(lines.map(({ key }) => key));
  return [...lines.slice(0, -1), { ...last, waking: { ...last.waking, answered: answeredBy(events, keys) } }];
}

export function answeredBy(events: LoopFacts["events"], keys: ReadonlySet<string>): number {
  const left = events.filter(({ key }) => !keys.has(key)).map(({ seq }) => seq);
  return left.length > 0 ? Math.min(...left) - 1 : Math.max(...events.map(({ seq }) => seq));
}

/** Slots that were open when their time was over: those that waited one by one, and the stretch after them as one. */
export function closingLines(
  facts: LoopFacts,
  loop: string,
  { from, upTo, open, slots, reason, says, ...closing }: Closing,
): readonly WakingLine[] {
  if (!slots) return [];
  const taken = namedBy(slots, closing.taken);
  const close = (at: number, covers?: { readonly first: string; readonly count: number }): WakingLine =>
    lineOf(facts, slotKey(loop, at), {
      kind: "waking",
      fate: "skipped",
      cause: slotCause(slots, at),
      dueAt: iso(at),
      reason,
      says,
      ...(covers ? { covers } : {}),
    });
  const { newest, older } = slots.due(from, upTo, Math.max(1, taken.length + 1));
  const free = newest.filter((slot) => !taken.includes(slot));
  const last = free.at(-1);
  if (last === undefined) return open.map((at) => close(at));
  const first = older?.first ?? free[0] ?? last;
  const count = (older ? older.count - taken.filter((slot) => slot >= older.first && slot <= older.last).length : 0) + free.length - 1;
  return [...open.map((at) => close(at)), close(last, count > 0 ? { first: iso(first), count } : undefined)];
}

export const iso = (at: number): string => new Date(at).toISOString();
