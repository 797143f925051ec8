// Checks a file that describes a loop, in our words or in those of another system.
import { resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { sheetOf } from "../../dialects/sheet.ts";
import type { DialectProblem } from "../../dialects/translation.ts";
import type { Library } from "../../spec/library.ts";
import { readSpec, type SpecProblem } from "../../spec/read-spec.ts";
import { loadLibrary, MOST_SPEC_BYTES } from "../runs/load-library.ts";
import { dialectOf, MOST_DIALECT_BYTES } from "./dialect-of.ts";
import { againstOurs } from "./import-file.ts";
import { readShelf } from "./read-shelf.ts";

export interface CheckedFile {
  readonly problems: readonly (SpecProblem | DialectProblem)[];
  readonly warnings: readonly (SpecProblem | DialectProblem)[];
  /** Whose format it is in, where it is not ours. */
  readonly dialect?: { readonly name: string; readonly form: string; readonly note: string };
}

/** What a file is checked by. */
export interface CheckedBy {
  readonly cwd: string;
  /** Folders in which files that another system's file refers to are looked for, besides its own. */
  readonly libraries: readonly string[];
  readonly registries: Registries;
  readonly now: Date;
  /** Whose file it is, where somebody says so. */
  readonly from?: string | undefined;
}

/** A file that cannot be read is one more problem, so that the others are still told. */
export async function checkFileBy(texts: Texts, file: string, by: CheckedBy): Promise<CheckedFile & { readonly spec?: LoopSpec }> {
  const { cwd, libraries } = by;
  try {
    const path = resolve(cwd, file);
    const text = await texts.readWhole(path, MOST_DIALECT_BYTES);
    const sheet = sheetOf(text);
    const dialect = dialectOf(file, sheet, by.from);
    if (dialect === undefined) {
      const own = await texts.readWhole(path, MOST_SPEC_BYTES);
      return checkOurs(file, own, by, (await loadLibrary(texts, path, own)).library);
    }
    const shelf = await readShelf(
      texts,
      path,
      text,
      libraries.map((library) => resolve(cwd, library)),
    );
    const { form, problems, warnings, note } = dialect.check(file, sheet, shelf);
    const inOurs = problems.length > 0 ? [] : againstOurs(dialect, { file, sheet, shelf }, by.registries);
    return { problems, warnings: [...warnings, ...inOurs.map(cannotBeRun)], dialect: { name: dialect.name, form, note } };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return { problems: [{ file, line: 1, col: 1, path: "", problem: error.message, instead: error.hint }], warnings: [] };
  }
}

/** A file may be sound by its own system's rules and say something that ours cannot be held to. */
const cannotBeRun = (problem: SpecProblem): SpecProblem => ({ ...problem, problem: `cannot be run here: ${problem.problem}` });

/** With the clock: a window that is over is worth nothing in a spec that somebody just wrote. */
function checkOurs(
  file: string,
  text: string,
  { registries, now }: CheckedBy,
  library: Library,
): CheckedFile & { readonly spec?: LoopSpec } {
  const reading = readSpec(file, text, registries, now, library);
  if (reading.kind === "refused") return { problems: reading.problems, warnings: [] };
  return { problems: [], warnings: reading.warnings, spec: reading.spec };
}
