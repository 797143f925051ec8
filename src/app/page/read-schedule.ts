// A day of wakings, lane by lane: what ran, was skipped or missed and why, and what is still to come.
import type { Lane, LaneMark, OutcomeKind, ScheduleDocument } from "../../contract/api.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Entry, LoopRecord } from "../../contract/record.ts";
import type { Kind } from "../../journal/journal.ts";
import { dayIn, isZone } from "../../std/day.ts";
import { loadLimits } from "../settings.ts";
import { outcomeOfRest } from "./outcome.ts";
import type { PageRecords } from "./page-records.ts";
import { factsOf, readNextDue } from "./read-loops.ts";

const KINDS: readonly Kind[] = ["waking", "run-opened", "run-rested"];
const PAGE = 500;
/** More marks than these are not drawn; who wants them asks for one loop. */
const MOST_MARKS = 3_000;
/** Of the day's records, so many are read. */
const MOST_READ = 50_000;

export async function readSchedule(
  records: PageRecords,
  {
    day: asked,
    zone: named,
    loop,
  }: { readonly day?: string | undefined; readonly zone?: string | undefined; readonly loop?: string | undefined },
): Promise<ScheduleDocument> {
  const asOf = await records.memo.catchUp();
  const zone = named ?? (await loadLimits(records)).zone;
  if (!isZone(zone))
    throw new LoopError("bad-input", `${zone} is no time zone that is known here`, {
      retry: "never",
      hint: "Write e.g. UTC or Europe/Berlin.",
    });
  const now = records.clock.now();
  const day = asked ?? dayIn(zone, now);
  const { from, to } = boundsOf(day, zone);
  const isToday = from <= now.getTime() && now.getTime() < to;
  const { marks, left } = await readMarks(records, { from, to, loop });
  const planned = isToday ? await readPlanned(records, { to, loop }) : [];
  const all = [...marks, ...planned];
  const count = (kind: LaneMark["kind"]): number =>
    all.filter(({ mark }) => mark.kind === kind).reduce((sum, { mark }) => sum + 1 + mark.covers, 0);
  const tally = {
    ran: count("ran") + count("by-hand"),
    skipped: count("skipped"),
    missed: count("missed"),
    coalesced: count("coalesced"),
    failed: count("failed"),
    planned: count("planned"),
  };
  return {
    asOf,
    day,
    zone,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    now: isToday ? now.toISOString() : null,
    says: tellDay(tally, count("by-hand")),
    tally,
    lanes: lanesOf(all),
    left,
  };
}

interface Placed {
  readonly loop: string;
  readonly mark: LaneMark;
}

const lanesOf = (all: readonly Placed[]): readonly Lane[] =>
  [...new Set(all.map(({ loop }) => loop))].toSorted().map((loop) => ({
    loop,
    marks: all.filter((one) => one.loop === loop).map(({ mark }) => mark),
  }));

/** Who runs a loop by hand wakes nothing: that is told apart. */
function tellDay({ ran, skipped, missed, failed }: ScheduleDocument["tally"], byHand: number): string {
  const wakings = ran - byHand + skipped + missed + failed;
  const hand = byHand === 0 ? "" : `${byHand === 1 ? "one run" : `${byHand} runs`} by hand`;
  if (wakings === 0) return hand === "" ? "Nothing woke on this day." : `Nothing woke on this day; ${hand}.`;
  const otherwise = [
    skipped > 0 ? `${skipped} skipped` : "",
    missed > 0 ? `${missed} missed` : "",
    failed > 0 ? `${failed} failed` : "",
  ].filter((text) => text !== "");
  return `${wakings} waking(s), every one accounted for${otherwise.length > 0 ? `: ${otherwise.join(", ")}` : ""}${hand === "" ? "" : `; ${hand}`}.`;
}

/** Where the day begins and ends in that zone: found by looking, because days are not all as long. */
export function boundsOf(day: string, zone: string): { readonly from: number; readonly to: number } {
  const start = Date.parse(`${day}T00:00:00Z`);
  const firstOn = (wanted: (day: string) => boolean): number => {
    let [low, high] = [start - 26 * 3_600_000, start + 50 * 3_600_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (wanted(dayIn(zone, new Date(middle)))) high = middle;
      else low = middle;
    }
    return high;
  };
  return { from: firstOn((one) => one >= day), to: firstOn((one) => one > day) };
}

