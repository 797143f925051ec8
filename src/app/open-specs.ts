// Specs as they lie on this machine, for whoever has no house open.
import { resolve } from "node:path";
import type { Registries } from "../contract/crew.ts";
import { texts } from "../world/files/spec-files.ts";
import { type LoopRead, readLoopBy } from "./anatomy/read-loop.ts";
import { type CheckedFile, checkFileBy } from "./dialects/check-file.ts";
import { findSpecBy, loadSpecBy, type SpecLoading } from "./runs/load-spec.ts";

/** A path is taken as it is; a bare name is looked for where specs usually lie. */
export const findSpec = (loop: string, cwd: string): Promise<string> => findSpecBy(texts, loop, cwd);

export const loadSpec = (path: string, cwd: string, registries: Registries): Promise<SpecLoading> =>
  loadSpecBy(texts, path, cwd, registries);

/** A spec of ours, or a file in another format for loops. */
export const checkFile = (path: string, cwd: string, registries: Registries): Promise<CheckedFile> =>
  checkFileBy(texts, path, cwd, registries);

/** What a loop is made of, ours or another system's. */
export const readLoop = (path: string, cwd: string, registries: Registries): Promise<LoopRead> => readLoopBy(texts, path, cwd, registries);

/** Records and submissions of other systems may be long; they end here. */
const MOST_THEIR_BYTES = 16 * 1024 * 1024;

/** A file of another system's tools, as it lies there. */
export const readTheirs = async (path: string, cwd: string): Promise<{ readonly path: string; readonly text: string }> => ({
  path,
  text: await texts.readWhole(resolve(cwd, path), MOST_THEIR_BYTES),
});
