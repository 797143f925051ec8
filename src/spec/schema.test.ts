import { describe, expect, it } from "vitest";
import * as z from "zod";
import { DEFAULT_BUDGET } from "../../test/support/fake-parts.ts";
import { defineConnector } from "../contract/connector.ts";
import type { Registries } from "../contract/crew.ts";
import { defineGate } from "../contract/gate.ts";
import { defineMaker } from "../contract/maker.ts";
import { defineNotifier } from "../contract/notifier.ts";
import { LoopSpec } from "../contract/spec.ts";
import { defineTrigger } from "../contract/trigger.ts";
import { defineCommitVerifier } from "../contract/verifier.ts";
import { specJsonSchema, specSchema } from "./schema.ts";

const registries: Registries = {
  makers: [
    defineMaker({
      name: "shell",
      summary: "Runs a command.",
      options: z.strictObject({
        run: z
          .string()
          .min(1)
          .meta({ description: "The command.", examples: ["npm run fix"] }),
      }),
      edit: () => Promise.reject(new Error("not run here")),
    }),
  ],
  verifiers: [
    defineCommitVerifier({
      name: "tests",
      summary: "Runs the tests.",
      kind: "proof",
      options: z.strictObject({ run: z.string().default("npm test"), tries: z.int().default(1) }),
      verify: () => Promise.reject(new Error("not run here")),
    }),
  ],
  connectors: [],
  triggers: [defineTrigger({ name: "manual", summary: "Only by hand.", options: z.strictObject({}), wakes: () => ({ hears: [] }) })],
  gates: [defineGate({ name: "ask", summary: "Asks.", options: z.strictObject({}), ask: async () => ({ kind: "ask", why: "" }) })],
  actions: [],
  notifiers: [],
  improvers: [],
};

const smallest = {
  name: "a",
  intent: "Keep it green.",
  level: "L2",
  maker: { use: "shell", with: { run: "x" } },
  verifiers: [{ use: "tests" }],
};

describe("specSchema", () => {
  it("fills in every default, those of the parts too", () => {
    expect(specSchema(registries).parse(smallest)).toEqual({
      name: "a",
      intent: "Keep it green.",
      level: "L2",
      target: { repo: "." },
      trigger: { use: "manual", with: {} },
      gather: [],
      workspace: { include: true, ports: 0 },
      brief: { tokens: "20k" },
      maker: { use: "shell", with: { run: "x" } },
      verifiers: [{ use: "tests", with: { run: "npm test", tries: 1 } }],
      seal: [],
      unseal: [],
      budget: DEFAULT_BUDGET,
      baseline: { when: "always", runs: 2, want: "any" },
      flakes: { quarantine: "7d" },
      gate: { all: [{ use: "ask", with: {} }], tampering: "escalate" },
      act: [],
      alert: { to: [] },
      outsiders: { level: "L2", network: "closed" },
      box: {
        maker: { when: "available", network: "open", reads: [], writes: [] },
        verifiers: { when: "available", network: "closed", reads: [] },
      },
      notify: [],
      referee: { protect: ["secrets", "loop", "submodules"], deny: [], allow: [] },
    });
  });

  it("gives what it gave when it reads that again", () => {
    const once = specSchema(registries).parse(smallest);

    expect(specSchema(registries).parse(once)).toEqual(once);
  });

  it("gives only what the contract's own schema accepts", () => {
    const spec = specSchema(registries).parse(smallest);

    expect(LoopSpec.parse(spec)).toEqual(spec);
  });

  it.each([
    ["an unknown part", { ...smallest, maker: { use: "wizard" } }],
    ["options that the part does not take", { ...smallest, maker: { use: "shell", with: { run: "x", walk: "y" } } }],
    ["no options where the part needs some", { ...smallest, maker: { use: "shell" } }],
    ["any entry of an empty registry", { ...smallest, notify: [{ use: "file" }] }],
    ["an empty list of verifiers", { ...smallest, verifiers: [] }],
    ["more verifiers than the contract allows", { ...smallest, verifiers: Array.from({ length: 21 }, () => ({ use: "tests" })) }],
  ])("refuses %s", (_, value) => {
    expect(specSchema(registries).safeParse(value).success).toBe(false);
  });

  it("accepts an empty list where a registry is empty", () => {
    expect(specSchema(registries).safeParse({ ...smallest, gather: [], notify: [] }).success).toBe(true);
  });
});

describe("specJsonSchema", () => {
  const schema = specJsonSchema(registries);

  it("says what it is, asks for what is needed and allows nothing else", () => {
    const { properties, ...top } = schema;

    expect(top).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Loopwright spec",
      description: "One loop: what it is for, who makes, who verifies, what it may use and how far it may go.",
      type: "object",
      required: ["name", "intent", "level", "maker", "verifiers"],
      additionalProperties: false,
    });
    expect(Object.keys(properties ?? {})).toEqual(Object.keys(LoopSpec.shape));
  });

  it("offers the parts by name, with their summaries, options and examples", () => {
    const shell = {
      oneOf: [
        {
          type: "object",
          properties: {
            use: { type: "string", const: "shell", description: "Runs a command." },
            with: {
              type: "object",
              description: "Options of shell.",
              properties: { run: { type: "string", minLength: 1, description: "The command.", examples: ["npm run fix"] } },
              required: ["run"],
              additionalProperties: false,
            },
          },
          required: ["use", "with"],
          additionalProperties: false,
        },
      ],
    };

    expect(schema.properties?.maker).toEqual({
      description: LoopSpec.shape.maker.meta()?.description,
      anyOf: [shell, { type: "array", minItems: 1, maxItems: 5, items: shell }],
    });
  });

  it("keeps the contract's limits and description on a list, and lets nothing into the list of an empty registry", () => {
    expect(schema.properties?.notify).toEqual({
      default: [],
      description: "Who is told how a run ended.",
      type: "array",
      maxItems: 20,
      items: { not: {} },
    });
  });

  it("describes every key, so that editors can", () => {
    const undescribed = Object.entries(schema.properties ?? {}).filter(([, inner]) => typeof inner === "boolean" || !inner.description);

    expect(undescribed).toEqual([]);
  });

  it("is plain JSON, also when every registry is empty", () => {
    const bare = specJsonSchema({
      makers: [],
      verifiers: [],
      connectors: [],
      triggers: [],
      gates: [],
      actions: [],
      notifiers: [],
      improvers: [],
    });

    expect(JSON.parse(JSON.stringify(bare))).toEqual(bare);
    expect(bare.properties?.maker).toEqual({
      description: LoopSpec.shape.maker.meta()?.description,
      anyOf: [{ not: {} }, { type: "array", minItems: 1, maxItems: 5, items: { not: {} } }],
    });
  });

  it("takes parts of every registry", () => {
    const full = specJsonSchema({
      ...registries,
      connectors: [
        defineConnector({
          name: "log",
          summary: "Reads commits.",
          options: z.strictObject({}),
          gather: () => Promise.reject(new Error("not run here")),
        }),
      ],
      notifiers: [
        defineNotifier({
          name: "file",
          summary: "Writes a file.",
          options: z.strictObject({}),
          tell: () => Promise.reject(new Error("not run here")),
        }),
      ],
    });

    expect(["gather", "notify"].map((key) => JSON.stringify(full.properties?.[key]).match(/"const":"(\w+)"/)?.[1])).toEqual([
      "log",
      "file",
    ]);
  });
});
