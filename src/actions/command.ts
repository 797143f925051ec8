// Runs a command of the user's once something may go on. Whether an interrupted one has happened only another command can say.
import * as z from "zod";
import { type ActionWorld, type Deed, defineAction } from "../contract/action.ts";
import type { Finished } from "../contract/commands.ts";
import { Duration, VariableName } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";

const Options = z.strictObject({
  run: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .meta({
      description: "The shell command; it runs in the spec's folder and finds the facts in LOOPWRIGHT_* variables.",
      examples: ["./deploy"],
    }),
  confirm: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .optional()
    .meta({
      description: "Says after a crash whether it happened: exit 0 is yes, 1 is no. Without it a human is asked.",
      examples: ["./is-deployed"],
    }),
  timeout: Duration.default("10m").meta({ description: "How long each may take.", examples: ["10m"] }),
  inherit: z
    .array(VariableName)
    .max(50)
    .default([])
    .meta({ description: "Variables of our environment it may see besides PATH, HOME and the language.", examples: [["DEPLOY_TOKEN"]] }),
});
type Options = z.infer<typeof Options>;

const runIn = (run: string, deed: Deed, { timeout, inherit }: Options, { proc, env }: ActionWorld): Promise<Finished> =>
  proc.run({
    run,
    cwd: deed.folder,
    env: {
      ...chosenEnvironment(["HOME", ...inherit], env),
      LOOPWRIGHT_LOOP: deed.loop,
      LOOPWRIGHT_RUN: deed.run,
      LOOPWRIGHT_REPO: deed.repo,
      LOOPWRIGHT_BRANCH: deed.branch,
      LOOPWRIGHT_COMMIT: deed.commit,
      LOOPWRIGHT_TREE: deed.tree,
      LOOPWRIGHT_BASE: deed.base.commit,
      LOOPWRIGHT_KEY: deed.key,
    },
    timeoutMs: parseDuration(timeout)!,
    input: deed.report,
  });

const receiptOf = (run: string) => ({ says: `\`${run}\` exited 0`, facts: { run } });

export const command = defineAction({
  name: "command",
  summary: "Runs a command of yours, with the facts in its environment and the report on its standard input.",
  options: Options,
  prepare: async (_, { run }) => ({ kind: "ready", says: `run \`${run}\`` }),
  async execute(deed, options, world) {
    const { end, tail } = await runIn(options.run, deed, options, world);
    if (end.kind === "exited" && end.code === 0) return { kind: "done", receipt: receiptOf(options.run) };
    const how = end.kind === "exited" ? `exited ${end.code}` : end.kind === "killed" ? `was killed by ${end.signal}` : "took too long";
    return {
      kind: "refused",
      why: `\`${options.run}\` ${how}${tail.trim() === "" ? "" : `: ${tail.trim().slice(-300)}`}`,
      hint: "What it did until then is not undone: look, then approve again or reject.",
    };
  },
  async confirm(deed, options, world) {
    if (options.confirm === undefined)
      return { kind: "unclear", why: `\`${options.run}\` was begun, and nothing says whether it came to its end` };
    const { end } = await runIn(options.confirm, deed, options, world);
    if (end.kind === "exited" && end.code === 0) return { kind: "done", receipt: receiptOf(options.run) };
    return end.kind === "exited" && end.code === 1
      ? { kind: "not-done" }
      : { kind: "unclear", why: `\`${options.confirm}\` could not say whether it happened` };
  },
});
