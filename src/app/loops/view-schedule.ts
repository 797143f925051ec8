// When loops wake next, what became of their last wakings, and why one did not run: told from the same looks that the scheduler takes.
import { LoopError } from "../../contract/errors.ts";
import type { Waking } from "../../contract/waking.ts";
import { type EntryOf, lastOf } from "../../journal/journal.ts";
import { readKnownLoop, readKnownLoops } from "../../journal/known-loops.ts";
import { NEXT_WAKING } from "../../journal/loop-facts.ts";
import type { Decision } from "../../schedule/decide-waking.ts";
import { GRACE_MS, slotCause, tickTime } from "../../schedule/due.ts";
import { dueAt } from "../../schedule/jitter.ts";
import { lookAt } from "../../schedule/look.ts";
import { type NextWaking, nextWaking } from "../../schedule/next-waking.ts";
import type { LoopFacts, LoopPlan, Ticks } from "../../schedule/ports.ts";
import type { LoadedSpec } from "../runs/load-spec.ts";
import { unreadableMachine } from "../settings.ts";
import { type BookReader, type BookSource, createBookReader } from "./book.ts";
import { planOfSpec } from "./loop-plan.ts";
import { NEVER_OPEN } from "./view-known.ts";
import { readDaemonSees, whatKeeps } from "./what-keeps.ts";

export interface WakingView extends Pick<Waking, "fate" | "reason" | "says" | "dueAt"> {
  readonly key: string;
  readonly at: string;
  readonly run: string | null;
  /** How many times share this fate, its own included. */
  readonly count: number;
  /** Its run was stopped because the next waking came, as `wake.overlap: stop` wants it. */
  readonly isStoppedForNext?: true;
}

export interface ScheduleView {
  readonly loop: string;
  /** The next time that is due, with its jitter, and as the trigger reads it; null where no time comes. */
  readonly next: { readonly dueAt: string; readonly local: string } | null;
  /** What keeps it now, or what it waits for. */
  readonly why: string | null;
  /** Newest first. */
  readonly last: readonly WakingView[];
}

const LAST = 3;

export async function viewSchedule(house: BookSource, which: string | undefined, most = LAST): Promise<readonly ScheduleView[]> {
  const book = createBookReader(house);
  const views: ScheduleView[] = [];
  for (const loop of await loopsFor(house, which)) views.push(await viewOne(house, book, loop, most));
  return views;
}

async function viewOne(house: BookSource, book: BookReader, loop: string, most: number): Promise<ScheduleView> {
  const stopped = await stoppedForNext(house, loop);
  const last = (await house.journal.newestOf(loop, "waking", { most })).map((entry) => wakingView(entry, stopped));
  const now = house.clock.now().getTime();
  const known = await looking(book, loop, now);
  if (known.kind === "none") return { loop, next: null, why: known.why, last };
  const next = known.facts.barred ? ({ kind: "no-slot" } as const) : nextWaking(known.plan, now);
  const never = next.kind === "shut" ? NEVER_OPEN : !known.facts.barred && (await isManual(house, loop)) ? MANUAL : null;
  const machine = known.facts.barred ? undefined : await unreadableMachine(house);
  return { loop, next: viewNext(known.plan, next), why: machine ?? keptBy(known, now) ?? (await elseKept(house, loop)) ?? never, last };
}

const MOST_STOPS = 1_000;

/** The runs that the next waking stopped, of the newest that anything did. */
async function stoppedForNext({ journal }: Pick<BookSource, "journal">, loop: string): Promise<ReadonlySet<string>> {
  const stops = await journal.newestOf(loop, "stop-requested", { most: MOST_STOPS });
  const asked = stops.filter(({ record }) => record.by === NEXT_WAKING).map(({ run }) => run);
  if (asked.length === 0) return new Set();
  const rests = await journal.newestOf(loop, "run-rested", { most: MOST_STOPS });
  // One that came to its end before it heard of it was not stopped.
  const ended = new Set(rests.filter(({ record: { rest } }) => rest.kind !== "halt" || rest.because !== "stopped").map(({ run }) => run));
  return new Set(asked.filter((run) => !ended.has(run)));
}

