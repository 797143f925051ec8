// What a verifier works with that asks a model for its opinion: a meter on every answer, and a fence around every text.
import { LoopError } from "../contract/errors.ts";
import type { Finding, Proof, Spend } from "../contract/evidence.ts";
import type { ModelRef, ModelReply, Models } from "../contract/models.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Desk, World } from "../contract/world.ts";
import { shown } from "../guard/text/admit.ts";
import { foldRun } from "../journal/fold.ts";
import type { RunJournal } from "../journal/journal.ts";
import { parseCount } from "../std/count.ts";
import { parseUsd } from "../std/usd.ts";
import { outOfTime } from "./part-worlds.ts";

interface DeskOrder {
  readonly roundId: string;
  readonly timeLeftMs: number;
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
}

interface DeskRoom {
  readonly opened: RunOpened;
  readonly journal: RunJournal;
  readonly world: World;
}

const MOST_FILES = 20_000;

export function createDesk({ roundId, timeLeftMs, findings, proofs }: DeskOrder, { opened: { spec }, journal, world }: DeskRoom): Desk {
  return {
    models: meteredModels({ roundId, timeLeftMs }, spec.budget, journal, world),
    clock: world.clock,
    show: shown,
    matter: { intent: spec.intent, task: spec.task ?? spec.intent, findings, proofs: [...proofs] },
    listFiles: ({ work }) => world.listFiles(work, MOST_FILES),
    keep: (text) => world.artifacts.keep(text),
  };
}

/** Models for one part of a run: what they cost is on record before the reply is seen, and none is asked once the run has nothing left. */
export function meteredModels(
  { roundId, timeLeftMs }: Pick<DeskOrder, "roundId" | "timeLeftMs">,
  budget: RunOpened["spec"]["budget"],
  journal: RunJournal,
  { models, clock }: Pick<World, "models" | "clock">,
): Models {
  let endsMs: number | undefined;
  return {
    async ask(ref, request) {
      // The time runs from the first question on: most verifiers never ask one.
      endsMs ??= clock.monotonicMs() + timeLeftMs;
      const overMs = endsMs;
      const { spent } = foldRun(journal.entries);
      const tokensLeft = (parseCount(budget.tokens) ?? 0) - spent.tokens;
      if (tokensLeft <= 0 || spent.usd >= (parseUsd(budget.usd) ?? 0)) throw nothingLeft(ref.model);
      const leftMs = Math.floor(overMs - clock.monotonicMs());
      if (leftMs <= 0) throw outOfTime(budget);
      const reply = await models
        .ask(ref, {
          ...request,
          timeoutMs: Math.min(request.timeoutMs, leftMs),
          mostOutputTokens: Math.min(request.mostOutputTokens, tokensLeft),
        })
        .catch((error: unknown) => {
          throw clock.monotonicMs() >= overMs ? outOfTime(budget) : error;
        });
      await journal.append({ kind: "spent", roundId, ...spendOf(ref, reply) });
      return reply;
    },
  };
}

/** Where nobody counted, more is assumed than it can well have been: no model makes a token of less than two bytes on the whole. */
const BYTES_A_TOKEN = 2;
const MILLION = 1_000_000;

function spendOf(
  { price }: ModelRef,
  { usage, bytes }: ModelReply,
): { readonly spend: Spend; readonly unknown?: readonly ("usd" | "tokens")[] } {
  const input = usage.input ?? Math.ceil(bytes.sent / BYTES_A_TOKEN);
  const output = usage.output ?? Math.ceil(bytes.received / BYTES_A_TOKEN);
  const usd = price ? (input * (parseUsd(price.input) ?? 0) + output * (parseUsd(price.output) ?? 0)) / MILLION : 0;
  const unknown = [
    ...(price ? [] : ["usd" as const]),
    ...(usage.input === undefined || usage.output === undefined ? ["tokens" as const] : []),
  ];
  return { spend: { usd, tokens: input + output }, ...(unknown.length > 0 ? { unknown } : {}) };
}

const nothingLeft = (model: string): LoopError =>
  new LoopError("budget-spent", `the run's budget was spent before ${model} had said all it was asked`, {
    retry: "never",
    hint: "Give the run more with `budget.usd` and `budget.tokens`, or its judges less to do.",
  });
