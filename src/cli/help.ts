// The help that is about more than one command: a day's dozen by what people want, a group, or everything.
import { EXIT } from "../contract/exit.ts";
import type { CommandRow } from "./call.ts";
import { DAILY, GROUPS, type Group } from "./groups.ts";

const HEAD = "lw runs coding agents in loops that can be trusted while nobody watches.";
const GROUP_NAMES = Object.keys(GROUPS) as readonly Group[];

/** At most a dozen commands, by what people want; the rest is a group away. */
export function tellHelp(rows: readonly CommandRow[]): string {
  const daily = DAILY.flatMap((name) => rows.filter((row) => row.name === name));
  const parts = GROUP_NAMES.map((group) => ({ group, rows: daily.filter((row) => row.group === group) })).filter(
    ({ rows: some }) => some.length > 0,
  );
  return text([
    HEAD,
    "",
    "  lw                     where your loops stand, and what to do next",
    "  lw COMMAND --help      what a command does, with examples",
    "",
    ...parts.flatMap(({ group, rows: some }) => [titleOf(group), ...some.map(line), ""]),
    "More by what you want:",
    `  lw help ${GROUP_NAMES.join(" | ")}`,
    "Every command, the options of all of them, and the exit codes: lw help --all",
  ]);
}

/** All of one group. Where a command has its name too, that is told with its own help. */
export function tellGroup(rows: readonly CommandRow[], group: Group): string {
  const own = rows.find(({ name }) => name === group);
  return text([
    GROUPS[group],
    "",
    ...rows.filter((row) => row.group === group).map(line),
    "",
    own ? `The command itself: lw ${own.name} --help` : "What one of them does, with examples: lw COMMAND --help",
  ]);
}

export const tellAll = (rows: readonly CommandRow[]): string =>
  text([
    HEAD,
    "",
    ...GROUP_NAMES.flatMap((group) => [GROUPS[group], ...rows.filter((row) => row.group === group).map(line), ""]),
    "Options of the program:",
    "  -V, --version          print the version",
    "  -h, --help             print help, also of a command",
    "",
    "Exit codes:",
    ...Object.values(EXIT).map(({ code, means }) => `  ${String(code).padStart(2)}  ${means}`),
  ]);

/** Its first word says what somebody wants. */
const titleOf = (group: Group): string => GROUPS[group].split(":")[0]!;

const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

const NAME_WIDTH = 22;
const MOST = 78;

/** A command on a line of its own, or two where its summary is long. */
function line({ name, aliases = [], args, summary }: CommandRow): string {
  const called = `  ${[name, ...aliases].join("|")} ${args}`.trimEnd();
  const indent = " ".repeat(NAME_WIDTH + 3);
  const lines = [""];
  for (const word of summary.split(" ")) {
    const last = lines.at(-1)!;
    if (last !== "" && indent.length + last.length + 1 + word.length > MOST) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  const head = called.length <= NAME_WIDTH + 1 ? called.padEnd(NAME_WIDTH + 3) : `${called}\n${indent}`;
  return `${head}${lines.join(`\n${indent}`)}`;
}
