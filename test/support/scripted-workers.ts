// A scripted model that is told apart by what it is asked: a worker of a team by its name, a judge by its rubric.
import type { Asked, Script, ScriptedReply } from "./model-server.ts";

export interface Turn {
  /** How often this worker, or this judge, was asked before, and now: counted from 1. */
  readonly nth: number;
  readonly words: string;
  readonly asked: Asked;
}

export interface Roles {
  /** What a worker hands over, as a text or as what it does. */
  readonly worker: (id: string, turn: Turn) => string | ScriptedReply;
  /** The mark that a judge gives all of its dimensions, or an answer that is none. */
  readonly judge: (dimensions: readonly string[], turn: Turn) => number | string;
}

export const HINT = "Say which file it is about.";

export function playing({ worker, judge }: Roles): Script {
  const counts = new Map<string, number>();
  const count = (key: string): number => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key)!;
  };
  return (asked) => {
    const { words, body } = asked;
    const question = /question is ([0-9a-f]{24})/.exec(words)?.[1];
    if (question !== undefined) {
      const dimensions = dimensionsIn(body);
      const mark = judge(dimensions, { nth: count(`judge ${dimensions.join()}`), words, asked });
      if (typeof mark === "string") return { kind: "text", text: mark };
      const marks = Object.fromEntries(dimensions.map((dimension) => [dimension, mark]));
      return { kind: "text", text: JSON.stringify({ question, marks, hints: [HINT] }) };
    }
    const id = /# [a-z0-9_.-]+: ([a-z][a-z0-9_-]*)\n/.exec(words)?.[1] ?? "";
    const given = worker(id, { nth: count(`worker ${id}`), words, asked });
    return typeof given === "string" ? { kind: "text", text: given } : given;
  };
}

/** The names of the marks that are asked for, wherever a wire puts the schema, and in whatever order. */
function dimensionsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes('"marks"') ? dimensionsIn(parsed(value)) : [];
  if (typeof value !== "object" || value === null) return [];
  const { required } = Object(Object(value).marks);
  if (Array.isArray(required)) return required;
  return (
    Object.values(value)
      .map(dimensionsIn)
      .find((found) => found.length > 0) ?? []
  );
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a text that only speaks of it
  }
};
