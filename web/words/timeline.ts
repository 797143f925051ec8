// The steps of a run on one clock, as shares of its whole length.
import type { TimelineStep } from "../../src/contract/api.ts";

export interface Bar {
  readonly step: TimelineStep;
  /** Both in percent. */
  readonly from: number;
  readonly width: number;
}

export interface Track {
  readonly round: number;
  readonly bars: readonly Bar[];
  readonly tookMs: number;
}

export interface Clock {
  readonly wholeMs: number;
  readonly tracks: readonly Track[];
  readonly ticks: readonly { readonly at: number; readonly ms: number }[];
}

/** Narrower than this, a bar could not be seen. */
const LEAST_WIDTH = 0.4;
const NICE_MS = [
  1, 5, 10, 50, 100, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000,
  86_400_000,
];

export function clockOf(steps: readonly TimelineStep[]): Clock {
  const starts = steps.map(({ startedAt }) => Date.parse(startedAt));
  const first = Math.min(...starts);
  const last = Math.max(...steps.map(({ tookMs }, index) => (starts[index] ?? first) + tookMs));
  const wholeMs = steps.length === 0 ? 0 : Math.max(1, last - first);
  const share = (ms: number): number => (100 * ms) / wholeMs;
  const rounds = [...new Set(steps.map(({ round }) => round))].toSorted((one, other) => one - other);
  const byRound = new Map<number, TimelineStep[]>();
  for (const step of steps) byRound.set(step.round, [...(byRound.get(step.round) ?? []), step]);
  const tracks = rounds.map((round): Track => {
    const mine = byRound.get(round) ?? [];
    const bars = mine.map((step): Bar => {
      const width = Math.max(LEAST_WIDTH, share(step.tookMs));
      return { step, from: Math.min(100 - width, share(Date.parse(step.startedAt) - first)), width };
    });
    return { round, bars, tookMs: mine.reduce((sum, { tookMs }) => sum + tookMs, 0) };
  });
  const every = NICE_MS.find((ms) => wholeMs / ms <= 6) ?? wholeMs;
  const ticks =
    wholeMs === 0
      ? []
      : Array.from({ length: Math.floor(wholeMs / every) + 1 }, (_, index) => ({ at: share(index * every), ms: index * every }));
  return { wholeMs, tracks, ticks };
}
