// What files hold, read from the object store: no working tree, filter or attribute has a say in it.
import type { FileAt, FileFound } from "../../contract/git.ts";
import { MOST_BYTES_AT_ONCE, type Objects } from "./objects.ts";

/** The bytes of blobs by their ids; one that is missing or too large is left out. */
export async function readContents(objects: Objects, blobs: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = await objects.look([...new Set(blobs)]);
  return objects.read(found.flatMap((object) => (object?.type === "blob" ? [object] : [])));
}

/** Files as they are in commits, in the order they were asked for. The commits must be given as full ids. */
export async function readFilesAt(objects: Objects, places: readonly FileAt[]): Promise<readonly FileFound[]> {
  const asked = places.filter(isSpeakable);
  const looked = await objects.look(asked.map(({ commit, path }) => `${commit}:${path}`));
  const facts = new Map(asked.map((place, index) => [place, looked[index]]));
  const contents = await objects.read([...facts.values()].flatMap((object) => (object?.type === "blob" ? [object] : [])));

  return places.map((place) => {
    const object = facts.get(place);
    if (object?.type !== "blob") return { kind: "absent" };
    const content = contents.get(object.id);
    return content === undefined
      ? { kind: "unread", why: `it is larger than ${MOST_BYTES_AT_ONCE} bytes or damaged` }
      : { kind: "found", text: content.toString("utf8") };
  });
}

/** A path that git would read as relative to somewhere, or that would be two questions, names no file of a commit. */
const isSpeakable = ({ commit, path }: FileAt): boolean =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) && path !== "" && !/[\0\n\r]|^\.{0,2}\//.test(path) && path.length <= 4096;
