// Finds the specs that a spec names as workers, and those that these name: files that really lie where specs may.
import { basename, dirname, resolve } from "node:path";
import type { Texts } from "../../contract/files.ts";
import { type Library, type LibraryFile, loopsNamed, NO_LIBRARY } from "../../spec/library.ts";
import { readSpecText } from "../../spec/text.ts";

export const MOST_SPEC_BYTES = 256 * 1024;
/** All of them are part of every run's record. */
const MOST_BYTES = 512 * 1024;
const MOST_FILES = 64;
/** Where specs usually lie: one in such a folder may name any that lies below it. */
const SPEC_FOLDERS = [".loopwright", "loops"];

export interface Loaded {
  readonly library: Library;
  /** What was read, where it really is. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export async function loadLibrary(texts: Pick<Texts, "readBelow">, path: string, text: string): Promise<Loaded> {
  const named = loopsNamed(readSpecText(text).value);
  if (named.length === 0) return { library: NO_LIBRARY, files: [] };
  const folder = rootOf(dirname(path));
  const own = await texts.readBelow(folder, path, MOST_SPEC_BYTES);
  const root = own.kind === "text" ? own.real : path;
  const found = new Map<string, LibraryFile>();
  const files = new Map<string, string>();
  const open: { readonly from: string; readonly names: readonly string[] }[] = [{ from: root, names: named }];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const name of next.names) {
      const read = await texts.readBelow(folder, resolve(dirname(next.from), name), MOST_SPEC_BYTES);
      if (read.kind === "refused") {
        found.set(keyOf(next.from, name), { kind: "missing", why: read.why });
        continue;
      }
      const isKnown = files.has(read.real) || read.real === root;
      const size = [...files.values()].reduce((sum, one) => sum + one.length, 0);
      if (!isKnown && (files.size >= MOST_FILES || size + read.text.length > MOST_BYTES)) {
        const why = `with it there would be more than ${MOST_FILES} files or ${MOST_BYTES} bytes to read`;
        found.set(keyOf(next.from, name), { kind: "missing", why });
        continue;
      }
      found.set(keyOf(next.from, name), { kind: "file", file: read.real, text: read.text });
      if (isKnown) continue;
      files.set(read.real, read.text);
      open.push({ from: read.real, names: loopsNamed(readSpecText(read.text).value) });
    }
  }
  return {
    library: { root, find: (from, name) => found.get(keyOf(from, name)) ?? { kind: "missing", why: "it was not looked for" } },
    files: [...files].map(([file, inner]) => ({ path: file, text: inner })),
  };
}

const keyOf = (from: string, name: string): string => JSON.stringify([from, name]);

/** The folder that all of them must lie below. */
function rootOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (SPEC_FOLDERS.includes(basename(at))) return at;
    if (dirname(at) === at) return folder;
  }
}
