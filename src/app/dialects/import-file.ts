// Puts a file of another system into our words: the spec, whether it is sound, and what became of each thing the file says.
import { resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import { nativeSurface } from "../../dialects/native-surface.ts";
import { inNotation } from "../../dialects/notation.ts";
import { type Bindings, type DialectProblem, type Fate, isWhole, type SpecValue } from "../../dialects/translation.ts";
import { readSpec, type SpecProblem, type SpecReading } from "../../spec/read-spec.ts";
import { dialectOf, MOST_DIALECT_BYTES } from "./check-file.ts";

export type Imported =
  | {
      readonly kind: "imported";
      readonly form: string;
      readonly spec: SpecValue;
      /** The spec as a file. */
      readonly text: string;
      readonly fates: readonly Fate[];
      /** Whether nothing was lost that matters. */
      readonly isWhole: boolean;
      readonly reading: SpecReading;
    }
  | { readonly kind: "stuck"; readonly form: string; readonly fates: readonly Fate[] }
  | { readonly kind: "refused"; readonly form: string; readonly problems: readonly (SpecProblem | DialectProblem)[] }
  /** No other system's: ours, or nobody's. */
  | { readonly kind: "not-theirs" };

export async function importFileBy(texts: Texts, file: string, cwd: string, bindings: Bindings, registries: Registries): Promise<Imported> {
  const text = await texts.readWhole(resolve(cwd, file), MOST_DIALECT_BYTES);
  const dialect = dialectOf(file, text);
  if (dialect === undefined) return { kind: "not-theirs" };
  const translation = dialect.translate(file, text, bindings, nativeSurface(registries));
  if (translation.kind !== "translated") return translation;
  const { form, spec, fates } = translation;
  const written = `${head(file, form, fates)}${inNotation(spec, "yaml")}`;
  return { kind: "imported", form, spec, text: written, fates, isWhole: isWhole(fates), reading: readSpec(file, written, registries) };
}

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
export function asSpecReading(file: string, imported: Exclude<Imported, { readonly kind: "not-theirs" }>): SpecReading {
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

/** `--provider NAME=URL[,VARIABLE]`, `--use PART[:MODEL]`, `--test`, `--set NAME=VALUE`, as they were written. */
export interface WrittenBindings {
  readonly provider: readonly string[];
  readonly use: string | undefined;
  readonly test: string | undefined;
  readonly set: readonly string[];
  readonly commits: boolean;
}

export function readBindings({ provider, use, test, set, commits }: WrittenBindings): Bindings {
  const [part, ...model] = (use ?? "").split(":");
  return {
    providers: new Map(
      provider.map((written) => {
        const [name, rest] = pair(written, "--provider", "openai=https://api.example.com/v1,KEY_VARIABLE");
        const [baseUrl = "", keyVariable] = rest.split(",");
        if (!/^https?:\/\/[^\s/]+/.test(baseUrl))
          throw wrong(`${name} of --provider has no address`, "Write NAME=https://HOST/v1, and ,VARIABLE for its key.");
        return [name.toLowerCase(), { baseUrl, keyVariable: keyVariable === "" ? undefined : keyVariable }] as const;
      }),
    ),
    use: part === undefined || part === "" ? undefined : { part, model: model.length > 0 ? model.join(":") : undefined },
    test,
    set: new Map(set.map((written) => pair(written, "--set", "length.most=100"))),
    commits,
  };
}

function pair(written: string, option: string, example: string): readonly [name: string, value: string] {
  const at = written.indexOf("=");
  if (at < 1) throw wrong(`${written.slice(0, 60)} says nothing to ${option}`, `Write e.g. ${option} ${example}.`);
  return [written.slice(0, at), written.slice(at + 1)];
}

const wrong = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });

/** Whether anything was said at all. */
export const saysNothing = ({ providers, use, test, set, commits }: Bindings): boolean =>
  providers.size === 0 && use === undefined && test === undefined && set.size === 0 && !commits;
