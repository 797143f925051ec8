// A detector: one thing that can be wrong with a loop although its spec is sound, as data with the examples that prove it.
import type { Anatomy, AnatomyNode } from "../contract/anatomy.ts";
import type { Registries } from "../contract/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { Sketch } from "../dialects/lss/sketch.ts";
import type { CommandLine } from "../guard/command/call.ts";
import type { Path } from "../spec/path.ts";
import type { Doubt } from "../spec/rules.ts";

/** The ways in which loops fail, by the numbers that the Loop Specification Standard gives them. */
export const FAILURES = {
  F1: "open loop: nothing that it sees comes back to whoever works",
  F2: "self-grading: whoever made it says that it is good",
  F3: "drifting checks: what is asked of the work changes meanwhile",
  F4: "no end: nothing bounds it",
  F5: "false pass: wrong work counts as right",
  F6: "false fail: right work counts as wrong",
  F7: "oscillation: it goes back and forth, or ends by chance",
  F8: "resource bleed: it spends more than it should, or cannot keep what it is held to",
  F9: "corrupted state: two write the same thing",
  F10: "deadlock and dead ends: somebody is waited for in vain, or works for nobody",
  F11: "meta instability: it changes itself, and nobody holds it",
  F12: "safety bypass: what should be stopped is not",
} as const;
export type Failure = keyof typeof FAILURES;

/** `error` and `warning` are exit 1; a `note` is only told. */
export type Weight = "error" | "warning" | "note";

/** One thing that a detector saw. */
export interface Flaw {
  readonly path: Path;
  readonly problem: string;
  readonly instead: string;
  /** What to write at a path where that is certain: it only tightens, or says what holds anyway. */
  readonly fix?: { readonly path: Path; readonly value: string | number | boolean };
  /** Where it weighs other than its detector usually does. */
  readonly weight?: Weight;
}

/** A command that a check runs, and what it does as far as it can be understood. */
export interface CheckCommand {
  readonly path: Path;
  readonly run: string;
  readonly line: CommandLine;
}

/** What is looked at: the same of every dialect, and what only one of them says. */
export interface Subject {
  readonly anatomy: Anatomy;
  /** Where a part of it stands in its file. */
  readonly pathOf: (node: AnatomyNode) => Path;
  readonly commands: readonly CheckCommand[];
  readonly ours: Ours | undefined;
  readonly lss: Sketch | undefined;
}

export interface Ours {
  readonly spec: LoopSpec;
  /** As it was written, without what was left out. */
  readonly written: unknown;
  readonly doubts: readonly Doubt[];
  readonly registries: Registries;
}

/** An example is what differs from a good loop, by its keys. */
export type Example = { readonly ours: { readonly [key: string]: unknown } } | { readonly lss: { readonly [key: string]: unknown } };

export interface Detector {
  readonly id: string;
  readonly failure: Failure;
  readonly weight: Weight;
  /** What is wrong, in a sentence. */
  readonly why: string;
  readonly find: (subject: Subject) => readonly Flaw[];
  readonly examples: { readonly flags: readonly Example[]; readonly passes: readonly Example[] };
}

/** Asked of our specs alone. */
export const ofOurs =
  (find: (ours: Ours) => readonly Flaw[]): Detector["find"] =>
  ({ ours }) =>
    ours ? find(ours) : [];

/** Asked of documents of the standard alone. */
export const ofLss =
  (find: (sketch: Sketch) => readonly Flaw[]): Detector["find"] =>
  ({ lss }) =>
    lss ? find(lss) : [];
