// Which day it is somewhere: calendar days of a time zone, as texts that sort like the days themselves.

/** `2026-11-16`, in that zone. */
export function dayIn(zone: string, at: Date): string {
  // What nearly everybody asks for takes no calendar to be loaded.
  if (zone === "UTC" && at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9999) return at.toISOString().slice(0, 10);
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/** Whether a text is a day that the calendar has: `2026-02-30` is none. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

export function isZone(zone: string): boolean {
  if (zone === "UTC") return true;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
