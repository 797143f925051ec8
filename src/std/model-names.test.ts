import fc from "fast-check";
import { expect, it } from "vitest";
import { compareModels } from "./model-names.ts";

it.each([
  ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
  ["claude-sonnet-4-5", "anthropic/claude-sonnet-4.5"],
  ["claude-sonnet-4-5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["claude-sonnet-4-5", "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5@20250929"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5[1m]"],
  ["claude-3-5-sonnet-latest", "anthropic.claude-3-5-sonnet-20241022-v2:0"],
  ["claude-3-5-sonnet", "claude-3.5-sonnet:beta"],
  ["gpt-4.1", "openai/gpt-4.1-2025-04-14"],
  ["gpt-4.1", "azure/gpt-4.1"],
  ["gemini-2.5-pro", "models/gemini-2.5-pro-preview"],
  ["qwen3", "qwen3:latest"],
  ["deepseek-r1", "accounts/fireworks/models/deepseek-r1"],
  ["deepseek-r1", "deepseek/deepseek-r1:free"],
])("%s is %s", (one, other) => {
  expect([compareModels(one, other), compareModels(other, one)]).toEqual(["same", "same"]);
});

it.each([
  ["claude-sonnet-4-5", "claude-opus-4-5"],
  ["claude-sonnet-4-5", "claude-sonnet-4"],
  ["gpt-4.1", "gpt-4.1-mini"],
  ["gpt-4o", "gpt-4.1"],
  ["qwen3:8b", "qwen3:32b"],
  ["sonnet", "claude-opus-4-5"],
  ["gpt-5", "claude-sonnet-4-5"],
])("%s is not %s", (one, other) => {
  expect([compareModels(one, other), compareModels(other, one)]).toEqual(["other", "other"]);
});

it.each([
  ["sonnet", "claude-sonnet-4-5"],
  ["claude", "anthropic/claude-opus-4.1"],
  ["default", "gpt-5"],
  ["openrouter/auto", "gemini-2.5-pro"],
])("nobody can tell whether %s is %s", (one, other) => {
  expect([compareModels(one, other), compareModels(other, one)]).toEqual(["cannot-tell", "cannot-tell"]);
});

it("finds every name to be itself, and asks in any order", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(compareModels(one, one)).toBe("same");
      expect(compareModels(one, other)).toBe(compareModels(other, one));
    }),
  );
});
