// The same tests of the same commit under other surroundings: a verdict that changes with them is a gap, and proves nothing.
import * as z from "zod";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import { defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import type { Checkout } from "../contract/workshop.ts";
import { tellNames } from "../std/tell-tests.ts";
import { ASK_MEANS, CONDITIONS, type Condition, chooseConditions, type Means, readMeans } from "./conditions.ts";
import { LOOK_AT_BASE } from "./look-at-base.ts";
import { RUN_OPTIONS, type RunOptions, runTests, sightOf, type TestRun } from "./run-tests.ts";

export const isomorphic = defineCommitVerifier({
  name: "isomorphic",
  kind: "proof",
  summary:
    "Holds when the tests say the same under another path, time zone, locale, order, clock, user, parent process and so on; else there is a gap.",
  options: z.strictObject({
    ...RUN_OPTIONS,
    conditions: z
      .array(z.enum(CONDITIONS))
      .min(1)
      .default([...CONDITIONS])
      .meta({
        description: "What to change, one after the other, each in a fresh copy. Every one costs a run of the tests, some two or three.",
        examples: [["again", "path", "timezone"]],
      }),
  }),
  baseline: LOOK_AT_BASE,
  async verify({ checkout, quarantined = [] }, options, world) {
    const usual = await runTests(() => checkout, options, world);
    const sight = sightOf(usual, options, quarantined);
    if (sight.outcome !== "holds") return { ...sight, detail: `under the usual conditions ${sight.detail}` };

    const goFlags = options.inherit.includes("GOFLAGS") ? world.env.get("GOFLAGS") : undefined;
    const means = await askMeans(checkout.work, options, world);
    const { conditions, leftOut } = chooseConditions(options.conditions, { means, run: options.run, pinned: options.env, goFlags });
    for (const condition of conditions) {
      const other = await runUnder(condition, options, world);
      const difference = differenceOf(condition, { usual, other }, options, quarantined);
      if (difference) return difference;
    }
    if (conditions.length === 0) return { ...sight, outcome: "unknown", detail: `no condition could be changed: ${leftOut.join("; ")}` };
    const missed = leftOut.length === 0 ? "" : `\nnot tried: ${leftOut.join("; ")}`;
    return { ...sight, detail: `the same under ${conditions.length} changed conditions: ${sight.detail}${missed}` };
  },
});

/** What cannot be told is not there. */
async function askMeans(cwd: string, { conditions }: { readonly conditions: readonly string[] }, world: VerifierWorld): Promise<Means> {
  if (!conditions.some((name) => name === "clock" || name === "locale" || name === "parent")) return readMeans("");
  const path = world.env.get("PATH");
  const { tail } = await world.proc.run({ run: ASK_MEANS, cwd, env: path === undefined ? {} : { PATH: path }, timeoutMs: 10_000 });
  return readMeans(tail);
}

/** In a room of its own, which is thrown away again: there may be many, and each holds all that the tests need. */
async function runUnder({ room, env, wrap }: Condition, options: RunOptions, world: VerifierWorld): Promise<TestRun> {
  const opened: Checkout[] = [];
  const open = async (): Promise<Checkout> => {
    const fresh = await world.rooms.open({ of: "proposal", ...room });
    opened.push(fresh);
    return fresh;
  };
  const run = await runTests(open, options, world, { run: wrap(options.run), env });
  for (const used of opened) await world.rooms.discard(used);
  return run;
}

/** Undefined when the run says the same as under the usual conditions. */
function differenceOf(
  { what }: Condition,
  { usual, other }: { readonly usual: TestRun; readonly other: TestRun },
  options: RunOptions,
  quarantined: readonly string[],
): Sight | undefined {
  const sight = sightOf(other, options, quarantined);
  if (sight.outcome === "unknown" && !isRed(other)) return { ...sight, detail: `with ${what} it cannot be told: ${sight.detail}` };
  if (sight.outcome !== "holds")
    return { ...sight, outcome: "gap", detail: `holds under the usual conditions, and not with ${what}: ${sight.detail}` };
  const [before, now] = [passedIn(usual), passedIn(other)];
  const apart = new Set(quarantined);
  const changed = [...[...before].filter((id) => !now.has(id)), ...[...now].filter((id) => !before.has(id))].filter((id) => !apart.has(id));
  return changed.length === 0
    ? undefined
    : {
        ...sight,
        outcome: "gap",
        detail: `with ${what} other tests pass than under the usual conditions (${changed.length}): ${tellNames(changed)}`,
      };
}

const passedIn = (run: TestRun): ReadonlySet<string> =>
  new Set(run.kind === "exited" ? run.results?.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id) : []);

/** Something failed, even if its exit code and its results do not agree on what. */
const isRed = (run: TestRun): boolean =>
  run.kind === "exited" && (run.code !== 0 || (run.results?.tests ?? []).some(({ outcome }) => outcome === "failed"));
