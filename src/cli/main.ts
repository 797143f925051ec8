#!/usr/bin/env node
// The front door: parses, calls one command, and turns how it ended into an exit code.
import { readFileSync } from "node:fs";
import { isLoopError, type LoopError } from "../contract/errors.ts";
import { EXIT, type ExitName, exitOfError } from "../contract/exit.ts";
import type { Call, CommandRow, Io } from "./call.ts";
import type { Discreet } from "./discreet.ts";
import { COMMANDS } from "./table.ts";

const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

main(process.argv.slice(2), createIo()).then((exit) => {
  process.exitCode = EXIT[exit].code;
});

async function main(argv: readonly string[], io: Io): Promise<ExitName> {
  const { parseArguments } = await import("./program.ts");
  const parsing = parseArguments(COMMANDS, argv, version, io);
  if (parsing.kind === "said") return parsing.exit;
  const { row, args, options } = parsing.call;
  return call(row, args, options, io);
}

async function call(row: CommandRow, args: readonly string[], options: Call["options"], io: Io): Promise<ExitName> {
  const { createDiscreet } = await import("./discreet.ts");
  const discreet = createDiscreet({ options, io });
  try {
    const command = await row.load();
    return await command({ args, options, io: discreet.io, version });
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

/** Colour only where a person looks: NO_COLOR, CI, pipes and dumb terminals get plain text. */
function createIo(): Io {
  const { NO_COLOR, FORCE_COLOR, CI, TERM } = process.env;
  const plain = (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";
  const colored = (stream: NodeJS.WriteStream): boolean =>
    !plain && (FORCE_COLOR !== undefined && FORCE_COLOR !== "0" ? true : stream.isTTY === true && CI === undefined);
  // A reader that has seen enough closes the pipe; that is no failure of ours.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => error.code !== "EPIPE" && process.abort());
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    cwd: process.cwd(),
    outIsTerminal: process.stdout.isTTY === true,
    outColor: colored(process.stdout),
    errColor: colored(process.stderr),
    isLive: process.stderr.isTTY === true && CI === undefined && TERM !== "dumb",
    columns: process.stderr.columns ?? 80,
  };
}
