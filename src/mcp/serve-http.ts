// Serves clients over HTTP: sessions for who speaks the earlier revisions, few for each and let go when idle; for who speaks the later, a
// request at a time. Who may ask was looked at before.
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { AgentDoor } from "../contract/web.ts";
import { isNestedDeeper } from "../std/json-depth.ts";
import { type Allowance, allowanceHourly } from "./allowance.ts";
import { createAskedLog } from "./asked-log.ts";
import type { Desk } from "./desk.ts";
import { followRecords } from "./follow-records.ts";
import { INVALID_REQUEST, PARSE_ERROR, refuseHttp, TOO_MUCH } from "./http-refusal.ts";
import { type HttpSession, openHttpSession, PATIENCE_MS } from "./http-session.ts";
import { type Caller, createSession } from "./session.ts";

const MOST_SESSIONS = 64;
const MOST_SESSIONS_EACH = 16;
const MOST_LISTENING = 32;
const IDLE_MS = 2 * 3_600_000;
const LOOK_MS = 60_000;
const MOST_DEPTH = 64;
const SESSION = "mcp-session-id";

interface Held {
  readonly agent: string | undefined;
  readonly session: HttpSession;
  lastMs: number;
}

export function serveHttp(desk: Desk): AgentDoor {
  const { house } = desk;
  const { monotonicMs } = house.clock;
  const log = createAskedLog("mcp http", house);
  const follow = followRecords(house);
  const held = new Map<string, Held>();
  const allowances = new Map<string | undefined, Allowance>();
  let opened = 0;
  let beginning = 0;

  const later = createMcpHandler(({ authInfo }) => createSession(desk, log, callerOf(authInfo?.clientId || undefined)).server, {
    legacy: "reject",
    maxSubscriptions: MOST_LISTENING,
  });
  const { fetch: answerAlone } = later;
  const unfollow = follow.on((uri) => later.notify.resourceUpdated(uri));
  const sweeping = house.repeat(LOOK_MS, () => {
    for (const each of held.values()) if (!each.session.isBusy() && monotonicMs() - each.lastMs >= IDLE_MS) void each.session.close();
  });

  return {
    async answer(request, agent) {
      if (request.method !== "POST") return answerHeld(request, agent, undefined);
      const message = messageIn(await request.text());
      if (message instanceof Response) return message;
      if (!(await isLegacyRequest(request, message)))
        return inTime(answerAlone(request, { parsedBody: message, authInfo: { token: "", clientId: agent ?? "", scopes: [] } }));
      if (request.headers.has(SESSION) || !isInitializeRequest(message)) return answerHeld(request, agent, message);
      return begin(request, agent, message);
    },
    async close() {
      sweeping.end();
      unfollow();
      follow.end();
      await Promise.all([...[...held.values()].map(({ session }) => session.close()), later.close()]);
      await log.close();
    },
  };

  /** Only whoever began a session may go on with it, or end it: for everybody else it is not there. */
  async function answerHeld(request: Request, agent: string | undefined, message: JSONRPCMessage | undefined): Promise<Response> {
    const id = request.headers.get(SESSION);
    if (id === null) return refuseHttp({ status: 400, code: INVALID_REQUEST, says: "it belongs to no session: begin with initialize" });
    const found = held.get(id);
    if (!found || found.agent !== agent)
      return refuseHttp({ status: 404, code: INVALID_REQUEST, says: "there is no such session, or it was let go: begin another" });
    found.lastMs = monotonicMs();
    return found.session.answer(request, message);
  }

  async function begin(request: Request, agent: string | undefined, message: JSONRPCMessage): Promise<Response> {
    await makeRoom(agent);
    if (held.size + beginning >= MOST_SESSIONS)
      return refuseHttp({ status: 503, code: TOO_MUCH, says: `no more than ${MOST_SESSIONS} sessions go on at once: end one` });
    opened += 1;
    const { ids } = house.world;
    const id = ids.secretFor(`session ${opened} of ${ids.token()} at ${house.clock.now().toISOString()}`);
    beginning += 1;
    const session = await openHttpSession({ desk, log, follow }, callerOf(agent), id, () => held.delete(id)).finally(() => {
      beginning -= 1;
    });
    held.set(id, { agent, session, lastMs: monotonicMs() });
    const answer = await session.answer(request, message);
    // What did not begin is not kept.
    if (!answer.ok) await session.close();
    return answer;
  }

  /** Whoever begins more than it may have lets go of the one that it has not used for longest. */
  async function makeRoom(agent: string | undefined): Promise<void> {
    const own = [...held.values()].filter((each) => each.agent === agent).toSorted((a, b) => a.lastMs - b.lastMs);
    if (own.length >= MOST_SESSIONS_EACH) await own[0]?.session.close();
  }

  async function inTime(work: Promise<Response>): Promise<Response> {
    let end = (): void => {};
    const late = new Promise<Response>((resolve) => {
      ({ end } = house.repeat(PATIENCE_MS, () => resolve(refuseHttp({ status: 504, code: TOO_MUCH, says: "it took too long" }))));
    });
    return Promise.race([work, late]).finally(() => end());
  }

  function callerOf(name: string | undefined): Caller {
    const allowance = allowances.get(name) ?? allowanceHourly(monotonicMs);
    allowances.set(name, allowance);
    return { name, allowance };
  }
}

/** The one message of a body, or why there is none. */
function messageIn(text: string): JSONRPCMessage | Response {
  if (isNestedDeeper(text, MOST_DEPTH))
    return refuseHttp({ status: 400, code: INVALID_REQUEST, says: `a message may be nested ${MOST_DEPTH} deep and no deeper` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuseHttp({ status: 400, code: PARSE_ERROR, says: "this is no JSON" });
  }
  if (Array.isArray(value))
    return refuseHttp({ status: 400, code: INVALID_REQUEST, says: "batches are not taken: send one message in a request" });
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return refuseHttp({ status: 400, code: INVALID_REQUEST, says: "this is no message of JSON-RPC 2.0" });
  }
}
