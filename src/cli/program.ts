// Turns the table of commands into a parser with help.
import { Command as Commander, CommanderError } from "commander";
import type { ExitName } from "../contract/exit.ts";
import { closest } from "../std/closest.ts";
import type { CommandRow, Io } from "./call.ts";
import { GROUPS, isGroup } from "./groups.ts";
import { tellAll, tellGroup, tellHelp } from "./help.ts";
import { HERE } from "./here-row.ts";

export interface Parsed {
  readonly row: CommandRow;
  readonly args: readonly string[];
  readonly options: { readonly [name: string]: unknown };
}

export type Parsing = { readonly kind: "call"; readonly call: Parsed } | { readonly kind: "said"; readonly exit: ExitName };

/** Parses the arguments; help, the version and mistakes are answered here. */
export function parseArguments(rows: readonly CommandRow[], argv: readonly string[], version: string, io: Io): Parsing {
  const help = helpAsked(rows, argv);
  if (help !== undefined) {
    io.out(help);
    return { kind: "said", exit: "done" };
  }
  const unknown = argv[0] === "help" && rowCalled(rows, argv[1]) === undefined ? argv[1] : undefined;
  if (unknown !== undefined) {
    const near = closest(unknown, [...rows.map(({ name }) => name), ...Object.keys(GROUPS)]);
    io.err(`error: there is no command or group '${unknown}'\n${near ? `(Did you mean ${near}?)` : "(lw help --all lists them)"}\n`);
    return { kind: "said", exit: "usage" };
  }
  let call: Parsed | undefined;
  const program = new Commander("lw")
    .description("Runs coding agents in loops that can be trusted while nobody watches.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print help of a command or a group")
    .showHelpAfterError("(run with --help for what is possible)")
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride();
  const line = isHere(argv) ? [HERE.name, ...argv] : argv;
  for (const row of isHere(argv) ? [HERE] : needed(rows, argv)) {
    const command = program
      .command(`${row.name} ${row.args}`.trim())
      .summary(row.summary)
      .description(`${row.summary}\n\n${row.about}`)
      .aliases(row.aliases ?? []);
    for (const [flags, description] of row.options) command.option(flags, description);
    command.addHelpText("after", `\nExamples:\n${row.examples.map(([line, what]) => `  ${line}\n      ${what}`).join("\n")}`);
    command.copyInheritedSettings(program).action(() => {
      call = { row, args: command.args, options: command.opts() };
    });
  }
  try {
    program.parse([...line], { from: "user" });
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
  io.err(tellHelp(rows));
  return { kind: "said", exit: "usage" };
}

/** Nothing, or only what says where and how to look: where do the loops stand, and what is next? */
const isHere = ([first]: readonly string[]): boolean => first === undefined || first === "--home" || first === "--json";

/** The help that is about no single command, or about one whose name a group has too. */
function helpAsked(rows: readonly CommandRow[], argv: readonly string[]): string | undefined {
  const [first, second] = argv;
  const isHelp = first === "help" || first === "--help" || first === "-h";
  if (!isHelp) return undefined;
  if (second === "--all") return tellAll(rows);
  if (second === undefined) return tellHelp(rows);
  return isGroup(second) ? tellGroup(rows, second) : undefined;
}

/** Whoever names a command needs no other: to describe them all takes a good part of what it takes to start. */
function needed(rows: readonly CommandRow[], [first]: readonly string[]): readonly CommandRow[] {
  const named = rowCalled(rows, first);
  return named ? [named] : rows;
}

const rowCalled = (rows: readonly CommandRow[], asked: string | undefined): CommandRow | undefined =>
  rows.find(({ name, aliases }) => asked !== undefined && (name === asked || aliases?.includes(asked)));
