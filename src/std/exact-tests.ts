// What few figures allow to be said about a difference: exact tests that suppose no shape, and intervals that come from them.

/** Beyond this many figures together, counting all ways is slow and the normal curve is as good. */
const MOST_COUNTED = 60;

export interface Shift {
  /** How likely a difference at least as clear is where there is none, both ways. */
  readonly p: number;
  /** The smallest that p could have been with so many figures: where that is above what is asked for, nothing could have been told. */
  readonly leastP: number;
  /** By how much the second lie above the first: the middle of all differences. */
  readonly estimate: number;
  /** With the confidence that was asked for; null where so few figures allow none. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** Wilcoxon's rank sum test by counting all ways to deal the ranks, with the interval of the shift that belongs to it. */
export function rankSum(first: readonly number[], second: readonly number[], alpha: number): Shift {
  const [n, m] = [first.length, second.length];
  if (n === 0 || m === 0) return { p: 1, leastP: 1, estimate: 0, interval: null };
  const differences = second.flatMap((b) => first.map((a) => b - a)).toSorted((one, other) => one - other);
  const ranks = doubledRanks([...first, ...second]);
  const seen = ranks.slice(n).reduce((sum, rank) => sum + rank, 0);
  const tails = tailsOf(ranks, m, seen);
  const untied = Array.from({ length: n + m }, (_, index) => 2 * (index + 1));
  // As clear as it gets: all of the second above all of the first.
  const leastP = Math.min(
    1,
    2 *
      tailsOf(
        untied,
        m,
        untied.slice(n).reduce((sum, rank) => sum + rank, 0),
      ).above,
  );
  return {
    p: Math.min(1, 2 * Math.min(tails.below, tails.above)),
    leastP,
    estimate: middleOf(differences),
    interval: intervalOf(differences, n, m, alpha),
  };
}

/** Ranks from 2 on in steps of two, so that the middle of tied ones is whole. */
function doubledRanks(values: readonly number[]): readonly number[] {
  const sorted = values.map((value, index) => ({ value, index })).toSorted((one, other) => one.value - other.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end + 1 < sorted.length && sorted[end + 1]!.value === sorted[start]!.value) end++;
    for (let at = start; at <= end; at++) ranks[sorted[at]!.index] = start + end + 2;
    start = end + 1;
  }
  return ranks;
}

/** The chance of a sum of m of the ranks that is at most, and at least, this. */
function tailsOf(ranks: readonly number[], m: number, sum: number): { readonly below: number; readonly above: number } {
  if (ranks.length > MOST_COUNTED) return normalTails(ranks, m, sum);
  const shares = sharesOf(ranks, m);
  let [below, above] = [0, 0];
  for (const [total, share] of shares.entries()) {
    if (total <= sum) below += share;
    if (total >= sum) above += share;
  }
  return { below, above };
}

/** How likely each sum of m of the ranks is, where all choices are alike. */
function sharesOf(ranks: readonly number[], m: number): readonly number[] {
  const most = ranks.reduce((sum, rank) => sum + rank, 0);
  const ways = Array.from({ length: m + 1 }, () => new Float64Array(most + 1));
  ways[0]![0] = 1;
  for (const rank of ranks)
    for (let size = m; size >= 1; size--) {
      const [to, from] = [ways[size]!, ways[size - 1]!];
      for (let total = most; total >= rank; total--) to[total] = to[total]! + from[total - rank]!;
    }
  const all = ways[m]!.reduce((sum, count) => sum + count, 0);
  return [...ways[m]!].map((count) => count / all);
}

function normalTails(ranks: readonly number[], m: number, sum: number): { readonly below: number; readonly above: number } {
  const count = ranks.length;
  const mean = ranks.reduce((total, rank) => total + rank, 0) / count;
  const variance = ranks.reduce((total, rank) => total + (rank - mean) ** 2, 0) / (count - 1);
  const spread = Math.sqrt((variance * m * (count - m)) / count);
  if (spread === 0) return { below: 1, above: 1 };
  // Half a step more, because a sum counts on both sides.
  return { below: normal((sum + 1 - m * mean) / spread), above: normal((m * mean - sum + 1) / spread) };
}

/** The share of the normal curve up to z, to about seven digits. */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    Math.exp((-z * z) / 2) *
    0.3989422804014327 *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z > 0 ? 1 - tail : tail;
}

/** So many differences are left out at either end as chance alone would leave out with less than half of alpha. */
function intervalOf(differences: readonly number[], n: number, m: number, alpha: number): Shift["interval"] {
  const ranks = Array.from({ length: n + m }, (_, index) => 2 * (index + 1));
  const least = m * (m + 1);
  let cut = 0;
  if (n + m > MOST_COUNTED) {
    const spread = Math.sqrt((n * m * (n + m + 1)) / 12);
    while (cut < differences.length / 2 && normal((cut + 0.5 - (n * m) / 2) / spread) <= alpha / 2) cut++;
  } else {
    const shares = sharesOf(ranks, m);
    let below = 0;
    while (cut < differences.length / 2) {
      below += shares[least + 2 * cut] ?? 0;
      if (below > alpha / 2) break;
      cut++;
    }
  }
  return cut === 0 ? null : [differences[cut - 1]!, differences[differences.length - cut]!];
}

function middleOf(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export interface Counted {
  readonly hits: number;
  readonly of: number;
}

/** Fisher's exact test of two shares: p, and the smallest that it could have been. */
export function sharesDiffer(one: Counted, other: Counted): { readonly p: number; readonly leastP: number } {
  const hits = one.hits + other.hits;
  return {
    p: fisher(one.of, other.of, hits, one.hits),
    leastP: Math.min(fisher(one.of, other.of, one.of, one.of), fisher(one.of, other.of, other.of, 0)),
  };
}

/** All tables that are no likelier than this one, with the same sums. */
function fisher(n: number, m: number, hits: number, seen: number): number {
  const from = Math.max(0, hits - m);
  const to = Math.min(n, hits);
  const chances = Array.from({ length: to - from + 1 }, (_, index) => {
    const first = from + index;
    return Math.exp(logChoose(n, first) + logChoose(m, hits - first) - logChoose(n + m, hits));
  });
  const own = chances[seen - from] ?? 1;
  return Math.min(
    1,
    chances.filter((chance) => chance <= own * (1 + 1e-7)).reduce((sum, chance) => sum + chance, 0),
  );
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let index = 1; index <= k; index++) sum += Math.log(n - k + index) - Math.log(index);
  return sum;
}

/** Between which shares a share lies, exactly (Clopper and Pearson): never too sure, however few there are. */
export function shareInterval({ hits, of }: Counted, alpha: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const atMost = (share: number, most: number): number => {
    let sum = 0;
    for (let k = 0; k <= most; k++) sum += Math.exp(logChoose(of, k)) * share ** k * (1 - share) ** (of - k);
    return sum;
  };
  const low = hits === 0 ? 0 : where((share) => 1 - atMost(share, hits - 1) >= alpha / 2);
  const high = hits === of ? 1 : where((share) => atMost(share, hits) <= alpha / 2);
  return [low, high];
}

/** From where on something holds, between 0 and 1. */
function where(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
