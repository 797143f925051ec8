// Reads a small settings file in loopwright's home. One that is not there stands for the defaults; one that cannot be read stops what goes by it.
import type * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import { showPath } from "../spec/path.ts";
import { readSpecText } from "../spec/text.ts";
import { readOptional } from "../world/files/spec-files.ts";

/** `meanwhile` says what does not happen while it cannot be read. */
export async function readHomeFile<Schema extends z.ZodType>(schema: Schema, path: string, meanwhile: string): Promise<z.infer<Schema>> {
  const text = await readOptional(path);
  if (text === undefined) return schema.parse({});
  const read = readSpecText(text);
  const [broken] = read.problems;
  if (broken) throw unreadable(path, `line ${read.lineCol(broken.at).line}: ${broken.problem}`, meanwhile);
  const parsed = schema.safeParse(read.value ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${showPath(issue.path.map((step) => (typeof step === "number" ? step : String(step))))}: ${issue.message}`,
  );
  throw unreadable(path, problems.join("; "), meanwhile);
}

const unreadable = (path: string, problem: string, meanwhile: string): LoopError =>
  new LoopError("bad-input", `${path} cannot be used: ${problem}`, {
    retry: "never",
    hint: `Mend it or take it away; without it the defaults hold. ${meanwhile}`,
  });
