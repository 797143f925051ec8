// The stream of live events as text, read piece by piece into events.
import type { LiveEvent } from "../../src/contract/api.ts";

/** What of the stream is not a whole event yet. */
export interface Unread {
  readonly rest: string;
}

export const NOTHING_READ: Unread = { rest: "" };

/** A broken stream must not fill the memory. */
const LONGEST_EVENT = 1_000_000;

/** Takes the next piece of the stream; gives the events that are whole now, and what is left for the next. */
export function readEvents(before: Unread, piece: string): { readonly events: readonly LiveEvent[]; readonly unread: Unread } {
  const blocks = `${before.rest}${piece}`.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  return { events: blocks.flatMap((block) => readEvent(block) ?? []), unread: { rest: rest.length > LONGEST_EVENT ? "" : rest } };
}

function readEvent(block: string): LiveEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    // A line that begins with a colon is a comment, which keeps the connection warm.
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    fields.set(name, name === "data" && fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = parse(fields.get("data"));
  if (data === undefined) return undefined;
  switch (fields.get("event")) {
    case "record":
      // The server's events are typed by the contract that both sides share; what is not of this shape is left out above.
      return { event: "record", id: Number(fields.get("id")), data } as LiveEvent;
    case "talk":
    case "step":
    case "gap":
    case "beat":
      return { event: fields.get("event"), data } as LiveEvent;
    default:
      return undefined;
  }
}

function parse(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
