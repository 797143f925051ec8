// The address for programs that ask over a protocol: who asks is looked at before a byte of the body is read, and the protocol is loaded for the first.
import type { AgentDoor } from "../../contract/web.ts";
import { admitAgent, type Gatekeeping } from "./admit-request.ts";
import { boundedRequest } from "./bounded-request.ts";
import { refuse } from "./refuse.ts";

export const AGENTS_PATH = "/mcp";

const MOST_BODY_BYTES = 1024 * 1024;
const MOST_AT_ONCE = 64;

export function answerAgents(
  gate: Gatekeeping,
  open: () => Promise<AgentDoor>,
): Omit<AgentDoor, "answer"> & {
  readonly answer: (request: Request) => Promise<Response>;
} {
  let door: Promise<AgentDoor> | undefined;
  let underWay = 0;
  return {
    async answer(request) {
      const admission = admitAgent(gate, { method: request.method, header: (name) => request.headers.get(name) ?? undefined });
      if (admission.kind === "refused") return refuse(admission.status, admission);
      if (underWay >= MOST_AT_ONCE)
        return refuse(503, { code: "busy", message: "too much is asked at once", hint: "Ask again in a moment." });
      underWay += 1;
      try {
        const bounded = await boundedRequest(request, MOST_BODY_BYTES);
        if (bounded instanceof Response) return bounded;
        door ??= open().catch((error: unknown) => {
          door = undefined;
          throw error;
        });
        return await (await door).answer(bounded, admission.agent);
      } finally {
        underWay -= 1;
      }
    },
    async close() {
      await (await door)?.close();
    },
  };
}
