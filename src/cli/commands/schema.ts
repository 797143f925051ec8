// lw schema: prints the JSON Schema of specs.
import { partsOf } from "../../app/open-parts.ts";
import { editorJsonSchema } from "../../spec/schema.ts";
import { type Command, printJson } from "../call.ts";

export const schema: Command = async (call) => {
  printJson(call, editorJsonSchema(await partsOf(call.home)));
  return "done";
};
