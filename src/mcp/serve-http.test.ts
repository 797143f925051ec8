import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { askDashboard, ORIGIN, TOKEN } from "../../test/support/dashboard.ts";
import { askedIn, deskIn } from "../../test/support/mcp-place.ts";
import { createMemoryHouse, type MemoryHouse, withProposal } from "../../test/support/memory-house.ts";
import { tries } from "../../test/support/tries.ts";
import { agentKeyOf } from "../app/page/agent-key.ts";
import { webServer } from "../world/net/web-server.ts";
import type { Desk } from "./desk.ts";
import { serveHttp } from "./serve-http.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function place(at: MemoryHouse, isReadOnly = false, more: Partial<Desk> = {}) {
  const origins = [ORIGIN];
  const bugs: unknown[] = [];
  const { dashboard } = askDashboard(at.house, {
    gate: { token: TOKEN, origins, isReadOnly },
    agents: async (house) => serveHttp(deskIn(at, bugs, { house, referee: undefined, isLooking: isReadOnly, ...more })),
  });
  closing.push(() => dashboard.close());
  return { dashboard, origins, bugs };
}

/** The dashboard on a port of loopback, and real clients of it. */
async function listening(at: MemoryHouse, isReadOnly = false) {
  const { dashboard, origins, bugs } = place(at, isReadOnly);
  const serving = await webServer.listen({ host: "127.0.0.1", port: 0, tls: undefined, answer: dashboard.answer });
  const origin = `http://127.0.0.1:${serving.port}`;
  origins.push(origin);
  closing.push(() => serving.close());
  return {
    bugs,
    dashboard,
    async client(name: string, options?: ClientOptions) {
      const headers = { authorization: `Bearer ${agentKeyOf(TOKEN, name)}` };
      const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } });
      const client = new Client({ name: "ada", version: "1.0.0" }, options);
      await client.connect(transport);
      closing.push(() => client.close());
      return { client, transport };
    },
  };
}

const message = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const OPENING = message(0, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "ada", version: "1" },
});
const CALL = message(1, "tools/call", { name: "list_loops", arguments: {} });

/** Whoever sends requests by hand. */
function knocking({ dashboard, bugs }: ReturnType<typeof place>) {
  const knock = (method: string, body: unknown, more: Record<string, string> = {}, path = "/mcp"): Promise<Response> => {
    const headers = {
      host: "127.0.0.1:7423",
      authorization: `Bearer ${agentKeyOf(TOKEN, "claude")}`,
      accept: "application/json, text/event-stream",
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...more,
    };
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return dashboard.answer(new Request(`${ORIGIN}${path}`, { method, headers: given, ...(method === "POST" ? { body: text } : {}) }));
  };
  const post = (body: unknown, more?: Record<string, string>) => knock("POST", body, more);
  const begin = async (more?: Record<string, string>): Promise<string> =>
    (await post(OPENING, more)).headers.get("mcp-session-id") ?? "none";
  return { knock, post, begin, bugs };
}

describe.each(["legacy", "auto"] as const)("a client over HTTP that negotiates as %s", (mode) => {
  it("lists tools, asks the guard, reads what it follows as it changes, and stands on record under the name of its key", async () => {
    const at = await withProposal();
    const { client: connect, dashboard, bugs } = await listening(at);
    const { client } = await connect("claude", { versionNegotiation: { mode } });
    const run = at.entries.find(({ record }) => record.kind === "run-opened")?.run ?? "";

    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const denied = await client.callTool({ name: "guard_command", arguments: { command: "rm -rf /" } });
    const resource = await client.readResource({ uri: `loopwright://runs/${run}` });
    const started = await client.callTool({ name: "start_loop", arguments: { loop: "fix" } });
    await client.close();
    await dashboard.close();

    // No checkout lies at the daemon, and nobody is asked about one.
    expect(tools.map(({ name }) => name)).not.toContain("ask_referee");
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["list_loops", "guard_diff", "start_loop"]));
    expect(prompts.map(({ name }) => name)).toEqual(["what-waits", "explain-run"]);
    expect(JSON.stringify(denied)).toContain("deny");
    expect(resource.contents[0]).toMatchObject({ uri: `loopwright://runs/${run}` });
    expect(started).toMatchObject({ isError: true });
    expect(bugs).toEqual([]);
    const records = at.records("client-asked");
    expect(new Set(records.map((record) => record.kind === "client-asked" && record.over))).toEqual(new Set(["mcp http"]));
    expect(askedIn(records).map(({ client: who, what, came }) => [who, what, came])).toEqual([
      ["claude", "guard_command", "answered"],
      ["claude", "resources/read", "answered"],
      ["claude", "start_loop", "begun"],
      ["claude", "start_loop", "refused"],
    ]);
  });
});

