// A small HTTP server that strangers cannot use up: what is too large, too slow or too much is sent away before it is kept.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { LoopError } from "../../contract/errors.ts";
import type { Server, ServerHead, ServerReply, ServerWishes, Serving } from "../../contract/server.ts";

/** How long what nobody wants is still read, so that its sender hears the answer instead of a broken line. */
const DRAIN_MS = 1_000;
const CLOSE_MS = 2_000;

export const server: Server = { listen };

async function listen(wishes: ServerWishes): Promise<Serving> {
  const { host, port, limits } = wishes;
  const budget = { bytes: 0 };
  const listening = createServer({
    maxHeaderSize: limits.mostHeaderBytes,
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: 250,
    keepAliveTimeout: 5_000,
  });
  listening.maxConnections = limits.mostConnections;
  const hear = (request: IncomingMessage, response: ServerResponse): void => {
    // Whoever hangs up in the middle is nobody's failure but their own.
    request.on("error", () => {});
    response.on("error", () => {});
    answer(request, response, wishes, budget).catch(() => reply(response, { status: 500 }));
  };
  listening.on("request", hear);
  listening.on("checkContinue", hear);
  await new Promise<void>((resolve, reject) => {
    listening.once("error", (cause) => reject(cannotListen(host, port, cause)));
    listening.listen(port, host, resolve);
  });
  listening.on("error", () => {});
  const bound = listening.address();
  return {
    host,
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    close: () =>
      new Promise((resolve) => {
        const patience = setTimeout(() => listening.closeAllConnections(), CLOSE_MS);
        listening.close(() => {
          clearTimeout(patience);
          resolve();
        });
        listening.closeIdleConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { limits, refuse, answer }: ServerWishes,
  budget: { bytes: number },
): Promise<void> {
  const head = headOf(request);
  const refusal = refuse(head) ?? (announced(request) > limits.mostBodyBytes ? TOO_LARGE : undefined);
  if (refusal) return turnAway(request, response, refusal);
  if (request.headers.expect !== undefined) response.writeContinue();

  const taken = { bytes: 0 };
  try {
    const body = await readBody(request, (more) => {
      taken.bytes += more;
      budget.bytes += more;
      if (taken.bytes > limits.mostBodyBytes) return TOO_LARGE;
      return budget.bytes > limits.mostBytesAtOnce ? BUSY : undefined;
    });
    if (!(body instanceof Uint8Array)) return turnAway(request, response, body);
    // Cut off before all that was announced came: nobody is there to be answered.
    if (!request.complete) return void request.destroy();
    reply(response, await answer({ ...head, body }));
  } finally {
    budget.bytes -= taken.bytes;
  }
}

const TOO_LARGE: ServerReply = { status: 413, says: { error: "the body is too large" } };
const BUSY: ServerReply = { status: 503, says: { error: "too much at one time; send it again" } };

const announced = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0);

function headOf({ method = "", url = "", headers }: IncomingMessage): ServerHead {
  const named = Object.entries(headers).map(([name, value = ""]) => [name, Array.isArray(value) ? value.join(", ") : value]);
  return { method, path: url.split("?", 1)[0] ?? "", headers: Object.fromEntries(named) };
}

function readBody(request: IncomingMessage, refuses: (more: number) => ServerReply | undefined): Promise<Uint8Array | ServerReply> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => {
      const refusal = refuses(piece.length);
      if (!refusal) return void pieces.push(piece);
      pieces.length = 0;
      request.removeAllListeners("data");
      resolve(refusal);
    });
    // After its end a close changes nothing any more.
    request.once("end", () => resolve(Buffer.concat(pieces)));
    request.once("close", () => resolve(Buffer.concat(pieces)));
  });
}

/** Says no, throws away what still comes for a moment, and hangs up. */
function turnAway(request: IncomingMessage, response: ServerResponse, refusal: ServerReply): void {
  response.setHeader("connection", "close");
  reply(response, refusal);
  request.resume();
  const patience = setTimeout(() => request.destroy(), DRAIN_MS);
  patience.unref();
  request.once("close", () => clearTimeout(patience));
}

function reply(response: ServerResponse, { status, says }: ServerReply): void {
  if (response.headersSent || response.destroyed) return;
  const text = says ? `${JSON.stringify(says)}\n` : "";
  response.writeHead(status, says ? { "content-type": "application/json", "content-length": Buffer.byteLength(text) } : {});
  response.end(text);
}

const cannotListen = (host: string, port: number, cause: Error): LoopError =>
  new LoopError("store-unusable", `nothing can be heard on ${host}:${port}: ${cause.message}`, {
    retry: "never",
    hint: "Somebody else may have the port: choose another one in `webhooks.port` of machine.yaml.",
    cause,
  });
