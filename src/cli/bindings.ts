// What a caller says that a file of another system cannot know, as options hand it over.
import { readBindings } from "../app/dialects/import-file.ts";
import type { Bindings } from "../dialects/translation.ts";
import type { Call } from "./call.ts";

export function bindingsOf({ options }: Pick<Call, "options">): Bindings {
  const { provider, use, test, set, commits, library } = options;
  return readBindings({
    provider: textsOf(provider),
    set: textsOf(set),
    use: textOf(use),
    test: textOf(test),
    commits: commits === true,
    library: textsOf(library),
  });
}

export const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Whose file it is, where somebody says so. */
export const fromOf = ({ options }: Pick<Call, "options">): string | undefined => textOf(options.from);
