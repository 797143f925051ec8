import { afterEach, describe, expect, it } from "vitest";
import { inTurn, type ModelServer, type Script, startModelServer } from "../../../../test/support/model-server.ts";
import type { Stop } from "../../../contract/clock.ts";
import { LoopError } from "../../../contract/errors.ts";
import type { HeardPiece, ModelRef, ModelRequest } from "../../../contract/models.ts";
import { createStop, neverStops } from "../../../contract/stop.ts";
import { createModels } from "./models.ts";

const KEY = "key-of-nobody-1234567890";
const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(script: Script): Promise<ModelServer> {
  const server = await startModelServer(script);
  servers.push(server);
  return server;
}

const request: ModelRequest = {
  system: "You are terse.",
  messages: [{ from: "user", text: "Hello?" }],
  tools: [],
  mostOutputTokens: 100,
  timeoutMs: 20_000,
};
const tools = [{ name: "read", description: "Reads a file.", input: { type: "object", properties: { path: { type: "string" } } } }];

/** Models whose waiting takes no time, and how long they would have waited. */
function createPatient(stop: Stop = neverStops) {
  const waits: number[] = [];
  const models = createModels({
    env: { get: (name) => ({ MODEL_KEY: KEY })[name] },
    clock: { now: () => new Date("2026-01-02T03:04:05Z"), monotonicMs: () => performance.now() },
    wait: async (ms) => void waits.push(ms),
    stop,
  });
  return { models, waits };
}

const refTo = ({ url }: ModelServer, provider: ModelRef["provider"]): ModelRef => ({
  provider,
  model: "some-model",
  baseUrl: `${url}/v1/`,
  ...(provider === "ollama" ? {} : { keyVariable: "MODEL_KEY" }),
});

const failureOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => "no failure",
    (error: unknown) => error,
  );

