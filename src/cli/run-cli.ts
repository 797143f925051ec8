// The command line as a function: parses, calls one command, and turns how it ended into an exit code.
import { findHome } from "../app/home.ts";
import { environmentOf } from "../contract/around.ts";
import { failureOfDisk, isLoopError, type LoopError } from "../contract/errors.ts";
import { EXIT, type ExitName, exitOfError } from "../contract/exit.ts";
import type { CliAround, Io } from "./call.ts";
import type { Parsed } from "./program.ts";
import type { RedactedIo } from "./redact-io.ts";
import { COMMANDS } from "./table.ts";

/** Nothing is known of the process but what is handed in, and nothing is left open: many calls may go on in one process. */
export async function runCli(args: readonly string[], io: Io, around: CliAround): Promise<number> {
  const { parseArguments } = await import("./program.ts");
  const parsing = parseArguments(COMMANDS, args, around.version, io);
  const exit = parsing.kind === "said" ? parsing.exit : await call(parsing.call, io, around);
  return EXIT[exit].code;
}

async function call({ row, args, options }: Parsed, io: Io, around: CliAround): Promise<ExitName> {
  const { redactIo } = await import("./redact-io.ts");
  const asked = typeof options.home === "string" ? options.home : undefined;
  const home = findHome(asked, environmentOf(around.env), around.platform, io.cwd);
  const redacted = redactIo({ home, io, env: around.env });
  try {
    const command = await row.load();
    return await command({ args, options, home, ...around, io: redacted.io });
  } catch (error) {
    return tellFailure(error, options.json === true, redacted);
  }
}

/** Every failure says what happened and what to do next; a bug also says where. */
function tellFailure(error: unknown, asJson: boolean, { io, redact }: RedactedIo): ExitName {
  const failure = isLoopError(error) ? error : (failureOfDisk(error) ?? asBug(error));
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
