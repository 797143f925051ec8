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
    'Runs a command in the maker\'s copy; it reads its brief from standard input or from the file $LOOPWRIGHT_BRIEF, and may write what it spent so far to the file $LOOPWRIGHT_USAGE, as in {"usd": 0.42, "tokens": 18000}.',
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
      .optional()
      .meta({
        description:
          "What it costs when it does not say so itself: `unknown` is estimated by what it prints and how long it takes; `nothing` is for programs with no model behind them. Default: `unknown` where `run` names an agent or a server of models that we know, or $LOOPWRIGHT_USAGE, where `model` is set, and where `inherit` names a variable with KEY or TOKEN in it; else `nothing`. Write `unknown` for a script of yours that calls a model. It says so in $LOOPWRIGHT_USAGE as JSON, with any of usd, tokens, input, output, cached, reasoning, calls and tools, each a number that counts up, and model; a report that cannot be read fails it.",
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
    // Where nobody said so it is set aside for all the same: a plain command that reports something after all is held to its budget.
    if ((options.spends ?? likelySpends(options)) === "nothing") world.meter.free();
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
        isFree: true,
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

/** Agents, and programs that ask models, by the names they are started with. */
const ASKS_MODELS =
  /(?<![\w-])(?:claude(?:-code)?|codex|gemini(?:-cli)?|aider|copilot|cursor-agent|opencode|pi|goose|amp|qwen|crush|cline|kiro|droid|auggie|llm|ollama|lms|mods|sgpt|openai|anthropic|LOOPWRIGHT_USAGE)(?![\w-])/;
const IS_KEY = /KEY|TOKEN/i;

const likelySpends = ({
  run,
  model,
  inherit,
}: {
  readonly run: string;
  readonly model?: string | undefined;
  readonly inherit: readonly string[];
}) => (model !== undefined || ASKS_MODELS.test(run) || inherit.some((name) => IS_KEY.test(name)) ? "unknown" : "nothing");

type Meanwhile = () => Promise<"go-on" | "stop">;

/** Whatever becomes of the work, what it cost is on record: as it comes, and once more at the end. */
async function charged<T>({ readUsage, meter }: MakerWorld, model: string | undefined, work: (look: Meanwhile) => Promise<T>): Promise<T> {
  const charge = async ({ usage }: Report): Promise<"go-on" | "stop"> => {
    if (!usage) return "go-on";
    return (await meter.total({ ...(model === undefined ? {} : { model }), ...usage })) === "budget-spent" ? "stop" : "go-on";
  };
  // While it works it may be about to write the file: what cannot be read counts at the end alone.
  const look: Meanwhile = async () => charge(readReport(await readUsage()));
  let done: T;
  try {
    done = await work(look);
  } catch (error) {
    await look();
    throw error;
  }
  const report = readReport(await readUsage());
  await charge(report);
  if (report.unread !== undefined) throw misreported(report.unread);
  return done;
}

const FIGURES = ["usd", "tokens", "input", "output", "cached", "reasoning", "calls", "tools"] as const;
const MOST_MODEL = 100;

/** What a usage file says; what of it nobody can read is no zero and no estimate. */
interface Report {
  readonly usage?: Usage;
  readonly unread?: string;
}

/** A file with nothing in it, or only zeros, leaves the cost unknown. */
function readReport(text: string | undefined): Report {
  if (text === undefined || text.trim() === "") return {};
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return { unread: `no JSON: ${shortly(text)}` };
  }
  if (typeof said !== "object" || said === null || Array.isArray(said)) return { unread: `no object: ${shortly(text)}` };
  const { model, ...all } = said as { readonly [key: string]: unknown };
  const told = FIGURES.flatMap((key) => (all[key] === undefined || all[key] === null ? [] : [[key, all[key]] as const]));
  const figures = told.filter((one): one is [(typeof FIGURES)[number], number] => Number.isFinite(one[1]));
  const odd = told
    .filter(([, value]) => !Number.isFinite(value))
    .map(([key, value]) => `${key} is no number: ${shortly(JSON.stringify(value))}`);
  const named = typeof model === "string" && model !== "" ? { model: model.slice(0, MOST_MODEL) } : {};
  const isUntold = FIGURES.every((key) => !Object.hasOwn(all, key)) && Object.keys(all).length > 0;
  return {
    ...(figures.some(([, value]) => value !== 0) ? { usage: { ...Object.fromEntries(figures), ...named } } : {}),
    ...(odd.length > 0 ? { unread: odd.join("; ") } : isUntold ? { unread: `none of its figures is known: ${shortly(text)}` } : {}),
  };
}

const shortly = (text: string): string => text.trim().slice(0, 100);

const misreported = (why: string): LoopError =>
  new LoopError("maker-failed", `what the maker reported in $LOOPWRIGHT_USAGE cannot be read: ${why}`, {
    retry: "never",
    hint: `Write it as JSON, {"usd": 0.42, "tokens": 18000}, with any of ${FIGURES.join(", ")}, each a number; or write no file, then it is estimated.`,
  });
