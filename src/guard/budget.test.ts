import { describe, expect, it } from "vitest";
import { Limits, LoopSpec } from "../contract/spec.ts";
import { capOver, capReached, capsOf, estimateUnreported, launchEstimate, softLines, tellRefusal, tellRemedy } from "./budget.ts";

const specWith = (budget: object, level = "L2"): LoopSpec =>
  LoopSpec.parse({ name: "fix", intent: "Fix.", level, maker: { use: "shell" }, verifiers: [{ use: "command" }], budget });
const limits = Limits.parse({});
const find = (spec: LoopSpec, scope: string, measure: string, of = limits) =>
  capsOf(spec, of).find((cap) => cap.scope === scope && cap.measure === measure);

describe("caps", () => {
  it("are on at every scope where a spec says nothing", () => {
    const scopes = capsOf(specWith({}), limits).filter(({ measure }) => measure === "microUsd");

    expect(scopes.map(({ scope, most, from }) => [scope, most / 1e6, from])).toEqual([
      ["call", 2, "budget.perCall.usd"],
      ["run", 5, "budget.usd"],
      ["loop-day", 20, "budget.loop.day.usd"],
      ["loop-month", 200, "budget.loop.month.usd"],
      ["machine-day", 50, "day.usd in limits.yaml"],
      ["machine-month", 500, "month.usd in limits.yaml"],
    ]);
  });

  it("are lifted by one word only, and for an L3 loop not even by the machine's file", () => {
    const lifted = Limits.parse({ day: { usd: "unlimited" } });

    expect(find(specWith({ usd: "unlimited" }), "run", "microUsd")).toBeUndefined();
    expect(find(specWith({}), "machine-day", "microUsd", lifted)).toBeUndefined();
    expect(find(specWith({}, "L3"), "machine-day", "microUsd", lifted)?.most).toBe(50e6);
  });

  it.each([0, null, Number.NaN, Number("1e309"), -1, "0", "$0", "-$1", "$1e309", "Infinity", "", "none", "$0.00"])(
    "cannot be %s",
    (written) => {
      for (const budget of [{ usd: written }, { perRound: { usd: written } }, { loop: { day: { usd: written } } }])
        expect(LoopSpec.safeParse({ ...specWith({}), budget }).success).toBe(false);
      if (written !== "none") expect(LoopSpec.safeParse({ ...specWith({}), budget: { launches: written } }).success).toBe(false);
      expect(Limits.safeParse({ day: { usd: written } }).success).toBe(false);
    },
  );

  it("are those of today for a spec that was recorded before there were so many", () => {
    const old = { rounds: 2, time: "10m", usd: "$1.00", tokens: "1k" } as LoopSpec["budget"];

    expect(find({ ...specWith({}), budget: old }, "loop-day", "microUsd")?.most).toBe(20e6);
    expect(find({ ...specWith({}), budget: { ...old, usd: "lots" } }, "run", "microUsd")?.most).toBe(0);
  });
});

it("tells a cap that is reached with its numbers, its place and its remedy", () => {
  const caps = capsOf(specWith({ usd: "$1.00" }), limits);
  const refusal = capReached(caps, (scope) => (scope === "run" ? { microUsd: 1_200_000 } : {}))!;

  expect(tellRefusal(refusal)).toBe("$1.20 of $1.00 are taken for this run (budget.usd)");
  expect(tellRemedy(refusal)).toBe("Raise `budget.usd` in the spec, then go on with `lw resume`; `lw spend` shows what it went to.");
  const machine = capReached(caps, (scope) => (scope === "machine-day" ? { microUsd: 50e6 } : {}))!;
  expect(tellRemedy(machine)).toContain("Raise `day.usd in limits.yaml` of loopwright's home, or wait for the next day");
});

it("warns from the soft line on, and not before", () => {
  const caps = capsOf(specWith({ usd: "$1.00" }), limits);
  const at = (microUsd: number) => softLines(caps, 80, (scope) => (scope === "run" ? { microUsd } : {}));

  expect([at(799_999), at(800_000)]).toEqual([[], ["$0.80 of $1.00 are taken for this run (budget.usd)"]]);
});

it("guesses what was not reported by the larger of what was printed and how long it took", () => {
  expect(estimateUnreported({ bytes: 3000, timeMs: 1000 })).toEqual({ tokens: 1000, microUsd: 25_000 });
  expect(estimateUnreported({ bytes: 30, timeMs: 60_000 })).toEqual({ tokens: 6000, microUsd: 150_000 });
});

it("sets a tenth of the run's caps aside for a launch, and something where there are none", () => {
  expect(launchEstimate(capsOf(specWith({ usd: "$1.00" }), limits))).toMatchObject({ microUsd: 100_000, tokens: 100_000 });
  expect(launchEstimate(capsOf(specWith({ usd: "unlimited" }), limits)).microUsd).toBe(2_000_000);
});

describe("a cap that ends somebody at work", () => {
  const cap = { scope: "run", measure: "microUsd", most: 100, written: "$0.0001", from: "budget.usd" } as const;
  const none = { round: {}, run: {}, "loop-day": {}, "loop-month": {}, "machine-day": {}, "machine-month": {} };
  const at = (taken: number, held: number) => ({
    taken: { ...none, run: { microUsd: taken } },
    held: { ...none, run: { microUsd: held } },
  });

  it.each([
    ["is spent", 100, 0, { microUsd: 0 }, { cap, taken: 100, asked: 0 }],
    ["is only held by others who ask first as it does", 100, 40, "asks-first", undefined],
    ["is held by others, and it has nothing set aside", 100, 40, { microUsd: 0 }, { cap, taken: 100, asked: 0, held: 40 }],
    ["is held by others, and it has something set aside", 120, 60, { microUsd: 20 }, undefined],
    ["is spent, whatever it has set aside", 150, 50, { microUsd: 20 }, { cap, taken: 130, asked: 0, held: 30 }],
  ] as const)("%s", (_, taken, held, left, refusal) => {
    expect(capOver([cap], at(taken, held), left)).toEqual(refusal);
  });

  it("is never one of rounds or launches, which are granted one by one", () => {
    const launches = { ...cap, measure: "launches" } as const;

    expect(capOver([launches], { taken: { ...none, run: { launches: 100 } }, held: none }, "asks-first")).toBeUndefined();
  });

  it("is told with what is spent, what is set aside, and whose it is", () => {
    const above = { loop: "outer", run: "outer-1-x", roundId: "outer-1-x.1", worker: "build", isShare: false };
    const usd = { ...cap, most: 100_000, written: "$0.10" };

    expect(tellRefusal({ cap: usd, taken: 100_000, held: 40_000, asked: 0, above })).toBe(
      "$0.10 of $0.10 are taken for outer-1-x, which called it: $0.06 spent, and $0.04 set aside for what still goes on (budget.usd)",
    );
    expect(tellRefusal({ cap: usd, taken: 90_000, asked: 20_000, above: { ...above, isShare: true } })).toBe(
      "$0.09 of $0.10 are taken for build in outer-1-x, and $0.02 more are asked for (budget.usd)",
    );
    expect(tellRemedy({ cap: usd, taken: 0, asked: 0, above })).toContain("`budget.usd` in the spec of outer");
  });
});
