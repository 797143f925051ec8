// Reads a policy for commands: a project's `.loopwright/policy.yaml` and the user's own. A broken one clears nothing.
import * as z from "zod";
import type { PolicyEntry, PolicyReading } from "../guard/command/policy.ts";
import { commandRules } from "../guard/command/rules/index.ts";
import { closest } from "../std/closest.ts";
import { globProblem } from "../std/glob.ts";
import { showPath } from "./path.ts";
import { readSpecText, type SpecText } from "./text.ts";

const Entry = z
  .strictObject({
    decision: z.enum(["allow", "ask", "deny"]),
    rule: z.string().optional(),
    program: z.string().min(1).optional(),
    args: z.array(z.string().min(1)).min(1).max(20).optional(),
    path: z.string().optional(),
    why: z.string().max(500).optional(),
  })
  .refine(({ rule, program, path }) => rule !== undefined || program !== undefined || path !== undefined, {
    error: "names no rule, program or path, and so would mean everything",
  });

const Policy = z.strictObject({ commands: z.array(Entry).max(500).default([]) });

/** Pure. Each entry remembers the line it stands on. */
export function readPolicy(file: string, text: string, owner: PolicyEntry["owner"]): PolicyReading {
  const read = readSpecText(text);
  const lineOf = (path: readonly (string | number)[]): number => read.lineCol(placeOf(read, path)).line;
  if (read.problems.length > 0)
    return {
      kind: "broken",
      problems: read.problems.map(({ at, problem, instead }) => `${file}:${read.lineCol(at).line}  ${problem}. ${instead}`),
    };
  const parsed = Policy.safeParse(read.value);
  if (!parsed.success) {
    return {
      kind: "broken",
      problems: parsed.error.issues.map(({ path, message }) => {
        const steps = path.map((step) => (typeof step === "number" ? step : String(step)));
        return `${file}:${lineOf(steps)}  ${showPath(steps)}: ${message}`;
      }),
    };
  }
  const problems = parsed.data.commands.flatMap((entry, index) => {
    const at = `${file}:${lineOf(["commands", index])}`;
    return [...unknownRule(entry.rule).map((problem) => `${at}  ${problem}`), ...badGlob(entry.path).map((problem) => `${at}  ${problem}`)];
  });
  if (problems.length > 0) return { kind: "broken", problems };
  return {
    kind: "read",
    policy: parsed.data.commands.map((entry, index) => ({ ...entry, owner, from: `${file}:${lineOf(["commands", index])}` })),
  };
}

function unknownRule(rule: string | undefined): readonly string[] {
  const names = commandRules.map(({ id }) => id);
  if (rule === undefined || names.includes(rule)) return [];
  const guess = closest(rule, names);
  return [`no rule is called ${rule}. ${guess ? `Did you mean ${guess}?` : "`lw guard rules` lists them."}`];
}

function badGlob(path: string | undefined): readonly string[] {
  const problem = path === undefined ? undefined : globProblem(path);
  return problem === undefined ? [] : [`the path ${path} ${problem}`];
}

function placeOf({ place }: SpecText, path: readonly (string | number)[]): number {
  let here = place;
  for (const step of path) {
    const inner = here.inside.get(step);
    if (!inner) return here.at;
    here = inner;
  }
  return here.at;
}
