// The marks that a judge gives by a rubric: what it must answer, whether what it answered is that, and what several come to. Pure.
import * as z from "zod";
import type { JsonSchema, ModelReply } from "../../contract/models.ts";
import { soleJson } from "../../std/json-in-text.ts";

export interface Rubric {
  readonly dimensions: {
    readonly [name: string]: { readonly weight: number; readonly scale: readonly [number, number]; readonly criteria: string };
  };
  readonly threshold: number;
  readonly how: "weighted" | "min" | "veto";
}

/** Each dimension from 0 to 1. */
export interface Marks {
  readonly marks: { readonly [dimension: string]: number };
  readonly hints: readonly string[];
}

export type MarksReading = { readonly kind: "read"; readonly marks: Marks } | { readonly kind: "unreadable"; readonly why: string };

export const marksSchema = ({ dimensions }: Pick<Rubric, "dimensions">): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  required: ["question", "marks", "hints"],
  properties: {
    question: { type: "string" },
    marks: {
      type: "object",
      additionalProperties: false,
      required: Object.keys(dimensions),
      properties: Object.fromEntries(Object.keys(dimensions).map((name) => [name, { type: "number" }])),
    },
    hints: { type: "array", items: { type: "string" } },
  },
});

const Answer = z.strictObject({
  question: z.string(),
  marks: z.record(z.string(), z.number()),
  hints: z.array(z.string().max(4000)).max(50),
});

/** One JSON value and nothing else, to this question, with every mark on its scale. */
export function readMarks(said: ModelReply["said"], nonce: string, { dimensions }: Pick<Rubric, "dimensions">): MarksReading {
  const value = said.kind === "answer" ? said.value : said.kind === "text" ? soleJson(said.text) : undefined;
  const read = Answer.safeParse(value);
  if (!read.success) return unreadable("it gave no single answer of the shape that was asked for");
  const { question, marks, hints } = read.data;
  if (question !== nonce) return unreadable("its answer is to another question");
  const names = Object.keys(dimensions);
  if (Object.keys(marks).length !== names.length || !names.every((name) => Object.hasOwn(marks, name)))
    return unreadable("it gave marks for other dimensions than were asked for");
  const off = names.find((name) => !isOn(marks[name], dimensions[name]?.scale ?? [0, 1]));
  if (off !== undefined) return unreadable(`its mark for ${off} is not on the scale`);
  const scaled = names.map((name) => {
    const [low, high] = dimensions[name]?.scale ?? [0, 1];
    return [name, ((marks[name] ?? low) - low) / (high - low)] as const;
  });
  return { kind: "read", marks: { marks: Object.fromEntries(scaled), hints: hints.filter((hint) => hint.trim() !== "") } };
}

const isOn = (mark: number | undefined, [low, high]: readonly [number, number]): boolean =>
  mark !== undefined && mark >= low && mark <= high;

const unreadable = (why: string): MarksReading => ({ kind: "unreadable", why });

export interface Weighed {
  readonly score: number;
  /** The median of each dimension. */
  readonly dimensions: { readonly [name: string]: number };
  readonly low: number;
  readonly high: number;
  /** Dimensions below the threshold. */
  readonly missed: readonly string[];
}

export function weighMarks(answers: readonly Marks[], rubric: Rubric): Weighed {
  const names = Object.keys(rubric.dimensions);
  const scores = answers.map(({ marks }) => scoreOf(marks, rubric));
  const dimensions = Object.fromEntries(names.map((name) => [name, median(answers.map(({ marks }) => marks[name] ?? 0))]));
  return {
    score: median(scores),
    dimensions,
    low: Math.min(...scores),
    high: Math.max(...scores),
    missed: names.filter((name) => (dimensions[name] ?? 0) < rubric.threshold),
  };
}

function scoreOf(marks: Marks["marks"], { dimensions, how }: Rubric): number {
  const all = Object.entries(dimensions).map(([name, { weight }]) => ({ weight, mark: marks[name] ?? 0 }));
  if (how === "min") return Math.min(...all.map(({ mark }) => mark));
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  return all.reduce((sum, { weight, mark }) => sum + weight * mark, 0) / total;
}

/** Of an even number, the lower middle: doubt counts against. */
const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[Math.floor((figures.length - 1) / 2)] ?? 0;
