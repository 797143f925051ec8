// Two trees compared by their objects: no attribute, filter or setting of the repository has a say in what is seen.
import type { Blind, Comparison, Content, Side } from "../../contract/change-set.ts";
import type { Change, FileVersion } from "../../contract/proposal.ts";
import type { Objects } from "./objects.ts";
import type { Repository } from "./open-repository.ts";
import { type IdentifiedPair, pairRenames } from "./pair-renames.ts";
import { parseRawDiff } from "./raw-diff.ts";
import { readBlobs } from "./read-blobs.ts";

const MOST_FILES = 5_000;
const DIFF = [
  "diff-tree",
  "-r",
  "-z",
  "--raw",
  "--no-abbrev",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=none",
];

/** Every path that the two do not have in common, as `parseRawDiff` reads it. */
export const diffTrees = (read: Repository["read"], base: string, head: string): Promise<Buffer> => read([...DIFF, base, head]);

export const compareTrees = async (
  { read, objects }: Pick<Repository, "read" | "objects">,
  base: string,
  head: string,
): Promise<Comparison> => compareChanges(objects, parseRawDiff(await diffTrees(read, base, head)));

/** The same, where it is known which paths these are. */
export async function compareChanges(objects: Objects, all: readonly Change[]): Promise<Comparison> {
  const { kept, blind } = bounded(all);
  const contents = await readBlobs(objects, kept.flatMap(blobsOf));
  const files = kept.map(
    ({ path, before, after }): IdentifiedPair => ({
      id: (after ?? before)?.blob ?? "",
      path,
      oldPath: undefined,
      before: before && sideOf(before, contents),
      after: after && sideOf(after, contents),
    }),
  );
  return { files: pairRenames(files), blind };
}

/** So many files that somebody could still look at what was found in them. */
export function bounded<T extends { readonly path: string }>(
  files: readonly T[],
): { readonly kept: readonly T[]; readonly blind: readonly Blind[] } {
  if (files.length <= MOST_FILES) return { kept: files, blind: [] };
  const more = files.length - MOST_FILES;
  const why = `${more} more files changed that were not looked at, from ${files[MOST_FILES]!.path} on`;
  return { kept: files.slice(0, MOST_FILES), blind: [{ file: undefined, line: undefined, why }] };
}

const isSubmodule = ({ mode }: FileVersion): boolean => mode === "160000";

const blobsOf = ({ before, after }: Change): readonly string[] =>
  [before, after].flatMap((version) => (version && !isSubmodule(version) ? [version.blob] : []));

export function sideOf(version: FileVersion, contents: ReadonlyMap<string, Content>): Side {
  const { mode, blob } = version;
  if (isSubmodule(version)) return { mode, content: { kind: "submodule", commit: blob } };
  const content: Content = contents.get(blob) ?? { kind: "unread", why: "it was not read" };
  if (mode === "120000" && content.kind === "text") return { mode, content: { kind: "link", target: content.pieces[0]?.text ?? "" } };
  return { mode, content };
}
