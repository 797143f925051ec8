// The objects that refs point to, by their full names and no others.
import type { Objects } from "./objects.ts";
import type { Repository } from "./open-repository.ts";

/** What git would also try, where there is no such ref. */
const nearMisses = (ref: string): readonly string[] => [
  `refs/${ref}`,
  `refs/tags/${ref}`,
  `refs/heads/${ref}`,
  `refs/remotes/${ref}`,
  `refs/remotes/${ref}/HEAD`,
];
/** A name of which git makes nothing but a ref. */
const isPlain = (ref: string): boolean => /^refs\/[^\p{Cc}\s~^:?*[\\]+$/u.test(ref) && !/\.\.|@\{|-g[0-9a-f]+$/i.test(ref);

export const refTip = async (repository: Repository, ref: string): Promise<string | undefined> => (await refTips(repository, [ref]))[0];

/** In the order of the refs; undefined where there is none. Git is started only for those that the one that stays open cannot tell for sure. */
async function refTips(repository: Repository, refs: readonly string[]): Promise<readonly (string | undefined)[]> {
  const sure = await sureTips(repository.objects, refs);
  const unsure = refs.filter((_, index) => sure[index] === undefined);
  const listed = unsure.length === 0 ? new Map<string, string>() : await listRefs(repository, unsure);
  return refs.map((ref, index) => sure[index] ?? listed.get(ref));
}

/** Undefined where there is none, or where another ref could have answered. */
export async function sureTips(objects: Objects, refs: readonly string[]): Promise<readonly (string | undefined)[]> {
  const names = refs.map((ref) => (isPlain(ref) ? [ref, ...nearMisses(ref)] : []));
  const found = (await objects.look(names.flat())).values();
  return names.map((asked) => {
    const [exact, ...others] = asked.map(() => found.next().value);
    return others.some((other) => other !== undefined) ? undefined : exact?.id;
  });
}

/** A pattern also names what lies beneath it; only the whole name counts. */
export async function listRefs(repository: Pick<Repository, "read">, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const listing = (await repository.read(["for-each-ref", "--format=%(refname) %(objectname)", "--", ...refs])).toString("utf8");
  return new Map(listing.split("\n").map((line) => splitOnce(line)));
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(" ");
  return [line.slice(0, at), line.slice(at + 1)];
}
