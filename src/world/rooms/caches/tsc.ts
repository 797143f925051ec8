// What TypeScript's compiler notes for the next time, with what it wrote from the same sources: it tells changed sources by their content, and
// writes only what they change.
import { join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { walk } from "../../files/copy-tree.ts";
import { removeTree } from "../../files/remove-tree.ts";
import type { CacheKind, CacheRoom } from "./cache-kind.ts";
import { headOf, isFolder, isFolderIn, namesIn } from "./plain-files.ts";

const MOST_BYTES = 64 * 1024 * 1024;
/** Where compilers write, besides beside the settings. */
const OUTPUTS = ["", "out", "dist", "build", "lib"];

const Info = z.object({
  fileNames: z.array(z.string()),
  options: z.object({ noEmit: z.boolean().optional(), outDir: z.string().optional(), rootDir: z.string().optional() }).optional(),
});

interface Noted {
  /** The note itself. */
  readonly path: string;
  /** The folder that is written to; undefined where nothing is. */
  readonly out: string | undefined;
  /** What may lie there. */
  readonly written: ReadonlySet<string>;
}

export const tsc: CacheKind = {
  name: "tsc",
  async prepare(room) {
    const tracked = new Set(room.tracked);
    const roots = new Set(room.tracked.flatMap((path) => (/(^|\/)tsconfig[^/]*\.json$/.test(path) ? [dirOf(path)] : [])));
    const notes = [...roots].flatMap((root) => notesBeside(root, room, tracked));
    if (notes.length === 0) return undefined;
    const paths = new Set<string>();
    for (const out of new Set(notes.flatMap((note) => note.out ?? []))) {
      const written = new Set(notes.flatMap((note) => (note.out === out ? [...note.written] : [])));
      for (const note of notes) written.add(note.path);
      for await (const { path, found } of walk(Buffer.from(join(room.work, out)))) {
        if (!found.isDirectory() && !written.has(relative(room.work, path.toString("utf8")))) await removeTree(path);
      }
      paths.add(out);
    }
    for (const { path } of notes) if (![...paths].some((out) => path.startsWith(`${out}/`))) paths.add(path);
    // What was written from a source that is gone would stay, and where other settings write nobody takes it away.
    return { under: "work", paths: [...paths], bounds: { alone: true, byTime: true, unlessGone: true, unless: ["**/tsconfig*.json"] } };
  },
};

const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "");

function notesBeside(root: string, { work }: CacheRoom, tracked: ReadonlySet<string>): readonly Noted[] {
  return OUTPUTS.flatMap((output) => {
    const folder = [root, output].filter((part) => part !== "").join("/");
    if (folder !== "" && !isFolderIn(work, folder)) return [];
    return namesIn(join(work, folder)).flatMap((name) => {
      if (!name.endsWith(".tsbuildinfo")) return [];
      return read({ work, folder, root, tracked }, folder === "" ? name : `${folder}/${name}`) ?? [];
    });
  });
}

interface Where {
  readonly work: string;
  /** That the note lies in: its paths are relative to it. */
  readonly folder: string;
  readonly root: string;
  readonly tracked: ReadonlySet<string>;
}

/** Undefined where it was not written from base's own files alone, or into a folder of its own. */
function read({ work, folder, root, tracked }: Where, path: string): Noted | undefined {
  const bytes = tracked.has(path) ? undefined : headOf(join(work, path), MOST_BYTES);
  const info = bytes && Info.safeParse(parsed(bytes.toString("utf8")));
  if (!info?.success) return undefined;
  const { fileNames, options = {} } = info.data;
  const inside = (name: string): string | undefined => {
    const at = relative(work, resolve(work, folder, name));
    return at === ".." || at.startsWith(`..${sep}`) || at.startsWith("/") ? undefined : at;
  };
  const sources = fileNames.flatMap((name) => inside(name) ?? []).filter((name) => !/(^|\/)node_modules\//.test(name));
  if (sources.length === 0 || !sources.every((name) => tracked.has(name))) return undefined;
  if (options.noEmit === true) return { path, out: undefined, written: new Set() };
  const out = options.outDir === undefined ? undefined : inside(options.outDir);
  if (out === undefined || out === "" || !isFolderIn(work, out) || !isFolder(join(work, out))) return undefined;
  if ([...tracked].some((name) => name.startsWith(`${out}/`))) return undefined;
  const own = sources.filter((name) => !/\.d\.[cm]?ts$/.test(name));
  const named = options.rootDir === undefined ? undefined : inside(options.rootDir);
  const starts = new Set([root, commonOf(own.map(dirOf)), ...(named === undefined ? [] : [named])]);
  return { path, out, written: new Set([...starts].flatMap((start) => own.flatMap((name) => writtenFrom(name, start, out)))) };
}

function writtenFrom(source: string, start: string, out: string): readonly string[] {
  if (start !== "" && !source.startsWith(`${start}/`)) return [];
  const name = source.slice(start === "" ? 0 : start.length + 1);
  const [, stem, kind = ""] = /^(.*)\.([cm]?)[jt]sx?$/.exec(name) ?? [];
  if (stem === undefined) return [`${out}/${name}`];
  const endings = [`.${kind}js`, `.d.${kind}ts`, ...(kind === "" ? [".jsx"] : [])];
  return endings.flatMap((ending) => [`${out}/${stem}${ending}`, `${out}/${stem}${ending}.map`]);
}

function commonOf(folders: readonly string[]): string {
  const [first = "", ...others] = folders;
  return others.reduce((common, folder) => {
    let at = common;
    while (at !== "" && folder !== at && !folder.startsWith(`${at}/`)) at = dirOf(at);
    return at;
  }, first);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
