// The servers of the Model Context Protocol that a spec names.
import { LoopError } from "../../contract/errors.ts";
import { McpEntry } from "../../contract/mcp.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { serverHash } from "../../guard/tool-pins.ts";
import { isObject } from "../../std/json-record.ts";

/** Each once; two of one name that are not the same are refused, so that none is taken for the other. */
export function serversIn({ name, gather }: Pick<LoopSpec, "name" | "gather">): readonly McpEntry[] {
  const entries = gather.flatMap(({ use, with: options }) => (use === "mcp" && isObject(options) ? [McpEntry.parse(options.server)] : []));
  const twice = entries.find((entry) => entries.some((other) => other.name === entry.name && serverHash(other) !== serverHash(entry)));
  if (twice)
    throw new LoopError("bad-input", `the loop ${name} has two different servers called ${twice.name}`, {
      retry: "never",
      hint: "Give each a name of its own.",
    });
  return entries.filter((entry, index) => entries.findIndex((other) => other.name === entry.name) === index);
}

/** The one of that name, or the only one. */
export function serverCalled(spec: Pick<LoopSpec, "name" | "gather">, asked: string | undefined): McpEntry {
  const entries = serversIn(spec);
  const found = asked === undefined && entries.length === 1 ? entries[0] : entries.find(({ name }) => name === asked);
  if (found) return found;
  const names = entries.map(({ name }) => name).join(", ");
  const what =
    asked === undefined ? `the loop ${spec.name} names ${entries.length} servers` : `the loop ${spec.name} names no server ${asked}`;
  throw new LoopError("bad-input", what, {
    retry: "never",
    hint: entries.length > 0 ? `There are: ${names}.` : "Name one under `gather`: { use: mcp, with: { server: … } }.",
  });
}
