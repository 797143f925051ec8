// A model by NVIDIA's NIM, with tools of ours.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import { modelLogin } from "../contract/model-login.ts";
import { MODEL_MAKER_OPTIONS, runModel } from "./model-loop.ts";

export const nvidia = defineMaker({
  name: "nvidia",
  summary:
    "Lets a model of NVIDIA NIM work in the maker's copy with bounded tools of ours; its key is in NVIDIA_API_KEY unless the spec names another variable.",
  provider: "nvidia",
  keepsToTools: true,
  options: z.strictObject(MODEL_MAKER_OPTIONS),
  loginOf: (options) => modelLogin({ provider: "nvidia", ...options }),
  edit: (order, options, world) => runModel(order, "nvidia", options, world),
});
