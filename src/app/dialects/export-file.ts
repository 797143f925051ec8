// Puts a loop into another system's words: a spec of ours, or a file of that system in another of its forms.
import { resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import type { LssDocument } from "../../dialects/lss/document.ts";
import { lssFromSpec } from "../../dialects/lss/from-spec.ts";
import { readLssSheet } from "../../dialects/lss/read-lss.ts";
import { writeLss, writeLssMin } from "../../dialects/lss/write-lss.ts";
import type { Notation } from "../../dialects/notation.ts";
import { type Sheet, sheetOf } from "../../dialects/sheet.ts";
import { claudeSkill, crontab, githubActions, systemdUnits } from "../../dialects/start-words.ts";
import { showPath } from "../../spec/path.ts";
import type { SpecProblem } from "../../spec/read-spec.ts";
import { loadSpecBy } from "../runs/load-spec.ts";
import { dialectOf, MOST_DIALECT_BYTES } from "./dialect-of.ts";

export const EXPORT_FORMS = ["1.0", "1.1", "min"] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

export type Exported =
  | { readonly kind: "exported"; readonly text: string; readonly left: readonly { readonly path: string; readonly why: string }[] }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

/** Systems that only start things, and how a spec is written for each. */
const STARTERS = { "github-actions": githubActions, "claude-code": claudeSkill, crontab, systemd: systemdUnits } as const;
export type Starter = keyof typeof STARTERS;
export const STARTER_NAMES: readonly string[] = Object.keys(STARTERS);
export const isStarter = (name: unknown): name is Starter => typeof name === "string" && Object.hasOwn(STARTERS, name);

/** For a system that starts the loop: the loop itself stays the file that it is. */
export async function exportStarterBy(texts: Texts, file: string, cwd: string, to: Starter, registries: Registries): Promise<Exported> {
  const loading = await loadSpecBy(texts, file, cwd, registries);
  if (loading.kind === "refused") return loading;
  // What a machine starts by itself, it starts in no folder of ours.
  const named = to === "crontab" || to === "systemd" ? loading.loaded.path : file;
  return { kind: "exported", ...STARTERS[to](loading.loaded.spec, named) };
}

export async function exportFileBy(
  texts: Texts,
  file: string,
  cwd: string,
  form: ExportForm,
  notation: Notation,
  registries: Registries,
): Promise<Exported> {
  const sheet = sheetOf(await texts.readWhole(resolve(cwd, file), MOST_DIALECT_BYTES));
  if (dialectOf(file, sheet)?.name === "lss") return exportTheirs(file, sheet, form, notation);
  const loading = await loadSpecBy(texts, file, cwd, registries);
  if (loading.kind === "refused") return loading;
  const { document, left } = lssFromSpec(loading.loaded.spec);
  return written(document, form, notation, left);
}

function exportTheirs(file: string, sheet: Sheet, form: ExportForm, notation: Notation): Exported {
  const reading = readLssSheet(file, sheet);
  if (reading.kind === "read") return written(reading.document, form, notation, []);
  if (reading.kind === "min")
    throw new LoopError("bad-input", `${file} is LSS-min, of which nothing else can be made`, {
      retry: "never",
      hint: "Export the document that it was cut from.",
    });
  return { kind: "refused", problems: reading.problems };
}

function written(
  document: LssDocument,
  form: ExportForm,
  notation: Notation,
  left: readonly { readonly path: string; readonly why: string }[],
): Exported {
  const { text, lost } = form === "min" ? writeLssMin(document) : writeLss(document, form, notation);
  return { kind: "exported", text, left: [...left, ...lost.map(({ path, why }) => ({ path: showPath(path), why }))] };
}
