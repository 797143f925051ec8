// A check that the maker never sees: it comes from outside the target, and what it says does not go back to the maker.
import * as z from "zod";
import { defineCommitVerifier, type Sample } from "../contract/verifier.ts";
import { globProblem } from "../std/glob.ts";
import { LOOK_AT_BASE } from "./look-at-base.ts";
import { INSIDE, RUN_OPTIONS, runTests, sightOf, type TestRun } from "./run-tests.ts";
import { siftQuarantined } from "./test-results/quarantine.ts";

const Drawn = z
  .strictObject({
    from: z
      .array(
        z
          .string()
          .min(1)
          .refine((glob) => globProblem(glob) === undefined, { error: "is no glob that can be used here" }),
      )
      .min(1)
      .max(50)
      .meta({ description: "Globs of sealed files of base to draw from.", examples: [["test/**/*.test.ts"]] }),
    share: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .meta({ description: "How large a part of them is drawn. Default: 0.25.", examples: [0.25] }),
    count: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .meta({ description: "How many of them are drawn, instead of a share.", examples: [5] }),
  })
  .refine(({ share, count }) => share === undefined || count === undefined, { error: "takes a share or a count, and not both" });

export const holdout = defineCommitVerifier({
  name: "holdout",
  kind: "proof",
  summary:
    "Holds when a check that the maker never sees exits zero; the maker learns only that it failed, and how many tests did. The check finds a number in $LOOPWRIGHT_SEED that is another in every round, for what it draws by chance.",
  options: z.strictObject({
    ...RUN_OPTIONS,
    from: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: "A folder outside the target repository, relative to the spec's, that is copied into the check's own room.",
        examples: ["../holdout"],
      }),
    into: z
      .string()
      .max(500)
      .regex(INSIDE, { error: "must be a path inside the repository, without `..`" })
      .default("holdout")
      .meta({ description: "Where in the room it is put, in place of whatever is there.", examples: ["test/holdout"] }),
    sample: Drawn.optional().meta({
      description:
        "A part of the sealed files that is taken out of the maker's copy before it starts, drawn anew for every run. They are there in every room of a verifier, and in the proposal they are as on base. The maker's copy then has no history, which would show them, and lessons only say which checks failed.",
      examples: [{ from: ["test/**/*.test.ts"], share: 0.25 }],
    }),
  }),
  holdsOut: ({ sample }) => (sample === undefined ? [] : [sampleOf(sample)]),
  brings: ({ from }) => (from === undefined ? [] : [from]),
  baseline: {
    matter: ({ from, into, ...options }) => ({ ...LOOK_AT_BASE.matter(options), ...(from === undefined ? {} : { from, into }) }),
    isHidden: true,
    async look(checkout, options, world) {
      if (options.from !== undefined) await world.rooms.bring(checkout, options.from, options.into);
      return LOOK_AT_BASE.look(checkout, { ...options, env: { LOOPWRIGHT_SEED: String(world.seed), ...options.env } }, world);
    },
  },
  async verify({ checkout, quarantined }, options, world) {
    try {
      if (options.from !== undefined) await world.rooms.bring(checkout, options.from, options.into);
      const run = await runTests(() => checkout, options, world, { run: options.run, env: { LOOPWRIGHT_SEED: String(world.seed) } });
      return { ...sightOf(run, options, quarantined), detail: tell(run, quarantined) };
    } finally {
      // The maker of the next round works beside this room.
      await world.rooms.discard(checkout);
    }
  },
});

const sampleOf = ({ from, share = 0.25, count }: z.infer<typeof Drawn>): Sample => ({
  from,
  size: count === undefined ? { share } : { count },
});

/** This becomes the maker's lesson: it names no command, no test and no output. People find all of it in the output. */
function tell(run: TestRun, quarantined: readonly string[] = []): string {
  if (run.kind === "not-run") return "the hold-out check could not be run";
  if (run.kind === "timed-out") return "the hold-out check took too long";
  const tests = run.results ? siftQuarantined(run.results, quarantined).results.tests : [];
  const failed = tests.filter(({ outcome }) => outcome === "failed").length;
  const counted = tests.length === 0 ? "" : `: ${failed} of ${tests.length} tests failed`;
  const isDoubted = run.results !== undefined && !run.results.isComplete ? ", and its results are not complete" : "";
  return `the hold-out check ${run.code === 0 ? "passed" : "failed"}${counted}${isDoubted}`;
}
