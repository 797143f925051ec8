// Puts a file of another system into our words: the spec, whether it is sound, and what became of each thing the file says.
import { resolve } from "node:path";
import type { Anatomy } from "../../contract/anatomy.ts";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import { Answers } from "../../dialects/answers.ts";
import { atTheirPlace } from "../../dialects/at-their-place.ts";
import { nativeSurface } from "../../dialects/native-surface.ts";
import { inNotation } from "../../dialects/notation.ts";
import { type Sheet, sheetOf } from "../../dialects/sheet.ts";
import type { SpecDialect } from "../../dialects/spec-dialect.ts";
import { type Bindings, type DialectProblem, type Fate, isWhole, type Shelf, type SpecValue } from "../../dialects/translation.ts";
import { anatomyOf } from "../../spec/anatomy.ts";
import type { Library } from "../../spec/library.ts";
import { readSpec, type SpecProblem, type SpecReading } from "../../spec/read-spec.ts";
import { dialectOf, MOST_DIALECT_BYTES } from "./dialect-of.ts";
import { readShelf } from "./read-shelf.ts";

export type Imported =
  | {
      readonly kind: "imported";
      readonly form: string;
      readonly spec: SpecValue;
      /** The spec as a file. */
      readonly text: string;
      /** The specs that it calls, as files beside it. */
      readonly called: ReadonlyMap<string, string>;
      readonly fates: readonly Fate[];
      /** Whether nothing was lost that matters. */
      readonly isWhole: boolean;
      readonly reading: SpecReading;
    }
  | { readonly kind: "stuck"; readonly form: string; readonly fates: readonly Fate[] }
  | { readonly kind: "refused"; readonly form: string; readonly problems: readonly (SpecProblem | DialectProblem)[] }
  /** No other system's: ours, or nobody's. */
  | { readonly kind: "not-theirs" };

type Theirs = Exclude<Imported, { readonly kind: "not-theirs" }>;

export async function importFileBy(
  texts: Texts,
  file: string,
  cwd: string,
  bindings: Bindings,
  registries: Registries,
  from?: string,
): Promise<Imported> {
  const path = resolve(cwd, file);
  const sheet = sheetOf(await texts.readWhole(path, MOST_DIALECT_BYTES));
  const dialect = dialectOf(file, sheet, from);
  if (dialect === undefined) return { kind: "not-theirs" };
  const shelf = await readShelf(
    texts,
    path,
    sheet.text,
    bindings.libraries.map((library) => resolve(cwd, library)),
  );
  const set = new Answers(bindings.set);
  const imported = importText(dialect, { file, sheet, shelf }, { ...bindings, set }, registries);
  // Where there is no spec, not everything may have been asked yet.
  if (imported.kind === "imported" && set.unasked.length > 0) throw unasked(file, set);
  return imported;
}

const MOST_NAMES = 40;

const unasked = (file: string, { unasked: said, asked }: Answers): LoopError =>
  wrong(
    `--set ${said.map((name) => name.slice(0, 60)).join(", --set ")} says nothing about ${file}`,
    asked.length === 0
      ? "Nothing can be set for this file."
      : `There is: ${asked.slice(0, MOST_NAMES).join(", ")}${asked.length > MOST_NAMES ? `, and ${asked.length - MOST_NAMES} more` : ""}.`,
  );

interface TheirText {
  readonly file: string;
  readonly sheet: Sheet;
  readonly shelf: Shelf;
}

/** Pure: nothing that the text names is opened. */
function importText(dialect: SpecDialect, { file, sheet, shelf }: TheirText, bindings: Bindings, registries: Registries): Theirs {
  const translation = dialect.translate(file, sheet, bindings, nativeSurface(registries), shelf);
  if (translation.kind !== "translated") return translation;
  const { form, spec, fates } = translation;
  const written = `${head(file, form, fates)}${inNotation(spec, "yaml")}`;
  const called = new Map([...(translation.called ?? [])].map(([name, inner]) => [name, inNotation(inner, "yaml")] as const));
  const own = readSpec(file, written, registries, undefined, libraryOf(file, called));
  const reading = own.kind === "refused" ? { ...own, problems: atTheirPlace(file, own.problems, fates) } : own;
  return { kind: "imported", form, spec, text: written, called, fates, isWhole: isWhole(fates), reading };
}

/** Loops that are called are found among what was translated, and nowhere else. */
const libraryOf = (root: string, called: ReadonlyMap<string, string>): Library => ({
  root,
  find: (_, name) => {
    const text = called.get(name);
    return text === undefined
      ? { kind: "missing", why: "it is none of the loops that the file composes" }
      : { kind: "file", file: name, text };
  },
});

/** What our words would have against a file that its own system takes: a condition that cannot be read, a default that does not fit. */
export function againstOurs(dialect: SpecDialect, text: TheirText, registries: Registries): readonly SpecProblem[] {
  const imported = importText(dialect, text, NOTHING_SAID, registries);
  return imported.kind === "imported" && imported.reading.kind === "refused" ? imported.reading.problems : [];
}

