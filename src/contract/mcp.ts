// Servers of the Model Context Protocol that a spec names: how each is started, what it may reach, and what can be asked of it. All that it says is strangers' words.
import * as z from "zod";
import type { BoxFact, BoxWish } from "./commands.ts";
import { Duration, VariableName } from "./spec.ts";
import type { Untrusted } from "./text.ts";

export const McpEntry = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: "must be a short name of small letters, digits and dashes" })
    .meta({
      description: "What the server is called in this spec and in reports; what it calls itself counts for nothing.",
      examples: ["tracker"],
    }),
  run: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .meta({
      description: "The command that starts it, given to /bin/sh in the spec's folder and in a box. It talks on standard input and output.",
      examples: ["node node_modules/.bin/mcp-server-memory"],
    }),
  network: z
    .union([z.enum(["closed", "open"]), z.strictObject({ allow: z.array(z.string().min(1).max(300)).min(1).max(100) })])
    .default("closed")
    .meta({
      description: "Whether it reaches the network; with a list only these hosts, by a proxy that writes down every connection.",
      examples: ["closed", { allow: ["tracker.example.com"] }],
    }),
  inherit: z
    .array(VariableName)
    .max(20)
    .default([])
    .meta({
      description: "Variables of our environment that it may see besides PATH, HOME and the language.",
      examples: [["TRACKER_TOKEN"]],
    }),
  reads: z
    .array(z.string().min(1))
    .max(50)
    .default([])
    .meta({
      description: "Places it may read although the box hides them: absolute, from `~`, or from the spec's folder.",
      examples: [["~/notes"]],
    }),
  box: z
    .enum(["required", "available"])
    .default("required")
    .meta({ description: "Refuse to start it where there is no box, or do without one there.", examples: ["available"] }),
  timeout: Duration.default("60s").meta({ description: "How long a whole conversation with it may take.", examples: ["60s"] }),
});
export type McpEntry = Readonly<z.infer<typeof McpEntry>>;

/** One tool as its server describes it. */
export interface ToolSeen {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** What came of a call or a reading. Images, sounds and links are told and not followed. */
export interface McpAnswer {
  readonly text: Untrusted;
  readonly isError: boolean;
}

/** A conversation with one server, as long as it goes on. */
export interface McpLine {
  /** All tools, with no two of one name. */
  tools(): Promise<readonly ToolSeen[]>;
  call(tool: string, asked: { readonly [name: string]: unknown }): Promise<McpAnswer>;
  read(uri: string): Promise<McpAnswer>;
}

export interface Talked<T> {
  readonly value: T;
  /** What the server asked us for and was not given, each once: sampling, elicitation… */
  readonly refused: readonly string[];
  readonly box: BoxFact;
}

/** Everything that starting one takes. */
export interface McpOrder {
  readonly entry: McpEntry;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly mark: string;
  readonly box: BoxWish;
}

/** Starts a server, talks with it as long as the work goes on, and ends it with everything that it started. */
export interface McpServers {
  talk<T>(order: McpOrder, work: (line: McpLine) => Promise<T>): Promise<Talked<T>>;
}

/** The same for who has only an entry of a spec: the rest is decided by whoever runs the spec. */
export type TalkWithServer = <T>(entry: McpEntry, work: (line: McpLine) => Promise<T>) => Promise<Talked<T>>;

/** Somebody looked at these tools and wants them used as they are. Recorded in the home's own place. */
export interface ToolsAccepted {
  readonly kind: "tools-accepted";
  readonly server: string;
  /** Of everything that the spec says of the server: another entry is another server. */
  readonly of: string;
  /** All tools that are accepted from then on. */
  readonly tools: readonly ToolSeen[];
  readonly by: string;
  readonly why: string;
}
