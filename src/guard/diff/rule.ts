// What a rule about changes is: data, one pure function, and the examples that prove it.
import type { Severity } from "../../contract/evidence.ts";
import type { ChangeView } from "./view.ts";

export type Confidence = "high" | "medium" | "low";

/** One place where a rule saw something. */
export interface Sighting {
  readonly file: string;
  /** Where it stands after the change, or stood before if it is gone. */
  readonly line: number | undefined;
  /** Graver or milder than the rule's own severity, by what else the change does. */
  readonly severity?: Severity;
  readonly confidence: Confidence;
  /** What was seen here, in a few words: it follows the file's name. */
  readonly what: string;
  /** The lines this is about, as they were and as they are. */
  readonly before?: string;
  readonly after?: string;
}

/** Files before and after, by name. A missing side is undefined: the file was added or deleted. */
export interface DiffExample {
  readonly [path: string]: readonly [before: string | undefined, after: string | undefined];
}

export interface DiffRule {
  readonly id: string;
  /** The severity of a sighting that says none. */
  readonly severity: Severity;
  /** Shown to the maker and to the human: what is wrong, then what to do instead. */
  readonly why: string;
  readonly find: (view: ChangeView) => readonly Sighting[];
  /** `flags`: at least one sighting of medium or more. `passes`: none above low. */
  readonly examples: { readonly flags: readonly DiffExample[]; readonly passes: readonly DiffExample[] };
}
