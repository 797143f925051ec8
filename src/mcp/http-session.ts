// A session of a client that speaks the earlier revisions, over many HTTP requests: so many of them at once, and each answered within a time.
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { AskedLog } from "./asked-log.ts";
import type { Desk } from "./desk.ts";
import type { Following } from "./follow-records.ts";
import { INVALID_REQUEST, refuseHttp, TOO_MUCH } from "./http-refusal.ts";
import { type Caller, createSession } from "./session.ts";

export interface HttpSession {
  /** The message is undefined for what has no body. */
  readonly answer: (request: Request, message: JSONRPCMessage | undefined) => Promise<Response>;
  readonly isBusy: () => boolean;
  readonly close: () => Promise<void>;
}

export interface HttpTools {
  readonly desk: Desk;
  readonly log: AskedLog;
  readonly follow: Following;
}

const MOST_AT_ONCE = 32;
/** No tool that is offered over HTTP takes nearly as long. */
export const PATIENCE_MS = 30_000;

export async function openHttpSession(
  { desk, log, follow }: HttpTools,
  caller: Caller,
  id: string,
  onOver: () => void,
): Promise<HttpSession> {
  const underWay = new Map<RequestId, (why: string) => void>();
  const { server, followed } = createSession(desk, log, caller);
  // Progress is told by the referee alone, who is not asked here: an answer is one piece of JSON.
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id, enableJsonResponse: true });
  const unfollow = follow.on(async (uri) => {
    if (followed.uris.has(uri)) await server.sendResourceUpdated({ uri });
  });
  server.onclose = () => {
    unfollow();
    for (const settle of underWay.values()) settle("its session is over");
    onOver();
  };
  await server.connect(transport);

  return {
    isBusy: () => underWay.size > 0,
    close: () => server.close(),
    async answer(request, message) {
      if (message === undefined) return transport.handleRequest(request);
      if (isJSONRPCRequest(message)) return answered(request, message, message.id);
      const answer = await transport.handleRequest(request, { parsedBody: message });
      // What is taken back is never answered by the library, and would keep its place.
      if ("method" in message && message.method === "notifications/cancelled") settle(message.params?.requestId, "it was taken back");
      return answer;
    },
  };

  async function answered(request: Request, message: JSONRPCMessage, asked: RequestId): Promise<Response> {
    if (underWay.has(asked)) return refuseHttp({ status: 400, code: INVALID_REQUEST, says: "an id is used twice", id: asked });
    if (underWay.size >= MOST_AT_ONCE)
      return refuseHttp({ status: 429, code: TOO_MUCH, says: `no more than ${MOST_AT_ONCE} requests are answered at once`, id: asked });
    const over = new Promise<Response>((resolve) => {
      underWay.set(asked, (says) => resolve(refuseHttp({ status: 200, code: TOO_MUCH, says, id: asked })));
    });
    const patience = desk.house.repeat(PATIENCE_MS, () => settle(asked, "it took too long"));
    try {
      return await Promise.race([transport.handleRequest(request, { parsedBody: message }), over]);
    } finally {
      patience.end();
      underWay.delete(asked);
    }
  }

  function settle(asked: unknown, why: string): void {
    if (typeof asked === "string" || typeof asked === "number") underWay.get(asked)?.(why);
  }
}
