// Finds out which deleted and added files are one file under a new name: by equal contents, then by shared lines.
import { posix } from "node:path";
import type { FilePair, Side } from "../../contract/change-set.ts";

/** How many lines are looked up in all; with more, what is left stays deleted and added. */
const MOST_LOOK_UPS = 3_000_000;
const LEAST_SHARE = 0.5;

/** A file with the object id of the side it has. */
export interface IdentifiedPair extends FilePair {
  readonly id: string;
}

export function pairRenames(files: readonly IdentifiedPair[]): readonly FilePair[] {
  const gone = files.filter(({ after }) => !after);
  const came = files.filter(({ before }) => !before);
  const equal = pairEqual(gone, came);
  const taken = new Set([...equal.keys(), ...equal.values()]);
  const similar = pairSimilar(
    gone.filter((file) => !taken.has(file)),
    came.filter((file) => !taken.has(file)),
  );
  const sourceOf = new Map([...equal, ...similar]);
  const sources = new Set(sourceOf.values());
  return files
    .filter((file) => !sources.has(file))
    .map((file) => {
      const { path, oldPath, before, after } = file;
      const source = sourceOf.get(file);
      return source ? { path, oldPath: source.path, before: source.before, after } : { path, oldPath, before, after };
    });
}

type Pairs = ReadonlyMap<FilePair, FilePair>;

/** The same bytes elsewhere; of several such places that with the same last name. */
function pairEqual(gone: readonly IdentifiedPair[], came: readonly IdentifiedPair[]): Pairs {
  const byContent = new Map<string, FilePair[]>();
  for (const file of gone) {
    const key = keyOf(file, file.before);
    if (key) byContent.set(key, [...(byContent.get(key) ?? []), file]);
  }
  const pairs = new Map<FilePair, FilePair>();
  for (const file of came) {
    const sources = byContent.get(keyOf(file, file.after) ?? "");
    if (!sources || sources.length === 0) continue;
    const named = sources.findIndex(({ path }) => posix.basename(path) === posix.basename(file.path));
    pairs.set(file, sources.splice(Math.max(0, named), 1)[0]!);
  }
  return pairs;
}

/** Empty files are all alike and none is another. */
const keyOf = ({ id }: IdentifiedPair, side: Side | undefined): string | undefined =>
  !side || textOf(side)?.trim() === "" ? undefined : `${side.content.kind} ${id}`;

const textOf = (side: Side | undefined): string | undefined => (side?.content.kind === "text" ? side.content.pieces[0]?.text : undefined);

interface Likeness {
  readonly from: FilePair;
  readonly to: FilePair;
  readonly share: number;
}

function pairSimilar(gone: readonly FilePair[], came: readonly FilePair[]): Pairs {
  const old = gone.flatMap((file) => countLines(file, file.before) ?? []);
  const now = came.flatMap((file) => countLines(file, file.after) ?? []);
  const likenesses: Likeness[] = [];
  let lookUps = 0;
  for (const one of now) {
    for (const other of old) {
      const [small, large] = one.counts.size < other.counts.size ? [one, other] : [other, one];
      if (Math.min(one.total, other.total) < LEAST_SHARE * Math.max(one.total, other.total)) continue;
      lookUps += small.counts.size;
      if (lookUps > MOST_LOOK_UPS) break;
      const share = sharedLines(small.counts, large.counts) / Math.max(one.total, other.total);
      if (share >= LEAST_SHARE) likenesses.push({ from: other.file, to: one.file, share });
    }
  }
  const pairs = new Map<FilePair, FilePair>();
  const used = new Set<FilePair>();
  for (const { from, to } of likenesses.toSorted((one, other) => other.share - one.share || keepsName(other) - keepsName(one))) {
    if (pairs.has(to) || used.has(from)) continue;
    pairs.set(to, from);
    used.add(from);
  }
  return pairs;
}

const keepsName = ({ from, to }: Likeness): number => (posix.basename(from.path) === posix.basename(to.path) ? 1 : 0);

interface Counted {
  readonly file: FilePair;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countLines(file: FilePair, side: Side | undefined): Counted | undefined {
  const lines = (textOf(side) ?? "").split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  if (lines.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return { file, counts, total: lines.length };
}

function sharedLines(small: ReadonlyMap<string, number>, large: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [line, count] of small) shared += Math.min(count, large.get(line) ?? 0);
  return shared;
}
