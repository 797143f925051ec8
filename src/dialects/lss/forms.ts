// Tells by its shape whether a value is meant as LSS, and in which of its forms.
import { type Fields, fieldsOf, listOf } from "../values.ts";

/** `old`: the loose dialect with lists of ends that was there before the schema. `min`: what is left for a system prompt. */
export type LssForm = "1.0" | "1.1" | "old" | "min";

/** Whether somebody meant this as LSS. Sound or not is for the reader to say. */
export function looksLikeLss(value: unknown): boolean {
  const root = fieldsOf(value);
  if (OURS.some((key) => Object.hasOwn(root, key))) return false;
  const { schema_version, lss_extension } = fieldsOf(root.metadata);
  return (
    Object.hasOwn(root, "loop_name") ||
    schema_version !== undefined ||
    lss_extension !== undefined ||
    THEIRS.filter((key) => Object.hasOwn(root, key)).length >= 2
  );
}

export function formOf(value: unknown): LssForm {
  const root = fieldsOf(value);
  if (isOld(root)) return "old";
  if (isMin(root)) return "min";
  const { schema_version } = fieldsOf(root.metadata);
  return root.composition !== undefined || (typeof schema_version === "string" && schema_version.startsWith("1.1")) ? "1.1" : "1.0";
}

/** A text without any of these words is not looked at further. */
export const MENTIONED = /loop_name|schema_version|lss_extension|evaluators|feedback_channels|termination_conditions|workers|cost_limits/;

/** Keys that every spec of ours has, and none of theirs. */
const OURS = ["intent", "maker", "team", "level"];

const THEIRS = [
  "objective",
  "workers",
  "evaluators",
  "feedback_channels",
  "optimization_strategy",
  "termination_conditions",
  "safety_constraints",
  "cost_limits",
  "composition",
];

const OLD_LIMITS = ["max_iterations", "max_tokens", "max_total_tokens", "max_cost_usd"];

function isOld(root: Fields): boolean {
  return (
    Array.isArray(root.termination_conditions) ||
    OLD_LIMITS.some((key) => Object.hasOwn(fieldsOf(root.cost_limits), key)) ||
    listOf(root.evaluators).some((evaluator) => ["test_suite", "command"].includes(String(fieldsOf(evaluator).type)))
  );
}

/** What a whole document has and a cut one has not. */
const LEFT_OUT = ["version", "inputs", "memory", "feedback_channels", "metrics", "cost_limits", "composition", "metadata"];

const isMin = (root: Fields): boolean =>
  ["loop_name", "objective", "workers", "evaluators", "termination_conditions"].every((key) => Object.hasOwn(root, key)) &&
  !LEFT_OUT.some((key) => Object.hasOwn(root, key));
