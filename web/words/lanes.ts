// Where marks stand on a lane of a day, and which of them stand too near to each other to be told apart.
import type { LaneMark } from "../../src/contract/api.ts";

export interface LaneSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PlacedMark {
  readonly mark: LaneMark;
  /** In percent of the lane. */
  readonly at: number;
  /** How long it ran, in percent; 0 where that is not to be seen. */
  readonly width: number;
  /** How many others stand with it. */
  readonly others: number;
}

/** Marks nearer than this share of the lane become one with a count: about 14 px of 1000. */
const NEAR = 1.4;

const RANK: { readonly [outcome: string]: number } = {
  tampering: 5,
  refused: 4,
  halted: 4,
  failed: 4,
  missed: 3,
  waiting: 3,
  skipped: 2,
  proven: 1,
};
const weightOf = ({ kind, outcome }: LaneMark): number => RANK[outcome ?? kind] ?? 0;

/** Of several that stand together, the one is shown that says most. */
export function placeMarks(marks: readonly LaneMark[], { fromMs, toMs }: LaneSpan): readonly PlacedMark[] {
  const share = (ms: number): number => (100 * (ms - fromMs)) / (toMs - fromMs);
  const placed: PlacedMark[] = [];
  const inTime = marks
    .map((mark) => ({ mark, at: share(Date.parse(mark.at)) }))
    .filter(({ at }) => at >= 0 && at <= 100)
    .toSorted((one, other) => one.at - other.at);
  for (const { mark, at } of inTime) {
    const width = mark.until === null ? 0 : Math.max(0, Math.min(100, share(Date.parse(mark.until))) - at);
    const last = placed.at(-1);
    if (!last || at - last.at >= NEAR) {
      placed.push({ mark, at, width, others: 0 });
      continue;
    }
    const isGraver = weightOf(mark) > weightOf(last.mark);
    placed[placed.length - 1] = { ...last, mark: isGraver ? mark : last.mark, width: Math.max(last.width, width), others: last.others + 1 };
  }
  return placed;
}

/** Every two hours, in the viewer's zone. */
export function hoursOf({ fromMs, toMs }: LaneSpan, every: number): readonly { readonly at: number; readonly ms: number }[] {
  const step = every * 3_600_000;
  return Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / step) - 1) }, (_, index) => {
    const ms = fromMs + (index + 1) * step;
    return { ms, at: (100 * (ms - fromMs)) / (toMs - fromMs) };
  });
}

/** The day before or after, as a date: by the calendar, not by hours. */
export function otherDay(day: string, by: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}
