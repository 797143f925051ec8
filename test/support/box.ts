// Whether this machine can box commands; tests that need it are skipped by name where it cannot.
import { join } from "node:path";
import { describe } from "vitest";
import type { BoxWish } from "../../src/contract/commands.ts";
import { createBox } from "../../src/world/box/box.ts";

const means = await createBox(join("/nonexistent", "loopwright"), { get: (name) => process.env[name] }).means();

export const canBox = means.kind !== "none";
export const isBubblewrap = means.kind === "bubblewrap";

/** A group of tests in a box; where there is none its name says why they were skipped. */
export const describeBoxed = (name: string, tests: () => void): void => {
  if (means.kind === "none") describe.skip(`${name} (skipped: ${means.why})`, tests);
  else describe(name, tests);
};

/** The strictest box around a few places. */
export const wishFor = (rooms: readonly string[], about: Partial<BoxWish> = {}): BoxWish => ({
  when: "required",
  network: "closed",
  rooms,
  needs: [],
  reads: [],
  writes: [],
  hidden: [],
  folder: "/",
  ...about,
});
