// A command of ours as an evaluator of the standard: a name that claims nothing about what it checks, and the command beside it, which
// the standard has no field for.
import { fieldsOf, textOf } from "../values.ts";

export const OUR_COMMAND = "loopwright.command";

/** The command of an evaluator, as the extensions of a document of ours have it. */
export function ourCommand(extensions: unknown, id: string | undefined): string | undefined {
  const commands = fieldsOf(fieldsOf(fieldsOf(extensions).loopwright).commands);
  return id !== undefined && Object.hasOwn(commands, id) ? textOf(commands[id]) : undefined;
}
