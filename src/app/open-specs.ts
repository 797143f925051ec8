// Specs as they lie on this machine, for whoever has no house open.
import type { Registries } from "../contract/crew.ts";
import { texts } from "../world/files/spec-files.ts";
import { type CheckedFile, checkFileBy } from "./dialects/check-file.ts";
import { findSpecBy, loadSpecBy, type SpecLoading } from "./runs/load-spec.ts";

/** A path is taken as it is; a bare name is looked for where specs usually lie. */
export const findSpec = (loop: string, cwd: string): Promise<string> => findSpecBy(texts, loop, cwd);

export const loadSpec = (path: string, cwd: string, registries: Registries): Promise<SpecLoading> =>
  loadSpecBy(texts, path, cwd, registries);

/** A spec of ours, or a file in another format for loops. */
export const checkFile = (path: string, cwd: string, registries: Registries): Promise<CheckedFile> =>
  checkFileBy(texts, path, cwd, registries);
