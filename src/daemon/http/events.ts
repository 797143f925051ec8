// Live updates: one look at the journal for all open pages, each of which goes on from the record that it saw last.
//
//   behind ──reads the journal page by page──► level ──takes what all get──► behind again: cut off, and it reconnects
import type { LiveEvent, LiveRecord } from "../../contract/api.ts";
import type { Entry } from "../../contract/record.ts";
import type { JournalReader } from "../../journal/journal.ts";

export interface Events {
  /** A stream of events after that record; undefined when too many pages are open. */
  open(after: number | undefined): ReadableStream<Uint8Array> | undefined;
  /** Tells all pages something that is on no record. */
  tell(event: LiveEvent): void;
  readonly pages: () => number;
  close(): void;
}

export interface EventsAbout {
  readonly journal: Pick<JournalReader, "entriesAfter" | "head">;
  readonly now: () => Date;
  readonly repeat: (everyMs: number, work: () => void) => { readonly end: () => void };
}

const POLL_MS = 250;
const BEAT_MS = 15_000;
const PAGE = 256;
/** What is kept for pages that are a little behind. */
const MOST_KEPT = 512;
const MOST_PAGES = 200;
/** Whoever was away for longer reads again instead. */
const MOST_REPLAYED = 20_000;

interface Client {
  /** The last record that it has. */
  seq: number;
  /** The number of the next message for it; undefined while it is behind. */
  next: number | undefined;
  wake: () => void;
  isGone: boolean;
}

export function createEvents({ journal, now, repeat }: EventsAbout): Events {
  const encoder = new TextEncoder();
  const clients = new Set<Client>();
  /** Messages for all, by their numbers; `upTo` is the journal's newest record after it. */
  let kept: readonly { readonly bytes: Uint8Array; readonly upTo: number }[] = [];
  let first = 0;
  let seq: number | undefined;
  let looking: Promise<void> | undefined;
  const timers: { readonly end: () => void }[] = [];

  function send(text: string, upTo: number): void {
    kept = [...kept, { bytes: encoder.encode(text), upTo }];
    if (kept.length > MOST_KEPT) {
      first += kept.length - MOST_KEPT;
      kept = kept.slice(-MOST_KEPT);
    }
    for (const client of clients) client.wake();
  }

  /** What is new in the journal goes out once for all. */
  async function look(): Promise<void> {
    seq ??= (await journal.head())?.seq ?? 0;
    for (;;) {
      const entries = await journal.entriesAfter(seq, PAGE);
      const last = entries.at(-1);
      if (!last) return;
      seq = last.seq;
      send(entries.map(tellRecord).join(""), seq);
      if (entries.length < PAGE) return;
    }
  }

  function lookOnce(): Promise<void> {
    // A journal that is busy is looked at again a moment later.
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  /** Looks only while somebody does. */
  function begin(): void {
    if (timers.length > 0) return;
    timers.push(repeat(POLL_MS, () => void lookOnce()));
    timers.push(repeat(BEAT_MS, () => send(tell({ event: "beat", data: { seq: seq ?? 0, at: now().toISOString() } }), seq ?? 0)));
  }

  function end(client: Client): void {
    client.isGone = true;
    clients.delete(client);
    client.wake();
    if (clients.size > 0) return;
    for (const timer of timers.splice(0)) timer.end();
    // Nobody needs what was kept; who comes next begins with the journal's end.
    first += kept.length;
    kept = [];
    seq = undefined;
  }

  /** The next bytes for a client; undefined when it is to be cut off. */
  async function nextFor(client: Client): Promise<Uint8Array | undefined> {
    while (!client.isGone) {
      if (client.next === undefined) {
        const bytes = await replay(client);
        if (bytes) return bytes;
        continue;
      }
      if (client.next < first) return undefined;
      const message = kept[client.next - first];
      if (message) {
        client.next++;
        client.seq = Math.max(client.seq, message.upTo);
        return message.bytes;
      }
      await new Promise<void>((resolve) => {
        client.wake = resolve;
      });
    }
    return undefined;
  }

  /** Brings a client up to where all others are. */
  async function replay(client: Client): Promise<Uint8Array | undefined> {
    const level = seq ?? 0;
    if (level - client.seq > MOST_REPLAYED) {
      const gap = tell({ event: "gap", data: { from: client.seq, to: level } });
      client.seq = level;
      return encoder.encode(gap);
    }
    const entries = client.seq < level ? (await journal.entriesAfter(client.seq, PAGE)).filter((entry) => entry.seq <= level) : [];
    const last = entries.at(-1);
    if (last) {
      client.seq = last.seq;
      return encoder.encode(entries.map(tellRecord).join(""));
    }
    // Between reading and here others may have gone on: then there is something left to read.
    if (level !== (seq ?? 0)) return undefined;
    client.next = first + kept.length;
    return undefined;
  }

  return {
    open(after) {
      if (clients.size >= MOST_PAGES) return undefined;
      const client: Client = { seq: after ?? 0, next: undefined, wake: () => {}, isGone: false };
      clients.add(client);
      begin();
      return new ReadableStream<Uint8Array>(
        {
          async start(controller) {
            await lookOnce();
            if (after === undefined || after > (seq ?? 0)) client.seq = seq ?? 0;
            controller.enqueue(encoder.encode(tell({ event: "beat", data: { seq: seq ?? 0, at: now().toISOString() } })));
          },
          async pull(controller) {
            try {
              const bytes = await nextFor(client);
              if (bytes) return controller.enqueue(bytes);
            } catch {
              // A journal that cannot be read now: the page reconnects, and goes on from where it was.
            }
            if (!client.isGone) end(client);
            controller.close();
          },
          cancel: () => end(client),
        },
        { highWaterMark: 1 },
      );
    },
    tell: (event) => {
      if (clients.size > 0) send(tell(event), seq ?? 0);
    },
    pages: () => clients.size,
    close: () => {
      for (const client of [...clients]) end(client);
    },
  };
}

function tellRecord({ seq, at, loop, run, record, hash }: Entry): string {
  const data: LiveRecord = { seq, at, loop, run, kind: record.kind, hash };
  return tell({ event: "record", id: seq, data });
}

/** JSON has no line breaks of its own, so that each event is one line of data. */
const tell = (event: LiveEvent): string =>
  `${"id" in event ? `id: ${event.id}\n` : ""}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