it("tells a session of what it follows, and ends it when its client says so", async () => {
  const at = await withProposal();
  const { client: connect } = await listening(at);
  const { client, transport } = await connect("claude", { versionNegotiation: { mode: "legacy" } });
  const run = at.entries.find(({ record }) => record.kind === "run-opened")?.run ?? "";
  const updated: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
  await client.subscribeResource({ uri: `loopwright://runs/${run}` });

  await at.house.journal.append([{ loop: "fix", run, record: { kind: "stop-requested", by: "ada" } }]);
  await expect
    .poll(() => {
      at.tick();
      return updated;
    })
    .toEqual([`loopwright://runs/${run}`]);
  await transport.terminateSession();

  await expect(client.listTools()).rejects.toThrow();
});

it("only reads where the dashboard only shows", async () => {
  const { client: connect } = await listening(await withProposal(), true);
  const { client } = await connect("claude");

  const names = (await client.listTools()).tools.map(({ name }) => name);
  const refused = client.callTool({ name: "start_loop", arguments: { loop: "fix" } });

  expect(names.filter((name) => /start|answer|referee/.test(name))).toEqual([]);
  await expect(refused).rejects.toThrow("no tool is called start_loop");
});

describe("a hostile request", () => {
  it.each([
    ["no key", { authorization: "" }, 401],
    ["a wrong key", { authorization: `Bearer claude.${"0".repeat(64)}` }, 401],
    ["the key of another home", { authorization: `Bearer ${agentKeyOf("u".repeat(43), "claude")}` }, 401],
    ["another's name before its key", { authorization: `Bearer ada${agentKeyOf(TOKEN, "claude").slice("claude".length)}` }, 401],
    ["another name for us", { host: "rebound.example.org:7423" }, 421],
    ["another page", { origin: "https://evil.example.org" }, 403],
    ["a page without a name", { origin: "null" }, 403],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a form", { "content-type": "text/plain" }, 415],
  ])("with %s is not answered, and none of it is on record", async (_, headers, status) => {
    const at = createMemoryHouse();
    const { post } = knocking(place(at));

    expect((await post(OPENING, headers)).status).toBe(status);
    expect(at.entries).toEqual([]);
  });

  it("with the key of an agent opens nothing else of the dashboard", async () => {
    const at = await withProposal();
    const { knock } = knocking(place(at));

    expect((await knock("GET", undefined, {}, "/api/inbox")).status).toBe(401);
    expect((await knock("POST", { wish: "stop-all" }, { origin: ORIGIN }, "/api/standing")).status).toBe(401);
    expect((await knock("POST", { token: agentKeyOf(TOKEN, "claude") }, { origin: ORIGIN }, "/api/session")).status).toBe(401);
    expect((await knock("PUT", undefined)).status).toBe(405);
  });

  it("of no session, or of somebody else's, is refused, and that session goes on", async () => {
    const { knock, post, begin } = knocking(place(createMemoryHouse()));
    const other = { authorization: `Bearer ${agentKeyOf(TOKEN, "codex")}` };
    const id = await begin();
    const owner = { authorization: `Bearer ${TOKEN}` };

    expect((await post(CALL)).status).toBe(400);
    expect((await knock("GET", undefined)).status).toBe(400);
    for (const [name, headers] of Object.entries({ guessed: { "mcp-session-id": "0".repeat(64) }, other, owner })) {
      const session = { "mcp-session-id": id, ...headers };
      expect([name, (await post(CALL, session)).status]).toEqual([name, 404]);
      expect([name, (await knock("GET", undefined, session)).status]).toEqual([name, 404]);
      expect([name, (await knock("DELETE", undefined, session)).status]).toEqual([name, 404]);
    }
    expect((await post(CALL, { "mcp-session-id": id })).status).toBe(200);
    expect((await knock("DELETE", undefined, { "mcp-session-id": id })).status).toBe(200);
    expect((await post(CALL, { "mcp-session-id": id })).status).toBe(404);
  });

  it("that is huge, endless, deep, many in one or no message is refused, and the next is answered", async () => {
    const at = createMemoryHouse();
    const { dashboard, bugs } = place(at);
    const { post, begin } = knocking({ dashboard, bugs, origins: [] });
    const session = { "mcp-session-id": await begin() };
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const headers = {
      host: "127.0.0.1:7423",
      authorization: `Bearer ${agentKeyOf(TOKEN, "claude")}`,
      "content-type": "application/json",
      ...session,
    };
    const streamed = new Request(`${ORIGIN}/mcp`, { method: "POST", headers, body: endless, duplex: "half" } as RequestInit);

    expect((await dashboard.answer(streamed)).status).toBe(413);
    expect(sent).toBeLessThan(2 * 1024 * 1024);
    expect((await post(Array(50_000).fill(1), session)).status).toBe(400);
    expect((await post([OPENING, CALL])).status).toBe(400);
    expect((await post(`${"[".repeat(5_000)}${"]".repeat(5_000)}`, session)).status).toBe(400);
    expect((await post("{", session)).status).toBe(400);
    expect((await post({ jsonrpc: "2.0", result: {} }, session)).status).toBe(400);
    expect((await post(OPENING, session)).status).toBe(400);
    expect((await post(CALL, session)).status).toBe(200);
    expect(bugs).toEqual([]);
  });
});

