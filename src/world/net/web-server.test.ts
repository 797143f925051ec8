import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { Answering, WebServerWishes, WebServing } from "../../contract/web.ts";
import { webServer } from "./web-server.ts";

const open: WebServing[] = [];
afterEach(async () => {
  for (const serving of open.splice(0)) await serving.close();
});

async function serve(answer: Answering, more: Partial<WebServerWishes> = {}): Promise<string> {
  const serving = await webServer.listen({ host: "127.0.0.1", port: 0, tls: undefined, answer, ...more });
  open.push(serving);
  return `http://127.0.0.1:${serving.port}`;
}

/** What comes back for bytes that no client of ours would send. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => void socket.write(text));
    socket.on("data", (bytes) => {
      heard += bytes;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard));
  });
}

it("hands on what was asked, and gives back what is answered", async () => {
  const url = await serve(async (request) =>
    Response.json({ method: request.method, url: request.url, body: await request.text(), type: request.headers.get("content-type") }),
  );

  const response = await fetch(`${url}/a/b?c=d`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });

  expect(await response.json()).toEqual({ method: "POST", url: `${url}/a/b?c=d`, body: "{}", type: "application/json" });
});

it("streams as it comes, and tells the source when the reader is gone", async () => {
  let cancelled: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent++ < 3) controller.enqueue(new TextEncoder().encode("x"));
      else return new Promise(() => {});
    },
    cancel: cancelled,
  });
  const url = await serve(async () => new Response(body));
  const leaving = new AbortController();

  const response = await fetch(url, { signal: leaving.signal });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  leaving.abort();
  await gone;

  expect(new TextDecoder().decode(first?.value).startsWith("x")).toBe(true);
});

it("waits for a slow reader instead of keeping all of it", async () => {
  const piece = new Uint8Array(64 * 1024);
  let made = 0;
  const url = await serve(
    async () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull: (controller) => {
              made++;
              if (made > 2_000) controller.close();
              else controller.enqueue(piece);
            },
          },
          { highWaterMark: 1 },
        ),
      ),
  );
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => void socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  socket.pause();
  await expect.poll(() => made, { timeout: 10_000 }).toBeGreaterThan(2);
  const settled = async (): Promise<number> => {
    for (let before = -1; before !== made; ) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return made;
  };

  expect(await settled()).toBeLessThan(1_000);
  socket.destroy();
});

it("refuses what is no request, without asking anybody", async () => {
  let asked = 0;
  const url = await serve(async () => {
    asked++;
    return new Response("");
  });

  expect(await raw(url, "nonsense\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(url, `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 400|^$/);
  expect(await raw(url, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n")).toMatch(/^HTTP\/1.1 413/);
  expect(await raw(url, "TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(url, "GET http://[bad/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(url, "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(url, "GET http://x/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(url, "GET / HTTP/1.0\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
  expect(asked).toBe(0);
});

it("says that it hears no more on a connection whose request it did not read to its end, and closes it", async () => {
  const url = await serve(async () => new Response("too much", { status: 413 }));
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n";

  const heard = await raw(url, `${head}${"a".repeat(50_000)}GET / HTTP/1.1\r\nHost: x\r\n\r\n`);

  expect(heard).toMatch(/^HTTP\/1.1 413/);
  expect(heard.toLowerCase()).toContain("connection: close");
  expect(heard.match(/HTTP\/1.1/g)).toHaveLength(1);
});

it("has room for who asks however many say nothing", async () => {
  const url = await serve(async () => new Response("here"));
  const silent = await Promise.all(
    Array.from(
      { length: 600 },
      () =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(Number(new URL(url).port), "127.0.0.1", () => resolve(socket));
          socket.on("error", () => resolve(socket));
        }),
    ),
  );

  expect(await (await fetch(url)).text()).toBe("here");
  for (const socket of silent) socket.destroy();
});

it("hangs up on who sends a head or a body drop by drop", async () => {
  let whole = 0;
  const count: Answering = async (request) => {
    await request.text();
    whole++;
    return new Response("");
  };
  const url = await serve(count, { patience: { headMs: 300, requestMs: 600 } });

  const [head, body] = await Promise.all([
    raw(url, "GET / HTTP/1.1\r\nHost: x\r\nA: "),
    raw(url, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"),
  ]);

  expect([head, body].every((heard) => heard === "" || /^HTTP\/1.1 (400|408)/.test(heard))).toBe(true);
  expect(whole).toBe(0);
});
