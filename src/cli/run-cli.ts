// The command line as a function: parses, calls one command, and turns how it ended into an exit code.
import { isLoopError, type LoopError } from "../contract/errors.ts";
import { EXIT, type ExitName, exitOfError } from "../contract/exit.ts";
import type { CliAround, Io } from "./call.ts";
import type { Discreet } from "./discreet.ts";
import type { Parsed } from "./program.ts";
import { COMMANDS } from "./table.ts";

/** Nothing is known of the process but what is handed in, and nothing is left open: many calls may go on in one process. */
export async function runCli(args: readonly string[], io: Io, around: CliAround): Promise<number> {
  const { parseArguments } = await import("./program.ts");
  const parsing = parseArguments(COMMANDS, args, around.version, io);
  const exit = parsing.kind === "said" ? parsing.exit : await call(parsing.call, io, around);
  return EXIT[exit].code;
}

async function call({ row, args, options }: Parsed, io: Io, around: CliAround): Promise<ExitName> {
  const { createDiscreet } = await import("./discreet.ts");
  const discreet = createDiscreet({ options, io, ...around });
  try {
    const command = await row.load();
    return await command({ args, options, ...around, io: discreet.io });
  } catch (error) {
    return tellFailure(error, options.json === true, discreet);
  }
}

/** Every failure says what happened and what to do next; a bug also says where. */
function tellFailure(error: unknown, asJson: boolean, { io, redact }: Discreet): ExitName {
  const failure = isLoopError(error) ? error : asBug(error);
  const { code, message, hint } = { code: failure.code, message: redact(failure.message), hint: redact(failure.hint) };
  if (asJson) io.out(`${JSON.stringify({ error: { code, message, hint } }, null, 2)}\n`);
  io.err(`lw: ${message}\n    ${hint}\n`);
  return exitOfError(code);
}

function asBug(error: unknown): Pick<LoopError, "code" | "message" | "hint"> {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: "bug",
    message: told,
    hint: "This is a bug in loopwright: please report it with this text and the output of `lw doctor`.",
  };
}
