// What a person does about a server before a loop may use it: looks at what it offers, tries a tool, and accepts the tools as they are.
import { LoopError } from "../../contract/errors.ts";
import type { McpAnswer, McpEntry, Talked, ToolSeen } from "../../contract/mcp.ts";
import { talkFreely, talkWithin } from "../../engine/worlds/mcp-world.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import { comparePins, type PinnedTool, serverHash, toolsHash } from "../../guard/tool-pins.ts";
import { readAcceptedTools } from "../../journal/accepted-tools.ts";
import { HOME_PLACE } from "../../journal/known-loops.ts";
import { askWithPolicy } from "../hooks/ask-with-policy.ts";
import type { House } from "../open-house.ts";

/** Where a server is started, and by which rules. */
export interface ServerPlace {
  readonly folder: string;
  readonly policy: PolicyReading;
}

export interface Inspected {
  readonly server: string;
  /** Of what it offers; `lw mcp accept --seen` takes it. */
  readonly seen: string;
  readonly tools: readonly (PinnedTool & { readonly tool: ToolSeen | null })[];
  /** What it asked us for and was not given. */
  readonly refused: readonly string[];
  readonly box: Talked<unknown>["box"];
}

export async function inspectServer(house: House, entry: McpEntry, place: ServerPlace): Promise<Inspected> {
  const accepted = await readAcceptedTools(house.journal, serverHash(entry));
  const { value: seen, refused, box } = await talkFreely(withinOf(house, place))(entry, (line) => line.tools());
  const tools = comparePins(accepted, seen).map((pin) => ({ ...pin, tool: seen.find(({ name }) => name === pin.name) ?? null }));
  return { server: entry.name, seen: toolsHash(seen), tools, refused, box };
}

export interface Acceptance {
  readonly by: string;
  readonly why: string;
  /** What was looked at; undefined for whatever is there now. */
  readonly seen: string | undefined;
  /** Only these; what was accepted of others before stays so. None: all that there are, and no others. */
  readonly only: readonly string[];
}

const MOST_CHARS = 512 * 1024;

export async function acceptTools(
  house: House,
  entry: McpEntry,
  place: ServerPlace,
  { by, why, seen, only }: Acceptance,
): Promise<readonly PinnedTool[]> {
  const of = serverHash(entry);
  const { value: now } = await talkFreely(withinOf(house, place))(entry, (line) => line.tools());
  if (seen !== undefined && seen !== toolsHash(now))
    throw refusal(
      `the server ${entry.name} offers something else now than what you looked at`,
      "Look at it again with `lw mcp inspect`; nothing was accepted.",
    );
  const missing = only.find((name) => !now.some((tool) => tool.name === name));
  if (missing !== undefined)
    throw refusal(`the server ${entry.name} has no tool ${missing}`, "`lw mcp inspect` shows those that there are.");
  const before = await readAcceptedTools(house.journal, of);
  const tools =
    only.length === 0 ? now : [...before.filter(({ name }) => !only.includes(name)), ...now.filter(({ name }) => only.includes(name))];
  if (JSON.stringify(tools).length > MOST_CHARS)
    throw refusal(
      `what the server ${entry.name} says of its tools is longer than ${MOST_CHARS} characters`,
      "Accept only the tools that you need, with --tool.",
    );
  await house.journal.append([{ ...HOME_PLACE, record: { kind: "tools-accepted", server: entry.name, of, tools, by, why } }]);
  return comparePins(tools, now);
}

/** As a loop would call it: only what was accepted. */
export async function callTool(
  house: House,
  entry: McpEntry,
  place: ServerPlace,
  asked: { readonly tool: string; readonly with: { readonly [name: string]: unknown } },
): Promise<Talked<McpAnswer>> {
  const accepted = (of: string) => readAcceptedTools(house.journal, of);
  return talkWithin({ ...withinOf(house, place), accepted })(entry, (line) => line.call(asked.tool, asked.with));
}

export interface ListedServer {
  readonly server: string;
  readonly run: string;
  readonly network: McpEntry["network"];
  readonly box: McpEntry["box"];
  readonly accepted: readonly string[];
}

/** Nothing is started for it. */
export const listServers = ({ journal }: Pick<House, "journal">, entries: readonly McpEntry[]): Promise<readonly ListedServer[]> =>
  Promise.all(
    entries.map(async (entry) => {
      const accepted = await readAcceptedTools(journal, serverHash(entry));
      return { server: entry.name, run: entry.run, network: entry.network, box: entry.box, accepted: accepted.map(({ name }) => name) };
    }),
  );

const withinOf = ({ world }: House, { folder, policy }: ServerPlace) => ({
  world,
  guard: (command: string, at: Parameters<typeof askWithPolicy>[1]) => askWithPolicy(command, at, policy),
  mark: `mcp-${world.ids.token()}`,
  folder,
});

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
