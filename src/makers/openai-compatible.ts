// A model by OpenAI's chat completions, which many servers speak, with tools of ours.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { modelLogin } from "../contract/model-login.ts";
import { MODEL_OPTIONS } from "../contract/models.ts";
import { MODEL_MAKER_OPTIONS, runModel } from "./model-loop.ts";

export const openaiCompatible = defineMaker({
  name: "openai-compatible",
  summary:
    "Lets any model that speaks OpenAI's chat completions (OpenAI, OpenRouter, Groq, LM Studio, llama.cpp, vLLM) work in the maker's copy with bounded tools of ours.",
  provider: "openai-compatible",
  keepsToTools: true,
  options: z.strictObject({
    ...MODEL_MAKER_OPTIONS,
    baseUrl: MODEL_OPTIONS.baseUrl.unwrap().meta({
      description: "Where its interface begins, up to and with /v1: https, or http on this machine.",
      examples: ["https://openrouter.ai/api/v1"],
    }),
  }),
  loginOf: (options) => modelLogin({ provider: "openai-compatible", ...options }),
  edit: (order, options, world) => runModel(order, "openai-compatible", options, world),
});
