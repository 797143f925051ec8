// Writes documents of the Loop Specification Standard, and says what a form has no room for.
import type { Path } from "../../spec/path.ts";
import { inNotation, type Notation } from "../notation.ts";
import type { LssDocument, LssMin } from "./document.ts";

export interface Written {
  readonly text: string;
  /** What the form has no room for, by its place in the document. */
  readonly lost: readonly { readonly path: Path; readonly why: string }[];
}

/** Everything that a document says; what is read of the text is the document again. */
export function writeLss(document: LssDocument, form: "1.0" | "1.1", notation: Notation): Written {
  const { composition, ...rest } = document;
  if (form === "1.1" || composition === undefined) return { text: inNotation(document, notation), lost: [] };
  return {
    text: inNotation(rest, notation),
    lost: [{ path: ["composition"], why: "1.0 has no compositions: without its children this is another loop" }],
  };
}

/** What is left for a system prompt. */
export function writeLssMin(document: LssDocument): Written {
  return { text: inNotation(asMin(document), "json"), lost: leftOut(document) };
}

function asMin({ loop_name, objective, workers, evaluators, termination_conditions, ...rest }: LssDocument): LssMin {
  const { optimization_strategy, safety_constraints } = rest;
  return {
    loop_name,
    objective: firstLine(objective),
    workers: workers.map(({ id, role, inputs, outputs, model }) => ({ id, role, inputs, outputs, model })),
    evaluators: evaluators.map((evaluator) => ({
      id: evaluator.id,
      type: evaluator.type,
      runs_after: evaluator.runs_after,
      ...(evaluator.type === "llm_rubric" ? { rubric: evaluator.rubric } : {}),
      ...(evaluator.type === "deterministic" ? { implementation: evaluator.implementation } : {}),
    })),
    termination_conditions,
    optimization_strategy: { type: optimization_strategy.type, max_steps: optimization_strategy.max_steps },
    safety_constraints: safety_constraints
      .slice(0, MOST_CONSTRAINTS)
      .map(({ id, type, action, severity }) => ({ id, type, action, ...(severity === undefined ? {} : { severity }) })),
  };
}

const MOST_CONSTRAINTS = 4;
const LONGEST_OBJECTIVE = 280;

const firstLine = (objective: string): string => {
  const line = objective.split("\n").find((text) => text.trim() !== "") ?? objective;
  return line.trim().slice(0, LONGEST_OBJECTIVE).toWellFormed() || "?";
};

function leftOut(document: LssDocument): Written["lost"] {
  const kept = ["loop_name", "objective", "workers", "evaluators", "termination_conditions", "optimization_strategy", "safety_constraints"];
  return [
    ...Object.keys(document)
      .filter((key) => !kept.includes(key))
      .map((key) => ({ path: [key], why: "LSS-min has no such field" })),
    ...(firstLine(document.objective) === document.objective ? [] : [{ path: ["objective"], why: "only its first line is kept" }]),
    ...document.workers.flatMap(({ depends_on, tools, timeout_seconds, retries, cost_budget_usd }, index) =>
      Object.entries({ depends_on, tools, timeout_seconds, retries, cost_budget_usd })
        .filter(([, value]) => value !== undefined)
        .map(([key]) => ({ path: ["workers", index, key], why: "LSS-min keeps id, role, inputs, outputs and model" })),
    ),
    ...document.safety_constraints
      .slice(MOST_CONSTRAINTS)
      .map((_, index) => ({ path: ["safety_constraints", MOST_CONSTRAINTS + index], why: "LSS-min keeps the first four" })),
  ];
}