const MANUAL = "it has no trigger: `lw run` and `lw add --now` wake it, and nothing else does";

const isManual = async ({ journal }: Pick<BookSource, "journal">, loop: string): Promise<boolean> =>
  (await lastOf(journal, loop, "loop-known"))?.record.trigger?.use === "manual";

/** What keeps it now: that it may not wake, what it waits for, or that whoever could start it has not done so yet. */
function keptBy({ plan, facts, look, ticks }: Extract<Known, { kind: "known" }>, now: number): string | undefined {
  if (facts.barred) return facts.barred.says;
  if (look.waits) return look.waits.says;
  if (!look.first) return undefined;
  const since = `due since ${iso(look.first.oldestDue)}`;
  if (!ticks || now - ticks.last > GRACE_MS) return `${since}: no daemon starts it now; \`lw serve\` does`;
  const waits = ticks.waiting?.find(({ loop }) => loop === plan.loop);
  return `${since}, and waits: ${waits?.says ?? "its turn is the next tick's"}`;
}

/** What a tick at that moment would come to; nothing is written. */
export interface TickView {
  readonly loop: string;
  readonly key: string;
  readonly dueAt: string;
  readonly does: "runs" | "waits" | Exclude<Waking["fate"], "ran">;
  readonly says: string;
}

export async function viewTick(
  house: BookSource,
  at: Date,
): Promise<{ readonly wakings: readonly TickView[]; readonly problems: readonly string[] }> {
  const book = createBookReader(house);
  const wakings: TickView[] = [];
  const problems: string[] = [];
  for (const loop of await loopsFor(house, undefined)) {
    // As if there were room for it: only who starts runs knows whether there is.
    const known = await looking(book, loop, at.getTime(), "start");
    if (known.kind === "none") problems.push(`${loop}: ${known.why}`);
    else
      for (const { due, decision } of known.look.decided)
        wakings.push({ loop, key: due.key, dueAt: iso(due.dueAt), does: doesOf(decision), says: decision.says });
  }
  return { wakings, problems };
}

export interface SlotView {
  readonly loop: string;
  readonly slot: string;
  readonly local: string;
  readonly dueAt: string;
  /** Whether its windows let it wake then. */
  readonly isOpen: boolean;
}

const MOST_SLOTS = 10_000;

export interface Simulated {
  readonly slots: readonly SlotView[];
  /** Loops with more times than are listed, and up to when they are. */
  readonly cut: readonly { readonly loop: string; readonly upTo: string }[];
}

/** The times that loops would be woken at, from now on, by their specs alone. */
export async function simulate(house: BookSource, which: string | undefined, forMs: number): Promise<Simulated> {
  const book = createBookReader(house);
  const plans: LoopPlan[] = [];
  for (const loop of await loopsFor(house, which)) {
    const plan = await book.plan(loop).catch(() => undefined);
    if (plan) plans.push(plan);
  }
  return timesOfPlans(plans, house.clock.now().getTime(), forMs);
}

/** The same of a spec as it lies there, whether or not this home looks after it. */
export async function simulateSpec(
  house: BookSource,
  { spec, path }: Pick<LoadedSpec, "spec" | "path">,
  forMs: number,
): Promise<Simulated> {
  return timesOfPlans([await planOfSpec(house, { loop: spec.name, spec, path })], house.clock.now().getTime(), forMs);
}

function timesOfPlans(plans: readonly LoopPlan[], now: number, forMs: number): Simulated {
  const found: SlotView[] = [];
  const cut: { readonly loop: string; readonly upTo: string }[] = [];
  for (const { loop, ...plan } of plans) {
    const slots = plan.slots ? slotsBetween({ loop, ...plan, slots: plan.slots }, now, now + forMs) : [];
    found.push(...slots);
    const last = slots[MOST_SLOTS - 1];
    if (last) cut.push({ loop, upTo: last.slot });
  }
  return { slots: found.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : a.loop < b.loop ? -1 : 1)), cut };
}

