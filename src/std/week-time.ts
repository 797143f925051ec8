// Which day of the week and which minute of the day it is somewhere.

export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Undefined for a zone that this machine does not know. */
export function weekTimeIn(zone: string, at: Date): { readonly day: Weekday; readonly minute: number } | undefined {
  try {
    const parts = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    })
      .formatToParts(at)
      .reduce((found, { type, value }) => found.set(type, value), new Map<string, string>());
    const day = WEEKDAYS.find((name) => name === parts.get("weekday")?.toLowerCase());
    const minute = Number(parts.get("hour")) * 60 + Number(parts.get("minute"));
    return day === undefined || !Number.isInteger(minute) ? undefined : { day, minute };
  } catch {
    // What it throws says no more than that there is no such zone.
    return undefined;
  }
}

/** `HH:MM` as minutes of the day; `24:00` is its end. Undefined for anything else. */
export function parseMinute(text: string): number | undefined {
  const [, hour, minute] = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(text) ?? [];
  const minutes = Number(hour) * 60 + Number(minute);
  return hour === undefined || minutes > 24 * 60 ? undefined : minutes;
}
