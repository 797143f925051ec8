// Test runners of others, where a folder with them is at hand: `npm install jest mocha` there, and its path in LOOPWRIGHT_RUNNERS.
import { existsSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.LOOPWRIGHT_RUNNERS;

/** The program of a runner; undefined where it is not at hand. */
export function runnerAt(name: "jest" | "mocha"): string | undefined {
  if (folder === undefined) return undefined;
  const program = join(folder, "node_modules", name, "bin", `${name}.js`);
  return existsSync(program) ? program : undefined;
}

export const whyNoRunner = "no such runner at hand: set LOOPWRIGHT_RUNNERS";
