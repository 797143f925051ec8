// Asks the worker for colours. A page without a worker stays plain, and readable.
import type { Token } from "./colour.ts";
import { isColoured } from "./colour.ts";
import type { ColourAnswer, ColourAsk } from "./colour-worker.ts";

type Tokens = ColourAnswer["tokens"];

let worker: Worker | undefined;
let asked = 0;
const waiting = new Map<number, (tokens: Tokens) => void>();
const PLAIN: readonly Token[] = [];

export const plainTokens = (): readonly Token[] => PLAIN;

export function askColours(path: string, lines: readonly string[]): Promise<Tokens> {
  if (!isColoured(path) || typeof Worker === "undefined") return Promise.resolve([]);
  worker ??= startWorker();
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    const ask: ColourAsk = { id, path, lines };
    worker?.postMessage(ask);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL("./colour-worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<ColourAnswer>) => {
    waiting.get(data.id)?.(data.tokens);
    waiting.delete(data.id);
  };
  started.onerror = () => {
    for (const resolve of waiting.values()) resolve([]);
    waiting.clear();
  };
  return started;
}