/** Records stand in the order of their times, but for clocks that were set back: close enough to begin to look. */
async function seqBefore({ journal }: PageRecords, time: number): Promise<number> {
  let [low, high] = [0, (await journal.head())?.seq ?? 0];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [entry] = await journal.entriesAfter(middle, 1);
    if (entry && Date.parse(entry.at) < time) low = Math.max(entry.seq, middle + 1);
    else high = middle;
  }
  return Math.max(0, low - 1);
}

async function readMarks(
  records: PageRecords,
  { from, to, loop }: { readonly from: number; readonly to: number; readonly loop: string | undefined },
): Promise<{ readonly marks: readonly Placed[]; readonly left: number }> {
  const rests = new Map<string, Entry>();
  const opened: Entry[] = [];
  const wakings: Entry[] = [];
  let after = await seqBefore(records, from);
  for (let read = 0; read < MOST_READ; read += PAGE) {
    const entries = await records.journal.entriesAfter(after, PAGE, { kinds: KINDS, ...(loop === undefined ? {} : { loop }) });
    for (const entry of entries) {
      if (entry.record.kind === "run-rested") rests.set(entry.run, entry);
      else if (Date.parse(entry.at) >= from && Date.parse(entry.at) < to) (entry.record.kind === "waking" ? wakings : opened).push(entry);
    }
    const last = entries.at(-1);
    if (!last || Date.parse(last.at) >= to) break;
    after = last.seq;
  }
  const woken = new Set(wakings.flatMap(({ record }) => (record.kind === "waking" && record.run !== undefined ? [record.run] : [])));
  // A run that no waking tells of was somebody's `lw run`, or is from before there was a scheduler.
  const alone = opened.filter(({ run }) => !woken.has(run));
  const marks = [...wakings, ...alone]
    .toSorted((one, other) => one.seq - other.seq)
    .map((entry) => ({ loop: entry.loop, mark: markOf(entry, rests) }));
  return { marks: marks.slice(0, MOST_MARKS), left: Math.max(0, marks.length - MOST_MARKS) };
}

function markOf({ at, seq, run: place, record }: Entry, rests: ReadonlyMap<string, Entry>): LaneMark {
  const run = record.kind === "waking" ? (record.run ?? null) : place;
  const rested = run === null ? undefined : rests.get(run);
  const ended = { until: rested?.at ?? null, outcome: rested ? endOf(rested) : null, run, seq };
  if (record.kind !== "waking")
    return { kind: "by-hand", at, reason: "by-hand", says: "It was run by hand.", cause: null, covers: 0, ...ended };
  const { fate, reason, says, cause, covers } = record;
  return { kind: fate, at, reason, says, cause, covers: covers?.count ?? 0, ...ended };
}

function endOf(entry: Entry<LoopRecord>): OutcomeKind | null {
  const { record, ...rest } = entry;
  return record.kind === "run-rested" ? outcomeOfRest({ ...rest, record }, "settled").kind : null;
}

/** The next of each loop that comes this day; later ones follow from it. */
async function readPlanned(
  records: PageRecords,
  { to, loop }: { readonly to: number; readonly loop: string | undefined },
): Promise<readonly Placed[]> {
  const loops = loop === undefined ? await records.journal.loops() : [loop];
  const planned = await Promise.all(
    loops.map(async (name): Promise<readonly Placed[]> => {
      const at = await readNextDue(records, name, await factsOf(records, name));
      if (at === null || Date.parse(at) >= to) return [];
      const mark: LaneMark = {
        kind: "planned",
        at,
        until: null,
        outcome: null,
        reason: null,
        says: "It is due then.",
        cause: null,
        run: null,
        seq: null,
        covers: 0,
      };
      return [{ loop: name, mark }];
    }),
  );
  return planned
    .flat()
    .toSorted((one, other) => one.mark.at.localeCompare(other.mark.at))
    .slice(0, MOST_MARKS);
}
