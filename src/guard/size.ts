// Sizes of data: read as a spec writes them, written as people read them.

const TIMES = { kB: 1e3, MB: 1e6, GB: 1e9 } as const;
const WHOLE = /^(?=.*[1-9])(\d+(?:\.\d+)?)(kB|MB|GB)$/;

/** Whole bytes, at least one; undefined when the text is not a size above zero. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = WHOLE.exec(text) ?? [];
  if (amount === undefined || !isUnit(unit)) return undefined;
  return Math.min(Math.max(Math.round(Number(amount) * TIMES[unit]), 1), Number.MAX_SAFE_INTEGER);
}

/** As people say it: 950 B, 1.2 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  const [name, times] = bytes < 1e6 ? ["kB", TIMES.kB] : bytes < 1e9 ? ["MB", TIMES.MB] : ["GB", TIMES.GB];
  return `${Math.round((bytes / Number(times)) * 10) / 10} ${name}`;
}

const isUnit = (unit: string | undefined): unit is keyof typeof TIMES => unit !== undefined && Object.hasOwn(TIMES, unit);
