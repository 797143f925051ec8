// A rule of the command guard, as data, and what it may know of where a command would run.
import type { Severity } from "../../contract/evidence.ts";
import type { Call, CommandLine } from "./call.ts";
import type { CommandPolicy } from "./policy.ts";

/** Where the command would run; what is not known is left out. */
export interface Surroundings {
  /** The absolute folder that the maker may work in. */
  readonly workspace?: string;
  readonly level?: "L1" | "L2" | "L3";
  /** Closed: nothing that reaches the network may run. */
  readonly network?: "open" | "closed";
  readonly policy?: CommandPolicy;
  /** Asks the guard about a command found inside a program's text. */
  readonly decide?: (text: string) => "allow" | "ask" | "deny";
}

/** A rule is data plus one pure function, and carries the examples that prove it. */
export interface CommandRule {
  readonly id: string;
  readonly family: string;
  readonly severity: Severity;
  /** What is wrong, and what to do instead. */
  readonly why: string;
  readonly instead: string;
  /** The programs it looks at; `*` looks at every call, `>` at every call with a redirection. */
  readonly programs: readonly string[];
  /** What in the call is meant; undefined means the rule is silent. */
  readonly find: (call: Call, line: CommandLine, at: Surroundings) => string | boolean | undefined;
  readonly examples: { readonly flags: readonly string[]; readonly passes: readonly string[] };
}
