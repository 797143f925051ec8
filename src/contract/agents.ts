// How a coding agent is taught the loops of a repository: which files it reads, as data.

export interface TaughtLoop {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** In its writer's words, on one line or many. */
  readonly intent: string;
  readonly level: string;
  /** Where its spec is, from the root. */
  readonly spec: string;
  /** The commands that prove a change, as they are written. */
  readonly proofs: readonly string[];
}

export interface Teaching {
  readonly loops: readonly TaughtLoop[];
  /** What lies at a path of `AgentAdapter.asks`. */
  readonly kindAt: (path: string) => "file" | "folder" | undefined;
}

export type MarkStyle = "markdown" | "hashes";

/** What is put somewhere. The file around it stays as it is, byte for byte. */
export type Piece =
  /** A block of ours in somebody's file. */
  | {
      readonly kind: "block";
      readonly path: string;
      readonly name: string;
      readonly body: string;
      readonly marks: MarkStyle;
      /** Whether what people wrote there already does what the block is for. */
      readonly isNeedless?: (theirs: string) => boolean;
    }
  /** A file that is all ours. */
  | { readonly kind: "file"; readonly path: string; readonly body: string; readonly marks: MarkStyle }
  /** One item of a list at the top of somebody's YAML. */
  | { readonly kind: "item"; readonly path: string; readonly key: string; readonly item: string }
  /** The hooks of an agent, by the name of its hook adapter. */
  | { readonly kind: "hook"; readonly adapter: string }
  /** Our server of the Model Context Protocol in an agent's settings, by the name that those have. */
  | { readonly kind: "server"; readonly agent: string };

/** One agent, as data and pure functions. */
export interface AgentAdapter {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** What its format was looked up in, with the date; and what a user has to know. */
  readonly notes: readonly string[];
  /** How it is told that somebody here uses it: paths of the repository, and programs on the PATH. */
  readonly signs: { readonly paths: readonly string[]; readonly programs: readonly string[] };
  /** Paths that decide where its pieces go. */
  readonly asks: readonly string[];
  /** Other adapters whose pieces it builds on. */
  readonly needs: readonly string[];
  readonly pieces: (teaching: Teaching) => readonly Piece[];
  /** Files that `pieces` may make, with `*` in one name for those of loops: so that what is no longer wanted is found. */
  readonly own: readonly string[];
}

export const defineAgent = (agent: AgentAdapter): AgentAdapter => agent;
