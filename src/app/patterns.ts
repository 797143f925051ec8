// Ready-made loops: which there are, what each is for, what was measured of it, and the text of one with its bindings, ours or as LSS.
import { levelOf } from "../anatomy/level.ts";
import { LoopError } from "../contract/errors.ts";
import { boundText, type MeasuredLoop, type Pattern, type PatternBindings } from "../contract/pattern.ts";
import type { ProductionLoop } from "../contract/production-loop.ts";
import { lssFromSpec } from "../dialects/lss/from-spec.ts";
import { writeLss } from "../dialects/lss/write-lss.ts";
import { patterns } from "../patterns/index.ts";
import { measured } from "../patterns/measured.ts";
import { productionLoops } from "../patterns/production.ts";
import { templates } from "../patterns/templates/index.ts";
import { anatomyOf } from "../spec/anatomy.ts";
import { readSpec } from "../spec/read-spec.ts";
import { closest } from "../std/closest.ts";
import { builtIn } from "./crew.ts";

/** Every ready-made loop, with the family of those that have one. */
const all: readonly (Pattern & { readonly family?: string })[] = [
  ...patterns,
  ...Object.entries(templates).flatMap(([family, loops]) => loops.map((loop) => ({ ...loop, family }))),
];

export interface PatternView extends Omit<Pattern, "text"> {
  /** Of chores: maintenance, delivery, quality, knowledge or cross-functional. */
  readonly family?: string;
  /** Of the taxonomy, as `lw level` finds it: from 1, a single step, to 6, a loop that improves loops. */
  readonly level: number;
  /** Undefined where its text was changed since, or nobody measured it. */
  readonly measured?: MeasuredLoop;
}

/** Loops for daily work, without their texts, which are written for a repository. */
export const listLoops = (): readonly Omit<ProductionLoop, "text">[] => productionLoops.map(({ text: _, ...about }) => about);

export const listPatterns = (): readonly PatternView[] => all.map(viewOf);

function viewOf({ text, ...pattern }: Pattern & { readonly family?: string }): PatternView {
  const found = measured[pattern.name];
  return {
    ...pattern,
    level: levelOf(anatomyOf(specOf(boundText({ text }, DEFAULTS), pattern.name), builtIn)).level,
    ...(found === undefined ? {} : { measured: found }),
  };
}

/** What is bound where nobody says otherwise. The judge is not the model that writes. */
const DEFAULTS: PatternBindings = {
  use: "anthropic",
  with: { model: "claude-sonnet-4-5" },
  judge: { provider: "anthropic", model: "claude-opus-4-1" },
  test: "npm test",
  lint: "npm run lint",
  build: "npm run build",
  types: "npx tsc --noEmit",
  coverage: "npm run coverage",
};

export interface WrittenPattern {
  readonly pattern: PatternView;
  readonly text: string;
  /** What the form that it is written in has no words for. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

export function writePattern(name: string, bindings: Partial<PatternBindings> = {}): WrittenPattern {
  const found = patternCalled(name);
  const head = `# ${found.purpose}\n# What always holds: ${found.invariant}\n# It needs: ${found.needs.join("; ")}.\n`;
  return { pattern: viewOf(found), text: `${head}${boundText(found, { ...DEFAULTS, ...bindings })}`, left: [] };
}

/** As a document of the Loop Specification Standard. */
export function writePatternAsLss(name: string, bindings: Partial<PatternBindings> = {}): WrittenPattern {
  const found = patternCalled(name);
  const { document, left } = lssFromSpec(specOf(boundText(found, { ...DEFAULTS, ...bindings }), name));
  return { pattern: viewOf(found), text: writeLss(document, "1.0", "yaml").text, left };
}

function specOf(text: string, name: string) {
  const reading = readSpec(`${name}.loop.yaml`, text, builtIn);
  if (reading.kind === "read") return reading.spec;
  const [first] = reading.problems;
  throw new LoopError("bad-input", `${name} is no sound spec with these bindings: ${first?.path}: ${first?.problem}`, {
    retry: "never",
    hint: first?.instead ?? "Give other bindings.",
  });
}

function patternCalled(name: string): Pattern & { readonly family?: string } {
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new LoopError("bad-input", `there is no pattern called ${name}`, {
    retry: "never",
    hint: hintFor(name, names),
  });
}

function hintFor(name: string, names: readonly string[]): string {
  if (productionLoops.some((loop) => loop.name === name))
    return `It is written for a repository: \`lw init --pattern ${name} --dry-run\` shows it.`;
  const guess = closest(name, names);
  return guess ? `Did you mean ${guess}?` : `There is: ${names.join(", ")}.`;
}