function slotsBetween(
  plan: LoopPlan & { readonly slots: NonNullable<LoopPlan["slots"]> },
  from: number,
  upTo: number,
): readonly SlotView[] {
  const found: SlotView[] = [];
  for (let next = plan.slots.due(from, from, 0).next; next !== undefined && next <= upTo && found.length < MOST_SLOTS; ) {
    const slot = next;
    next = plan.slots.due(slot, slot, 0).next;
    found.push({
      loop: plan.loop,
      slot: iso(slot),
      local: localOf(plan.slots, slot),
      dueAt: iso(dueAt(plan, slot, next)),
      isOpen: plan.windows.isOpen(slot),
    });
  }
  return found;
}

export interface WhyView {
  readonly loop: string;
  readonly at: string;
  /** In words, one thing after the other. */
  readonly lines: readonly string[];
  readonly waking: WakingView | null;
}

/** Why a loop did or did not run at a time; without one, why it does not run now. */
export async function explain(house: BookSource, which: string, at: Date | undefined): Promise<WhyView> {
  const [loop = which] = await loopsFor(house, which);
  const book = createBookReader(house);
  const now = house.clock.now();
  const asked = at ?? now;
  const known = await looking(book, loop, now.getTime());
  const lines: string[] = [];
  const waking = at && known.kind === "known" ? await wakingAt(house, loop, known.plan, asked.getTime()) : undefined;
  const view = waking && wakingView(waking, await stoppedForNext(house, loop));
  if (view) lines.push(tellWaking(view));
  else if (at && known.kind === "known") lines.push(...whyNone(known, asked.getTime(), now.getTime()));
  if (known.kind === "none") lines.push(known.why);
  else if (!at || !waking) {
    const why = keptBy(known, now.getTime());
    const machine = await unreadableMachine(house);
    if (machine !== undefined) lines.push(`now: ${machine}`);
    if (why !== undefined) lines.push(`now: ${why}`);
    const other = machine === undefined && !known.facts.barred ? await elseKept(house, loop) : undefined;
    if (other !== undefined && other !== why) lines.push(`now: ${other}`);
    if (!known.facts.barred) lines.push((await isManual(house, loop)) ? MANUAL : tellNext(known.plan, now.getTime()));
  }
  return { loop, at: asked.toISOString(), lines, waking: view ?? null };
}

function whyNone(known: Extract<Known, { kind: "known" }>, at: number, now: number): readonly string[] {
  const { slots } = known.plan;
  const { begunAt, since, open, barred } = known.facts;
  if (at > now) return [`${iso(at)} is still to come`];
  const slot = slotUpTo(slots, at);
  if (!slots) return ["nothing that happened was to wake it at or before then"];
  if (slot === undefined) return ["its trigger names no time at or before then"];
  const local = slots ? localOf(slots, slot) : iso(slot);
  if (slot <= begunAt) return [`${local}: that was before it was added, edited or freed, at ${iso(begunAt)}`];
  // One record for all of them, when it is freed, mended or edited, and else once a day.
  if (slot > since && barred)
    return [`${local}: not woken. ${barred.says}; such times get their record together, when that ends or once a day`];
  if (open.includes(slot)) return [`${local}: ${keptBy(known, now) ?? "it waits for its turn"}`];
  return [`${local}: ${slot <= since ? "no record of it is kept" : "it has no record yet; the next tick of `lw serve` decides about it"}`];
}

type Known =
  | { readonly kind: "none"; readonly why: string }
  | {
      readonly kind: "known";
      readonly plan: LoopPlan;
      readonly facts: LoopFacts;
      readonly look: ReturnType<typeof lookAt>;
      readonly ticks: Ticks | undefined;
    };

/** What its trigger, or the daemon that listens for it, has found out, as `lw loops` says it too. */
async function elseKept(house: BookSource, loop: string): Promise<string | undefined> {
  const known = await readKnownLoop(house.journal, loop);
  // For which room it waits is told with since when it does.
  return known && whatKeeps(house, known, { ...(await readDaemonSees(house)), waiting: [] });
}

