// Lengths of time: read as a spec writes them, written as people read them.

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PIECE = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
const WHOLE = /^(?=.*[1-9])(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;

/** Whole milliseconds, at least one; undefined when the text is not a length of time above zero. */
export function parseDuration(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined;
  const ms = [...text.matchAll(PIECE)].reduce((sum, [, amount, unit]) => sum + Number(amount) * unitMs(unit), 0);
  return Math.min(Math.max(Math.round(ms), 1), Number.MAX_SAFE_INTEGER);
}

/** As people say it: 35ms, 1.4s, 2m 05s, 1h 03m, 2d 04h. */
export function formatDuration(ms: number): string {
  if (!(ms > 0)) return "0ms";
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 59_950) return `${tenths(ms / UNIT_MS.s)}s`;
  if (ms < UNIT_MS.h - 500) return twoUnits(Math.round(ms / UNIT_MS.s), 60, "m", "s");
  if (ms < UNIT_MS.d - UNIT_MS.m / 2) return twoUnits(Math.round(ms / UNIT_MS.m), 60, "h", "m");
  return twoUnits(Math.round(ms / UNIT_MS.h), 24, "d", "h");
}

const isUnit = (unit: string | undefined): unit is keyof typeof UNIT_MS => unit !== undefined && Object.hasOwn(UNIT_MS, unit);

const unitMs = (unit: string | undefined): number => (isUnit(unit) ? UNIT_MS[unit] : 0);

const tenths = (amount: number): string => String(Math.round(amount * 10) / 10);

const twoUnits = (small: number, perLarge: number, large: string, unit: string): string =>
  `${Math.floor(small / perLarge)}${large} ${String(small % perLarge).padStart(2, "0")}${unit}`;
