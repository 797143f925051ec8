// An agent that speaks the Agent Client Protocol, played in this process: it answers as it is told, without a command behind it.

import type { Finished, Proc } from "../../src/contract/commands.ts";
import { untrustedText } from "../../src/contract/text.ts";
import { finishedAs } from "./fake-world.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the message as its reader would, by name
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly result?: any;
}

/** What the agent does during its turn: asks the client, tells it, and gives back how the turn ended. */
export type Turn = (agent: {
  ask(method: string, params: object): Promise<Message>;
  tell(update: object): Promise<void>;
}) => Promise<object>;

const noTurn: Turn = async () => ({ stopReason: "end_turn" });

export function fakeAcpAgent(turn: Turn = noTurn, about: { readonly loadSession?: boolean } = {}) {
  const heard: Message[] = [];
  const run: Proc["run"] = (_, dialogue) =>
    new Promise<Finished>((resolve) => {
      let asked = 1000;
      const waiting = new Map<number, (message: Message) => void>();
      const print = (message: object): Promise<void> =>
        dialogue?.heard(untrustedText(JSON.stringify({ jsonrpc: "2.0", ...message }))) ?? Promise.resolve();
      const agent = {
        tell: (update: object) => print({ method: "session/update", params: { sessionId: "s1", update } }),
        ask: (method: string, params: object) =>
          new Promise<Message>((answered) => {
            waiting.set(++asked, answered);
            void print({ id: asked, method, params: { sessionId: "s1", ...params } });
          }),
      };
      const answer = async ({ id, method }: Message): Promise<void> => {
        if (method === "initialize") return print({ id, result: { protocolVersion: 1, agentCapabilities: about } });
        if (method === "session/new") return print({ id, result: { sessionId: "s1" } });
        if (method === "session/load") return print({ id, result: {} });
        if (method === "session/prompt") return print({ id, result: await turn(agent) });
      };
      dialogue?.begun?.({
        say(text) {
          const message: Message = JSON.parse(text);
          heard.push(message);
          if (message.method === undefined && message.id !== undefined) waiting.get(message.id)?.(message);
          else void answer(message);
        },
        hangUp: () => {},
        end: () => resolve(finishedAs({ kind: "exited", code: 143 })),
      });
    });
  return { run, heard };
}
