// Whether a loop can wake as its spec says: said when it is read, and not found out by waiting.
import * as z from "zod";
import type { Registries } from "../contract/crew.ts";
import { Budget, Wake } from "../contract/spec.ts";
import type { Slots, Waker } from "../contract/trigger.ts";
import { secretsUnder } from "../guard/secrets/redact.ts";
import { type Windows, windowsOf } from "../schedule/windows.ts";
import { parseDuration } from "../std/duration.ts";
import { showLabel, zoneOf, zoneProblem } from "../std/zone.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";

/** What cannot be, or cannot come. */
export function wakingIsSound(value: unknown, registries: Registries): readonly Complaint[] {
  const zones = zonesAreKnown(value);
  const wake = wakeOf(value);
  // Windows in zones that nobody knows cannot be asked.
  const windows = zones.length === 0 && wake ? windowsMeet(wake, wakerOf(value, registries)) : [];
  return [...zones, ...windows, ...waitsForOthers(value), ...secretsAreNamed(value), ...(wake ? waitsAreSound(wake) : [])];
}

/** What is allowed and has no effect, or is sure to be told as an absence. */
export function wakingDoubts(value: unknown, registries: Registries): readonly Complaint[] {
  const [wake, woken] = [wakeOf(value), wakerOf(value, registries)];
  if (!wake || !woken) return [];
  return [...withoutEffect(wake, woken), ...expectsTooMuch(wake, woken), ...stopsItself(value, wake, woken), ...jittersTooFar(wake, woken)];
}

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const Ref = z.object({ use: z.string(), with: z.unknown().optional() });
const Outline = z.object({
  name: lenient(z.string()),
  trigger: lenient(Ref),
  wake: lenient(z.object({ within: lenient(z.array(z.unknown())), not: lenient(z.array(z.unknown())) })),
});
const outlineOf = (value: unknown) => Outline.safeParse(value).data ?? {};

/** Undefined where there is none, or where the schema has something against it. */
const wakeOf = (value: unknown): Wake | undefined => z.object({ wake: Wake }).safeParse(value).data?.wake;

interface Woken extends Waker {
  readonly trigger: string;
}

function wakerOf(value: unknown, { triggers }: Registries): Woken | undefined {
  const { use, with: options } = outlineOf(value).trigger ?? { use: "manual", with: {} };
  const part = triggers.find(({ name }) => name === use);
  if (!part?.options.safeParse(options ?? {}).success) return undefined;
  return { trigger: use, ...part.configure(options) };
}

function zonesAreKnown(value: unknown): readonly Complaint[] {
  const { within = [], not = [] } = outlineOf(value).wake ?? {};
  const inList = (field: "within" | "not", windows: readonly unknown[]): readonly Complaint[] =>
    windows.flatMap((window, index) => {
      const zone = z.object({ zone: z.string().min(1) }).safeParse(window).data?.zone;
      const problem = zone === undefined ? undefined : zoneProblem(zone);
      return problem === undefined ? [] : [complain(["wake", field, index, "zone"], problem, "Write e.g. `Europe/Berlin`.")];
    });
  return [...inList("within", within), ...inList("not", not)];
}

const LONGEST = "366d";

/** What is longer than a year is no wait, and leads to instants that no calendar has. */
function waitsAreSound({ jitter, backoff, expect }: Wake): readonly Complaint[] {
  const waits: readonly { readonly path: Path; readonly text: string | undefined }[] = [
    { path: ["wake", "jitter"], text: jitter },
    { path: ["wake", "backoff", "first"], text: backoff?.first },
    { path: ["wake", "backoff", "most"], text: backoff?.most },
    { path: ["wake", "expect", "within"], text: expect?.within },
  ];
  const long = waits.filter(({ text }) => text !== undefined && msOf(text) > msOf(LONGEST));
  const turned = backoff && msOf(backoff.first) > msOf(backoff.most);
  return [
    ...long.map(({ path }) => complain(path, `must be ${LONGEST} at most`, "Write e.g. `25h`.")),
    ...(turned ? [complain(["wake", "backoff", "first"], "is longer than the longest wait", "Write less than `most`.")] : []),
  ];
}

