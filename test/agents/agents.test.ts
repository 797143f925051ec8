// Real agent programs in real loops, against a scripted model on loopback. `node scripts/agents.mjs install` gets them, `npm run test:agents` runs this.
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { usedMeans } from "../support/box.ts";
import { createRepo, type TestRepo } from "../support/git-repo.ts";
import { inPlace, type Place, processesOfRun, until } from "../support/lw.ts";
import type { Script } from "../support/model-server.ts";
import { proposalsIn } from "../support/target.ts";
import {
  besideState,
  claudeCode,
  codex,
  geminiAcp,
  geminiCli,
  installedIn,
  isInstalled,
  localBin,
  npmGlobal,
  opencode,
  pi,
  type RealAgent,
  thatRuns,
  thatWrites,
  withModel,
} from "./scripted-agents.ts";

const RIGHT = "export const sum = (a, b) => a + b;\n";
const CHEAT = 'import { test } from "node:test";\ntest("adds", () => {});\n';

function brokenRepo(): TestRepo {
  const repo = createRepo();
  repo.commit("Add sums", {
    files: {
      "sum.mjs": "export const sum = (a, b) => a - b;\n",
      "test/sum.test.mjs":
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../sum.mjs";\ntest("adds", () => assert.equal(sum(2, 3), 5));\n',
    },
  });
  return repo;
}

const specOf = (place: Place, agent: RealAgent, about: object = {}, options: object = {}): string => {
  const maker = agent.maker as { readonly use: string; readonly with: object };
  return place.write(
    "fix.loop.yaml",
    JSON.stringify({
      name: "fix",
      intent: "Keep main green.",
      level: "L2",
      target: { repo: place.repo.dir, base: "main" },
      task: "sum.mjs is wrong: mend it.",
      maker: { use: maker.use, with: { ...maker.with, ...options } },
      verifiers: [{ use: "command", with: { run: "node --test test/" } }],
      budget: { rounds: 1, time: "10m", ...about },
    }),
  );
};

interface Case {
  readonly budget?: object;
  readonly options?: object;
  readonly env?: { readonly [name: string]: string };
  readonly home?: { readonly dir: string; readonly bin: string };
}

/** Runs one loop with an agent whose model plays the script; gives back how it ended and what is on record. */
const playing = (agent: RealAgent, script: Script, { budget = {}, options = {}, env: more = {}, home }: Case = {}) =>
  inPlace(
    (place) =>
      withModel(
        agent,
        place,
        script,
        async (server, env) => {
          const ended = await place.lw(["run", specOf(place, agent, budget, options)], { env: { ...env, ...more } });
          const { said: shown } = await place.json(["show", "fix"], { env });
          const run: string = shown.run;
          const { stdout } = await place.lw(["show", run, "--records"], { env });
          return {
            ...ended,
            asked: server.asked,
            shown,
            log: stdout,
            proposals: proposalsIn(place.repo),
            left: processesOfRun(run),
          };
        },
        home,
      ),
    brokenRepo,
  );

const told = ({ exit, stdout, stderr, log }: { exit: unknown; stdout: string; stderr: string; log: string }): string =>
  `exit ${exit}\n${stdout}\n${stderr}\n${log.slice(-4000)}`;

it("is alone with its loopback", async () => {
  if (process.env.LOOPWRIGHT_ALONE !== "1") return;
  const failure = await new Promise((resolve) =>
    connect(443, "192.0.2.1")
      .on("error", (error) => resolve("code" in error ? error.code : error))
      .on("connect", () => resolve("connected")),
  );

  expect(failure).toBe("ENETUNREACH");
});

describe.each([claudeCode, geminiAcp, geminiCli, pi, codex, opencode].map((agent) => [agent.title, agent] as const))("%s", (_, agent) => {
  const test = it.skipIf(!isInstalled(agent));

  test("mends the file; the loop proves it and proposes it", async () => {
    const played = await playing(agent, thatWrites("sum.mjs", RIGHT));

    expect(played.exit, told(played)).toBe(0);
    expect(played.proposals).toHaveLength(1);
    expect(played.log).toContain('"session"');
    expect(played.shown.rounds[0].evidence.proposal.box.kind).toBe(usedMeans);
    expect(played.left).toEqual([]);
  });

  test("is not believed when it edits the test instead", async () => {
    const played = await playing(agent, thatWrites("test/sum.test.mjs", CHEAT));

    expect(played.exit, told(played)).toBe(9);
    expect(played.stdout).toContain("it passes only with its own version of sealed files (test/sum.test.mjs)");
    expect(played.proposals).toEqual([]);
  });
});

