// Serves a house in memory over two streams of lines, to a client of the protocol's own library or to whoever writes lines by hand.
import { Client, type ClientOptions, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { pageRecords } from "../../src/app/page/page-records.ts";
import { hearInJournal } from "../../src/app/page/run-now.ts";
import { scanDiffBy } from "../../src/app/scans/scan-diff.ts";
import type { LoopRecord } from "../../src/contract/record.ts";
import type { Desk } from "../../src/mcp/desk.ts";
import { serveLines } from "../../src/mcp/serve-lines.ts";
import type { MemoryHouse } from "./memory-house.ts";

export interface McpPlace {
  /** Writes bytes to the server, as they are. */
  readonly say: (text: string) => void;
  /** Everything that it said, line by line. */
  readonly said: JSONRPCMessage[];
  readonly client: (name: string, options?: ClientOptions) => Promise<Client>;
  /** Closes our side, and waits until it has left. */
  readonly end: () => Promise<void>;
  readonly bugs: unknown[];
}

/** What the tools have at hand in a house in memory; what failed unthought of is put into `bugs`. */
export const deskIn = ({ house }: Pick<MemoryHouse, "house">, bugs: unknown[], about: Partial<Desk> = {}): Desk => ({
  house: pageRecords(house),
  folder: "/repo",
  referee: { loop: undefined, base: undefined },
  policy: async () => ({ kind: "read", policy: [] }),
  scanDiff: (text) => scanDiffBy(house.world.loadSyntax, text, []),
  hear: hearInJournal(house),
  isLooking: false,
  tellBug: (error) => bugs.push(error),
  ...about,
});

export function serveInMemory({ house }: Pick<MemoryHouse, "house">, about: Partial<Desk> = {}): McpPlace {
  const chunks: Uint8Array[] = [];
  let isOver = false;
  let wake = (): void => {};
  let hear = (_: JSONRPCMessage): void => {};
  const said: JSONRPCMessage[] = [];
  const bugs: unknown[] = [];
  async function* reading(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = chunks.shift();
      if (next) yield next;
      else if (isOver) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const say = (text: string): void => {
    chunks.push(Buffer.from(text));
    wake();
  };
  const desk = deskIn({ house }, bugs, about);
  const write = (text: string): void => {
    const message = JSON.parse(text) as JSONRPCMessage;
    said.push(message);
    queueMicrotask(() => hear(message));
  };
  const serving = serveLines(
    desk,
    { chunks: reading(), write, flushed: async () => {}, patience: () => ({ over: new Promise(() => {}), end: () => {} }) },
    house.stop,
  );
  const end = async (): Promise<void> => {
    isOver = true;
    wake();
    await serving;
  };
  return {
    say,
    said,
    bugs,
    end,
    async client(name, options) {
      const client = new Client({ name, version: "1.0.0" }, options);
      await client.connect(transportOf(say, (listener) => (hear = listener)));
      return client;
    },
  };
}

function transportOf(say: (text: string) => void, onHeard: (listener: (message: JSONRPCMessage) => void) => void): Transport {
  const transport: Transport = {
    start: async () => onHeard((message) => transport.onmessage?.(message)),
    send: async (message) => say(`${JSON.stringify(message)}\n`),
    close: async () => transport.onclose?.(),
  };
  return transport;
}

/** What clients asked, as it is on record. */
export const askedIn = (records: readonly LoopRecord[]) =>
  records.flatMap((record) => (record.kind === "client-asked" ? record.asked.map((one) => ({ client: record.client, ...one })) : []));
