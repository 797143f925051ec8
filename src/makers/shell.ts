// Any command as a maker: it gets the brief, edits its copy, and what it leaves there is the proposal.
import { dirname } from "node:path";
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import type { Spend } from "../contract/evidence.ts";
import { defineMaker } from "../contract/parts.ts";
import { Duration } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { MakerWorld } from "../contract/world.ts";
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
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of an environment variable" }))
      .default([])
      .meta({
        description: "Variables of your environment that it gets besides PATH, HOME, USER, locale and time zone.",
        examples: [["ANTHROPIC_API_KEY"]],
      }),
  }),
  async edit({ spec, round, workspace, brief }, options, world) {
    const { end, tail } = await charged(world, () =>
      world.proc.run({
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
        hint: `Try it by hand in the repository: ${options.run}`,
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

/** Whatever becomes of the work, what it cost is on record. */
async function charged<T>({ readUsage, meter }: MakerWorld, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    const spend = readSpend(await readUsage());
    if (spend) await meter.charge(spend);
  }
}

const Usage = z.object({ usd: z.number().default(0), tokens: z.number().default(0) });

/** `{"usd": 0.42, "tokens": 18000}`, either of them. A file that says nothing readable leaves the cost unknown. */
function readSpend(text: string | undefined): Spend | undefined {
  if (text === undefined) return undefined;
  try {
    const usage = Usage.safeParse(JSON.parse(text));
    return usage.success && (usage.data.usd !== 0 || usage.data.tokens !== 0) ? usage.data : undefined;
  } catch {
    return undefined;
  }
}
