// Asks the object store what stands behind ids: one question whatever their number, and never a name of a ref.
import type { Repository } from "./open-repository.ts";
import { isPartialClone } from "./read-changes.ts";

export interface ObjectFacts {
  readonly type: string;
  readonly bytes: number;
}

export interface ObjectsFound {
  readonly byId: ReadonlyMap<string, ObjectFacts>;
  /** What git complained of meanwhile: then an object it did not find may be there all the same. */
  readonly complaint: string | undefined;
}

/** What the store says about full ids; one that it does not have is not in the map. */
export async function lookUpObjects(repository: Repository, ids: readonly string[]): Promise<ObjectsFound> {
  if (ids.length === 0) return { byId: new Map(), complaint: undefined };
  const { code, stdout, stderr } = await repository.ask(
    ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"],
    ids.map((id) => `${id}\n`).join(""),
  );
  const facts = stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      const [id, type, bytes] = line.split(" ");
      return id !== undefined && type !== undefined && bytes !== undefined ? [[id, { type, bytes: Number(bytes) }] as const] : [];
    });
  const complaint = stderr.trim() || (code === 0 ? "" : `git exited ${code}`);
  return { byId: new Map(facts), complaint: complaint === "" ? undefined : complaint.slice(0, 300) };
}

const PREFIXES_PER_CALL = 4000;

/** All objects that begin with each prefix. Git is asked for objects only, so that a branch named like an id cannot answer. */
export async function expandPrefixes(repository: Repository, prefixes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids: string[] = [];
  for (let at = 0; at < prefixes.length; at += PREFIXES_PER_CALL) {
    const some = prefixes.slice(at, at + PREFIXES_PER_CALL);
    const listing = await repository.read(["rev-parse", ...some.map((prefix) => `--disambiguate=${prefix}`)]);
    ids.push(...listing.toString("latin1").split("\n").filter(Boolean));
  }
  return matchPrefixes(prefixes, ids);
}

/** Prefixes are looked up by their length, so that many of them do not cost their product with the ids. */
export function matchPrefixes(prefixes: readonly string[], ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map(prefixes.map((prefix) => [prefix, new Set<string>()]));
  const lengths = new Set(prefixes.map(({ length }) => length));
  for (const id of ids) for (const length of lengths) found.get(id.slice(0, length))?.add(id);
  return new Map([...found].map(([prefix, candidates]) => [prefix, [...candidates]]));
}

/** Why an object that was not found may exist all the same; undefined where the store is whole. */
export async function whyAbsenceIsUnsure(repository: Repository, complaint: string | undefined): Promise<string | undefined> {
  if (complaint !== undefined) return `git could not read everything: ${complaint}`;
  if (repository.shallow.size > 0) return "this clone is shallow, so it may lie behind the cut; run `git fetch --unshallow`";
  if (await isPartialClone(repository)) return "this is a partial clone, which leaves objects behind; look it up in a full one";
  return undefined;
}
