// Which means of this machine can box commands; tests that need one are run with each, and skipped by name where there is none.
import { join } from "node:path";
import { describe } from "vitest";
import type { BoxWish } from "../../src/contract/commands.ts";
import { type BoxAbout, type BoxMeans, createBox, type LinuxMeans } from "../../src/world/box/box.ts";

const env = { get: (name: string) => process.env[name] };
const nowhere = join("/nonexistent", "loopwright");

const means = await createBox(nowhere, env).means();

/** What a run of `lw` uses here. */
export const usedMeans = means.kind;
export const canBox = means.kind !== "none";
/** Whether a box has a network of its own. */
export const isOfLinux = means.kind === "bubblewrap" || means.kind === "namespaces";

/** Each that this machine has: what holds for one must hold for all. */
const had: readonly Exclude<BoxMeans["kind"], "none">[] =
  process.platform === "linux"
    ? (
        await Promise.all(
          (["bubblewrap", "namespaces"] as const).map(async (each) =>
            (await createBox(nowhere, env, { means: [each] }).means()).kind === "none" ? [] : [each],
          ),
        )
      ).flat()
    : means.kind === "none"
      ? []
      : [means.kind];

/** For `createBox`: this one and no other. */
export const only = (kind: string): Pick<BoxAbout, "means"> =>
  kind === "bubblewrap" || kind === "namespaces" ? { means: [kind satisfies LinuxMeans] } : {};

/** A group of tests in a box; where there is none its name says why they were skipped. */
export const describeBoxed = (name: string, tests: () => void): void => {
  if (means.kind === "none") describe.skip(`${name} (skipped: no box: ${means.why})`, tests);
  else describe(name, tests);
};

/** The same with every means that this machine has. */
export const describeEachBox = (name: string, tests: (kind: Exclude<BoxMeans["kind"], "none">) => void): void => {
  if (means.kind === "none") describe.skip(`${name} (skipped: no box: ${means.why})`, () => tests("bubblewrap"));
  for (const kind of had) describe(`${name}, by ${kind}`, () => tests(kind));
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
