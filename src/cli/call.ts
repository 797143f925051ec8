// What every command is given, and what it is as data.
import { resolve } from "node:path";
import type { Home } from "../app/home.ts";
import type { Around, Input, StandardInput } from "../contract/around.ts";
import type { ExitName } from "../contract/exit.ts";
import type { Group } from "./groups.ts";

/** The terminal, or whatever stands in its place. stdout is results, stderr is talk. */
export interface Io {
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** Resolves when whoever reads stdout has taken what was written, or is gone. Where it is not there, nobody has to be waited for. */
  readonly flushed?: () => Promise<void>;
  readonly input: StandardInput;
  readonly cwd: string;
  /** Whether stdout is a terminal, which acts on what is printed. */
  readonly outIsTerminal: boolean;
  readonly outColor: boolean;
  readonly errColor: boolean;
  /** Whether stderr is a terminal that can redraw its last line. */
  readonly isLive: boolean;
  readonly columns: number;
}

/** What a call may know of the process that makes it. */
export interface CliAround extends Around {
  readonly version: string;
  /** Hears of every wish that the call should stop, until what is given back is called. */
  readonly onSignal: (listener: () => void) => () => void;
  /** Hears of every wish that everything be read again, which is then no wish to stop. */
  readonly onHangUp?: (listener: () => void) => () => void;
  /** The name that the system knows its user by, where the variables do not say; undefined where it knows none. */
  readonly loginName?: () => string | undefined;
}

/** One call of one command, parsed. */
export interface Call extends CliAround {
  /** The home that it is about. */
  readonly home: Home;
  readonly args: readonly string[];
  readonly options: { readonly [name: string]: unknown };
  readonly io: Io;
}

export type Command = (call: Call) => Promise<ExitName>;

/** A command as data: help, completions and the reference are made from it. */
export interface CommandRow {
  readonly name: string;
  /** Other names of the same command. */
  readonly aliases?: readonly string[];
  readonly args: string;
  /** What people want who call it; the help is read by it. */
  readonly group: Group;
  readonly summary: string;
  readonly about: string;
  readonly options: readonly (readonly [flags: string, description: string])[];
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly load: () => Promise<Command>;
}

export const wantsJson = ({ options }: Call): boolean => options.json === true;

/** A file that was named, or `-` for standard input. */
export const inputAt = (asked: string, { input, cwd }: Io): Input =>
  asked === "-" ? { kind: "stdin", stdin: input } : { kind: "file", path: resolve(cwd, asked) };

export const printJson = ({ io }: Call, value: unknown): void => io.out(`${JSON.stringify(value, null, 2)}\n`);