const msOf = (text: string): number => parseDuration(text) ?? 0;

/** Every trigger that is named, those of `any` too, with its place. */
function triggersIn(value: unknown): readonly { readonly path: Path; readonly ref: unknown }[] {
  const { trigger } = outlineOf(value);
  const of = z.object({ of: z.array(z.unknown()) }).safeParse(trigger?.with).data?.of ?? [];
  return [
    { path: ["trigger"], ref: trigger },
    ...(trigger?.use === "any" ? of.map((ref, index) => ({ path: ["trigger", "with", "of", index], ref })) : []),
  ];
}

/** A token can look like the name of a variable: on record it would be cut out, and the loop could not be woken. */
function secretsAreNamed(value: unknown): readonly Complaint[] {
  return triggersIn(value).flatMap(({ path, ref }) => {
    const secret = z.object({ use: z.literal("webhook"), with: z.object({ secret: z.string() }) }).safeParse(ref).data?.with.secret;
    const [kind] = secret === undefined ? [] : secretsUnder("", secret);
    if (kind === undefined) return [];
    return [
      complain(
        [...path, "with", "secret"],
        `this looks like a secret (${kind})`,
        "Put it into a variable, and write that variable's name.",
      ),
    ];
  });
}

/** A loop that waits for itself would wake itself for ever once it woke, and never wakes first. */
function waitsForOthers(value: unknown): readonly Complaint[] {
  const { name } = outlineOf(value);
  return triggersIn(value).flatMap(({ path, ref }) => {
    const other = z.object({ use: z.literal("loop"), with: z.object({ name: z.string() }) }).safeParse(ref).data?.with.name;
    if (other === undefined || other !== name) return [];
    return [
      complain([...path, "with", "name"], `${quoted(name)} would wait for itself`, "Name another loop, or use a trigger such as every."),
    ];
  });
}

const DAY_MS = 86_400_000;
/** Nobody's clock is asked when a spec is read, so that it is refused at all times or at none: these years stand for all. */
const BEGIN = Date.UTC(2024, 0, 1);
const SOME_YEARS = 8 * 366 * DAY_MS;
const YEAR_MS = 366 * DAY_MS;
/** More is not looked at: what did not show itself by then is believed. */
const STEPS = 10_000;
const MANY = 400;

function windowsMeet(wake: Wake, woken: Woken | undefined): readonly Complaint[] {
  const { within = [], not = [] } = wake;
  if (within.length + not.length === 0) return [];
  const dates = [...within, ...not].flatMap((window) => window.dates ?? []).map((date) => Date.parse(date));
  const [begin, end] = [
    Math.min(BEGIN, ...dates.map((date) => date - 2 * DAY_MS)),
    Math.max(BEGIN + SOME_YEARS, ...dates.map((date) => date + 3 * DAY_MS)),
  ];
  const shut = within.flatMap((window, index) =>
    windowsOf({ within: [window] }).opens(begin) === undefined
      ? [complain(["wake", "within", index], "never opens: none of its dates is on one of its days", "Leave out the days, or the dates.")]
      : [],
  );
  if (shut.length > 0) return shut;
  const field = within.length > 0 ? "within" : "not";
  const windows = windowsOf(wake);
  if (windows.opens(begin) === undefined)
    return [complain(["wake", field], "it is never open: all of its time is in `not`", "Leave some of it out of `not`.")];
  if (!woken?.slots || woken.hears.length > 0) return [];
  const slot = woken.slots.due(begin, begin, 0).next ?? begin;
  if (nextInside(woken.slots, windows, begin, Math.max(end, slot + SOME_YEARS)).kind !== "none") return [];
  const zone = zoneOf((within[0] ?? not[0])?.zone ?? "UTC");
  const such = !zone ? "" : `, such as ${showLabel(zone, slot)},`;
  return [
    complain(
      ["wake", field],
      `no time of trigger ${quoted(woken.trigger)} is ever inside, so that it would never wake`,
      `Write a window that its times${such} fall into, or another trigger.`,
    ),
  ];
}

