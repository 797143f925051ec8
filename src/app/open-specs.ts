// Specs as they lie on this machine, for whoever has no house open.
import type { Registries } from "../contract/crew.ts";
import { texts } from "../world/files/spec-files.ts";
import { findSpecBy, loadSpecBy, type SpecLoading } from "./runs/load-spec.ts";

/** A path is taken as it is; a bare name is looked for where specs usually lie. */
export const findSpec = (loop: string, cwd: string): Promise<string> => findSpecBy(texts, loop, cwd);

export const loadSpec = (path: string, cwd: string, registries: Registries): Promise<SpecLoading> =>
  loadSpecBy(texts, path, cwd, registries);