/** A loop whose part throws is told as such, and keeps no other from being told. */
async function looking(book: BookReader, loop: string, now: number, glance: "pass" | "start" = "pass"): Promise<Known> {
  try {
    const [plan, facts, ticks] = [await book.plan(loop), await book.facts(loop), await book.ticks()];
    if (!plan || !facts) return { kind: "none", why: "no spec of it was ever read" };
    return { kind: "known", plan, facts, look: lookAt(loop, plan, facts, tickTime(now, ticks), { kind: glance }), ticks };
  } catch (error) {
    return { kind: "none", why: `it cannot be planned: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function loopsFor({ journal }: Pick<BookSource, "journal">, which: string | undefined): Promise<readonly string[]> {
  const known = await readKnownLoops(journal);
  if (which === undefined) return known.filter(({ state }) => state !== "removed").map(({ loop }) => loop);
  // What became of the times of one that was removed stays on record.
  if (known.some(({ loop }) => loop === which)) return [which];
  throw new LoopError("bad-input", `no loop that this home looks after is called ${which}`, {
    retry: "never",
    hint: "`lw loops` shows them; add one with `lw add FILE`.",
  });
}

const PAGE = 200;

/** The newest record of what was to wake it at or before then: of its last time, or of something that happened later. */
async function wakingAt({ journal }: BookSource, loop: string, { slots }: LoopPlan, at: number): Promise<EntryOf<"waking"> | undefined> {
  const slot = slotUpTo(slots, at);
  const isMeant = ({ record }: EntryOf<"waking">): boolean => {
    if (record.cause.kind === "slot") return slot !== undefined && covers(record, slot);
    const due = Date.parse(record.dueAt);
    return due <= at && (slot === undefined || due >= slot);
  };
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await journal.newestOf(loop, "waking", { before, most: PAGE });
    const found = page.find(isMeant);
    if (found || page.length < PAGE) return found;
    before = page.at(-1)?.seq ?? 0;
  }
}

function covers({ cause, covers: others }: Waking, slot: number): boolean {
  if (cause.kind !== "slot") return false;
  const own = Date.parse(cause.slot);
  return own === slot || (others !== undefined && Date.parse(others.first) <= slot && slot <= own);
}

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 86_400_000;

const slotUpTo = (slots: LoopPlan["slots"], at: number): number | undefined => slots?.due(at - YEAR_MS, at, 1).newest[0];

const viewNext = ({ slots }: LoopPlan, next: NextWaking): ScheduleView["next"] =>
  next.kind === "at" && slots ? { dueAt: iso(next.dueAt), local: localOf(slots, next.slot) } : null;

function tellNext(plan: LoopPlan, now: number): string {
  const next = nextWaking(plan, now);
  const view = viewNext(plan, next);
  if (view) return `next: ${view.local}, due ${view.dueAt}`;
  return next.kind === "shut" ? NEVER_OPEN : "no time comes at which it is woken; only what happens wakes it";
}

/** Labels are told to the minute; slots that are seconds apart are told apart here. */
function localOf(slots: NonNullable<LoopPlan["slots"]>, slot: number): string {
  const cause = slotCause(slots, slot);
  if (cause.kind !== "slot") return iso(slot);
  const seconds = Math.floor((slot % MINUTE_MS) / 1000);
  return seconds === 0 ? cause.local : cause.local.replace(" ", `:${String(seconds).padStart(2, "0")} `);
}

const doesOf = (decision: Decision): TickView["does"] =>
  decision.kind === "run" ? "runs" : decision.kind === "wait" ? "waits" : decision.fate;

const wakingView = ({ run: key, at, record }: EntryOf<"waking">, stopped: ReadonlySet<string>): WakingView => ({
  key,
  at,
  fate: record.fate,
  reason: record.reason,
  says: record.says,
  dueAt: record.dueAt,
  run: record.run ?? null,
  count: 1 + (record.covers?.count ?? 0),
  ...(record.run !== undefined && stopped.has(record.run) ? { isStoppedForNext: true } : {}),
});

export const tellWaking = ({ dueAt: due, fate, says, run, count, isStoppedForNext }: WakingView): string =>
  `${due}: ${fate}${run === null ? "" : ` (${run})`}${count > 1 ? `, with ${count - 1} before it` : ""}: ${says}${isStoppedForNext ? "; its run was stopped for the next one (wake.overlap: stop)" : ""}`;

const iso = (at: number): string => new Date(at).toISOString();
