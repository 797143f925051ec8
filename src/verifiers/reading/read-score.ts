// Figures that a command wrote as JSON: a score, values by name, what is wrong and what would help.
import * as z from "zod";
import type { Measured } from "../../contract/measuring.ts";
import { untrustedText } from "../../contract/text.ts";
import { isNestedDeeper } from "../../std/json-depth.ts";
import { jsonObjectIn } from "../../std/json-in-text.ts";

const MOST_CHARS = 1024 * 1024;
const MOST_DEPTH = 20;

const Score = z
  .object({
    score: z.number().min(0).max(1).optional(),
    passed: z.boolean().optional(),
    values: z
      .record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), z.number().min(-1e12).max(1e12))
      .refine((values) => Object.keys(values).length <= 50)
      .optional(),
    codes: z.array(z.string().min(1).max(200)).max(50).optional(),
    hints: z.array(z.string().min(1).max(1000)).max(20).optional(),
  })
  .refine(({ score, passed }) => score !== undefined || passed !== undefined, { error: "it has neither `score` nor `passed`" });

export type ScoreReading =
  | { readonly kind: "read"; readonly passed: boolean | undefined; readonly measured: Measured }
  | { readonly kind: "unreadable"; readonly why: string };

/** `whole`: the text is the JSON and nothing else; `printed`: the last object in it counts. */
export function readScore(text: string, how: "whole" | "printed"): ScoreReading {
  if (text.length > MOST_CHARS) return { kind: "unreadable", why: "its figures are longer than a mebibyte" };
  if (isNestedDeeper(text, MOST_DEPTH)) return { kind: "unreadable", why: `its figures are nested deeper than ${MOST_DEPTH}` };
  const value = how === "printed" ? jsonObjectIn(text) : parsed(text);
  if (value === undefined) return { kind: "unreadable", why: "it gave no JSON object with figures" };
  const read = Score.safeParse(value);
  if (!read.success) return { kind: "unreadable", why: `its figures cannot be read: ${z.prettifyError(read.error).slice(0, 300)}` };
  const { passed, hints, score, values, codes } = read.data;
  const measured = {
    ...(score === undefined ? {} : { score }),
    ...(values ? { values } : {}),
    ...(codes ? { codes } : {}),
    ...(hints ? { hints: hints.map(untrustedText) } : {}),
  };
  return { kind: "read", passed, measured };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON is an answer here, not a failure
  }
}
