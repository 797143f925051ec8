// Reads from what an agent says when a limit will have passed: "resets 3pm (Europe/Berlin)", "try again in 2h 5m", "|1794819990".
import { offsetsOf } from "../std/zone.ts";

const UNITS: { readonly [unit: string]: number } = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const LONGEST_MS = 14 * 86_400_000;
/** Who says it in more words does not say it. */
const MOST_TEXT = 2000;
const SPAN = /(\d+(?:\.\d+)?)\s*(d(?:ays?)?|h(?:ou)?r?s?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\b(?!\w)/gi;

/** The time in milliseconds, when the text names one that is not more than two weeks away. */
export function readResetTime(said: string, nowMs: number): number | undefined {
  const text = said.slice(0, MOST_TEXT);
  const at = epochIn(text) ?? isoIn(text) ?? spanIn(text, nowMs) ?? clockIn(text, nowMs);
  return at !== undefined && at > nowMs - LONGEST_MS && at < nowMs + LONGEST_MS ? at : undefined;
}

function epochIn(text: string): number | undefined {
  const found = /(?:\||resets?(?:_at|At)?"?\s*[:=]?\s*)(\d{10}|\d{13})\b/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found) * (found.length === 10 ? 1000 : 1);
}

function isoIn(text: string): number | undefined {
  const found = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text)?.[0];
  const at = found === undefined ? Number.NaN : Date.parse(found);
  return Number.isNaN(at) ? undefined : at;
}

/** "in 3 days 4 hours", "after 2h13m5s", "Retry-After: 30". */
function spanIn(text: string, nowMs: number): number | undefined {
  const bare = /retry[- ]after"?\s*[:=]?\s*"?(\d{1,6})(?![\d.]*\s*[a-z])/i.exec(text)?.[1];
  if (bare !== undefined) return nowMs + Number(bare) * 1000;
  const told = /\b(?:in|after|within|wait)\s+((?:about\s+)?\d(?:[^.;\n]|\.\d){0,60})/i.exec(text)?.[1];
  const spans = [...(told ?? "").replace(/(\d)([dhms])(?=\d)/gi, "$1$2 ").matchAll(SPAN)];
  if (spans.length === 0) return undefined;
  return nowMs + spans.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit![0]!.toLowerCase()] ?? 0), 0);
}

/** "resets 3pm (Europe/Berlin)", "try again at 9:35 PM", "resets Nov 20, 9am (UTC)": the next such time, in the zone it names or in UTC. */
function clockIn(text: string, nowMs: number): number | undefined {
  const found =
    /\b(?:resets?|again)\s+(?:at\s+|on\s+)?(?:([A-Z][a-z]{2})[a-z]*\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+\d{4})?(?:,|\s+at)?\s+)?(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*([ap]m)?(?:\s*\(([A-Za-z_+\-/0-9]+)\))?/i.exec(
      text,
    );
  if (!found) return undefined;
  const [, month, day, hour, minute = "0", half, zone = "UTC"] = found;
  if (half === undefined && found[4] === undefined) return undefined;
  const hours = (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === "pm" ? 12 : 0);
  const offset = offsetsOf(zone)?.(Math.floor(nowMs / 1000) * 1000);
  if (offset === undefined) return undefined;
  const today = new Date(nowMs + offset);
  const at = (monthIndex: number, date: number): number =>
    Date.UTC(today.getUTCFullYear(), monthIndex, date, hours, Number(minute)) - offset;
  const index = month === undefined ? -1 : MONTHS.indexOf(month.toLowerCase());
  if (index >= 0) return at(index, Number(day));
  const next = at(today.getUTCMonth(), today.getUTCDate());
  // A minute that is just passing is this one, not tomorrow's.
  return next > nowMs - 60_000 ? next : at(today.getUTCMonth(), today.getUTCDate() + 1);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
