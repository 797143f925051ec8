// Models with a meter on every answer: what a call may cost is set aside before it is made, and what it cost is on record before its reply is seen.
import { LoopError } from "../../contract/errors.ts";
import type { Meter, Price, Refusal, Usage } from "../../contract/ledger.ts";
import { isLoopback, type ModelRef, type ModelReply, type Models } from "../../contract/models.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { World } from "../../contract/world.ts";
import { parseUsd } from "../../std/usd.ts";
import { outOfTime } from "../worlds/guard-proc.ts";
import { overrun } from "./amounts.ts";
import type { Launch } from "./launch.ts";

/** Models for one part of a run: what a call may cost is set aside before it is made, and what it cost is on record before its reply is seen. */
export function meteredModels(
  {
    purpose,
    timeLeftMs,
    timeBy,
    meter,
  }: {
    readonly purpose: string;
    readonly timeLeftMs: number;
    readonly timeBy?: Refusal | undefined;
    readonly meter: Pick<Meter, "reserve" | "settle">;
  },
  budget: RunOpened["spec"]["budget"],
  { models, clock }: Pick<World, "models" | "clock">,
): Models {
  let endsMs: number | undefined;
  const over = () => (timeBy ? outOfTime(budget, "the maker was done", timeBy) : outOfTime(budget));
  return {
    async ask(ref, request) {
      // The time runs from the first question on: most verifiers never ask one.
      endsMs ??= clock.monotonicMs() + timeLeftMs;
      const overMs = endsMs;
      const leftMs = Math.floor(overMs - clock.monotonicMs());
      if (leftMs <= 0) throw over();
      const price = priceOf(ref);
      const input = Math.ceil(Buffer.byteLength(JSON.stringify([request.system, request.messages, request.tools])) / BYTES_A_TOKEN);
      const about = { model: ref.model, ...(price ? { price } : {}) };
      const held = await meter.reserve({ purpose: `${purpose}: ${ref.model}`, ...about, input, output: request.mostOutputTokens });
      if (held.kind === "refused") throw overrun(held.refusal);
      const mostOutputTokens = Math.min(request.mostOutputTokens, held.output);
      const timeoutMs = Math.min(request.timeoutMs, leftMs);
      const reply = await models.ask(ref, { ...request, timeoutMs, mostOutputTokens }).catch(async (error: unknown) => {
        await meter.settle(held.reservation, wasTurnedAway(error) ? "not-made" : "unknown");
        throw clock.monotonicMs() >= overMs ? over() : error;
      });
      await meter.settle(held.reservation, { ...about, ...usageOf(reply) });
      return reply;
    },
  };
}

/** The same for a maker: once its launch may not go on, nobody is asked any more. */
export function launchModels(
  {
    launch,
    ...about
  }: {
    readonly purpose: string;
    readonly timeLeftMs: number;
    readonly timeBy?: Refusal | undefined;
    readonly launch: Pick<Launch, "meter" | "over">;
  },
  budget: RunOpened["spec"]["budget"],
  world: Pick<World, "models" | "clock">,
): Models {
  const metered = meteredModels({ ...about, meter: launch.meter }, budget, world);
  return {
    async ask(ref, request) {
      const over = launch.over();
      if (over) throw over;
      return metered.ask(ref, request);
    },
  };
}

/** By a limit, or by a server that is not there or has failed itself. One that was only slow may have worked for it. */
const wasTurnedAway = (error: unknown): boolean => error instanceof LoopError && (error.code === "model-limited" || error.isFree);

/** Where nobody counted, more is assumed than it can well have been: no model makes a token of less than two bytes on the whole. */
const BYTES_A_TOKEN = 2;

function usageOf({ usage: { input, output, cached = 0, reasoning = 0 }, bytes }: ModelReply): Usage {
  const read = input || Math.ceil(bytes.sent / BYTES_A_TOKEN);
  const written = output || Math.ceil(bytes.received / BYTES_A_TOKEN);
  const fromCache = Math.min(cached, read);
  const thought = Math.min(reasoning, written);
  return {
    input: read - fromCache,
    cached: fromCache,
    output: written - thought,
    reasoning: thought,
    ...(input && output ? {} : { isGuess: true }),
  };
}

/** What the spec says; a model of Ollama on this machine costs its user nothing but time. */
function priceOf({ provider, price, baseUrl }: ModelRef): Price | undefined {
  if (price) return { input: parseUsd(price.input) ?? 0, output: parseUsd(price.output) ?? 0 };
  return provider === "ollama" && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname)) ? { input: 0, output: 0 } : undefined;
}
