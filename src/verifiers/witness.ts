// Red on base, green on the proposal: the tests themselves bear witness that the change did something, and broke nothing.
import * as z from "zod";
import { defineCommitVerifier } from "../contract/verifier.ts";
import type { Checkout } from "../contract/workshop.ts";
import { tellNames } from "../std/tell-tests.ts";
import { LOOK_AT_BASE } from "./look-at-base.ts";
import { RUN_OPTIONS, runTests } from "./run-tests.ts";
import { weighWitness } from "./weigh-witness.ts";

export const witness = defineCommitVerifier({
  name: "witness",
  kind: "proof",
  summary:
    "Holds when a test that failed on base passes on the proposal, none is red any more, and no test broke, went away or is skipped since.",
  options: z.strictObject({
    ...RUN_OPTIONS,
    expect: z
      .enum(["fixed", "progress", "unchanged"])
      .default("fixed")
      .meta({
        description:
          "fixed: at least one test fails without the change and passes with it, and none is red any more. progress: some may stay red; what holds then is a part, which is said everywhere, is never exit 0 and never acts alone. unchanged: for refactorings, where only nothing may break.",
        examples: ["fixed"],
      }),
  }),
  baseline: LOOK_AT_BASE,
  async verify({ checkout, quarantined }, options, world) {
    const { rooms } = world;
    const proposal = await runTests(() => checkout, options, world);
    const rewritten = await rooms.rewritten(checkout);
    const opened: Checkout[] = [];
    const openBase = async (): Promise<Checkout> => {
      const room = await rooms.open({ of: "base" });
      opened.push(room);
      return room;
    };
    const base = await runTests(openBase, options, world);
    // What the checks write by habit they write on base as well.
    const usual = new Set(rewritten.length === 0 ? [] : (await Promise.all(opened.map(rooms.rewritten))).flat());
    const strange = rewritten.filter((path) => !usual.has(path) && path !== options.results?.file);
    if (strange.length > 0) return { outcome: "unknown", detail: tellStrange(strange), output: proposal.output };
    const needsTrial = options.expect !== "unchanged" && rooms.newTests.length > 0;
    const trial = needsTrial ? await runTests(() => rooms.open({ of: "base-with-new-tests" }), options, world) : undefined;
    const seen = weighWitness({ base, proposal, trial }, options.expect, quarantined);
    return { ...seen, output: proposal.output };
  },
});

const tellStrange = (paths: readonly string[]): string =>
  `files of the proposal were written to while it was checked, so that something else was checked: ${tellNames(paths)}`;
