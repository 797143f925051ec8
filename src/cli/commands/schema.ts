// lw schema: prints the JSON Schema of specs.
import { builtIn } from "../../app/crew.ts";
import { editorJsonSchema } from "../../spec/schema.ts";
import { type Command, printJson } from "../call.ts";

export const schema: Command = async (call) => {
  printJson(call, editorJsonSchema(builtIn));
  return "done";
};
