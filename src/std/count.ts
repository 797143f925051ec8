// Large numbers of things, such as tokens: read as a spec writes them, written as people read them.

const TIMES = { "": 1, k: 1000, M: 1_000_000 } as const;
const WHOLE = /^(?=.*[1-9])(\d+(?:\.\d+)?)([kM]?)$/;

/** A whole number, at least one; undefined when the text is not a count above zero. */
export function parseCount(text: string): number | undefined {
  const [, amount, unit] = WHOLE.exec(text) ?? [];
  if (amount === undefined || !isUnit(unit)) return undefined;
  return Math.min(Math.max(Math.round(Number(amount) * TIMES[unit]), 1), Number.MAX_SAFE_INTEGER);
}

/** As people say it: 950, 1.2k, 200k, 1.5M. */
export function formatCount(count: number): string {
  if (count < 999.5) return String(Math.round(count));
  if (count < 999_950) return `${tenths(count / TIMES.k)}k`;
  return `${tenths(count / TIMES.M)}M`;
}

const isUnit = (unit: string | undefined): unit is keyof typeof TIMES => unit !== undefined && Object.hasOwn(TIMES, unit);

const tenths = (amount: number): string => String(Math.round(amount * 10) / 10);
