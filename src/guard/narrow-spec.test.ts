import { expect, it } from "vitest";
import { builtIn } from "../app/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { readSpec } from "../spec/read-spec.ts";
import { underCaller } from "./narrow-spec.ts";

function specOf(about: object): LoopSpec {
  const spec = {
    name: "x",
    intent: "Do.",
    level: "L2",
    maker: { use: "shell", with: { run: "./x" } },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
    ...about,
  };
  const reading = readSpec("x", JSON.stringify(spec), builtIn);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

const then = "halt";
const GUARD = { id: "no-secrets", rule: "secrets", at: "proposal", then };

it("gives a loop that asks for more than its caller has no more than that", () => {
  const caller = specOf({
    seal: ["secret/**"],
    outsiders: { level: "L1" },
    box: { maker: { when: "required", network: { allow: ["a.example", "b.example"] } }, verifiers: { when: "required" } },
    guards: [GUARD],
  });
  const called = specOf({
    level: "L3",
    unseal: ["package.json"],
    seal: ["own/**"],
    gate: { all: [{ use: "allowlist", with: { allow: ["docs/**"] } }], tampering: "retry" },
    act: [{ use: "merge" }],
    trigger: { use: "every", with: { interval: "1h" } },
    outsiders: { level: "L3", network: "open" },
    box: { maker: { when: "off", network: "open", reads: ["~/.ssh"], writes: ["~/.cache"] }, verifiers: { when: "off", network: "open" } },
    budget: { time: "2h" },
  });

  const narrowed = underCaller(caller, called, { id: "w", time: "20m" });

  expect(narrowed).toMatchObject({
    level: "L2",
    seal: ["secret/**", "own/**"],
    unseal: [],
    gate: { all: [{ use: "ask" }, { use: "allowlist" }], tampering: "escalate" },
    act: [],
    trigger: { use: "manual" },
    outsiders: { level: "L1", network: "closed" },
    box: {
      maker: { when: "required", network: { allow: ["a.example", "b.example"] }, reads: [], writes: [] },
      verifiers: { when: "required", network: "closed" },
    },
    guards: [GUARD],
    budget: { time: "20m" },
  });
});

it("leaves alone what is narrower already", () => {
  const caller = specOf({ box: { maker: { network: { allow: ["a.example"] } } } });
  const called = specOf({ box: { maker: { network: { allow: ["a.example", "c.example"] } } }, budget: { time: "5m" } });

  const narrowed = underCaller(caller, called, { id: "w", time: "20m" });

  expect([narrowed.box.maker.network, narrowed.budget.time]).toEqual([{ allow: ["a.example"], credentials: [] }, "5m"]);
});
