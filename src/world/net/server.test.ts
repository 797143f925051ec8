import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ServerLimits, ServerRequest, ServerWishes, Serving } from "../../contract/server.ts";
import { server } from "./server.ts";

const LIMITS: ServerLimits = {
  mostHeaderBytes: 8 * 1024,
  mostBodyBytes: 1000,
  mostBytesAtOnce: 1_000_000,
  mostConnections: 50,
  headMs: 500,
  requestMs: 1_000,
};

let serving: Serving | undefined;
afterEach(async () => serving?.close());

async function listen(about: Partial<ServerWishes> = {}): Promise<{ readonly heard: ServerRequest[]; readonly port: number }> {
  const heard: ServerRequest[] = [];
  serving = await server.listen({
    host: "127.0.0.1",
    port: 0,
    limits: LIMITS,
    refuse: ({ path }) => (path === "/known" ? undefined : { status: 404 }),
    answer: async (one) => {
      heard.push(one);
      return { status: 202, says: { key: "a" } };
    },
    ...about,
  });
  return { heard, port: serving.port };
}

interface Got {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a body piece by piece, as long as the other side takes it. */
const send = (port: number, path: string, pieces: Iterable<string>, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve) => {
    const asking = request({ port, path, method: "POST", headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("close", () => resolve({ status: response.statusCode, text }));
    });
    asking.on("error", () => resolve({ status: undefined, text: "" }));
    const each = pieces[Symbol.iterator]();
    const next = (): void => {
      for (;;) {
        const piece = each.next();
        if (piece.done) return void asking.end();
        if (!asking.write(piece.value)) return void asking.once("drain", next);
      }
    };
    next();
  });

function* repeated(piece: string, times: number): Iterable<string> {
  for (let i = 0; i < times; i++) yield piece;
}

/** What comes back on a bare connection until it is closed. */
const talk = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    let back = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (piece) => {
      back += String(piece);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(back));
  });

function createSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

describe("the server", () => {
  it("hands on the bytes as they were sent, and answers in JSON", async () => {
    const { heard, port } = await listen();

    const got = await send(port, "/known?x=1", ['{"a":', " 1}"], { "X-Thing": "yes" });

    expect(got).toEqual({ status: 202, text: '{"key":"a"}\n' });
    expect(heard.map(({ method, path, headers, body }) => [method, path, headers["x-thing"], Buffer.from(body).toString()])).toEqual([
      ["POST", "/known", "yes", '{"a": 1}'],
    ]);
  });

  it("refuses before it reads, and goes on", async () => {
    const { heard, port } = await listen();

    expect((await send(port, "/other", ["x"])).status).toBe(404);
    expect((await send(port, "/known", ["x"])).status).toBe(202);
    expect(heard).toHaveLength(1);
  });

  it("sends away a body that says that it is too large, and one that does not say so", async () => {
    const { heard, port } = await listen();
    const piece = "x".repeat(64 * 1024);

    const said = await send(port, "/known", repeated(piece, 16), { "content-length": String(16 * piece.length) });
    const unsaid = await send(port, "/known", repeated(piece, 1600));

    expect(said.status).toBe(413);
    // Its sender may still be writing when we hang up, and then hears only that.
    expect([413, undefined]).toContain(unsaid.status);
    expect(heard).toEqual([]);
  });

  it("gives a body that is cut short to nobody", async () => {
    const { heard, port } = await listen();

    await talk(port, "POST /known HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345");

    expect(heard).toEqual([]);
  });

  it("hangs up on who is slow with the head, or with the body", async () => {
    const { heard, port } = await listen();

    const [head, body] = await Promise.all([
      talk(port, "POST /known HTTP/1.1\r\nHost:"),
      talk(port, "POST /known HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1"),
    ]);

    expect([head.split("\r\n")[0], body.split("\r\n")[0]]).toEqual(["HTTP/1.1 408 Request Timeout", "HTTP/1.1 408 Request Timeout"]);
    expect(heard).toEqual([]);
  });

  it("sends away a head that is too large", async () => {
    const { port } = await listen();

    expect((await send(port, "/known", [], { big: "x".repeat(20_000) })).status).toBe(431);
  });

  it("holds no more bytes at once than it may, and frees them again", async () => {
    const opened = createSignal();
    const answering = createSignal();
    const { port } = await listen({
      limits: { ...LIMITS, mostBytesAtOnce: 1500 },
      answer: () => {
        answering.give();
        return opened.given.then(() => ({ status: 202 }));
      },
    });

    const first = send(port, "/known", ["x".repeat(900)]);
    await answering.given;
    const second = await send(port, "/known", ["x".repeat(900)]);
    opened.give();

    expect([(await first).status, second.status]).toEqual([202, 503]);
    expect((await send(port, "/known", ["x".repeat(900)])).status).toBe(202);
  });

  it("answers 500 where answering fails, and lives on", async () => {
    const { port } = await listen({ answer: () => Promise.reject(new Error("a bug")) });

    expect((await send(port, "/known", ["x"])).status).toBe(500);
    expect((await send(port, "/known", ["x"])).status).toBe(500);
  });

  it("closes after what was read is answered, and hears nothing more", async () => {
    const [answering, opened] = [createSignal(), createSignal()];
    const { port } = await listen({
      answer: () => {
        answering.give();
        return opened.given.then(() => ({ status: 202 }));
      },
    });

    const asked = send(port, "/known", ["x"]);
    await answering.given;
    const closed = serving?.close();
    opened.give();
    await closed;

    expect((await asked).status).toBe(202);
    expect((await send(port, "/known", ["x"])).status).toBe(undefined);
  });

  it("says who else may have the port", async () => {
    const { port } = await listen();

    await expect(listen({ port })).rejects.toThrow(`nothing can be heard on 127.0.0.1:${port}`);
  });
});