describe.each(["anthropic", "openai-compatible", "ollama", "nvidia"] as const)("a model of %s", (provider) => {
  describe.each(["whole", "streamed"] as const)("that is asked for a %s reply", (way) => {
    const heard: HeardPiece[] = [];
    const asking: ModelRequest = way === "streamed" ? { ...request, hear: (piece) => heard.push(piece) } : request;
    afterEach(() => void heard.splice(0));

    it("says a text, with what it cost", async () => {
      const server = await serve(inTurn({ kind: "text", text: "Hello.", usage: { input: 120, output: 7, cached: 100 } }));

      const { bytes, ...reply } = await createPatient().models.ask(refTo(server, provider), asking);

      const input = provider === "anthropic" ? 220 : 120; // Anthropic counts what it read from its cache apart
      expect(reply).toEqual({
        said: { kind: "text", text: "Hello." },
        finish: "done",
        usage: { input, output: 7, cached: 100, reasoning: undefined },
      });
      expect(bytes.sent > 50 && bytes.received > 50).toBe(true);
      if (way === "streamed") expect(heard).toEqual([{ kind: "began" }, { kind: "text", text: "Hel" }, { kind: "text", text: "lo." }]);
      expect(server.asked.map(({ isStreamed, path }) => [isStreamed, path.startsWith("/v1/")])).toEqual([[way === "streamed", true]]);
    });

    it("calls tools, and is told what came of it", async () => {
      const server = await serve(
        inTurn({ kind: "calls", calls: [{ tool: "read", input: { path: "a.js" } }] }, { kind: "text", text: "Seen." }),
      );
      const { models } = createPatient();

      const first = await models.ask(refTo(server, provider), { ...asking, tools });
      const { said } = first;
      const calls = said.kind === "calls" ? said.calls : [];
      const second = await models.ask(refTo(server, provider), {
        ...asking,
        tools,
        messages: [
          ...asking.messages,
          { from: "model", text: "", calls },
          { from: "tools", results: calls.map(({ id, tool }) => ({ id, tool, text: "1  let a;" })) },
        ],
      });

      expect(calls).toEqual([{ id: "call_1_read", tool: "read", input: { path: "a.js" } }]);
      expect([first.finish, second.said]).toEqual(["calls", { kind: "text", text: "Seen." }]);
      expect(server.asked[1]!.words).toContain("1  let a;");
    });

    it("says so when a call is no JSON", async () => {
      const server = await serve(inTurn({ kind: "calls", calls: [{ tool: "read", input: '{"path": ' }] }));

      const reply = await createPatient().models.ask(refTo(server, provider), { ...asking, tools });

      // Whole messages of Anthropic's carry JSON and no text, so that a broken one is a text in its place.
      const input = provider === "anthropic" && way === "whole" ? '{"path": ' : undefined;
      expect(reply).toMatchObject({ said: { calls: [{ tool: "read", input }] } });
    });

    it("never takes missing usage for nothing", async () => {
      const server = await serve(inTurn({ kind: "text", text: "Hello.", usage: "none" }));

      const { usage } = await createPatient().models.ask(refTo(server, provider), asking);

      expect(usage).toEqual({ input: undefined, output: undefined, cached: undefined, reasoning: undefined });
    });

    it.each([
      ["cut", "cut"],
      ["refused", "refused"],
    ] as const)("says that its reply was %s", async (finish, expected) => {
      const server = await serve(inTurn({ kind: "text", text: "I", finish }));

      expect((await createPatient().models.ask(refTo(server, provider), asking)).finish).toBe(expected);
    });

    it("is asked again after 429, 500 and a line that was cut, each time after a longer wait", async () => {
      const server = await serve(
        inTurn(
          { kind: "status", status: 429, headers: { "retry-after": "3" } },
          { kind: "status", status: 500 },
          { kind: "cut", text: "Hello, this is" },
          { kind: "text", text: "Hello." },
        ),
      );
      const { models, waits } = createPatient();

      const { said } = await models.ask(refTo(server, provider), asking);

      expect(said).toEqual({ kind: "text", text: "Hello." });
      expect([waits.length, waits[0]]).toEqual([3, 3000]);
      expect(waits[1]! >= 500 && waits[2]! >= 1000).toBe(true);
    });

    it("is not asked for ever", async () => {
      const server = await serve(inTurn({ kind: "status", status: 503 }));

      const failure = await failureOf(createPatient().models.ask(refTo(server, provider), asking));

      expect(server.asked.length).toBe(5);
      expect(failure).toMatchObject({ code: "model-failed", retry: "later" });
    });

    it("is not waited for when the wait is longer than the time there is, and says until when", async () => {
      const server = await serve(inTurn({ kind: "status", status: 429, headers: { "retry-after": "3600" } }));
      const { models, waits } = createPatient();

      const failure = await failureOf(models.ask(refTo(server, provider), asking));

      expect(waits).toEqual([]);
      expect(failure).toMatchObject({ code: "model-limited", retry: "later", until: "2026-01-02T04:04:05.000Z" });
    });

    it.each([
      ["a key that is not taken", { kind: "status", status: 401, body: `{"error": {"message": "bad key ${KEY}"}}` }],
      ["a request it does not understand", { kind: "status", status: 400 }],
    ] as const)("fails at once after %s, and does not tell the key", async (_, reply) => {
      const server = await serve(inTurn(reply));
      const ref = { ...refTo(server, provider), keyVariable: "MODEL_KEY" };

      const failure = await failureOf(createPatient().models.ask(ref, asking));

      expect(server.asked.length).toBe(1);
      expect(failure).toBeInstanceOf(LoopError);
      expect(JSON.stringify([failure, (failure as Error).message, (failure as Error).stack, (failure as LoopError).cause])).not.toContain(
        KEY,
      );
    });

    it("fails after something that is no reply", async () => {
      const server = await serve(inTurn({ kind: "status", status: 200, body: "<html>Welcome</html>" }));

      expect(await failureOf(createPatient().models.ask(refTo(server, provider), asking))).toMatchObject({ code: "model-failed" });
    });

    it("fails after a reply that is too large", async () => {
      const server = await serve(inTurn({ kind: "giant", chars: 17 * 1024 * 1024 }));

      const failure = await failureOf(createPatient().models.ask(refTo(server, provider), asking));

      expect(failure).toMatchObject({ code: "model-failed", message: expect.stringContaining("larger than") });
      expect(server.asked.length).toBe(1);
    });

    it("is given up when it does not answer in time", async () => {
      const server = await serve(inTurn({ kind: "hang" }));

      const failure = await failureOf(createPatient().models.ask(refTo(server, provider), { ...asking, timeoutMs: 200 }));

      expect(failure).toMatchObject({ code: "model-failed", message: expect.stringContaining("did not answer") });
    });

    it("is left alone when the run is to stop", async () => {
      const stop = createStop();
      const server = await serve(() => {
        stop.ask();
        return { kind: "hang" };
      });

      const failure = await failureOf(createPatient(stop).models.ask(refTo(server, provider), asking));

      expect(failure).toMatchObject({ code: "interrupted", retry: "later" });
    });

    it("does not take the key to where it is sent on", async () => {
      const elsewhere = await serve(inTurn({ kind: "text", text: "Give it to me." }));
      const server = await serve(inTurn({ kind: "status", status: 307, headers: { location: `${elsewhere.url}/v1/messages` } }));

      const failure = await failureOf(createPatient().models.ask(refTo(server, provider), asking));

      expect(failure).toMatchObject({ code: "model-failed", retry: "never" });
      expect(elsewhere.asked).toEqual([]);
    });
  });

  it("gives an answer of the shape that was asked for, and takes what stands among other words for words", async () => {
    const server = await serve(
      inTurn({ kind: "text", text: '<think>hm</think>{"size": 3}' }, { kind: "text", text: 'They say {"size": 4}, and I say {"size": 3}' }),
    );
    const answer = { name: "size", schema: { type: "object", properties: { size: { type: "number" } }, required: ["size"] } };

    const { said } = await createPatient().models.ask(refTo(server, provider), { ...request, answer });

    const among = await createPatient().models.ask(refTo(server, provider), { ...request, answer });

    expect(said).toMatchObject({ kind: "answer", value: { size: 3 } });
    expect(among.said.kind).toBe("text");
    expect(JSON.stringify(server.asked[0]!.body)).toContain('"size"');
  });

  it("is shown the key where there is one, and only in its header", async () => {
    const server = await serve(inTurn({ kind: "text", text: "Hello." }));

    await createPatient().models.ask(refTo(server, provider), request);

    const [{ headers, body }] = server.asked as [(typeof server.asked)[number]];
    const told =
      { anthropic: headers["x-api-key"], ollama: headers.authorization ?? KEY }[provider as "anthropic" | "ollama"] ??
      headers.authorization;
    expect(told).toContain(KEY);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });
});

