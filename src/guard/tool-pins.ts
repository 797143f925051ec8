// Whether a tool is still what somebody accepted: its description, its schemas and its annotations, to the letter. Pure.
import type { McpEntry, ToolSeen } from "../contract/mcp.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";

/** What stands in the spec of a server, but for how long it may take: whoever changes the rest starts another server. */
export const serverHash = ({ timeout: _, ...entry }: McpEntry): string => sha256(canonicalJson(entry));

/** What was looked at, as one word: a person who accepts says it, and accepts nothing else. */
export const toolsHash = (tools: readonly ToolSeen[]): string =>
  sha256(canonicalJson(tools.toSorted((one, other) => (one.name < other.name ? -1 : 1)))).slice(0, 16);

export type PinState = "accepted" | "new" | "changed" | "gone";

export interface PinnedTool {
  readonly name: string;
  readonly state: PinState;
  /** What differs, by its field, as it was accepted and as it is; empty where nothing does. */
  readonly changes: readonly { readonly field: string; readonly before: string; readonly now: string }[];
}

/** Every tool that was accepted or is there, by name. */
export function comparePins(accepted: readonly ToolSeen[], seen: readonly ToolSeen[]): readonly PinnedTool[] {
  const names = [...new Set([...accepted, ...seen].map(({ name }) => name))].toSorted();
  return names.map((name): PinnedTool => {
    const before = accepted.find((tool) => tool.name === name);
    const now = seen.find((tool) => tool.name === name);
    if (!before) return { name, state: "new", changes: [] };
    if (!now) return { name, state: "gone", changes: [] };
    const changes = FIELDS.flatMap((field) => {
      const [was, is] = [written(before[field]), written(now[field])];
      return was === is ? [] : [{ field, before: was, now: is }];
    });
    return { name, state: changes.length === 0 ? "accepted" : "changed", changes };
  });
}

const FIELDS = ["title", "description", "inputSchema", "outputSchema", "annotations"] as const;
const written = (value: unknown): string => (value === undefined ? "" : typeof value === "string" ? value : canonicalJson(value));
