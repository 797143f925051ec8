// Where branches point, read from their files as git keeps them, without starting git: for who asks every second, and can live with "unsure".
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RefsOnDisk } from "../../contract/git.ts";
import { gitFoldersOf } from "./identity-of.ts";

const MOST_PACKED = 16 * 1024 * 1024;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names of which no part leads elsewhere. */
const BRANCH = /^(?!.*(?:\.\.|\/\/|@\{))[A-Za-z0-9_][A-Za-z0-9_./-]*$/;

export const refsOnDisk: RefsOnDisk = async (repo, branches) => {
  const folders = await gitFoldersOf(repo);
  if (!folders) return undefined;
  const head = /^ref: refs\/heads\/(.+)$/.exec((await textOf(join(folders.own, "HEAD"))) ?? "")?.[1];
  let packed: ReadonlyMap<string, string> | undefined;
  const tips = new Map<string, string>();
  for (const branch of branches) {
    if (!BRANCH.test(branch)) return undefined;
    const loose = await textOf(join(folders.common, "refs", "heads", branch));
    packed ??= loose === undefined ? packedIn((await textOf(join(folders.common, "packed-refs"))) ?? "") : undefined;
    const tip = loose ?? packed?.get(`refs/heads/${branch}`);
    if (tip !== undefined && ID.test(tip)) tips.set(branch, tip);
  }
  return { head, tips };
};

/** Without the line's end; undefined where there is no such file, or none that could be one of git's. */
async function textOf(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined || text.length > MOST_PACKED ? undefined : text.trimEnd();
}

const packedIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [id, name] = line.split(" ");
      return name !== undefined && id !== undefined && ID.test(id) ? [[name, id] as const] : [];
    }),
  );