/** What was possible once, and is over: dates that have passed. */
export function wakingIsOver(value: unknown, registries: Registries, now: number): readonly Complaint[] {
  const [wake, woken] = [wakeOf(value), wakerOf(value, registries)];
  const { within = [], not = [] } = wake ?? {};
  if (!wake || ![...within, ...not].some(({ dates }) => dates !== undefined)) return [];
  const field = within.length > 0 ? "within" : "not";
  const windows = windowsOf(wake);
  const instead = "Write dates that are still to come, or leave them out.";
  if (windows.opens(now) === undefined) return [complain(["wake", field], "never opens again: all of its dates are over", instead)];
  const dates = [...within, ...not].flatMap((window) => window.dates ?? []).map((date) => Date.parse(date));
  const end = Math.max(now + SOME_YEARS, ...dates.map((date) => date + 3 * DAY_MS));
  if (!woken?.slots || woken.hears.length > 0 || nextInside(woken.slots, windows, now, end).kind !== "none") return [];
  return [complain(["wake", field], `no time of trigger ${quoted(woken.trigger)} is inside any more: its dates are over`, instead)];
}

type Inside = { readonly kind: "at"; readonly slot: number } | { readonly kind: "none" } | { readonly kind: "unknown" };

/** The first slot from an instant on at which it is open. Those that come rarely are followed for longer than a year. */
function nextInside(slots: Slots, windows: Windows, from: number, end: number): Inside {
  let at = from;
  for (let step = 0; step < STEPS; step += 1) {
    const opens = windows.opens(at);
    const slot = opens === undefined ? undefined : slots.due(opens - 1, opens - 1, 0).next;
    if (slot === undefined || slot > end || (step > MANY && slot > from + YEAR_MS)) return { kind: "none" };
    if (windows.isOpen(slot)) return { kind: "at", slot };
    at = slot;
  }
  return { kind: "unknown" };
}

function withoutEffect(wake: Wake, { trigger, slots, hears }: Woken): readonly Complaint[] {
  const written = Object.keys(wake).filter((field) => field !== "expect");
  const why =
    slots !== undefined
      ? undefined
      : hears.length === 0
        ? { fields: written, because: `trigger ${quoted(trigger)} never wakes it, and who wakes it by hand is not held up` }
        : {
            fields: written.filter((field) => field === "missed" || field === "jitter"),
            because: `trigger ${quoted(trigger)} names no times`,
          };
  return (why?.fields ?? []).map((field) =>
    complain(["wake", field], `has no effect: ${why?.because}`, "Leave it out, or use another trigger."),
  );
}

/** Where nothing but times wakes it, and two of them are farther apart than it may take. */
function expectsTooMuch(wake: Wake, { slots, hears }: Woken): readonly Complaint[] {
  const most = wake.expect && parseDuration(wake.expect.within);
  if (most === undefined || !slots || hears.length > 0) return [];
  const apart = longestAbove(most, slots, windowsOf(wake));
  if (apart === undefined) return [];
  return [
    complain(
      ["wake", "expect", "within"],
      `its times are up to ${roughly(apart)} apart, so that somebody would be told although nothing is wrong`,
      `Write more than ${roughly(apart)}.`,
    ),
  ];
}

