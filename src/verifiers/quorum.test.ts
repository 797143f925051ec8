import { expect, it } from "vitest";
import { quorum } from "./quorum.ts";

const judgesOf = (...models: readonly string[]) => ({
  judges: models.map((model) => ({ provider: "ollama", model })),
  agree: models.length,
});
const configured =
  (...models: readonly string[]) =>
  () =>
    quorum.configure(judgesOf(...models));

it.each([
  ["once more", "qwen3:8b", "qwen3:8b"],
  ["by an alias", "claude-sonnet-4-5", "claude-sonnet-4-5-latest"],
  ["by its date", "gpt-4.1", "gpt-4.1-2025-04-14"],
  ["by a gateway", "claude-sonnet-4-5", "anthropic/claude-sonnet-4.5"],
  ["by a cloud", "claude-sonnet-4-5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
])("does not count a model twice that is named %s", (_, one, other) => {
  expect(configured("gemini-2.5-pro", one, other)).toThrow("has one voice");
});

it.each([
  ["a family beside one of it", "sonnet", "claude-sonnet-4-5"],
  ["whatever is best today", "openrouter/auto", "gpt-4.1"],
  ["what only an account knows", "arn:aws:bedrock:us-east-1:1:application-inference-profile/a1", "claude-sonnet-4-5"],
])("does not count as two what nobody can tell apart: %s", (_, one, other) => {
  expect(configured(one, other)).toThrow("nobody can tell whether");
});

it("counts different models, also of one house", () => {
  expect(configured("claude-sonnet-4-5", "claude-opus-4-1", "gpt-4.1")).not.toThrow();
});