/** What a loop of another system is made of: by its own words, or by what comes of translating it, as far as nothing must be asked. */
export function anatomyOfTheirs(dialect: SpecDialect, { file, sheet, shelf }: TheirText, registries: Registries): TheirAnatomy {
  if (dialect.anatomy !== undefined) {
    const { problems } = dialect.check(file, sheet, shelf);
    // What leads back to itself has no parts that could be counted.
    const isEndless = problems.some(({ code }) => code === "reference-refused");
    return { anatomy: isEndless ? undefined : dialect.anatomy(sheet, shelf), problems };
  }
  const imported = importText(dialect, { file, sheet, shelf }, NOTHING_SAID, registries);
  if (imported.kind === "imported" && imported.reading.kind === "read")
    return { anatomy: anatomyOf(imported.reading.spec, registries), problems: [] };
  const reading = asSpecReading(file, imported);
  return { anatomy: undefined, problems: reading.kind === "refused" ? reading.problems : [] };
}

interface TheirAnatomy {
  readonly anatomy: Anatomy | undefined;
  readonly problems: readonly SpecProblem[];
}

const NOTHING_SAID: Bindings = { providers: new Map(), use: undefined, test: undefined, set: new Map(), commits: false, libraries: [] };

/** What was lost stays with the spec, for whoever reads it later. */
function head(file: string, form: string, fates: readonly Fate[]): string {
  const lost = fates.filter(({ kind }) => kind === "lost");
  const lines = [
    `Imported from ${file.replaceAll(/[^\w./-]/g, "_")} (${form}).`,
    ...(lost.length > 0 ? ["It does not say everything that the file says. Lost:"] : []),
    ...lost.map(({ path, why }) => `  ${path}: ${why}`),
  ];
  return `${lines.map((line) => `# ${line.replaceAll(/[^\x20-\x7e]/g, "_")}`).join("\n")}\n`;
}

/** Where a file of another system can be run as it is; else everything that stands against it, as problems of the file. */
export function asSpecReading(file: string, imported: Theirs): SpecReading {
  switch (imported.kind) {
    case "refused":
      return imported;
    case "stuck":
      return { kind: "refused", problems: against(file, imported.fates) };
    case "imported":
      return imported.isWhole ? imported.reading : { kind: "refused", problems: against(file, imported.fates) };
  }
}

const against = (file: string, fates: readonly Fate[]): readonly SpecProblem[] =>
  fates
    .filter(({ kind }) => kind === "lost" || kind === "asked")
    .map(({ kind, path, line, col, why }) => ({
      file,
      line,
      col,
      path,
      problem: kind === "lost" ? `cannot be run as it is: ${why}` : why,
      instead:
        kind === "lost"
          ? "Import it with `lw import`, look at what is lost, and run what comes of it."
          : "Nothing is made up in its place.",
    }));

/** `--provider NAME=URL[,VARIABLE[,FORM]]`, `--use PART[:MODEL]`, `--test`, `--set NAME=VALUE`, as they were written. */
export interface WrittenBindings {
  readonly provider: readonly string[];
  readonly use: string | undefined;
  readonly test: string | undefined;
  readonly set: readonly string[];
  readonly commits: boolean;
  readonly library: readonly string[];
}

export function readBindings({ provider, use, test, set, commits, library }: WrittenBindings): Bindings {
  const [part, ...model] = (use ?? "").split(":");
  return {
    providers: new Map(
      provider.map((written) => {
        const [name, rest] = pair(written, "--provider", "openai=https://api.example.com/v1,KEY_VARIABLE");
        const [baseUrl = "", keyVariable, form] = rest.split(",");
        if (!/^https?:\/\/[^\s/]+/.test(baseUrl))
          throw wrong(`${name} of --provider has no address`, "Write NAME=https://HOST/v1, and ,VARIABLE for its key.");
        if (form !== undefined && form !== "anthropic" && form !== "openai")
          throw wrong(`${name} of --provider speaks no form that is known`, "Write anthropic or openai after the variable of its key.");
        return [name.toLowerCase(), { baseUrl, keyVariable: keyVariable === "" ? undefined : keyVariable, form }] as const;
      }),
    ),
    use: part === undefined || part === "" ? undefined : { part, model: model.length > 0 ? model.join(":") : undefined },
    test,
    set: new Map(set.map((written) => pair(written, "--set", "length.most=100"))),
    commits,
    libraries: library,
  };
}

function pair(written: string, option: string, example: string): readonly [name: string, value: string] {
  const at = written.indexOf("=");
  if (at < 1) throw wrong(`${written.slice(0, 60)} says nothing to ${option}`, `Write e.g. ${option} ${example}.`);
  return [written.slice(0, at), written.slice(at + 1)];
}

const wrong = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });

/** Whether anything was said at all. */
export const saysNothing = ({ providers, use, test, set, commits, libraries }: Bindings): boolean =>
  providers.size === 0 && use === undefined && test === undefined && set.size === 0 && !commits && libraries.length === 0;
