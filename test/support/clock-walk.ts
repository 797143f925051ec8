// The slow, obvious way to tell what the clocks of a zone show: asking the machine's calendar, instant by instant.

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** A year of UTC and a day around it, minute by minute. Labels and instants are in milliseconds. */
export interface WalkedYear {
  readonly from: number;
  readonly to: number;
  /** The label of every minute from `from` on. */
  readonly labels: Float64Array;
  /** The instant that stands for a label once: its first, or the first with a later label. */
  readonly once: (label: number) => number;
}

const walked = new Map<string, WalkedYear>();

export function walkYear(zone: string, year: number): WalkedYear {
  const key = `${zone} ${year}`;
  const known = walked.get(key) ?? walk(zone, year);
  walked.set(key, known);
  return known;
}

function walk(zone: string, year: number): WalkedYear {
  const [from, to] = [Date.UTC(year, 0, 1) - 3 * 86_400_000, Date.UTC(year + 1, 0, 1) + 3 * 86_400_000];
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium", hourCycle: "h23" });
  const labels = new Float64Array((to - from) / MINUTE_MS);
  // Clocks are changed at whole quarters of an hour.
  for (let at = from; at < to; at += QUARTER_MS) {
    const label = Date.parse(`${format.format(at).replace(" ", "T")}Z`);
    for (let minute = 0; minute < 15; minute += 1) labels[(at - from) / MINUTE_MS + minute] = label + minute * MINUTE_MS;
  }
  const firsts = new Map<number, number>();
  for (const [index, label] of labels.entries()) if (!firsts.has(label)) firsts.set(label, from + index * MINUTE_MS);
  const later = (label: number): number => from + labels.findIndex((other) => other > label) * MINUTE_MS;
  return { from, to, labels, once: (label) => firsts.get(label) ?? later(label) };
}

/** Slots after `since` and up to `until`, for labels that a predicate means. The range must be inside the year. */
export function walkSlots(
  year: WalkedYear,
  meant: (label: number) => boolean,
  reading: "once" | "each",
  since: number,
  until: number,
): number[] {
  const found = new Set<number>();
  if (reading === "each") {
    for (let at = Math.ceil(since / MINUTE_MS) * MINUTE_MS; at <= until; at += MINUTE_MS)
      if (at > since && meant(year.labels[(at - year.from) / MINUTE_MS]!)) found.add(at);
    return [...found];
  }
  const day = 86_400_000 * 1.5;
  for (let label = Math.floor((since - day) / MINUTE_MS) * MINUTE_MS; label <= until + day; label += MINUTE_MS) {
    if (!meant(label)) continue;
    const at = year.once(label);
    if (at > since && at <= until) found.add(at);
  }
  return [...found].sort((a, b) => a - b);
}
