import { builtIn } from "../../app/registries.ts";
import { specJsonSchema } from "../../app/spec-schema.ts";
import { type Command, printJson } from "../call.ts";

export const schema: Command = async (call) => {
  printJson(call, specJsonSchema(builtIn));
  return "done";
};
