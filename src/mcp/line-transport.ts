// The protocol over two streams of lines: bounded in what it reads, in how much is asked at once, and in what waits to be read by the other side.
import { type JSONRPCMessage, type JSONRPCRequest, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { isNestedDeeper } from "../std/json-depth.ts";

export interface Pipe {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => void;
  /** Resolves when the other side has taken what was written, or is gone. */
  readonly flushed: () => Promise<void>;
  /** How long whoever closes its side waits for answers to what it asked. */
  readonly patience: () => { readonly over: Promise<void>; readonly end: () => void };
}

export interface LineTransport extends Transport {
  /** Resolves when nothing more comes and everything is answered, or when it was closed. */
  readonly over: Promise<void>;
}

const MOST_LINE_BYTES = 4 * 1024 * 1024;
const MOST_DEPTH = 64;
const MOST_AT_ONCE = 32;
const [PARSE_ERROR, INVALID_REQUEST, TOO_MUCH] = [-32700, -32600, -32000];

export function lineTransport(pipe: Pipe): LineTransport {
  const pending = new Set<string | number>();
  let isClosed = false;
  let whenOver = (): void => {};
  let whenAnswered = (): void => {};
  const over = new Promise<void>((resolve) => {
    whenOver = resolve;
  });

  const write = (message: object): void => {
    if (!isClosed) pipe.write(`${JSON.stringify(message)}\n`);
  };
  const refuse = (code: number, message: string, id: string | number | null = null): void =>
    write({ jsonrpc: "2.0", id, error: { code, message } });

  const transport: LineTransport = {
    over,
    async start() {
      void read();
    },
    async send(message) {
      write(message);
      if ("id" in message && !("method" in message)) settle(message.id);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      transport.onclose?.();
      whenOver();
    },
  };
  return transport;

  async function read(): Promise<void> {
    try {
      for await (const line of boundedLines(pipe.chunks)) {
        if (isClosed) return;
        if (line === undefined) refuse(INVALID_REQUEST, `a message may have ${MOST_LINE_BYTES} bytes and no more`);
        else take(line);
        await pipe.flushed();
      }
      // Whoever pipes a few questions in is answered, and whoever is gone is not waited for.
      if (pending.size > 0) await answeredOr(pipe.patience());
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    await transport.close();
  }

  async function answeredOr({ over, end }: ReturnType<Pipe["patience"]>): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      whenAnswered = resolve;
    });
    await Promise.race([answered, over]);
    end();
  }

  function take(line: string): void {
    if (line.trim() === "") return;
    const message = parsed(line);
    const why = typeof message === "string" ? undefined : whyNot(message);
    if (typeof message === "string") refuse(message === NO_JSON ? PARSE_ERROR : INVALID_REQUEST, message);
    else if (why) refuse(why.code, why.says, why.id);
    else deliver(message);
  }

  /** Why a request that is one is not taken. */
  function whyNot(message: JSONRPCMessage): { readonly code: number; readonly says: string; readonly id: string | number } | undefined {
    if (!isRequest(message)) return undefined;
    const { id } = message;
    if (pending.has(id)) return { code: INVALID_REQUEST, says: "an id is used twice", id };
    if (pending.size < MOST_AT_ONCE) return undefined;
    return { code: TOO_MUCH, says: `no more than ${MOST_AT_ONCE} requests are answered at once`, id };
  }

  function deliver(message: JSONRPCMessage): void {
    if (isRequest(message)) pending.add(message.id);
    transport.onmessage?.(message);
    // What is taken back is not answered any more.
    if ("method" in message && message.method === "notifications/cancelled") settle(message.params?.requestId);
  }

  function settle(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") pending.delete(id);
    if (pending.size === 0) whenAnswered();
  }
}

/** Of what was read as a message already: to read it once more would cost as much as the answer. */
const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => "method" in message && "id" in message;

const NO_JSON = "this line is no JSON";

/** The message, or why it is none. */
function parsed(line: string): JSONRPCMessage | string {
  if (isNestedDeeper(line, MOST_DEPTH)) return `a message may be nested ${MOST_DEPTH} deep and no deeper`;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return NO_JSON;
  }
  if (Array.isArray(value)) return "batches are not taken: send one message on a line";
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return "this is no message of JSON-RPC 2.0";
  }
}

/** Line by line; undefined in the place of one that is too long, which is not kept while it comes. */
async function* boundedLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, at));
      yield taken();
      from = at + 1;
    }
    keep(chunk.subarray(from));
  }
  if (bytes > 0) yield taken();

  function keep(piece: Uint8Array): void {
    bytes += piece.length;
    if (bytes > MOST_LINE_BYTES) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  }
  function taken(): string | undefined {
    const line = bytes > MOST_LINE_BYTES ? undefined : Buffer.concat(pieces).toString("utf8");
    pieces = [];
    bytes = 0;
    return line;
  }
}