/** Each time ends the run of the one before, where a maker needs longer than that. */
function stopsItself(value: unknown, wake: Wake, { slots }: Woken): readonly Complaint[] {
  const most = msOf(z.object({ budget: Budget.prefault({}) }).safeParse(value).data?.budget.time ?? "");
  const apart = wake.overlap === "stop" && slots ? shortestBetween(slots, windowsOf(wake)) : undefined;
  if (apart === undefined || apart >= most) return [];
  return [
    complain(
      ["wake", "overlap"],
      `its times may be ${roughly(apart)} apart and a run may take ${roughly(most)}: each time would stop the run before it, and the third in a row halts the loop`,
      `Write budget.time: ${roughlyBelow(apart)}, or overlap: skip.`,
    ),
  ];
}

/** It is due before the next time whatever the spec says. */
function jittersTooFar(wake: Wake, { slots }: Woken): readonly Complaint[] {
  const most = wake.jitter === undefined ? 0 : msOf(wake.jitter);
  const apart = most > 0 && slots ? shortestBetween(slots, windowsOf(wake)) : undefined;
  if (apart === undefined || apart >= most) return [];
  const problem = `its times may be ${roughly(apart)} apart, and no waking is put off past the next time`;
  return [complain(["wake", "jitter"], problem, `Write ${roughlyBelow(apart)} or less.`)];
}

/** Between two times at which it may wake, among those of the first years; undefined where it has fewer than two. */
function shortestBetween(slots: Slots, windows: Windows): number | undefined {
  let at = nextInside(slots, windows, BEGIN, Number.POSITIVE_INFINITY);
  let shortest: number | undefined;
  for (let step = 0; step < MANY / 4 && at.kind === "at"; step += 1) {
    const next = nextInside(slots, windows, at.slot + 1, Number.POSITIVE_INFINITY);
    if (next.kind === "at") shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, next.slot - at.slot);
    at = next;
  }
  return shortest;
}

/** The longest time without a slot inside the windows, if it is longer than this. */
function longestAbove(most: number, slots: Slots, windows: Windows): number | undefined {
  const start = nextInside(slots, windows, BEGIN, Number.POSITIVE_INFINITY);
  if (start.kind !== "at") return undefined;
  const apart = Math.max(longestBetween(most, slots, start.slot), longestShut(slots, windows, start.slot));
  return apart > most ? apart : undefined;
}

/** In a year, whether it is open or not. Those that are near enough to each other are passed over. */
function longestBetween(most: number, slots: Slots, start: number): number {
  let [at, longest] = [start, 0];
  for (let step = 0; step < 5 * MANY && at < start + YEAR_MS; step += 1) {
    const { newest, next } = slots.due(at, at + most, 1);
    if (newest[0] === undefined && next !== undefined) longest = Math.max(longest, next - at);
    at = newest[0] ?? next ?? Number.POSITIVE_INFINITY;
  }
  return longest;
}

/** From the last one before it shuts to the first one after it opened again, some times in a row. */
function longestShut(slots: Slots, windows: Windows, start: number): number {
  let [at, longest] = [start, 0];
  for (let step = 0; step < MANY / 4; step += 1) {
    const shuts = windows.shuts(at);
    const next: Inside = shuts === undefined ? { kind: "none" } : nextInside(slots, windows, shuts, Number.POSITIVE_INFINITY);
    if (shuts === undefined || next.kind !== "at") return longest;
    longest = Math.max(longest, next.slot - (slots.due(at, shuts - 1, 1).newest[0] ?? at));
    at = next.slot;
  }
  return longest;
}

/** As a spec would write it, rounded up. */
function roughly(ms: number): string {
  if (ms >= 3_600_000) return `${Math.ceil(ms / 3_600_000)}h`;
  return ms >= 60_000 ? `${Math.ceil(ms / 60_000)}m` : `${Math.ceil(ms / 1000)}s`;
}

/** As a spec would write it, rounded down. */
function roughlyBelow(ms: number): string {
  if (ms >= 2 * 3_600_000) return `${Math.floor(ms / 3_600_000)}h`;
  return ms >= 60_000 ? `${Math.floor(ms / 60_000)}m` : `${Math.max(1, Math.floor(ms / 1000))}s`;
}

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
