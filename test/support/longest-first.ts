// Which test files begin first: those that take longest, so that at the end no worker is alone with one of them.
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In this order, and before all others; of what is not named the larger file goes first. Nothing but time depends on it. */
const LONGEST = [
  "src/world/process/proc.test.ts",
  ...[
    "lss-library-runs",
    "crash",
    "patterns",
    "lss-core-runs",
    "action",
    "small-disk",
    "box",
    "model-makers",
    "run-cli",
    "receipts",
    "concurrency",
    "always-on",
    "judge",
    "tampering",
    "decisions",
    "referee",
    "waking",
    "ends",
    "kills",
    "cheats",
    "serve",
    "webhooks",
  ].map((name) => `test/e2e/${name}.test.ts`),
];

/** The runner wants a class. A worker goes on with files of its own project only, so that these stay together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
