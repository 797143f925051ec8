// A server of the Model Context Protocol, played in this process: it answers as it is told, honestly or not, without a command behind it.
import type { Finished, MarkedCommand, Proc } from "../../src/contract/commands.ts";
import { untrustedText } from "../../src/contract/text.ts";
import { finishedAs } from "./fake-world.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the message as its reader would, by name
  readonly params?: any;
}

export interface Playing {
  /** Prints a line, as it is. */
  readonly print: (line: string) => void;
  readonly answer: (to: Message, result: unknown) => void;
  readonly exit: (code: number) => void;
}

/** Gives back whether it took the message; what is not taken is answered as an honest server would. */
export type Play = (message: Message, playing: Playing) => boolean;

export const TOOL = {
  name: "list_issues",
  description: "Lists issues.",
  inputSchema: { type: "object", properties: { state: { type: "string" } }, required: ["state"] },
};

export function fakeMcpServer(play: Play = () => false, tools: readonly object[] = [TOOL]) {
  const heard: Message[] = [];
  const commands: MarkedCommand[] = [];
  const run: Proc<MarkedCommand>["run"] = (command, dialogue) => {
    commands.push(command);
    return new Promise<Finished>((resolve) => {
      let isOver = false;
      const end = (code: number): void => {
        isOver = true;
        resolve(finishedAs({ kind: "exited", code }));
      };
      const print = (line: string): void => {
        if (!isOver) void dialogue?.heard(untrustedText(line));
      };
      const answer = ({ id }: Message, result: unknown): void => print(JSON.stringify({ jsonrpc: "2.0", id, result }));
      const playing: Playing = { print, answer, exit: end };
      const honestly = (message: Message): void => {
        const result = HONEST[message.method ?? ""]?.(message.params, tools);
        if (result !== undefined) answer(message, result);
      };
      dialogue?.begun?.({
        say(text) {
          const message: Message = JSON.parse(text);
          heard.push(message);
          queueMicrotask(() => {
            if (!play(message, playing)) honestly(message);
          });
        },
        hangUp: () => {},
        end: () => end(143),
      });
    });
  };
  return { run, heard, commands };
}

// biome-ignore lint/suspicious/noExplicitAny: the same
const HONEST: { readonly [method: string]: (params: any, tools: readonly object[]) => object } = {
  initialize: () => ({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "fake", version: "1" },
  }),
  "tools/list": (_, tools) => ({ tools }),
  "tools/call": (params) => ({ content: [{ type: "text", text: `asked ${JSON.stringify(params.arguments)}` }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "a memo" }] }),
};
