// Looks commits up in two ways that must agree: what the store says of an id, and what the object's own bytes and the history say.
import { createHash } from "node:crypto";
import type { Lookup } from "../../contract/git.ts";
import { idsOf, seek, tellOne } from "./look-up-commits.ts";
import { lookUpObjects, type ObjectFacts, whyAbsenceIsUnsure } from "./look-up-objects.ts";
import type { Repository } from "./open-repository.ts";
import { readObjects, type WantedObject } from "./read-objects.ts";

export async function rederiveCommits(repository: Repository, asked: readonly string[], shortest?: number): Promise<readonly Lookup[]> {
  const sought = await seek(repository, asked, shortest);
  const ids = idsOf(sought);
  const { byId, complaint } = await lookUpObjects(repository, ids);
  const hashes = await rehash(
    repository,
    [...byId].flatMap(([id, { type, bytes }]) => (type === "commit" ? [{ id, bytes }] : [])),
  );
  // A damaged object would end the second question for all the others, and what is to be said of it is known.
  const sound = ids.filter((id) => (byId.get(id)?.type === "commit" ? hashes.get(id) === id : byId.has(id) || complaint === undefined));
  const walked = await walkAlone(repository, sound);
  const isWhole = ids.every((id) => byId.has(id)) && sought.every(({ candidates }) => candidates.length === 1);
  const unsure = isWhole ? undefined : await whyAbsenceIsUnsure(repository, complaint);
  return sought.map((one) => compare(tellOne(one, byId, unsure), one.candidates, { byId, hashes, walked }));
}

interface SecondLook {
  readonly byId: ReadonlyMap<string, ObjectFacts>;
  /** The id that each commit's own bytes give. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The ids that history takes for commits; undefined when it could not be asked. */
  readonly walked: ReadonlySet<string> | undefined;
}

/** The first way speaks; the second may only object. */
function compare(first: Lookup, candidates: readonly string[], { byId, hashes, walked }: SecondLook): Lookup {
  const [id] = candidates;
  if (candidates.length !== 1 || id === undefined || first.outcome === "unknown") return first;
  const gap = (why: string): Lookup => ({ ...first, outcome: "gap", commit: undefined, why });

  if (byId.get(id)?.type === "commit") {
    const hash = hashes.get(id);
    if (hash === undefined) return gap("the store calls it a commit, but its bytes could not be read");
    if (hash !== id) return gap(`the store calls it a commit, but its bytes are those of ${hash}`);
  }
  if (walked === undefined) return { ...first, outcome: "unknown", why: "history could not be asked for a second opinion; run `git fsck`" };
  if (walked.has(id) === (first.outcome === "commit")) return first;
  return gap(
    walked.has(id) ? `history has it as a commit, but: ${first.why}` : "the store calls it a commit, but history does not have it as one",
  );
}

/** Hashes each commit's own bytes, as git would name them. */
async function rehash(repository: Repository, commits: readonly WantedObject[]): Promise<ReadonlyMap<string, string>> {
  const format = repository.idLength === 64 ? "sha256" : "sha1";
  const read = await readObjects(repository, commits);
  return new Map(read.map(({ id, type, content }) => [id, hashObject(format, type, content)]));
}

export const hashObject = (format: "sha1" | "sha256", type: string, content: Uint8Array): string =>
  createHash(format).update(`${type} ${content.length}\0`).update(content).digest("hex");

/** Which of the ids history itself parses as commits. A tag is not its commit, and a missing object is passed over. */
async function walkAlone(repository: Repository, ids: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  if (ids.length === 0) return new Set();
  const { code, stdout } = await repository.ask(
    ["-c", "core.commitGraph=false", "rev-list", "--no-walk=unsorted", "--ignore-missing", "--stdin"],
    ids.map((id) => `${id}\n`).join(""),
  );
  return code === 0 ? new Set(stdout.toString("latin1").split("\n")) : undefined;
}