it.each([
  [429, "Request too large for some-model on tokens per min (TPM): Limit 10000, Requested 12000"],
  [500, "the request exceeds the available context size, try increasing it"],
  [413, '{"error": {"type": "request_too_large", "message": "Request exceeds the maximum size"}}'],
  [400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"],
])("a prompt that is too long is not sent again, however its provider says so (%s)", async (status, body) => {
  const server = await serve(inTurn({ kind: "status", status, body }));
  const { models, waits } = createPatient();

  const failure = await failureOf(models.ask(refTo(server, "openai-compatible"), request));

  expect(failure).toMatchObject({ code: "model-failed", retry: "never", isFree: true, message: expect.stringContaining("too long for") });
  expect([server.asked.length, waits]).toEqual([1, []]);
});

describe("a model that cannot be asked", () => {
  it("is one whose key is not there, and says which variable", async () => {
    const { models } = createPatient();

    expect(await failureOf(models.ask({ provider: "anthropic", model: "m" }, request))).toMatchObject({
      code: "model-failed",
      message: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
  });

  it.each(["http://models.example/v1", "file:///v1", "https://ada:secret@models.example/v1", "https://models.example/v1?x=1", "nowhere"])(
    "is one at %s",
    async (baseUrl) => {
      const { models } = createPatient();

      expect(await failureOf(models.ask({ provider: "openai-compatible", model: "m", baseUrl }, request))).toMatchObject({
        code: "model-failed",
        retry: "never",
      });
    },
  );

  it("is one whose server is down", async () => {
    const server = await startModelServer(inTurn({ kind: "hang" }));
    await server.close();

    expect(await failureOf(createPatient().models.ask(refTo(server, "ollama"), request))).toMatchObject({
      code: "model-failed",
      retry: "later",
    });
  });
});
