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
  ["claude-sonnet-4-5", "us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["claude-sonnet-4-5", "global.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["claude-sonnet-4-5", "publishers/anthropic/models/claude-sonnet-4-5@20250929"],
  ["claude-sonnet-4-5", "databricks-claude-sonnet-4-5"],
  ["claude-sonnet-4-5", "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["claude-sonnet-4-5", "sonnet-4.5"],
  ["gpt-4", "gpt-4-0613"],
  ["gpt-4o", "azure/gpt-4o-2024-08-06"],
  ["gpt-oss-120b", "openai.gpt-oss-120b-1:0"],
  ["gemini-1.5-pro", "gemini-1.5-pro-002"],
  ["gemini-2.5-flash", "google/gemini-2.5-flash-preview-09-2025"],
  ["gemini-2.5-pro", "gemini-2.5-pro-exp-03-25"],
  ["mistral-large", "mistral-large-2411"],
  ["deepseek-r1", "deepseek.r1-v1:0"],
  ["deepseek-r1", "us.deepseek.r1-v1:0"],
  ["deepseek-r1", "deepseek-r1-0528"],
  ["llama3.3:70b", "meta.llama3-3-70b-instruct-v1:0"],
  ["llama3.3:70b", "us.meta.llama3-3-70b-instruct-v1:0"],
  ["llama3.3:70b", "meta-llama/Llama-3.3-70B-Instruct-Turbo"],
  ["llama3.3:70b", "meta-llama/Llama-3.3-70B-Instruct:groq"],
  ["llama3.3:70b", "llama-3.3-70b-versatile"],
  ["qwen3:8b", "qwen3:8b-q4_K_M"],
  ["qwen3:8b", "Qwen/Qwen3-8B"],
  ["phi4", "microsoft/phi-4"],
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
  ["gpt-4-turbo", "gpt-4"],
  ["o3", "o4"],
  ["sonnet-4.5", "sonnet-4"],
  ["llama-3.1-8b-instruct", "llama-3.3-70b-instruct"],
  ["deepseek.r1-v1:0", "deepseek.v3-v1:0"],
])("%s is not %s", (one, other) => {
  expect([compareModels(one, other), compareModels(other, one)]).toEqual(["other", "other"]);
});

it.each([
  ["sonnet", "claude-sonnet-4-5"],
  ["claude", "anthropic/claude-opus-4.1"],
  ["default", "gpt-5"],
  ["openrouter/auto", "gemini-2.5-pro"],
  ["deepseek-chat", "deepseek-v3"],
  ["arn:aws:bedrock:us-east-1:1:application-inference-profile/a1b2c3", "claude-sonnet-4-5"],
  ["arn:aws:bedrock:us-east-1:1:provisioned-model/a1b2c3", "arn:aws:bedrock:us-east-1:1:provisioned-model/d4e5f6"],
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
