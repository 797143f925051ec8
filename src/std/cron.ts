// Cron schedules: five fields read into the labels that they mean, or what is wrong with them and what to write instead.
import { comesRegularly, cronDays, type MonthDays, type WeekDays } from "./cron-days.ts";
import { type Labels, labelsOf, minutesOf } from "./labels.ts";
import type { Reading } from "./slots.ts";

export type CronReading =
  | { readonly kind: "read"; readonly labels: Labels; readonly reading: Reading }
  | { readonly kind: "refused"; readonly problem: string };

/** Never throws, whatever the text. */
export function readCron(text: string): CronReading {
  try {
    return readFields(fieldsOf(text.trim().toLowerCase()));
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", problem: error.message };
    throw error;
  }
}

/** Where a field is wrong, so is the whole. It does not leave this file. */
class Refusal extends Error {}
const refuse = (problem: string): never => {
  throw new Refusal(problem);
};

const SHORT = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

function fieldsOf(text: string): readonly string[] {
  if (text.startsWith("@") && !SHORT.has(text))
    return refuse(`\`${shown(text)}\` is not known: write one of ${[...SHORT.keys()].join(", ")}`);
  const fields = (SHORT.get(text) ?? text).split(/\s+/).filter((field) => field !== "");
  if (fields.length === 6 || fields.length === 7) {
    const five = shown(fields.slice(1, 6).join(" "));
    return refuse(`has ${fields.length} fields, and seconds and years are not among those that it may have: write e.g. \`${five}\``);
  }
  if (fields.length !== 5)
    return refuse(
      `has ${fields.length} ${fields.length === 1 ? "field" : "fields"}, and needs 5: minute, hour, day of the month, month, day of the week`,
    );
  return fields;
}

function readFields(fields: readonly string[]): CronReading {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const minutes = numbersOf(minute, MINUTE);
  const hours = numbersOf(hour, HOUR);
  const months = numbersOf(month, MONTH).map((number) => number - 1);
  const inMonth = saysNothing(day) ? undefined : monthDaysOf(day);
  const inWeek = saysNothing(weekday) ? undefined : weekDaysOf(weekday);
  if (inMonth && !comesRegularly(cronDays(months, inMonth, undefined)))
    refuse(
      `\`${shown(day)}\` is a day that does not come in every 8 years in these months: write one that they have, or \`L\` for their last`,
    );
  if (inWeek && !comesRegularly(cronDays(months, undefined, inWeek)))
    refuse(
      `\`${shown(weekday)}\` is a day that does not come in every 8 years in these months: write #1 to #4, or e.g. \`monL\` for the last one`,
    );
  const labels = labelsOf(cronDays(months, inMonth, inWeek), minutesOf(hours, minutes));
  return { kind: "read", labels, reading: minute.includes("*") || hour.includes("*") ? "each" : "once" };
}

const saysNothing = (field: string): boolean => field === "*" || field === "*/1";

