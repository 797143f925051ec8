// What files hold, read from the object store: no working tree, filter or attribute has a say in it.
import type { FileAt, FileFound } from "../../contract/git.ts";
import { lookUpObjects } from "./look-up-objects.ts";
import type { Repository } from "./open-repository.ts";
import { MOST_BYTES_AT_ONCE, readObjects } from "./read-objects.ts";

/** The bytes of blobs by their ids; one that is missing or too large is left out. */
export async function readContents(repository: Repository, blobs: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const ids = [...new Set(blobs)];
  const { byId } = await lookUpObjects(repository, ids);
  const wanted = [...byId].flatMap(([id, { type, bytes }]) => (type === "blob" ? [{ id, bytes }] : []));
  return new Map((await readObjects(repository, wanted)).map(({ id, content }) => [id, content]));
}

/** Files as they are in commits, in the order they were asked for. The commits must be given as full ids. */
export async function readFilesAt(repository: Repository, places: readonly FileAt[]): Promise<readonly FileFound[]> {
  const asked = places.filter(isSpeakable);
  if (asked.length === 0) return places.map(() => ({ kind: "absent" }));
  const answer = await repository.read(
    ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"],
    asked.map(({ commit, path }) => `${commit}:${path}\n`).join(""),
  );
  const lines = answer.toString("utf8").split("\n");
  const facts = new Map(asked.map((place, index) => [place, BLOB_LINE.exec(lines[index] ?? "")] as const));
  const wanted = [...facts.values()].flatMap((line) => (line ? [{ id: line[1]!, bytes: Number(line[2]) }] : []));
  const unique = [...new Map(wanted.map((object) => [object.id, object])).values()];
  const byId = new Map((await readObjects(repository, unique)).map(({ id, content }) => [id, content]));

  return places.map((place) => {
    const line = facts.get(place);
    if (!line) return { kind: "absent" };
    const content = byId.get(line[1]!);
    return content === undefined
      ? { kind: "unread", why: `it is larger than ${MOST_BYTES_AT_ONCE} bytes or damaged` }
      : { kind: "found", text: content.toString("utf8") };
  });
}

const BLOB_LINE = /^([0-9a-f]{40,64}) blob (\d+)$/;

/** A path that git would read as relative to somewhere, or that would be two questions, names no file of a commit. */
const isSpeakable = ({ commit, path }: FileAt): boolean =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) && path !== "" && !/[\0\n\r]|^\.{0,2}\//.test(path) && path.length <= 4096;
