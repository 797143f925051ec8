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
  /** What it reads besides git: a forge, or what package managers tell. */
  readonly reads: "repository" | "forge" | "dependencies";
  /**
   * The spec, with {{base}} where the branch goes, {{place}} where the options go that name the forge's repository, and {{dependencies}}
   * where what is gathered goes: each of the repository's package managers.
   */
  readonly text: string;
}
