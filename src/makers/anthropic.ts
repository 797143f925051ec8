// A model by Anthropic's interface, with tools of ours.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { modelLogin } from "../contract/model-login.ts";
import { MODEL_MAKER_OPTIONS, runModel } from "./model-loop.ts";

export const anthropic = defineMaker({
  name: "anthropic",
  summary:
    "Lets a model of Anthropic work in the maker's copy with bounded tools of ours; its key is in ANTHROPIC_API_KEY unless the spec names another variable.",
  provider: "anthropic",
  keepsToTools: true,
  options: z.strictObject(MODEL_MAKER_OPTIONS),
  loginOf: (options) => modelLogin({ provider: "anthropic", ...options }),
  edit: (order, options, world) => runModel(order, "anthropic", options, world),
});
