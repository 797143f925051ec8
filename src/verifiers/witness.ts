// Red on base, green on the proposal: the tests themselves bear witness that the change did something, and broke nothing.
import * as z from "zod";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import type { Change } from "../contract/proposal.ts";
import { defineCommitVerifier } from "../contract/verifier.ts";
import type { Checkout } from "../contract/workshop.ts";
import { tellNames } from "../std/tell-tests.ts";
import type { TestOutcome } from "../std/test-results.ts";
import { LOOK_AT_BASE } from "./look-at-base.ts";
import { RUN_OPTIONS, type RunOptions, runTests, type TestRun } from "./run-tests.ts";
import { type IsRenamed, renamedIn } from "./test-results/renamed.ts";
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
  async verify({ checkout, quarantined, proposal: { changes } }, options, world) {
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
    const seen = weighWitness({ base, proposal, trial }, options.expect, quarantined, await renamesIn(changes, world));
    const broken = seen.outcome === "holds" ? await alwaysRed({ base, proposal, quarantined }, options, world) : [];
    if (broken.length > 0) return { outcome: "unknown", detail: `${tellBroken(broken)}\n${seen.detail}`, output: proposal.output };
    return { ...seen, output: proposal.output };
  },
});

async function renamesIn(changes: readonly Change[], { rooms }: VerifierWorld): Promise<IsRenamed> {
  const changed = changes.filter(({ before, after }) => (before ?? after)?.mode.startsWith("100"));
  const contents = await rooms.contents(
    changed.flatMap(({ before, after }) => [before, after].flatMap((side) => (side ? [side.blob] : []))),
  );
  const text = (side: Change["before"]): readonly string[] => {
    const bytes = side && contents.get(side.blob);
    return bytes && bytes.length < MOST_BYTES ? [new TextDecoder().decode(bytes)] : [];
  };
  return renamedIn({ before: changed.flatMap(({ before }) => text(before)), after: changed.flatMap(({ after }) => text(after)) });
}

const MOST_BYTES = 1024 * 1024;

/** A test that wavers on base fails now and then; one that never passes any more may have been broken in its shelter. */
const MORE_RUNS = 3;

async function alwaysRed(
  {
    base,
    proposal,
    quarantined = [],
  }: { readonly base: TestRun; readonly proposal: TestRun; readonly quarantined?: readonly string[] | undefined },
  options: RunOptions,
  { rooms, ...world }: VerifierWorld,
): Promise<readonly string[]> {
  const passedOnBase = new Set(idsOf(base, "passed"));
  let red = idsOf(proposal, "failed").filter((id) => quarantined.includes(id) && passedOnBase.has(id));
  for (let more = 0; more < MORE_RUNS && red.length > 0; more += 1) {
    const room = await rooms.open({ of: "proposal" });
    const failed = new Set(idsOf(await runTests(() => room, options, { ...world, rooms }), "failed"));
    await rooms.discard(room);
    red = red.filter((id) => failed.has(id));
  }
  return red;
}

const idsOf = (run: TestRun, which: TestOutcome): readonly string[] =>
  run.kind === "exited" ? (run.results?.tests ?? []).filter(({ outcome }) => outcome === which).map(({ id }) => id) : [];

const tellBroken = (ids: readonly string[]): string =>
  `tests that base cannot make up its mind about failed in every one of ${MORE_RUNS + 1} runs of the proposal, and passed on base: ${tellNames(ids)}`;

const tellStrange = (paths: readonly string[]): string =>
  `files of the proposal were written to while it was checked, so that something else was checked: ${tellNames(paths)}`;
