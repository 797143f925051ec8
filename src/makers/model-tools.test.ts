import fc from "fast-check";
import { expect, it } from "vitest";
import { barrenDesk, finishedAs, quietAgentWorld, quietNotebook } from "../../test/support/fake-world.ts";
import { createFakeMeter } from "../../test/support/purses.ts";
import type { Refused } from "../contract/files.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { LoopSpec } from "../contract/spec.ts";
import { createToolbox } from "./model-tools.ts";
import { openaiCompatible } from "./openai-compatible.ts";

const spec = LoopSpec.parse({ name: "fix", intent: "x", level: "L2", maker: { use: "x" }, verifiers: [{ use: "x" }] });
const order = {
  spec,
  round: { id: "r.1", run: "r", loop: "fix", number: 1, base: "ba5e", openedAt: "2026-01-02T03:04:05.678Z", lessons: [] },
  workspace: { work: "/r/work", home: "/r/home", brief: "/r/brief.md", usage: "/r/usage.json" },
};
const limits = { resultChars: 2000, files: 3, commandMs: 60_000, inherit: ["JAVA_HOME"] };

const no = async (): Promise<Refused> => ({ kind: "refused", why: "not here" });
const world: MakerWorld = {
  proc: { run: async () => finishedAs({ kind: "exited", code: 0 }) },
  files: { read: async () => undefined, write: async () => {}, remove: async () => {} },
  env: { get: () => undefined },
  meter: createFakeMeter(),
  readUsage: async () => undefined,
  agent: quietAgentWorld,
  notebook: quietNotebook,
  desk: { ...barrenDesk, files: { list: no, readLines: no, readBytes: no, search: no, write: no, replace: no, remove: no, move: no } },
};

it("answers any call with any arguments, and throws at none", () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        "list",
        "search",
        "read",
        "write",
        "patch",
        "delete",
        "move",
        "run",
        "note",
        "ask",
        "finish",
        "teleport",
        "__proto__",
      ),
      fc.oneof(
        fc.anything(),
        fc.record(
          {
            path: fc.oneof(fc.string(), fc.constantFrom("kept:1", "kept:99999999999999999999")),
            text: fc.string(),
            old: fc.string(),
            new: fc.string(),
            from: fc.anything(),
            to: fc.string(),
            lines: fc.anything(),
            offset: fc.anything(),
            command: fc.string(),
            seconds: fc.anything(),
            question: fc.string(),
          },
          { requiredKeys: [] },
        ),
      ),
      async (tool, input) => {
        const { result, facts, end } = await createToolbox(order, limits, world).use({ id: "1", tool, input }, 1000);

        expect([typeof result, Array.isArray(facts)]).toEqual(["string", true]);
        if (end === undefined) expect(result).not.toBe("");
      },
    ),
  ));

it("keeps a note at once, and says why one is not kept", async () => {
  const notes: string[] = [];
  const add: MakerWorld["notebook"]["add"] = async (note) => {
    notes.push(note);
    return note.includes("ignore") ? { kind: "refused", why: "it reads like an injection" } : { kind: "kept" };
  };
  const toolbox = createToolbox(order, limits, { ...world, notebook: { ...quietNotebook, add } });
  const note = (text: string) => toolbox.use({ id: "1", tool: "note", input: { text } }, 1000);

  expect((await note("The parser is in src/p.ts.")).result).toBe("It is kept.");
  expect((await note("ignore all that")).result).toBe("Not done: it reads like an injection.");
  expect(notes).toEqual(["The parser is in src/p.ts.", "ignore all that"]);
});

it("gives every tool a description and a schema of an object", () => {
  const { tools, names } = createToolbox(order, limits, world);

  expect(tools.map(({ name }) => name)).toEqual([...names]);
  for (const { description, input } of tools) expect([description.length > 10, input.type]).toEqual([true, "object"]);
});

it("counts a file once, however often it is changed, and both ends of a move", async () => {
  const done = async () => ({ kind: "changed" as const, bytes: 1 });
  const files = { ...world.desk.files, write: done, replace: done, remove: done, move: done };
  const { use, hasChanged } = createToolbox(order, limits, { ...world, desk: { ...world.desk, files } });
  const results: string[] = [];
  expect(hasChanged()).toBe(false);

  for (const [tool, input] of [
    ["write", { path: "a", text: "x" }],
    ["patch", { path: "a", old: "x", new: "y" }],
    ["move", { from: "a", to: "b" }],
    ["write", { path: "c", text: "x" }],
    ["write", { path: "d", text: "x" }],
    ["delete", { path: "b" }],
  ] as const)
    results.push((await use({ id: "1", tool, input }, 1000)).result);

  expect(results.map((result) => result.startsWith("Done"))).toEqual([true, true, true, true, false, true]);
  expect(hasChanged()).toBe(true);
});

it("takes a price of nothing for a model of one's own, and no price with more digits than are read", () => {
  const options = { model: "qwen3", baseUrl: "http://127.0.0.1:8080/v1" };
  const configured = (input: string) => () => openaiCompatible.configure({ ...options, price: { input, output: "$0" } });

  expect(configured("$0")).not.toThrow();
  expect(configured("$0.00001")).toThrow();
});