const word = fc.oneof(
  fc.constantFrom("initialize", "tools/call", "__proto__", "../../etc/passwd", "\u0000"),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const body = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0"),
        id: fc.oneof(fc.nat(3), word),
        method: word,
        params: fc.jsonValue(),
        result: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);
const line = fc.string({ unit: fc.constantFrom(..."0af-. /*;,2026mcp"), maxLength: 40 });
const headers = fc.record(
  {
    "mcp-session-id": fc.oneof(fc.constant("own"), line),
    "mcp-protocol-version": fc.oneof(fc.constantFrom("2025-11-25", "2026-07-28", "2099-01-01"), line),
    "mcp-method": fc.oneof(fc.constantFrom("tools/call", "initialize"), line),
    "last-event-id": line,
    accept: fc.oneof(fc.constantFrom("*/*", "application/json"), line),
  },
  { requiredKeys: [] },
);

it("answers whatever is sent to it with a reason, moves nothing and leaks nothing", async () => {
  const at = await withProposal();
  const before = at.entries.length;
  const { knock, begin, bugs } = knocking(place(at));
  const own = await begin();

  await fc.assert(
    fc.asyncProperty(fc.constantFrom("POST", "GET"), body, headers, async (method, sent, { "mcp-session-id": id = "", ...more }) => {
      const answer = await knock(method, sent, { ...more, "mcp-session-id": id === "own" ? own : id });

      expect(answer.status).not.toBe(500);
      if (answer.headers.get("content-type")?.startsWith("text/event-stream")) await answer.body?.cancel();
      else expect(await answer.text()).not.toMatch(/root:|node_modules|\.ts:\d/);
    }),
    tries(80),
  );

  expect(bugs).toEqual([]);
  expect(at.entries.slice(before).filter(({ record }) => record.kind !== "client-asked")).toEqual([]);
});

describe("sessions", () => {
  it("answer so many requests at once, each within a time, and what is taken back keeps no place", async () => {
    const at = createMemoryHouse();
    const { post, begin } = knocking(place(at, false, { policy: () => new Promise(() => {}) }));
    const session = { "mcp-session-id": await begin() };
    const ask = (id: number) => post(message(id, "tools/call", { name: "guard_command", arguments: { command: "ls" } }), session);
    const asked = Array.from({ length: 32 }, async (_, id) => (await ask(id + 1)).text());
    await new Promise((resolve) => setImmediate(resolve));

    expect([(await ask(1)).status, (await ask(33)).status]).toEqual([400, 429]);
    await post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }, session);
    expect(JSON.parse((await asked[6]) ?? "")).toMatchObject({ id: 7, error: { message: "it was taken back" } });
    at.tick();
    const late = await Promise.all(asked);
    expect(late.filter((text) => text.includes("it took too long"))).toHaveLength(31);
    expect((await post(message(40, "ping"), session)).status).toBe(200);
  });

  it("are few for each agent, and the one that was not used for longest is let go", async () => {
    const at = createMemoryHouse();
    const { post, begin } = knocking(place(at));
    const [first, second] = [await begin(), await begin()];
    at.clock.pass(1_000);
    await post(CALL, { "mcp-session-id": first });
    for (let more = 0; more < 15; more++) await begin();

    expect((await post(CALL, { "mcp-session-id": second })).status).toBe(404);
    expect((await post(CALL, { "mcp-session-id": first })).status).toBe(200);
  });

  it("are few for all, and let go when they are idle", async () => {
    const at = createMemoryHouse();
    const { post, begin } = knocking(place(at));
    const as = (name: string) => ({ authorization: `Bearer ${agentKeyOf(TOKEN, name)}` });
    for (let session = 0; session < 64; session++) await begin(as(`agent-${session % 5}`));

    expect((await post(OPENING, as("one-more"))).status).toBe(503);
    at.clock.pass(3 * 3_600_000);
    at.tick();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await post(OPENING, as("one-more"))).status).toBe(200);
  });

  it("of one agent share what it may move in an hour", async () => {
    const at = await withProposal();
    const { post, begin } = knocking(place(at));
    const start = message(1, "tools/call", { name: "start_loop", arguments: { loop: "fix" } });
    const says: string[] = [];
    for (let session = 0; session < 22; session++) says.push(await (await post(start, { "mcp-session-id": await begin() })).text());
    at.clock.pass(3_600_000);
    says.push(await (await post(start, { "mcp-session-id": await begin() })).text());

    expect(says.map((text) => text.includes("a client may move something 20 times"))).toEqual([
      ...Array(20).fill(false),
      true,
      true,
      false,
    ]);
  });
});
