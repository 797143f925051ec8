// A model by Ollama, with tools of ours.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { modelLogin } from "../contract/model-login.ts";
import { MODEL_MAKER_OPTIONS, runModel } from "./model-loop.ts";

export const ollama = defineMaker({
  name: "ollama",
  summary: "Lets a model of Ollama, on this machine or elsewhere, work in the maker's copy with bounded tools of ours.",
  provider: "ollama",
  keepsToTools: true,
  options: z.strictObject(MODEL_MAKER_OPTIONS),
  loginOf: (options) => modelLogin({ provider: "ollama", ...options }),
  edit: (order, options, world) => runModel(order, "ollama", options, world),
});
