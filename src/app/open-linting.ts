// Linting, with the files of this machine.
import type { Registries } from "../contract/crew.ts";
import { createKeptFiles } from "../world/files/files.ts";
import { findFiles, kindAt } from "../world/files/find-files.ts";
import { texts } from "../world/files/spec-files.ts";
import { type LintReport, lintFilesBy } from "./authoring/lint-files.ts";

/** Files, and folders with loops in them, ours and other systems'. */
export const lintFiles = (
  asked: readonly string[],
  cwd: string,
  registries: Registries,
  how: { readonly fix: boolean } = { fix: false },
): Promise<LintReport> => lintFilesBy({ texts, files: createKeptFiles(), kindAt, find: findFiles }, asked, cwd, registries, how);
