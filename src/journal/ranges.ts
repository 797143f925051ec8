// Arithmetic on ranges of sequence numbers, both ends included.
import type { Range } from "../contract/record.ts";

/** The same numbers in as few ranges as possible, in order. */
export function joined(ranges: readonly Range[]): readonly Range[] {
  const done: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = done.at(-1);
    if (last && range.from <= last.to + 1) done[done.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else done.push(range);
  }
  return done;
}

/** What is in these ranges and not in those. */
export function without(ranges: readonly Range[], those: readonly Range[]): readonly Range[] {
  return those.reduce<readonly Range[]>(
    (left, { from, to }) =>
      left.flatMap((range) =>
        to < range.from || from > range.to
          ? [range]
          : [
              { from: range.from, to: from - 1 },
              { from: to + 1, to: range.to },
            ].filter((rest) => rest.from <= rest.to),
      ),
    ranges,
  );
}
