// Writes what somebody asked for to a file.
import { resolve } from "node:path";
import { writePages, writeReport, writeSpecs } from "../app/open-outputs.ts";
import { displayLine } from "../std/display-text.ts";
import type { Call } from "./call.ts";

/** Writes a page where the caller wants it, without secrets, and says where it is. */
export async function writePage(call: Call, asked: string, text: string): Promise<void> {
  const path = resolve(call.io.cwd, asked);
  await writeReport(call.home, call.env, path, text);
  call.io.err(`lw: written to ${path}\n`);
}

/** A file that somebody named, or one that has to lie beside it. */
interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly named?: boolean;
}

/** Files that are new, or that may go by --force; `inputs` never may. Says where they are, and which folders were made for them. */
export async function writeNew(
  call: Call,
  files: readonly NewFile[],
  inputs: readonly string[],
  what: "page" | "spec" = "spec",
): Promise<void> {
  const outs = files.map(({ named = true, ...file }) => ({ ...file, named }));
  const asked = { cwd: call.io.cwd, inputs, force: call.options.force === true };
  const { paths, madeFolders } = what === "page" ? await writePages(call.home, call.env, outs, asked) : await writeSpecs(outs, asked);
  for (const folder of madeFolders) call.io.err(`lw: made the folder ${displayLine(folder, 300)}\n`);
  for (const path of paths) call.io.err(`lw: written to ${displayLine(path, 300)}\n`);
}
