// Reads the files that a file of another system refers to: below its own folder or a library's, by names that lead nowhere else, and
// none that leads back to itself. Everything is read before anything is made of it.
import { dirname, relative, resolve, sep } from "node:path";
import type { Texts } from "../../contract/files.ts";
import { sheetOf } from "../../dialects/sheet.ts";
import type { Reference, Shelf } from "../../dialects/translation.ts";
import { dialectsLike, MOST_DIALECT_BYTES } from "./dialect-of.ts";

const MOST_FILES = 200;
const MOST_DEPTH = 8;
/** A reference is told up to here. */
const MOST_TOLD = 100;

/** All paths are whole ones. */
export async function readShelf(texts: Texts, path: string, text: string, libraries: readonly string[]): Promise<Shelf> {
  const folders = [dirname(path), ...libraries];
  const roots = (await Promise.all(folders.map((folder) => texts.real(folder)))).flatMap((found) => found?.path ?? []);
  const own = await texts.real(path);
  const search: Search = { texts, libraries, roots, left: { files: MOST_FILES } };
  return shelfOf(search, { path: own?.path ?? path, text, above: [own?.path ?? path] });
}

interface Search {
  readonly texts: Texts;
  readonly libraries: readonly string[];
  readonly roots: readonly string[];
  /** How many may still be read, of all together. */
  readonly left: { files: number };
}

interface From {
  readonly path: string;
  readonly text: string;
  /** The file itself and all that led to it, outermost first. */
  readonly above: readonly string[];
}

async function shelfOf(search: Search, from: From): Promise<Shelf> {
  const sheet = sheetOf(from.text);
  const refs = new Set(dialectsLike(from.path, sheet).flatMap(({ references }) => references(sheet)));
  const found = new Map<string, Reference>();
  // One after the other: what one may read is counted for all.
  for (const ref of refs) found.set(ref, await take(search, from, ref));
  return { find: (ref) => found.get(ref) ?? { kind: "missing", why: "it is no path that could lie beside the file" } };
}

async function take(search: Search, from: From, ref: string): Promise<Reference> {
  const { texts, libraries, roots, left } = search;
  const shown = JSON.stringify(ref.slice(0, MOST_TOLD));
  const places = [resolve(dirname(from.path), ref), ...libraries.map((library) => resolve(library, withinLibrary(ref)))];
  for (const place of places) {
    const real = await texts.real(place);
    if (real?.kind !== "file" || !roots.some((root) => isBelow(real.path, root))) continue;
    if (from.above.includes(real.path)) {
      const way = [...from.above.slice(from.above.indexOf(real.path)), real.path].map((one) => relative(dirname(from.above[0]!), one));
      return { kind: "refused", why: `it leads back to itself: ${way.join(" -> ")}` };
    }
    if (from.above.length > MOST_DEPTH) return { kind: "refused", why: `${shown} is more than ${MOST_DEPTH} files deep` };
    if (left.files === 0) return { kind: "refused", why: `more than ${MOST_FILES} files are referred to` };
    left.files -= 1;
    const text = await texts.readWhole(real.path, MOST_DIALECT_BYTES).catch(() => undefined);
    if (text === undefined) return { kind: "refused", why: `${shown} cannot be read, or is larger than ${MOST_DIALECT_BYTES} bytes` };
    const file = relative(dirname(from.above[0]!), real.path);
    return { kind: "found", file, text, shelf: await shelfOf(search, { path: real.path, text, above: [...from.above, real.path] }) };
  }
  return { kind: "missing", why: `${shown} lies neither below this file's folder nor in a library: put it there, or say --library FOLDER` };
}

/** A library is one folder, however its files speak of each other. */
const withinLibrary = (ref: string): string => ref.replace(/^(?:\.{1,2}\/)+/, "").replace(/^loop-library\//, "");

const isBelow = (path: string, root: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
