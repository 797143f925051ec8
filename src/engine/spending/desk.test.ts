import { describe, expect, it } from "vitest";
import { createFakeWorld } from "../../../test/support/fake-world.ts";
import { createMemoryJournal } from "../../../test/support/memory-journal.ts";
import { createFakeMeter, plainPurse } from "../../../test/support/purses.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ModelRef, ModelReply, ModelRequest } from "../../contract/models.ts";
import { LoopSpec } from "../../contract/spec.ts";
import { openCalls } from "./calls.ts";
import { launchModels, meteredModels } from "./models.ts";

const request: ModelRequest = { system: "", messages: [], tools: [], mostOutputTokens: 4000, timeoutMs: 60_000 };
const ref: ModelRef = { provider: "ollama", model: "qwen3" };
const priced: ModelRef = { ...ref, price: { input: "$100", output: "$1000" } };
const unpriced: ModelRef = { provider: "openai-compatible", model: "nobody-knows", baseUrl: "https://example.com/v1" };
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
  const spec = LoopSpec.parse({
    name: "keep-green",
    intent: "x",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "judge" }],
    budget: { tokens: "10k", usd: "$20.00", time: "10m", perCall: { usd: "$10.00" }, ...about.budget },
  });
  const meter = openCalls({ spec, roundId: "r.1", journal, world, purse: plainPurse }, { maker: "judge" });
  const models = meteredModels({ purpose: "judge", timeLeftMs: 10_000, meter }, spec.budget, world);
  return { models, asked, journal, meter };
}

describe("a metered model", () => {
  it.each([
    ["with nothing for one on this machine", ref, reply(), { tokens: 110, input: 100, output: 10 }, "reported"],
    [
      "with nothing where its user says so",
      { ...unpriced, price: { input: "$0", output: "$0.00" } },
      reply(),
      { tokens: 110, input: 100, output: 10 },
      "reported",
    ],
    ["with its price", priced, reply(), { microUsd: 20_000, tokens: 110, input: 100, output: 10 }, "reported"],
    [
      "with the dearest price where none is known",
      unpriced,
      reply(),
      { microUsd: 15_000, tokens: 110, input: 100, output: 10 },
      "estimated",
    ],
    ["by its bytes where nobody counted", ref, reply({ input: undefined }), { tokens: 210, input: 200, output: 10 }, "estimated"],
    ["by its bytes where the count is nothing", ref, reply({ input: 0, output: 0 }), { tokens: 230, input: 200, output: 30 }, "estimated"],
    [
      "by kinds where they are told apart",
      ref,
      reply({ cached: 60, reasoning: 4 }),
      { tokens: 110, input: 40, cached: 60, output: 6, reasoning: 4 },
      "reported",
    ],
  ])("has what it cost on record %s", async (_, model, said, amounts, basis) => {
    const { models, journal } = createMetered(said);

    await models.ask(model, request);

    expect(journal.records).toMatchObject([
      { kind: "reserved", purpose: `judge: ${model.model}`, who: { maker: "judge", model: model.model } },
      { kind: "settled", reservation: journal.entries[0]!.seq, amounts: { ...amounts, calls: 1 }, basis },
    ]);
    expect(Object.keys(journal.records[1]!.kind === "settled" ? journal.records[1].amounts : {}).sort()).toEqual(
      [...Object.keys(amounts), "calls"].sort(),
    );
  });

  it("may not say more than there is room for in the budget, nor take longer than it has time", async () => {
    const tokens = createMetered(reply(), { budget: { tokens: "1k" } });
    const dollars = createMetered(reply(), { budget: { perCall: { usd: "$1.00" } } });

    await tokens.models.ask(ref, request);
    await dollars.models.ask(priced, request);

    const [byTokens, byDollars] = [tokens, dollars].map(({ asked }) => asked[0]!);
    expect([byTokens!.mostOutputTokens < 1000, byTokens!.mostOutputTokens > 900, byTokens!.timeoutMs]).toEqual([true, true, 10_000]);
    expect([byDollars!.mostOutputTokens < 1000, byDollars!.mostOutputTokens > 900]).toEqual([true, true]);
  });

  it("is not asked when the run's tokens, dollars or time are spent", async () => {
    const code = async (models: { ask: (model: ModelRef, one: ModelRequest) => Promise<unknown> }, model = ref) => {
      await models.ask(model, request).catch(() => {});
      return models.ask(model, request).then(
        () => "asked",
        (error: unknown) => error instanceof LoopError && error.code,
      );
    };

    expect(await code(createMetered(reply(), { budget: { tokens: "600" } }).models)).toBe("budget-spent");
    expect(
      await code(createMetered(reply(), { budget: { usd: "$1.00" } }).models, { ...ref, price: { input: "$10000", output: "$1" } }),
    ).toBe("budget-spent");
    expect(await code(createMetered(reply(), { tickMs: 6_000 }).models)).toBe("budget-spent");
  });

  it("that failed because the run's time was over is a budget used up, and else a failure of its own", async () => {
    const failure = new LoopError("model-failed", "too slow", { retry: "later", hint: "" });

    await expect(createMetered(failure, { tickMs: 5_000 }).models.ask(ref, request)).rejects.toMatchObject({ code: "budget-spent" });
    await expect(createMetered(failure).models.ask(ref, request)).rejects.toBe(failure);
  });

  it("that failed could have cost all that was set aside, and one that was turned away cost nothing", async () => {
    const settledWith = async (code: "model-failed" | "model-limited") => {
      const { models, journal } = createMetered(new LoopError(code, "no", { retry: "later", hint: "" }));
      await models.ask(priced, request).catch(() => {});
      return journal.records[1];
    };

    expect(await settledWith("model-failed")).toMatchObject({
      kind: "settled",
      basis: "unknown",
      amounts: { microUsd: expect.any(Number) },
    });
    expect(await settledWith("model-limited")).toMatchObject({ kind: "settled", basis: "reported", amounts: { calls: 1 } });
  });

  it("that nobody heard the end of is settled in full", async () => {
    const { journal, meter } = createMetered(reply());
    await meter.reserve({ purpose: "x", input: 10, output: 10, price: { input: 1, output: 1 } });

    await meter.settleAll();

    expect(journal.records[1]).toMatchObject({ kind: "settled", basis: "unknown", amounts: { microUsd: 20, tokens: 20 } });
  });
});

it("asks nobody for a maker whose launch may not go on, and says why", async () => {
  const { asked, meter } = createMetered(reply());
  const over = new LoopError("runaway", "it spends much faster than ever before", { retry: "never", hint: "Look at what it did." });
  const { world } = createFakeWorld({
    models: {
      async ask(_, one) {
        asked.push(one);
        return reply();
      },
    },
  });
  let isOver = false;
  const launch = { meter: { ...createFakeMeter(), ...meter }, over: () => (isOver ? over : undefined) };
  const models = launchModels({ purpose: "anthropic", timeLeftMs: 10_000, launch }, LoopSpec.shape.budget.parse({}), world);

  await models.ask(ref, request);
  isOver = true;

  await expect(models.ask(ref, request)).rejects.toBe(over);
  expect(asked.length).toBe(1);
});
