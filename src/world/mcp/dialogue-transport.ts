// A server's standard streams as the protocol's library wants them: every line is looked at before the library sees it, and only so many are.
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import type { Speaker } from "../../contract/commands.ts";
import { isNestedDeeper } from "../../std/json-depth.ts";

/** Of one line no more is heard than this, so that the rest of a longer one is lost. */
const MOST_LINE = 1024 * 1024;
const MOST_CHARS = 32 * 1024 * 1024;
const MOST_MESSAGES = 5_000;
/** A server may print a word or two that is no message; one that goes on has lost its way. */
const MOST_STRAY = 100;
const MOST_DEPTH = 64;

export interface DialogueTransport extends Transport {
  readonly open: (speaker: Speaker) => void;
  readonly heard: (line: string) => void;
  /** The server has ended, or is not listened to any more: why, where it was us. */
  readonly over: (why?: string) => void;
  /** What was asked of us by the server, and refused. */
  readonly refused: () => readonly string[];
  readonly whyOver: () => string | undefined;
}

export function dialogueTransport(): DialogueTransport {
  let speaker: Speaker | undefined;
  let why: string | undefined;
  let isOver = false;
  let chars = 0;
  let messages = 0;
  let stray = 0;
  const refused = new Set<string>();

  const transport: DialogueTransport = {
    open(given) {
      speaker = given;
    },
    start: async () => {},
    send: async (message) => {
      if (isOver) throw new Error("the server has ended");
      speaker?.say(`${JSON.stringify(message)}\n`);
    },
    close: async () => transport.over(),
    over(reason) {
      if (isOver) return;
      isOver = true;
      why = reason;
      speaker?.end();
      transport.onclose?.();
    },
    heard(line) {
      if (isOver) return;
      chars += line.length;
      messages += 1;
      if (chars > MOST_CHARS) return transport.over(`it said more than ${MOST_CHARS} characters`);
      if (messages > MOST_MESSAGES) return transport.over(`it sent more than ${MOST_MESSAGES} messages`);
      const message = messageIn(line);
      if (!message) return strayed(line);
      if ("method" in message && "id" in message && message.method !== "ping") refused.add(message.method.slice(0, 60));
      transport.onmessage?.(message);
    },
    refused: () => [...refused].slice(0, 20),
    whyOver: () => why,
  };
  return transport;

  function strayed(line: string): void {
    stray += 1;
    if (line.length >= MOST_LINE) transport.over(`it sent a message of more than ${MOST_LINE} characters`);
    else if (stray > MOST_STRAY) transport.over(`it printed ${stray} lines that are no messages of the protocol`);
  }
}

function messageIn(line: string): JSONRPCMessage | undefined {
  if (line.length >= MOST_LINE || isNestedDeeper(line, MOST_DEPTH)) return undefined;
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return undefined;
  }
}
