// What a spec takes out of a worker's result: figures for its metrics, and words that somebody else is told. Pure.
import { OF_A_WORKER } from "../contract/measuring.ts";
import type { WorkerFact } from "../contract/proposal.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";

type Asking = Pick<LoopSpec, "metrics" | "feedback">;

/** By an estimate, as everywhere. */
export const CHARS_A_TOKEN = 3;
export const MOST_TOLD_TOKENS = 1000;

/** What metrics ask for of this worker: fields of its result, and what was counted. */
const fieldsOf = ({ metrics = {} }: Asking, id: string): readonly string[] =>
  Object.values(metrics).flatMap(({ from }) => (from.startsWith(`${id}.`) ? [from.slice(id.length + 1)] : []));

/** What is on record of a result besides its bytes, so that what follows from it needs no file. */
export function takeFields(spec: Asking, id: string, text: string): Pick<WorkerFact, "figures" | "says"> {
  const value = parsed(text);
  const figures = fieldsOf(spec, id).flatMap((field) => {
    const found = figureOf(at(value, field));
    return found === undefined || Object.hasOwn(OF_A_WORKER, field) ? [] : [[field, found] as const];
  });
  const rules = (spec.feedback ?? []).filter(({ from }) => from === id);
  const says = rules.flatMap(({ tell, most = MOST_TOLD_TOKENS }) =>
    tell.flatMap((field) => {
      const words = field === "raw" ? text : wordsOf(at(value, field));
      return words === undefined ? [] : [[field, untrustedText(words.slice(0, most * CHARS_A_TOKEN))] as const];
    }),
  );
  return {
    ...(figures.length > 0 ? { figures: Object.fromEntries(figures) } : {}),
    ...(says.length > 0 ? { says: longest(says) } : {}),
  };
}

/** Two rules may ask for the same field, each for as much of it as it may tell. */
function longest(says: readonly (readonly [string, Untrusted])[]): { readonly [field: string]: Untrusted } {
  return Object.fromEntries(says.toSorted(([, one], [, other]) => one.length - other.length));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What lies at a way of names through maps; nothing else is walked through. */
function at(value: unknown, way: string): unknown {
  return way.split(".").reduce<unknown>((inner, name) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner) || !Object.hasOwn(inner, name)) return undefined;
    return Reflect.get(inner, name);
  }, value);
}

const figureOf = (value: unknown): number | undefined => {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

function wordsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((one) => `- ${typeof one === "string" ? one : JSON.stringify(one)}`).join("\n");
  return JSON.stringify(value);
}
