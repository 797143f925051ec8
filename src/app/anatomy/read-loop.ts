// Reads a file that describes a loop, ours or another system's, and tells what it is made of.
import { resolve } from "node:path";
import type { Anatomy } from "../../contract/anatomy.ts";
import type { Registries } from "../../contract/crew.ts";
import type { Texts } from "../../contract/files.ts";
import { sheetOf } from "../../dialects/sheet.ts";
import { anatomyOf } from "../../spec/anatomy.ts";
import type { SpecProblem } from "../../spec/read-spec.ts";
import { dialectOf, MOST_DIALECT_BYTES } from "../dialects/dialect-of.ts";
import { anatomyOfTheirs } from "../dialects/import-file.ts";
import { readShelf } from "../dialects/read-shelf.ts";
import { loadSpecBy } from "../runs/load-spec.ts";

export type LoopRead =
  /** `problems`: what is wrong with a file of another system that can be looked at all the same. */
  | { readonly kind: "read"; readonly anatomy: Anatomy; readonly form: string; readonly problems: readonly SpecProblem[] }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

export async function readLoopBy(texts: Texts, file: string, cwd: string, registries: Registries): Promise<LoopRead> {
  const path = resolve(cwd, file);
  const sheet = sheetOf(await texts.readWhole(path, MOST_DIALECT_BYTES));
  const dialect = dialectOf(file, sheet);
  if (dialect) {
    const shelf = await readShelf(texts, path, sheet.text, []);
    const { anatomy, problems } = anatomyOfTheirs(dialect, { file, sheet, shelf }, registries);
    return anatomy === undefined
      ? { kind: "refused", problems }
      : { kind: "read", anatomy, form: dialect.check(file, sheet, shelf).form, problems };
  }
  const loading = await loadSpecBy(texts, file, cwd, registries);
  if (loading.kind === "refused") return loading;
  return { kind: "read", anatomy: anatomyOf(loading.loaded.spec, registries), form: "Loopwright", problems: [] };
}