describe.each([
  ...[claudeCode, geminiCli, pi, codex, opencode].map((agent) => [agent.title, npmGlobal.title, agent, npmGlobal] as const),
  ...[localBin, besideState].map((install) => [claudeCode.title, install.title, claudeCode, install] as const),
])("%s, installed %s", (_, _place, agent, install) => {
  it.skipIf(!isInstalled(agent))("is found in the box with all that it needs", () =>
    installedIn(install, agent, async (home) => {
      const played = await playing(agent, thatWrites("sum.mjs", RIGHT), { home });

      expect(played.exit, told(played)).toBe(0);
      expect(played.shown.rounds[0].evidence.proposal.box.kind).toBe(usedMeans);
      expect(played.proposals).toHaveLength(1);
    }),
  );
});

describe.each([claudeCode, geminiAcp].map((agent) => [agent.title, agent] as const))("%s in trouble", (_, agent) => {
  const test = it.skipIf(!isInstalled(agent));

  test("that hangs is ended when its time is up, and nothing is left running", async () => {
    const played = await playing(agent, () => ({ kind: "hang" }), { options: { timeout: "25s" } });

    expect(played.exit, told(played)).toBe(4);
    expect(played.log).toContain("it took longer than 25000 ms");
    expect(played.left).toEqual([]);
    expect(played.proposals).toEqual([]);
  });

  test("that dies in the middle is handed over, and says why", async () => {
    const played = await playing(agent, () => ({ kind: "cut", text: "I will" }), { options: { timeout: "60s" } });

    expect(played.exit, told(played)).toBe(4);
    expect(played.log).toContain("maker-unfinished");
    expect(played.left).toEqual([]);
  });

  test("that asks a question is handed over with it, instead of waiting", async () => {
    const played = await playing(agent, () => ({ kind: "text", text: "Shall it add or subtract? I cannot tell. Which do you want?" }));

    expect(played.exit, told(played)).toBe(9);
    expect(played.stderr).toContain("Which do you want?");
    expect(played.proposals).toEqual([]);
  });

  test("that wants to run what the guard forbids is told no", async () => {
    const played = await playing(agent, thatRuns("rm -rf / --no-preserve-root"));

    expect(played.exit, told(played)).not.toBe(0);
    expect(played.log).toContain('"refused"');
  });
});

describe("a usage limit", () => {
  /** What the provider of a subscription says, with the time at which the window is new. */
  const limited = (seconds: number) => {
    const resets = String(Math.ceil(Date.now() / 1000) + seconds);
    return {
      kind: "status" as const,
      status: 429,
      headers: {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": resets,
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
        "anthropic-ratelimit-unified-overage-status": "rejected",
        "anthropic-ratelimit-unified-5h-status": "rejected",
        "anthropic-ratelimit-unified-5h-reset": resets,
      },
      body: JSON.stringify({
        type: "error",
        error: { type: "rate_limit_error", message: "This request would exceed your account's rate limit." },
      }),
    };
  };
  const subscribed = { env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "not-a-token" } };
  const test = it.skipIf(!isInstalled(claudeCode));

  test("is on record with its time, costs no round, and leaves the run open for later", async () => {
    const played = await playing(claudeCode, () => limited(3600), subscribed);

    expect(played.exit, told(played)).toBe(75);
    expect(played.log).toContain("maker-rate-limited");
    expect(played.log).toMatch(/"until":\s*"20\d\d-/);
    expect(played.shown.rounds).toHaveLength(1);
    expect(played.shown.rest).toBeNull();
  });

  test("is waited out within the patience of the spec, and the same round goes on", async () => {
    const mend = thatWrites("sum.mjs", RIGHT);
    const reply = limited(8);
    const played = await playing(claudeCode, (asked, n) => (n === 1 ? reply : mend(asked, n)), {
      ...subscribed,
      budget: { patience: "5m" },
    });

    expect(played.exit, told(played)).toBe(0);
    expect(played.log).toContain("maker-rate-limited");
    expect(played.shown.rounds).toHaveLength(1);
    expect(played.proposals).toHaveLength(1);
  });
});

describe.each([claudeCode, geminiAcp].map((agent) => [agent.title, agent] as const))("%s, when lw is killed without a word", (_, agent) => {
  it.skipIf(!isInstalled(agent))("is not running ten seconds later, and the run goes on afterwards", () =>
    inPlace(
      (place) =>
        withModel(
          agent,
          place,
          (asked, n) => (n === 1 ? { kind: "hang" } : thatWrites("sum.mjs", RIGHT)(asked, n)),
          async (server, env) => {
            const running = place.start(["run", specOf(place, agent)], { env });
            await until(() => server.asked.length > 0);
            const { said } = await place.json(["show", "fix"], { env });
            const run: string = said.run;
            expect(processesOfRun(run).length).toBeGreaterThan(0);

            running.signal("SIGKILL");
            const killedAt = performance.now();
            await until(() => processesOfRun(run).length === 0 || performance.now() - killedAt > 10_000);
            expect(processesOfRun(run)).toEqual([]);

            const resumed = await place.lw(["resume", "fix"], { env });
            expect(resumed.exit, `${resumed.stdout}\n${resumed.stderr}`).toBe(0);
            expect(proposalsIn(place.repo)).toHaveLength(1);
          },
        ),
      brokenRepo,
    ),
  );
});
