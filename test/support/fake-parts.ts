// A few parts that do nothing, and sound specs that ask for them.
import { z } from "zod";
import { defineConnector } from "../../src/contract/connector.ts";
import type { Registries } from "../../src/contract/crew.ts";
import { defineGate } from "../../src/contract/gate.ts";
import { defineMaker, defineReporter } from "../../src/contract/maker.ts";
import { defineNotifier } from "../../src/contract/notifier.ts";
import { Duration } from "../../src/contract/spec.ts";
import { defineTrigger } from "../../src/contract/trigger.ts";
import { defineCommitVerifier, defineReportVerifier } from "../../src/contract/verifier.ts";

const notRun = () => Promise.reject(new Error("not run here"));
const none = z.strictObject({});
const shellOptions = z.strictObject({
  run: z
    .string()
    .min(1)
    .meta({ description: "The command.", examples: ["npm run fix"] }),
  timeout: Duration.default("5m"),
  env: z.record(z.string(), z.string()).default({}),
  retries: z.union([z.literal("none"), z.int()]).optional(),
  extra: z.unknown().optional(),
});

/** What a spec without a budget gets. */
export const DEFAULT_BUDGET = {
  rounds: 3,
  time: "30m",
  usd: "$5.00",
  tokens: "1M",
  cpu: "4h",
  launches: 30,
  calls: 1000,
  tools: "10k",
  processes: "100k",
  disk: "20GB",
  perCall: { usd: "$2.00" },
  perRound: {},
  loop: { day: { usd: "$20.00", tokens: "20M", rounds: 200 }, month: { usd: "$200.00" } },
  warnAt: 80,
};

export const fakeParts: Registries = {
  makers: [
    defineMaker({ name: "shell", summary: "Runs a command.", options: shellOptions, edit: notRun }),
    defineReporter({
      name: "digest",
      summary: "Sums up commits.",
      options: none,
      report: () => ({ kind: "report", items: [], refs: [], divergence: [], summary: "" }),
    }),
  ],
  verifiers: [
    defineCommitVerifier({
      name: "tests",
      summary: "Runs the tests.",
      kind: "proof",
      options: z.strictObject({ run: z.string().default("npm test") }),
      verify: notRun,
    }),
    defineCommitVerifier({ name: "review", summary: "Asks a model.", kind: "opinion", options: none, verify: notRun }),
    defineReportVerifier({ name: "citations", summary: "Looks up commits.", kind: "proof", options: none, verify: notRun }),
  ],
  connectors: [defineConnector({ name: "git-log", summary: "Reads commits.", options: none, gather: notRun })],
  triggers: [
    defineTrigger({ name: "manual", summary: "Only by hand.", options: none, wakes: () => ({ hears: [] }) }),
    defineTrigger({
      name: "every",
      summary: "At intervals.",
      options: z.strictObject({ time: Duration }),
      wakes: () => ({ hears: [] }),
    }),
  ],
  gates: [defineGate({ name: "ask", summary: "Asks.", options: none, ask: async () => ({ kind: "ask", why: "" }) })],
  actions: [],
  notifiers: [defineNotifier({ name: "file", summary: "Writes a file.", options: none, tell: notRun })],
  improvers: [],
};

/** A sound spec whose maker proposes commits. */
export const GOOD = `# A comment first.
name: keep-green
intent: Keep main green.
level: L2
maker:
  use: shell
  with: {run: npm run fix}
verifiers:
  - use: tests
`;

/** A sound spec whose maker reports. */
export const REPORT = `name: weekly
intent: Say what changed.
level: L1
gather: [{use: git-log}]
maker: {use: digest}
verifiers: [{use: citations}]
`;