interface Field {
  readonly what: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
  /** What else may stand in it, for who wrote something else. */
  readonly also: string;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MINUTE: Field = { what: "minute", min: 0, max: 59, names: [], also: "" };
const HOUR: Field = { what: "hour", min: 0, max: 23, names: [], also: "" };
const MONTH: Field = { what: "month", min: 1, max: 12, names: ["", ...MONTHS], also: ", or a name such as jan" };
const DAY: Field = { what: "day of the month", min: 1, max: 31, names: [], also: ", L, L-3, 15W or LW" };
const WEEKDAY: Field = { what: "day of the week", min: 0, max: 7, names: WEEKDAYS, also: ", a name such as mon, 5L or mon#2" };

function monthDaysOf(field: string): MonthDays {
  const pieces = piecesOf(field, DAY);
  const plain: string[] = [];
  const fromEnd: number[] = [];
  const nearest: number[] = [];
  let hasLastWorkday = false;
  for (const piece of pieces) {
    const back = /^l(?:-(\d{1,2}))?$/.exec(piece);
    const near = /^(\d{1,2})w$/.exec(piece);
    if (piece === "lw") hasLastWorkday = true;
    else if (back) fromEnd.push(back[1] === undefined ? 0 : inRange(back[1], { ...DAY, what: "number of days before the last", max: 30 }));
    else if (near) nearest.push(inRange(near[1]!, DAY));
    else plain.push(piece);
  }
  return { numbers: plain.length > 0 ? valuesOf(plain, DAY) : [], fromEnd, nearest, hasLastWorkday };
}

function weekDaysOf(field: string): WeekDays {
  const pieces = piecesOf(field, WEEKDAY);
  const plain: string[] = [];
  const lasts: number[] = [];
  const nths: { readonly weekday: number; readonly nth: number }[] = [];
  for (const piece of pieces) {
    const last = /^([a-z]{3}|\d{1,2})l$/.exec(piece);
    const nth = /^([a-z0-9]+)#(\d{1,2})$/.exec(piece);
    if (piece === "l") refuse("`L` in the day of the week is read in several ways: write sat, or satL for the last one of the month");
    else if (last) lasts.push(inRange(last[1]!, WEEKDAY) % 7);
    else if (nth)
      nths.push({
        weekday: inRange(nth[1]!, WEEKDAY) % 7,
        nth: inRange(nth[2]!, { ...WEEKDAY, what: "week", min: 1, max: 5, names: [], also: "" }),
      });
    else plain.push(piece);
  }
  return { numbers: plain.length > 0 ? [...new Set(valuesOf(plain, WEEKDAY).map((number) => number % 7))] : [], lasts, nths };
}

const numbersOf = (field: string, kind: Field): readonly number[] => valuesOf(piecesOf(field, kind), kind);

function piecesOf(field: string, { what }: Field): readonly string[] {
  const pieces = field.split(",");
  if (field.includes("?")) refuse(`\`?\` is not used here: write \`*\` for any ${what}`);
  if (pieces.includes("")) refuse(`\`${shown(field)}\` has a comma with nothing beside it: leave it out`);
  if (pieces.length > 1 && pieces.includes("*"))
    refuse(`\`${shown(field)}\` has \`*\` in a list, which is every ${what} by itself: leave out one or the other`);
  return pieces;
}

/** Ascending, each once. */
function valuesOf(pieces: readonly string[], kind: Field): readonly number[] {
  const values = new Set(pieces.flatMap((piece) => rangeOf(piece, kind)));
  return [...values].sort((a, b) => a - b);
}

function rangeOf(piece: string, kind: Field): readonly number[] {
  const [, range = "", step] = /^([^/]*)(?:\/([^/]*))?$/.exec(piece) ?? refuse(unclear(piece, kind));
  const [low, high] = boundsOf(range, kind);
  if (step === undefined) return Array.from({ length: high - low + 1 }, (_, index) => low + index);
  if (!range.includes("-") && range !== "*")
    refuse(`\`${shown(piece)}\` has a step and no end: write \`${shown(range)}-${kind.max}/${shown(step)}\``);
  const by = /^\d{1,4}$/.test(step) ? Number(step) : Number.NaN;
  if (!(by >= 1 && by <= Math.max(1, high - low)))
    refuse(`\`${shown(step)}\` is no step from ${low} to ${high}: write 1 to ${Math.max(1, high - low)}`);
  return Array.from({ length: Math.floor((high - low) / by) + 1 }, (_, index) => low + index * by);
}

function boundsOf(range: string, kind: Field): readonly [low: number, high: number] {
  // Sunday is both 0 and 7; every day of the week is meant once.
  if (range === "*") return [kind.min, kind === WEEKDAY ? 6 : kind.max];
  const [from = "", to, ...more] = range.split("-");
  if (more.length > 0) refuse(unclear(range, kind));
  const low = inRange(from, kind);
  if (to === undefined) return [low, low];
  const high = kind === WEEKDAY && to === "sun" ? 7 : inRange(to, kind);
  if (high < low)
    refuse(
      `\`${shown(range)}\` ends before it begins: write \`${shown(from)}-${kind === WEEKDAY ? 6 : kind.max},${kind.min}-${shown(to)}\``,
    );
  return [low, high];
}

function inRange(text: string, kind: Field): number {
  const named = kind.names.indexOf(text);
  const value = named >= 0 && text !== "" ? named : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= kind.min && value <= kind.max ? value : refuse(unclear(text, kind));
}

const unclear = (text: string, { what, min, max, also }: Field): string =>
  `\`${shown(text)}\` is no ${what}: write ${min} to ${max}${also}`;

/** Whoever wrote it may have written anything. */
const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text).replaceAll(/[^\x20-\x7e…]/g, "?");
