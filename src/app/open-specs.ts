// Specs as they lie on this machine, for whoever has no house open.
import { dirname, resolve } from "node:path";
import type { Registries } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { Notation } from "../dialects/notation.ts";
import type { Bindings } from "../dialects/translation.ts";
import { texts } from "../world/files/spec-files.ts";
import { specFiles } from "../world/files/spec-places.ts";
import { systemClock } from "../world/machine/clock.ts";
import { type LoopRead, readLoopBy } from "./anatomy/read-loop.ts";
import { checkFilesBy } from "./dialects/check-files.ts";
import { type Exported, type ExportForm, exportFileBy, exportStarterBy, type Starter } from "./dialects/export-file.ts";
import { asSpecReading, type Imported, importFileBy, saysNothing } from "./dialects/import-file.ts";
import { findSpecBy, loadSpecBy, type SpecLoading } from "./runs/load-spec.ts";

/** A path is taken as it is; a bare name is looked for where specs usually lie. */
export const findSpec = (loop: string, cwd: string): Promise<string> => findSpecBy(texts, loop, cwd);

export const loadSpec = (path: string, cwd: string, registries: Registries): Promise<SpecLoading> =>
  loadSpecBy(texts, path, cwd, registries);

/** Specs of ours, folders of them, and files in other formats for loops. */
export const checkFiles = (
  paths: readonly string[],
  cwd: string,
  libraries: readonly string[],
  registries: Registries,
  from?: string,
): ReturnType<typeof checkFilesBy> => checkFilesBy({ texts, specFiles, cwd, libraries, registries, now: systemClock.now(), from }, paths);

/** A file of another system in our words, or why not. */
export const importFile = (path: string, cwd: string, bindings: Bindings, registries: Registries, from?: string): Promise<Imported> =>
  importFileBy(texts, path, cwd, bindings, registries, from);

/** A spec of ours, or a file of another system that can be run as it is. */
export async function loadToRun(
  path: string,
  cwd: string,
  bindings: Bindings,
  registries: Registries,
  from?: string,
): Promise<SpecLoading> {
  const imported = await importFile(path, cwd, bindings, registries, from);
  if (imported.kind === "not-theirs") {
    if (saysNothing(bindings)) return loadSpec(path, cwd, registries);
    throw new LoopError("bad-input", `${path} is a spec of ours, which says for itself who works and what checks it`, {
      retry: "never",
      hint: "--provider, --use, --test, --set and --commits are for files of other systems: write it into the spec.",
    });
  }
  const reading = asSpecReading(path, imported);
  if (reading.kind === "refused") return reading;
  const { spec, hash, warnings } = reading;
  const absolute = resolve(cwd, path);
  return { kind: "loaded", loaded: { spec, hash, warnings, path: absolute, folder: dirname(absolute) } };
}

/** A loop in another system's words. */
export const exportFile = (path: string, cwd: string, form: ExportForm, notation: Notation, registries: Registries): Promise<Exported> =>
  exportFileBy(texts, path, cwd, form, notation, registries);

/** What a loop is made of, ours or another system's. */
export const readLoop = (path: string, cwd: string, registries: Registries): Promise<LoopRead> => readLoopBy(texts, path, cwd, registries);

/** Records and submissions of other systems may be long; they end here. */
const MOST_THEIR_BYTES = 16 * 1024 * 1024;

/** A file of another system's tools, as it lies there. */
export const readTheirs = async (path: string, cwd: string): Promise<{ readonly path: string; readonly text: string }> => ({
  path,
  text: await texts.readWhole(resolve(cwd, path), MOST_THEIR_BYTES),
});

/** A loop for a system that starts it. */
export const exportStarter = (path: string, cwd: string, to: Starter, registries: Registries): Promise<Exported> =>
  exportStarterBy(texts, path, cwd, to, registries);
