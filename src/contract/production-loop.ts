// Loops for daily work, as data: what each does, needs and costs, and the spec that `lw init --pattern` writes.
import type { LoopSpec } from "./spec.ts";

export interface ProductionLoop {
  readonly name: string;
  /** What it does, as a sentence. */
  readonly does: string;
  readonly needs: readonly string[];
  readonly costs: string;
  readonly level: LoopSpec["level"];
  /** Why it is of that level. */
  readonly why: string;
  /** Whether it reads a forge. */
  readonly readsForge: boolean;
  /** The spec, with {{base}} where the branch goes, and {{place}} where the options go that name the forge's repository. */
  readonly text: string;
}
