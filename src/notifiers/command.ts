// Hands the report of a run to a command, on its standard input.
import * as z from "zod";
import { type Finished, tellFinished } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import { defineNotifier } from "../contract/notifier.ts";
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
      description: "The shell command; it runs in the spec's folder with the report on stdin.",
      examples: ["mail -s triage team@example.com"],
    }),
  timeout: Duration.default("60s").meta({ description: "How long it may take.", examples: ["60s"] }),
  inherit: z
    .array(VariableName)
    .max(50)
    .default([])
    .meta({
      description: "Variables of our environment it may see besides PATH, HOME and the language.",
      examples: [["SLACK_WEBHOOK_URL"]],
    }),
});

export const command = defineNotifier({
  name: "command",
  summary: "Runs a command with the run's report on its standard input.",
  options: Options,
  async tell({ loop, run, folder, report }, options, { proc, env }) {
    const finished = await proc.run({
      run: options.run,
      cwd: folder,
      env: { ...chosenEnvironment(["HOME", ...options.inherit], env), LOOPWRIGHT_LOOP: loop, LOOPWRIGHT_RUN: run },
      timeoutMs: parseDuration(options.timeout)!,
      input: report,
    });
    if (finished.end.kind === "exited" && finished.end.code === 0) return;
    throw notTold(options.run, finished);
  },
});

const notTold = (run: string, finished: Finished): LoopError =>
  new LoopError("notify-failed", `the report was not handed on: \`${run}\` ${tellFinished(finished)}`, {
    retry: "never",
    hint: "Run the command by hand with a report on stdin, then correct it in the spec.",
  });
