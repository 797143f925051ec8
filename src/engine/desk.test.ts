import { describe, expect, it } from "vitest";
import { createFakeWorld } from "../../test/support/fake-world.ts";
import { createMemoryJournal } from "../../test/support/memory-journal.ts";
import { LoopError } from "../contract/errors.ts";
import type { ModelRef, ModelReply, ModelRequest } from "../contract/models.ts";
import { Budget } from "../contract/spec.ts";
import { meteredModels } from "./desk.ts";

const request: ModelRequest = { system: "", messages: [], tools: [], mostOutputTokens: 4000, timeoutMs: 60_000 };
const ref: ModelRef = { provider: "ollama", model: "qwen3" };
const reply = (usage: Partial<ModelReply["usage"]> = {}): ModelReply => ({
  said: { kind: "text", text: "Yes." },
  finish: "done",
  usage: { input: 100, output: 10, cached: undefined, reasoning: undefined, ...usage },
  bytes: { sent: 400, received: 60 },
});

/** Models of a run with this budget that always say the same, and all that was asked and recorded. */
function createMetered(said: ModelReply | LoopError, about: { readonly tickMs?: number; readonly budget?: object } = {}) {
  const asked: ModelRequest[] = [];
  const { world } = createFakeWorld({
    ...(about.tickMs ? { tickMs: about.tickMs } : {}),
    models: {
      async ask(_, one) {
        asked.push(one);
        if (said instanceof Error) throw said;
        return said;
      },
    },
  });
  const journal = createMemoryJournal();
  const budget = Budget.parse({ tokens: "1k", usd: "$1.00", time: "10m", ...about.budget });
  const models = meteredModels({ roundId: "r.1", timeLeftMs: 10_000 }, budget, journal, world);
  return { models, asked, journal };
}

describe("a metered model", () => {
  it.each([
    ["as it was counted, without a price", ref, reply(), { spend: { usd: 0, tokens: 110 }, unknown: ["usd"] }],
    ["with its price", { ...ref, price: { input: "$100", output: "$1000" } }, reply(), { spend: { usd: 0.02, tokens: 110 } }],
    ["by its bytes where nobody counted", ref, reply({ input: undefined }), { spend: { usd: 0, tokens: 210 }, unknown: ["usd", "tokens"] }],
  ])("has what it cost on record %s", async (_, model, said, spent) => {
    const { models, journal } = createMetered(said);

    await models.ask(model, request);

    expect(journal.records).toEqual([{ kind: "spent", roundId: "r.1", ...spent }]);
  });

  it("may not say more than the run has tokens left, nor take longer than it has time", async () => {
    const { models, asked } = createMetered(reply());

    await models.ask(ref, request);
    await models.ask(ref, request);

    expect(asked.map(({ mostOutputTokens, timeoutMs }) => [mostOutputTokens, timeoutMs])).toEqual([
      [1000, 10_000],
      [890, 10_000],
    ]);
  });

  it("is not asked when the run's tokens, dollars or time are spent", async () => {
    const code = async (models: { ask: (model: ModelRef, one: ModelRequest) => Promise<unknown> }, model = ref) => {
      await models.ask(model, request).catch(() => {});
      return models.ask(model, request).then(
        () => "asked",
        (error: unknown) => error instanceof LoopError && error.code,
      );
    };

    expect(await code(createMetered(reply(), { budget: { tokens: "110" } }).models)).toBe("budget-spent");
    expect(await code(createMetered(reply()).models, { ...ref, price: { input: "$10000", output: "$1" } })).toBe("budget-spent");
    expect(await code(createMetered(reply(), { tickMs: 6_000 }).models)).toBe("budget-spent");
  });

  it("that failed because the run's time was over is a budget used up, and else a failure of its own", async () => {
    const failure = new LoopError("model-failed", "too slow", { retry: "later", hint: "" });

    await expect(createMetered(failure, { tickMs: 5_000 }).models.ask(ref, request)).rejects.toMatchObject({ code: "budget-spent" });
    await expect(createMetered(failure).models.ask(ref, request)).rejects.toBe(failure);
  });
});
