// Times, money, durations, counts and hashes in the words of the page. All of it follows from what is given: the zone and the hour too.

/** Whose clock is shown: `now` in milliseconds, and an IANA zone; undefined is the viewer's own. */
export interface Viewer {
  readonly nowMs: number;
  readonly zone: string | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `07:28` today, `Mon 16:02` within six days, `9 Nov` within the year, else `9 Nov 2025`. */
export function timeOf(at: string, { nowMs, zone }: Viewer): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return "no time";
  const clock = partsOf(ms, zone);
  const now = partsOf(nowMs, zone);
  const hour = `${clock.hour}:${clock.minute}`;
  if (clock.day === now.day && clock.month === now.month && clock.year === now.year) return hour;
  if (Math.abs(nowMs - ms) < 6 * DAY) return `${clock.weekday} ${hour}`;
  const day = `${Number(clock.day)} ${clock.month}`;
  return clock.year === now.year ? day : `${day} ${clock.year}`;
}

/** `Tue 17 Nov`. */
export function dayOf(at: string, { zone }: Pick<Viewer, "zone">): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return "no day";
  const { weekday, day, month } = partsOf(ms, zone);
  return `${weekday} ${Number(day)} ${month}`;
}

/** The exact time, with seconds and the zone's distance from UTC: `2026-11-17 07:28:00+01:00`. */
export function exactTime(at: string, { zone }: Pick<Viewer, "zone">): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  const { year, monthNumber, day, hour, minute, second, offset } = partsOf(ms, zone);
  return `${year}-${monthNumber}-${day} ${hour}:${minute}:${second}${offset}`;
}

interface TimeParts {
  readonly year: string;
  readonly month: string;
  readonly monthNumber: string;
  readonly day: string;
  readonly weekday: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly offset: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes long, and a page shows hundreds of times. */
function formatFor(zone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(zone ?? "");
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "short",
    day: "2-digit",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  formats.set(zone ?? "", made);
  return made;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function partsOf(ms: number, zone: string | undefined): TimeParts {
  const found = new Map(
    formatFor(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => found.get(type) ?? "";
  // Some data say Sept for September.
  const month = of("month").slice(0, 3);
  return {
    year: of("year"),
    month,
    monthNumber: String(MONTHS.indexOf(month) + 1).padStart(2, "0"),
    day: of("day"),
    weekday: of("weekday"),
    hour: of("hour"),
    minute: of("minute"),
    second: of("second"),
    offset: of("timeZoneName").replace(/^GMT$/, "+00:00").replace(/^GMT/, ""),
  };
}

/** How long ago, for lists: `now`, `14 min`, `9 h`, `3 d`. */
export function ageOf(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at);
  if (Number.isNaN(ms)) return "";
  if (ms < MINUTE) return "now";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** The same in a sentence: `just now`, `14 min ago`. */
export function agoOf(at: string, nowMs: number): string {
  const age = ageOf(at, nowMs);
  return age === "now" ? "just now" : `${age} ago`;
}

/** How long until then: `in 18 min`, `in 1 h 18 min`, `due`. */
export function untilThen(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (Number.isNaN(ms)) return "";
  if (ms <= 0) return "due";
  const minutes = Math.ceil(ms / MINUTE);
  if (minutes < 60) return `in ${minutes} min`;
  if (minutes < 24 * 60) return `in ${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  return `in ${Math.floor(minutes / (24 * 60))} d`;
}

/** `4ms`, `0.3s`, `11.0s`, `48s`, `4m 22s`, `14m`, `1h 04m`. */
export function durationOf(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "";
  if (ms < 100) return `${Math.round(ms)}ms`;
  if (ms < 30_000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 600) return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

/** Whole cents, but never nothing for something: `$0.41`, `under $0.01`, `$1,204.00`. */
export function moneyOf(usd: number): string {
  if (usd > 0 && usd < 0.01) return "under $0.01";
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

export const microMoneyOf = (microUsd: number): string => moneyOf(microUsd / 1_000_000);

export const countOf = (count: number): string => count.toLocaleString("en-US");

/** `41k`, `1.2M`: for figures whose last digits tell nothing. */
export function roughly(count: number): string {
  if (count < 10_000) return countOf(count);
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Seven digits are enough for a person to tell two apart. */
export const shortHash = (hash: string): string => hash.slice(0, 7);

/** `1 file`, `3 files`; words that are irregular give their plural. */
export const plural = (count: number, one: string, many: string = `${one}s`): string => `${countOf(count)} ${count === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c`. */
export function listOf(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
