// What comes of reading a spec: the spec and its hash, or everything that is wrong with it, and where.
import type { LoopSpec } from "../contract/spec.ts";

export interface SpecProblem {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly path: string;
  readonly problem: string;
  readonly instead: string;
}

export type SpecReading =
  | { readonly kind: "read"; readonly spec: LoopSpec; readonly hash: string; readonly warnings: readonly SpecProblem[] }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };
