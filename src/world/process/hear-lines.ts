// Hears lines on a pipe, and no more of them in a second than is wanted: who tells more is not read meanwhile.
import type { Readable } from "node:stream";
import { MOST_TOLD_CHARS } from "../../contract/telling.ts";
import { createLineReader } from "./lines.ts";

const A_WHILE_MS = 1_000;
const MOST_AT_ONCE = { lines: 100, bytes: 256 * 1024 };

export interface LineHearing {
  /** Nobody writes there any more: what is left is read without a pause. */
  finish(): void;
  end(): void;
}

export function hearLines(pipe: Readable, hear: (line: string) => void = () => {}): LineHearing {
  const reader = createLineReader(MOST_TOLD_CHARS);
  let left = MOST_AT_ONCE;
  let isFinishing = false;
  let rest: ReturnType<typeof setTimeout> | undefined;
  pipe.on("error", () => {});
  pipe.on("data", (piece: Buffer) => {
    rest ??= setTimeout(again, A_WHILE_MS).unref();
    const lines = reader.add(piece);
    for (const line of lines.slice(0, left.lines)) hear(line);
    left = { lines: Math.max(0, left.lines - lines.length), bytes: left.bytes - piece.length };
    if (!isFinishing && (left.lines === 0 || left.bytes <= 0)) pipe.pause();
  });
  pipe.on("close", () => clearTimeout(rest));

  function again(): void {
    rest = undefined;
    left = MOST_AT_ONCE;
    pipe.resume();
  }

  return {
    finish() {
      isFinishing = true;
      pipe.resume();
    },
    end: () => void pipe.destroy(),
  };
}
