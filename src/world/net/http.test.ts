import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { LoopError } from "../../contract/errors.ts";
import { http } from "./http.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Asked {
  readonly method: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server of this machine that answers each request by the same function. */
async function serve(answer: (asked: Asked, response: ServerResponse) => void): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one = { method: request.method, headers: request.headers, body };
    asked.push(one);
    answer(one, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

it("sends once what it was given, and gives back status, headers and body", async () => {
  const { url, asked } = await serve((_, response) => response.writeHead(409, { "x-why": "taken" }).end("no"));

  const reply = await http.send({ method: "POST", url, headers: { "x-of": "us" }, body: "a body", timeoutMs: 5000 });

  expect([reply.status, reply.headers["x-why"], reply.body]).toEqual([409, "taken", "no"]);
  expect(asked.map(({ method, headers, body }) => [method, headers["x-of"], body])).toEqual([["POST", "us", "a body"]]);
});

it("follows nobody elsewhere, who would get the token too", async () => {
  const elsewhere = await serve((_, response) => response.end("here"));
  const { url } = await serve((_, response) => response.writeHead(302, { location: elsewhere.url }).end());

  expect((await http.send({ method: "GET", url, headers: { authorization: "t" }, timeoutMs: 5000 })).status).toBe(302);
  expect(elsewhere.asked).toEqual([]);
});

it("reads no more than it has room for, from a server that never ends", async () => {
  const { url } = await serve((_, response) => {
    const pour = (): void => {
      while (response.writable && response.write("x".repeat(65_536)));
      response.once("drain", pour);
    };
    pour();
  });

  expect((await http.send({ method: "GET", url, headers: {}, timeoutMs: 20_000 })).body.length).toBeLessThanOrEqual(1024 * 1024);
});

it.each([
  ["nobody answers", async () => (await serve(() => {})).url],
  ["it hangs in the middle of its answer", async () => (await serve((_, response) => void response.write("half"))).url],
  ["nobody is there", async () => "http://127.0.0.1:9/"],
])("is a failure that may pass where %s", async (_, place) => {
  const failure = await http.send({ method: "GET", url: await place(), headers: {}, timeoutMs: 300 }).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(LoopError);
  expect(failure).toMatchObject({ code: "action-failed", retry: "later" });
});
