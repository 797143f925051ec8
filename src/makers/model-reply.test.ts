import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelReply } from "../contract/models.ts";
import { readReply } from "./model-reply.ts";

const TOOLS = new Set(["list", "read", "write", "patch", "run", "finish"]);
const words = (text: string, finish: ModelReply["finish"] = "done") => readReply({ said: { kind: "text", text }, finish }, TOOLS, 3);
const called = (tool: string, input: unknown, text = "") =>
  readReply({ said: { kind: "calls", text, calls: [{ id: "", tool, input }] }, finish: "calls" }, TOOLS, 3);
const READ = { kind: "calls", calls: [{ id: "call-3-1", tool: "read", input: { path: "a.js" } }] };

describe("a call", () => {
  it.each([
    ["as it should be", "read", { path: "a.js" }],
    ["with its arguments as a text", "read", '{"path": "a.js"}'],
    ["with its arguments as a text in a text", "read", JSON.stringify('{"path": "a.js"}')],
    ["with its arguments in a code fence", "read", '```json\n{"path": "a.js"}\n```'],
    ["in capitals", "Read", { path: "a.js" }],
    ["with a prefix", "functions.read", { path: "a.js" }],
    ["by the name others give it", "read_file", { path: "a.js" }],
  ])("is read %s", (_, tool, input) => {
    expect(called(tool, input)).toMatchObject(READ);
  });

  it.each([
    ["no JSON", '{"path": '],
    ["nothing", undefined],
    ["a list", ["a.js"]],
    ["a number", 3],
    ["null", null],
  ])("with %s for arguments has none", (_, input) => {
    expect(called("read", input)).toMatchObject({ calls: [{ tool: "read", input: undefined }] });
  });

  it("of a tool that is not there keeps its name, so that it can be told so", () => {
    expect(called("teleport", {})).toMatchObject({ calls: [{ tool: "teleport" }] });
  });

  it("keeps the words before it, without the thoughts", () => {
    expect(called("read", { path: "a.js" }, "<think>hm</think>I look.")).toMatchObject({ ...READ, text: "I look." });
  });
});

describe("words", () => {
  it.each([
    '{"tool": "read", "input": {"path": "a.js"}}',
    'I will look.\n```json\n{"name": "read_file", "arguments": {"path": "a.js"}}\n```\nThen I go on.',
    '<think>{"tool": "run"}</think>{"tool": "read", "path": "a.js"}',
    '<tool_call>{"name": "read", "arguments": "{\\"path\\": \\"a.js\\"}"}</tool_call>',
    '{"function": {"name": "read", "arguments": {"path": "a.js"}}}',
    '{"tool_calls": [{"type": "function", "function": {"name": "read", "arguments": "{\\"path\\": \\"a.js\\"}"}}]}',
    '{"action": "read", "action_input": {"path": "a.js"}}',
  ])("with a call in them are that call: %s", (text) => {
    expect(words(text)).toMatchObject({ ...READ, text: "" });
  });

  it.each(["I am done.", "", "<think>read a.js</think>", '{"answer": 4}', '{"tool": "teleport"}', '{"name": "Ada"}', '{"tool": "read"'])(
    "without one are only words: %j",
    (text) => {
      expect(words(text)).toMatchObject({ kind: "words" });
    },
  );

  it("of somebody who would not are a refusal", () => {
    expect(words("No.", "refused")).toEqual({ kind: "refused", text: "No." });
  });

  it("can be any at all", () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), (text, input) => {
        expect(["calls", "words"]).toContain(words(text).kind);
        expect(called("read", input).kind).toBe("calls");
        expect(words(`${text}${JSON.stringify(input) ?? ""}`).kind).toMatch(/calls|words/);
      }),
    );
  });
});
