// Turns the table of commands into a parser with help.
import { Command as Commander, CommanderError } from "commander";
import { EXIT, type ExitName } from "../contract/exit.ts";
import type { CommandRow, Io } from "./call.ts";

export interface Parsed {
  readonly row: CommandRow;
  readonly args: readonly string[];
  readonly options: { readonly [name: string]: unknown };
}

export type Parsing = { readonly kind: "call"; readonly call: Parsed } | { readonly kind: "said"; readonly exit: ExitName };

const EXIT_LINES = Object.values(EXIT)
  .map(({ code, means }) => `  ${String(code).padStart(2)}  ${means}`)
  .join("\n");

/** Parses the arguments; help, the version and mistakes are answered here. */
export function parseArguments(rows: readonly CommandRow[], argv: readonly string[], version: string, io: Io): Parsing {
  let call: Parsed | undefined;
  const program = new Commander("lw")
    .description("Runs coding agents in loops that can be trusted while nobody watches.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print help of a command")
    .showHelpAfterError("(run with --help for what is possible)")
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride()
    .addHelpText(
      "after",
      `\nExamples:\n  lw demo                    one loop all the way through, no key, no network\n  lw init                    write a loop for this repository\n  lw run fix-shop            run it until it rests\n  lw status                  where every loop stands\n\nExit codes:\n${EXIT_LINES}`,
    );
  for (const row of needed(rows, argv)) {
    const command = program
      .command(`${row.name} ${row.args}`.trim())
      .summary(row.summary)
      .description(`${row.summary}\n\n${row.about}`)
      .aliases(row.aliases ?? []);
    if (row.group !== undefined) command.helpGroup(`${row.group}:`);
    for (const [flags, description] of row.options) command.option(flags, description);
    command.addHelpText("after", `\nExamples:\n${row.examples.map(([line, what]) => `  ${line}\n      ${what}`).join("\n")}`);
    command.copyInheritedSettings(program).action(() => {
      call = { row, args: command.args, options: command.opts() };
    });
  }
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "said", exit: "done" };
    if (argv.includes("--json"))
      io.out(
        `${JSON.stringify({ error: { code: "bad-input", message: error.message.replace(/^error: /, ""), hint: "Run with --help for what is possible." } }, null, 2)}\n`,
      );
    return { kind: "said", exit: "usage" };
  }
  if (call) return { kind: "call", call };
  io.err(program.helpInformation());
  return { kind: "said", exit: "usage" };
}

/** Whoever names a command needs no other: to describe them all takes a good part of what it takes to start. */
function needed(rows: readonly CommandRow[], [first]: readonly string[]): readonly CommandRow[] {
  const named = rows.find(({ name, aliases }) => first !== undefined && (name === first || aliases?.includes(first)));
  return named ? [named] : rows;
}
