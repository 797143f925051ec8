import { describe, expect, it } from "vitest";
import type { EditOrder } from "../../src/contract/maker.ts";
import type { Models } from "../../src/contract/models.ts";
import type { MakerWorld } from "../../src/contract/part-worlds.ts";
import { LoopSpec } from "../../src/contract/spec.ts";
import { makers } from "../../src/makers/index.ts";
import { fakeAcpAgent } from "../support/fake-acp-agent.ts";
import { barrenDesk, finishedAs, quietAgentWorld, quietNotebook } from "../support/fake-world.ts";
import { promisesOf } from "../support/part-suite.ts";
import { createFakeMeter } from "../support/purses.ts";

/** Options with which each maker of commits does something; a new maker adds its own here. */
const HAPPY: { readonly [maker: string]: unknown } = {
  shell: { run: "agent --print" },
  acp: { run: "agent --acp" },
  anthropic: { model: "some-model" },
  "openai-compatible": { model: "some-model", baseUrl: "https://models.example/v1" },
  ollama: { model: "some-model" },
  nvidia: { model: "some-model" },
  scripted: { scenes: [{ write: { "src/a.ts": "a" }, remove: ["src/b.ts"], run: "true", spend: { usd: 0.1, tokens: 5 } }] },
};

const spec = LoopSpec.parse({
  name: "keep-green",
  intent: "Keep main green.",
  level: "L2",
  maker: { use: "x" },
  verifiers: [{ use: "x" }],
});
const place = "/rounds/keep-green-1-abcde.1";
const order: EditOrder = {
  spec,
  round: {
    id: "keep-green-1-abcde.1",
    run: "keep-green-1-abcde",
    loop: "keep-green",
    number: 1,
    base: "ba5e",
    openedAt: "2026-01-02T03:04:05.678Z",
    lessons: [],
  },
  workspace: { work: `${place}/work`, home: `${place}/home`, brief: `${place}/brief.md`, usage: `${place}/usage.json` },
  brief: "# keep-green\n",
  timeLeftMs: 60_000,
};

/** A model that runs one command and is done. */
const busyModels: Models = {
  async ask(_, { messages }) {
    const call = messages.length === 1 ? { tool: "run", input: { command: "true" } } : { tool: "finish", input: { summary: "Done." } };
    return {
      said: { kind: "calls", text: "", calls: [{ id: "1", ...call }] },
      finish: "calls",
      usage: { input: 10, output: 1, cached: undefined, reasoning: undefined },
      bytes: { sent: 40, received: 4 },
    };
  },
};

it("gives every maker a name of its own", () => {
  expect(new Set(makers.map(({ name }) => name)).size).toBe(makers.length);
});

describe.each(makers.map((maker) => [maker.name, maker] as const))("%s", (name, maker) => {
  promisesOf(maker);
  const make = maker.configure(HAPPY[name] ?? {});

  it("makes what it says it makes", () => {
    expect(make.proposes).toBe(maker.proposes);
  });

  // A team's workers are called in its place, each by a maker of this list; in the place of a loop, a run of it.
  if (make.proposes !== "commit" || name === "team" || name === "loop") return;

  it("works through its own world only, and in its own copy only", async () => {
    const cwds: string[] = [];
    const seen: string[] = [];
    const world: MakerWorld = {
      proc: {
        async run(command, dialogue) {
          cwds.push(command.cwd);
          seen.push(...Object.values(command.env));
          // A command that listens instead of reading is spoken to, in the one protocol that we speak.
          if (dialogue && command.input === undefined) return fakeAcpAgent().run(command, dialogue);
          return finishedAs({ kind: "exited", code: 0 });
        },
      },
      notebook: quietNotebook,
      agent: quietAgentWorld,
      desk: { ...barrenDesk, models: busyModels },
      files: {
        read: async () => undefined,
        write: async (path) => void expect(path).not.toMatch(/^\/|\.\./),
        remove: async (path) => void expect(path).not.toMatch(/^\/|\.\./),
      },
      env: { get: (variable) => `our ${variable}` },
      meter: createFakeMeter(),
      readUsage: async () => undefined,
    };

    const talk = await make.edit(order, world);

    expect(talk.ended).toBe("finished");
    expect(new Set(cwds)).toEqual(new Set([order.workspace.work]));
    for (const secret of ["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK"])
      expect(seen).not.toContain(`our ${secret}`);
  });
});
