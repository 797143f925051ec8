// Writes the files that somebody asked for: what is there stays, unless they say that it may go, and what is read is never written over.
import { dirname, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { Files } from "../../contract/files.ts";
import { displayLine } from "../../std/display-text.ts";

export interface Out {
  readonly path: string;
  readonly text: string;
  /** Whether somebody named this very file; one that nobody named is never written over. */
  readonly named: boolean;
}

export interface OutsAsked {
  readonly cwd: string;
  /** What it is made of. */
  readonly inputs: readonly string[];
  /** Whether somebody said that what is there may go. */
  readonly force: boolean;
}

export interface OutsWorld extends Pick<Files, "readText" | "writeText"> {
  isTaken(path: string): Promise<boolean>;
  isSameFile(one: string, other: string): Promise<boolean>;
  kindAt(path: string): Promise<"file" | "folder" | "other" | "missing">;
}

export interface WrittenOuts {
  readonly paths: readonly string[];
  /** Folders that were not there, and now are. */
  readonly madeFolders: readonly string[];
}

/** All are looked at before the first is written. */
export async function writeOuts(world: OutsWorld, outs: readonly Out[], asked: OutsAsked): Promise<WrittenOuts> {
  const placed = outs.map((out) => ({ ...out, path: resolve(asked.cwd, out.path) }));
  const paths = placed.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw refused(`two files would be written to ${displayLine(twice, 300)}`, "Name another file.");
  for (const out of placed) await mustBeFree(world, out, asked);
  const folders = [...new Set(paths.map((path) => dirname(path)))];
  const kinds = await Promise.all(folders.map(world.kindAt));
  for (const { path, text } of placed) await world.writeText(path, text);
  return { paths, madeFolders: folders.filter((_, index) => kinds[index] === "missing") };
}

async function mustBeFree(world: OutsWorld, { path, text, named }: Out, { cwd, inputs, force }: OutsAsked): Promise<void> {
  if (!(await world.isTaken(path))) return;
  const told = displayLine(path, 300);
  const kind = await world.kindAt(path);
  if (kind === "folder" || kind === "other") throw refused(`${told} is there already, and no file`, "Name another file.");
  for (const input of inputs)
    if (await world.isSameFile(path, resolve(cwd, input))) throw refused(`${told} is what it would be made of`, "Name another file.");
  if (kind === "file" && (await world.readText(path)) === text) return;
  if (force && named) return;
  throw refused(
    `${told} is there already`,
    named ? "Name another file, or say with --force that this one may go." : "Nobody named it: move it away, or write into another folder.",
  );
}

const refused = (message: string, hint: string): LoopError =>
  new LoopError("bad-input", message, { retry: "never", hint: `Nothing was written. ${hint}` });
