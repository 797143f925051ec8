// What the standard's schemas ask for only where something else stands beside it.

import { type Path, quoted } from "../../spec/path.ts";
import type { RuleComplaint } from "../placed-problems.ts";
import { fieldsOf, listOf, textOf } from "../values.ts";
import { MERGES } from "./document.ts";

export function conditionsUnmet(value: unknown): readonly RuleComplaint[] {
  const root = fieldsOf(value);
  const memory = fieldsOf(root.memory);
  const ends = root.termination_conditions;
  const composition = fieldsOf(root.composition);
  return [
    ...Object.entries(fieldsOf(fieldsOf(root.inputs).schema)).flatMap(([name, field]) =>
      fieldsOf(field).type === "enum" && fieldsOf(field).values === undefined
        ? [missing(["inputs", "schema", name, "values"], "is missing from an enum", "Add it, e.g. `values: [low, high]`.")]
        : [],
    ),
    ...(memory.type === "persistent" && (memory.backend === undefined || memory.backend === null)
      ? [missing(["memory", "backend"], "is missing from persistent memory", "Write one of: redis, postgres, vector, composite.")]
      : []),
    ...listOf(fieldsOf(ends).failure).flatMap((end, index) =>
      fieldsOf(end).type === "max_iterations" && fieldsOf(end).value === undefined
        ? [missing(["termination_conditions", "failure", index, "value"], "is missing", "Add how many, e.g. `value: 8`.")]
        : [],
    ),
    ...(isMap(ends) && ["success", "failure", "stall"].every((list) => listOf(fieldsOf(ends)[list]).length === 0)
      ? [missing(["termination_conditions"], "the loop has no end", "Add at least one of success, failure and stall, with an entry.")]
      : []),
    ...(composition.type === "parallel" && composition.merge === undefined
      ? [missing(["composition", "merge"], "is missing from a parallel composition", "Add it, e.g. `merge: {strategy: all_pass}`.")]
      : []),
    ...mergeUnknown(textOf(fieldsOf(composition.merge).strategy)),
  ];
}

function mergeUnknown(strategy: string | undefined): readonly RuleComplaint[] {
  if (strategy === undefined || MERGES.some((known) => known === strategy)) return [];
  const path = ["composition", "merge", "strategy"];
  const instead = `Write one of: ${MERGES.join(", ")}.`;
  return [{ code: "unknown-value", path, about: "value", problem: `unknown value ${quoted(strategy)}`, instead }];
}

const isMap = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const missing = (path: Path, problem: string, instead: string): RuleComplaint => ({
  code: "missing",
  path,
  about: "value",
  problem,
  instead,
});
