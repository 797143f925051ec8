// Ready-made patterns: which there are, what each is for, and the text of one with its bindings.

import { LoopError } from "../contract/errors.ts";
import { boundText, type Pattern, type PatternBindings } from "../contract/pattern.ts";
import { patterns } from "../patterns/index.ts";
import { closest } from "../std/closest.ts";

export interface PatternView extends Omit<Pattern, "text"> {}

export const listPatterns = (): readonly PatternView[] => patterns.map(({ text: _, ...view }) => view);

/** What is bound where nobody says otherwise. The judge is not the model that writes. */
const DEFAULTS: PatternBindings = {
  use: "anthropic",
  with: { model: "claude-sonnet-4-5" },
  judge: { provider: "anthropic", model: "claude-opus-4-1" },
  test: "npm test",
};

export function writePattern(
  name: string,
  bindings: Partial<PatternBindings> = {},
): { readonly pattern: PatternView; readonly text: string } {
  const found = patterns.find((one) => one.name === name);
  if (!found) {
    const names = patterns.map((one) => one.name);
    const guess = closest(name, names);
    throw new LoopError("bad-input", `there is no pattern called ${name}`, {
      retry: "never",
      hint: guess ? `Did you mean ${guess}?` : `There is: ${names.join(", ")}.`,
    });
  }
  const { text, ...pattern } = found;
  const head = `# ${pattern.purpose}\n# What always holds: ${pattern.invariant}\n# It needs: ${pattern.needs.join("; ")}.\n`;
  return { pattern, text: `${head}${boundText({ text }, { ...DEFAULTS, ...bindings })}` };
}
