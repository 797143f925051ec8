// Whose format a file is in.
import { LoopError } from "../../contract/errors.ts";
import type { Sheet } from "../../dialects/sheet.ts";
import type { SpecDialect } from "../../dialects/spec-dialect.ts";
import { specDialects } from "../../dialects/spec-dialects.ts";

/** A file of another system may describe many workers; it ends here. */
export const MOST_DIALECT_BYTES = 4 * 1024 * 1024;

/** All that might have written it; none where it is ours, or nobody's. */
export function dialectsLike(file: string, sheet: Sheet): readonly SpecDialect[] {
  return specDialects.filter(({ recognises }) => recognises(file, sheet));
}

/**
 * Ours where nobody else knows it. `from` says it outright. Throws where several might have written it: whoever guesses here would
 * run something that nobody wrote.
 */
export function dialectOf(file: string, sheet: Sheet, from?: string): SpecDialect | undefined {
  if (from !== undefined) return dialectCalled(from);
  const all = dialectsLike(file, sheet);
  if (all.length < 2) return all[0];
  throw new LoopError("bad-input", `${file} may be meant as ${all.map(({ title }) => title).join(" or as ")}`, {
    retry: "never",
    hint: `Say which: ${all.map(({ name }) => `--from ${name}`).join(" or ")}.`,
  });
}

function dialectCalled(name: string): SpecDialect {
  const called = specDialects.find((dialect) => dialect.name === name);
  if (called !== undefined) return called;
  throw new LoopError("bad-input", `--from ${name} is not known`, {
    retry: "never",
    hint: `Write one of: ${specDialects.map((dialect) => dialect.name).join(", ")}.`,
  });
}
