// A chore: a ready-made loop for one kind of work that comes up again and again, as a few lines of data: each has a verifier that can say no.
import type { Pattern } from "../../contract/pattern.ts";

export interface Template {
  readonly name: string;
  /** What for, as one sentence on one line. */
  readonly purpose: string;
  /** What always holds of what it hands over. */
  readonly invariant: string;
  readonly task: string;
  /** Lines of YAML. */
  readonly trigger: string;
  /** What base has to be, for loops that mend. */
  readonly isForRed?: true;
  /** What a run has to be told. */
  readonly told?: { readonly name: string; readonly about: string };
  readonly verifiers: readonly string[];
  readonly needs?: readonly string[];
}

export const TEST = "{ id: tests, use: command, with: { run: {{test}}, timeout: 15m } }";
export const LINT = "{ id: lint, use: command, with: { run: {{lint}} } }";
export const BUILD = "{ id: build, use: command, with: { run: {{build}}, timeout: 15m } }";
export const TYPES = "{ id: types, use: command, with: { run: {{types}} } }";
/** Links into the repository lead somewhere. */
export const LINKS = "{ id: links, use: measure, with: { links: {} } }";

/** Nothing but these files, which is what a loop about texts may touch. */
export const only = (...globs: readonly string[]): string =>
  `{ id: scope, use: scope, with: { allow: ${JSON.stringify(globs)}, maxFiles: 10 } }`;

/** What a text has to have, and what would show that nobody finished it. */
export const says = (...words: readonly string[]): string =>
  `{ id: says, use: measure, with: { phrases: { require: ${JSON.stringify(words)}, forbid: ["lorem ipsum", "as an AI"] } } }`;

export const DAILY = '{ use: daily, with: { at: "05:30" } }';
export const WEEKLY = '{ use: cron, with: { schedule: "0 6 * * 1" } }';
export const BY_HAND = "{ use: manual }";

const BOUND: { readonly [binding: string]: string } = {
  test: "a command that runs the tests",
  lint: "a command that lints",
  build: "a command that builds",
  types: "a command that checks types",
  coverage: "a command that writes coverage/lcov.info",
};

export function asPattern({ name, purpose, invariant, task, trigger, isForRed, told, verifiers, needs = [] }: Template): Pattern {
  const lines = [
    `name: ${name}`,
    `intent: ${JSON.stringify(purpose)}`,
    "level: L2",
    `trigger: ${trigger}`,
    ...(told ? ["inputs:", `  ${told.name}: { type: text, about: ${JSON.stringify(told.about)}, required: true, longest: 8000 }`] : []),
    `task: ${JSON.stringify(task)}`,
    ...(isForRed ? ["baseline: { want: red }"] : []),
    "maker: { use: {{use}}, with: {{with}} }",
    "verifiers:",
    ...verifiers.map((line) => `  - ${line}`),
    "budget: { rounds: 3, time: 45m, usd: $3.00 }",
  ];
  const commands = Object.entries(BOUND).flatMap(([binding, what]) =>
    verifiers.some((line) => line.includes(`{{${binding}}}`)) ? [what] : [],
  );
  return {
    kind: "template",
    name,
    purpose,
    invariant,
    needs: ["a model that writes", ...commands, ...needs],
    text: `${lines.join("\n")}\n`,
  };
}
