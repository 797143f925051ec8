// A server that hands requests on as values and streams what is answered: bounded in what it takes, and patient with nobody for long.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { LoopError } from "../../contract/errors.ts";
import type { WebServer, WebServerWishes, WebServing } from "../../contract/web.ts";

const LIMITS = { maxHeaderSize: 16 * 1024, keepAliveTimeout: 5_000, connectionsCheckingInterval: 250 };
const PATIENCE = { headMs: 10_000, requestMs: 30_000 };
const MOST_CONNECTIONS = 512;
const SILENT_MS = 60_000;
const MOST_REQUESTS_A_SOCKET = 10_000;
/** Whoever takes nothing for so long is cut off. */
const STUCK_MS = 30_000;
/** What is announced to be larger is not read at all. */
const MOST_ANNOUNCED_BYTES = 1024 * 1024;

export const webServer: WebServer = { listen };

async function listen({ host, port, tls, answer, patience = PATIENCE }: WebServerWishes): Promise<WebServing> {
  const limits = { ...LIMITS, headersTimeout: patience.headMs, requestTimeout: patience.requestMs };
  const server: Server = tls ? createTlsServer({ ...limits, ...tls, minVersion: "TLSv1.2" }) : createServer(limits);
  keepRoom(server);
  // Whoever says nothing for so long is gone; pages that listen are told something more often.
  server.timeout = SILENT_MS;
  server.maxRequestsPerSocket = MOST_REQUESTS_A_SOCKET;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // Whoever hangs up in the middle is nobody's failure but their own.
    request.on("error", () => {});
    response.on("error", () => {});
    handle(request, response, tls ? "https" : "http", answer).catch(() => response.destroy());
  });
  server.on("clientError", (_error, socket) => void socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(cannotListen(host, port, cause)));
    server.listen(port, host, resolve);
  });
  server.on("error", () => {});
  const bound = server.address();
  return {
    host,
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Where there is no room, whoever came first and has asked for nothing yet makes it: idle connections keep nobody out. */
function keepRoom(server: Server): void {
  const all = new Set<Socket>();
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    all.add(socket);
    silent.add(socket);
    socket.once("close", () => {
      all.delete(socket);
      silent.delete(socket);
    });
    const [oldest] = all.size > MOST_CONNECTIONS ? silent : [];
    oldest?.destroy();
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) silent.add(socket);
    });
  });
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  scheme: string,
  answer: WebServerWishes["answer"],
): Promise<void> {
  if (Number(incoming.headers["content-length"] ?? 0) > MOST_ANNOUNCED_BYTES) return turnAway(incoming, response, 413);
  const request = requestOf(incoming, scheme);
  if (!request) return turnAway(incoming, response, 400);
  await give(await answer(request), incoming, response);
}

/** What is no request by the standard, such as another method or an address that is none, is undefined. */
function requestOf(incoming: IncomingMessage, scheme: string): Request | undefined {
  const { method = "GET", url = "/", headers, rawHeaders } = incoming;
  // Two names, or one in the address itself: whoever sends that wants two readers to understand two things.
  const names = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (names !== 1 || !url.startsWith("/")) return undefined;
  try {
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(":") || value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
    );
    const address = new URL(url, `${scheme}://${headers.host ?? "nowhere.invalid"}`);
    const hasBody = method !== "GET" && method !== "HEAD";
    const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" as const } : {}; // bytes, as sockets give them
    return new Request(address, { method, headers: pairs, ...body });
  } catch {
    return undefined;
  }
}

async function give(answered: Response, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  if (response.destroyed) return void (await answered.body?.cancel());
  // What was not read of a request that is refused is not read any more: said in the head, so that nobody asks again on this connection.
  if (!incoming.complete) response.shouldKeepAlive = false;
  response.writeHead(answered.status, [...answered.headers]);
  if (!answered.body || incoming.method === "HEAD") {
    await answered.body?.cancel();
    return void response.end();
  }
  response.flushHeaders();
  const reader = answered.body.getReader();
  response.once("close", () => void reader.cancel().catch(() => {}));
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (response.destroyed) return;
    if (!response.write(piece.value)) await drained(response);
  }
  response.end();
}

/** Until there is room again; a reader that takes nothing is cut off. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => response.destroy(), STUCK_MS);
    patience.unref();
    const go = (): void => {
      clearTimeout(patience);
      response.removeListener("drain", go);
      response.removeListener("close", go);
      resolve();
    };
    response.once("drain", go);
    response.once("close", go);
  });
}

function turnAway(incoming: IncomingMessage, response: ServerResponse, status: number): void {
  response.shouldKeepAlive = false;
  response.writeHead(status, { "content-type": "text/plain", "x-content-type-options": "nosniff" });
  response.end();
  incoming.resume();
}

const cannotListen = (host: string, port: number, cause: Error): LoopError =>
  new LoopError("store-unusable", `nothing can be served on ${host}:${port}: ${cause.message}`, {
    retry: "never",
    hint: "Somebody else may have the port, or the certificate and its key may not fit: choose another with --listen.",
    cause,
  });
