// Any command as a maker: it gets the brief, edits its copy, and what it leaves there is the proposal.
import { dirname } from "node:path";
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import type { Usage } from "../contract/ledger.ts";
import { defineMaker } from "../contract/maker.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { Duration, VariableName } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";

const NOT_FOUND = new Set([126, 127]);

export const shell = defineMaker({
  name: "shell",
  summary:
    "Runs a command in the maker's copy; it reads its brief from standard input or from the file $LOOPWRIGHT_BRIEF, and may write what it spent to $LOOPWRIGHT_USAGE.",
  options: z.strictObject({
    run: z
      .string()
      .min(1)
      .meta({ description: "The command, given to /bin/sh.", examples: ["claude -p --permission-mode acceptEdits"] }),
    timeout: Duration.default("20m").meta({ description: "How long it may take.", examples: ["20m"] }),
    inherit: z
      .array(VariableName)
      .default([])
      .meta({
        description: "Variables of your environment that it gets besides PATH, HOME, USER, locale and time zone.",
        examples: [["ANTHROPIC_API_KEY"]],
      }),
    spends: z
      .enum(["unknown", "nothing"])
      .default("unknown")
      .meta({
        description:
          "What it costs when it does not say so itself: `unknown` is estimated by what it prints and how long it takes; `nothing` is for programs with no model behind them.",
        examples: ["nothing"],
      }),
    model: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "The model whose price holds for tokens that it reports without a cost.", examples: ["claude-sonnet-4-5"] }),
  }),
  isFree: ({ spends }) => spends === "nothing",
  async edit({ spec, round, workspace, brief }, options, world) {
    if (options.spends === "nothing") world.meter.free();
    const { end, tail, missed } = await charged(world, options.model, (meanwhile) =>
      world.proc.run({
        meanwhile,
        run: options.run,
        cwd: workspace.work,
        input: brief,
        timeoutMs: parseDuration(options.timeout)!,
        env: {
          ...chosenEnvironment(["HOME", "USER", "LOGNAME", "SHELL", ...options.inherit], world.env),
          LOOPWRIGHT_BRIEF: workspace.brief,
          LOOPWRIGHT_USAGE: workspace.usage,
          LOOPWRIGHT_LOOP: spec.name,
          LOOPWRIGHT_ROUND: round.id,
          GIT_CEILING_DIRECTORIES: dirname(workspace.work),
        },
      }),
    );

    if (end.kind === "exited" && NOT_FOUND.has(end.code)) {
      throw new LoopError("maker-failed", `the maker's command could not be run (exit ${end.code}): ${tail.trim().slice(-500)}`, {
        retry: "never",
        hint: missed ?? `Try it by hand in the repository: ${options.run}`,
      });
    }
    if (end.kind === "exited" && end.code === 0) return { ended: "finished", summary: untrustedText(tail.slice(-2000)) };
    const why =
      end.kind === "exited"
        ? `it exited ${end.code}`
        : end.kind === "killed"
          ? `it was killed by ${end.signal}${end.why ? `, because ${end.why}` : ""}`
          : `it took longer than ${end.afterMs} ms`;
    return { ended: "gave-up", summary: untrustedText(`${why}\n${tail.slice(-2000)}`) };
  },
});

type Meanwhile = () => Promise<"go-on" | "stop">;

/** Whatever becomes of the work, what it cost is on record: as it comes, and once more at the end. */
async function charged<T>({ readUsage, meter }: MakerWorld, model: string | undefined, work: (look: Meanwhile) => Promise<T>): Promise<T> {
  const look: Meanwhile = async () => {
    const usage = readSpend(await readUsage());
    if (!usage) return "go-on";
    return (await meter.total({ ...(model === undefined ? {} : { model }), ...usage })) === "budget-spent" ? "stop" : "go-on";
  };
  try {
    return await work(look);
  } finally {
    await look();
  }
}

const figure = z.number().optional();
const UsageFile = z.object({
  usd: figure,
  tokens: figure,
  input: figure,
  output: figure,
  cached: figure,
  reasoning: figure,
  calls: figure,
  tools: figure,
  model: z.string().min(1).max(100).optional(),
});

/** `{"usd": 0.42, "tokens": 18000}`, any of the figures. A file that says nothing readable, or only zeros, leaves the cost unknown. */
function readSpend(text: string | undefined): Usage | undefined {
  if (text === undefined) return undefined;
  try {
    const { success, data } = UsageFile.safeParse(JSON.parse(text));
    if (!success) return undefined;
    const told = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
    return Object.values(told).some((value) => typeof value === "number" && value !== 0) ? told : undefined;
  } catch {
    return undefined;
  }
}
