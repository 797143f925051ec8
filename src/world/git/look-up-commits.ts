// Tells of every id that somebody cites whether it is a commit of the repository.
import type { Lookup } from "../../contract/git.ts";
import { expandPrefixes, lookUpObjects, type ObjectFacts, whyAbsenceIsUnsure } from "./look-up-objects.ts";
import type { Repository } from "./open-repository.ts";
import { type AskedId, readAskedId } from "./read-asked-id.ts";

const SHORTEST = 7;

/** What is known of one asked id before anybody decides what follows from it. */
export interface Sought {
  readonly asked: string;
  readonly reading: AskedId;
  /** Every object it could stand for. */
  readonly candidates: readonly string[];
}

export async function lookUpCommits(repository: Repository, asked: readonly string[], shortest = SHORTEST): Promise<readonly Lookup[]> {
  const sought = await seek(repository, asked, shortest);
  const { byId, complaint } = await lookUpObjects(repository, idsOf(sought));
  const isWhole = sought.every(({ candidates: [id] }) => id !== undefined && byId.has(id));
  const unsure = isWhole ? undefined : await whyAbsenceIsUnsure(repository, complaint);
  return sought.map((one) => tellOne(one, byId, unsure));
}

/** Reads what was asked, and finds what abbreviations stand for. */
export async function seek(repository: Repository, asked: readonly string[], shortest = SHORTEST): Promise<readonly Sought[]> {
  const readings = asked.map((text) => ({ asked: text, reading: readAskedId(text, repository.idLength, shortest) }));
  const prefixes = new Set(readings.flatMap(({ reading }) => (reading.kind === "short" ? [reading.prefix] : [])));
  const expanded = prefixes.size === 0 ? undefined : await expandPrefixes(repository, [...prefixes]);
  return readings.map(({ asked: text, reading }) => ({ asked: text, reading, candidates: candidatesOf(reading, expanded) }));
}

/** The one object that each id could stand for. */
export const idsOf = (sought: readonly Sought[]): readonly string[] => [
  ...new Set(sought.flatMap(({ candidates }) => (candidates.length === 1 ? candidates : []))),
];

export function tellOne(
  { asked, reading, candidates }: Sought,
  byId: ReadonlyMap<string, ObjectFacts>,
  unsure: string | undefined,
): Lookup {
  const tell = (outcome: Lookup["outcome"], why: string, commit?: string): Lookup => ({ asked, outcome, commit, why });
  if (reading.kind === "malformed") return tell("unknown", reading.why);
  if (reading.kind === "too-long") return tell("fabricated", "longer than the object ids of this repository");
  if (candidates.length > 1) return tell("unknown", `ambiguous: ${candidates.length} objects begin with it; give more digits`);

  const [id] = candidates;
  const facts = id === undefined ? undefined : byId.get(id);
  if (id === undefined || facts === undefined)
    return unsure === undefined ? tell("fabricated", "no such object") : tell("unknown", `not found, but ${unsure}`);
  return facts.type === "commit" ? tell("commit", "a commit", id) : tell("fabricated", `not a commit: it is a ${facts.type}`, id);
}

function candidatesOf(reading: AskedId, expanded: ReadonlyMap<string, readonly string[]> | undefined): readonly string[] {
  if (reading.kind === "full") return [reading.id];
  return reading.kind === "short" ? (expanded?.get(reading.prefix) ?? []) : [];
}
