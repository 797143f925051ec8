// Checks a file that describes a loop, in our words or in those of another system.
import { resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import type { SpecDialect } from "../../dialects/spec-dialect.ts";
import { specDialects } from "../../dialects/spec-dialects.ts";
import type { DialectProblem } from "../../dialects/translation.ts";
import type { SpecProblem } from "../../spec/read-spec.ts";
import { loadSpecBy } from "../runs/load-spec.ts";

export interface CheckedFile {
  readonly problems: readonly (SpecProblem | DialectProblem)[];
  readonly warnings: readonly (SpecProblem | DialectProblem)[];
  /** Whose format it is in, where it is not ours. */
  readonly dialect?: { readonly name: string; readonly form: string; readonly note: string };
}

/** A file of another system may describe many workers; it ends here. */
export const MOST_DIALECT_BYTES = 4 * 1024 * 1024;

/** A file that cannot be read is one more problem, so that the others are still told. */
export async function checkFileBy(texts: Texts, file: string, cwd: string, registries: Registries): Promise<CheckedFile> {
  try {
    const text = await texts.readWhole(resolve(cwd, file), MOST_DIALECT_BYTES);
    const dialect = dialectOf(file, text);
    if (dialect === undefined) return await checkOurs(texts, file, cwd, registries);
    const { form, problems, warnings, note } = dialect.check(file, text);
    return { problems, warnings, dialect: { name: dialect.name, form, note } };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return { problems: [{ file, line: 1, col: 1, path: "", problem: error.message, instead: error.hint }], warnings: [] };
  }
}

/** Whose format a file is in; ours where nobody else knows it. */
export const dialectOf = (file: string, text: string): SpecDialect | undefined =>
  specDialects.find(({ recognises }) => recognises(file, text));

async function checkOurs(texts: Texts, file: string, cwd: string, registries: Registries): Promise<CheckedFile> {
  const loading = await loadSpecBy(texts, file, cwd, registries);
  return loading.kind === "refused" ? { problems: loading.problems, warnings: [] } : { problems: [], warnings: loading.loaded.warnings };
}
