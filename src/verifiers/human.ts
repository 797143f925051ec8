// A review: a person is asked about exactly what was made, and silence is never a yes.
import * as z from "zod";
import { Duration } from "../contract/spec.ts";
import { defineCommitVerifier } from "../contract/verifier.ts";
import { parseDuration } from "../std/duration.ts";

export const human = defineCommitVerifier({
  name: "human",
  kind: "opinion",
  provesDocuments: true,
  summary: "Asks a person, once every other check holds; the run waits in the inbox until `lw review`. Past its time nobody said yes.",
  options: z.strictObject({
    ask: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .meta({ description: "What is asked.", examples: ["Is this plan sound?"] }),
    within: Duration.default("7d").meta({ description: "How long is waited for an answer.", examples: ["2d"] }),
  }),
  asks: ({ ask, within }) => ({ ask, withinMs: parseDuration(within) ?? 0 }),
  verify: async () => ({ outcome: "unknown", detail: "nobody was asked", output: undefined }),
});
