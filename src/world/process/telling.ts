// Tells who started us what we see, by a pipe that they may or may not read: what does not go in at once is dropped, and nobody waits.
import { Socket } from "node:net";

export interface Telling {
  tell(line: string): void;
  /** What is still on its way is lost. */
  close(): void;
}

/** What may wait in memory for a reader that is slow. */
const MOST_WAITING_BYTES = 256 * 1024;

/** Undefined where there is no such pipe. */
export function openTelling(descriptor: number): Telling | undefined {
  const pipe = openPipe(descriptor);
  if (!pipe) return undefined;
  // Whoever read is gone: that is no failure of ours.
  pipe.on("error", () => {});
  pipe.unref();
  return {
    tell(line) {
      if (!pipe.destroyed && pipe.writableLength + line.length <= MOST_WAITING_BYTES) pipe.write(`${line}\n`);
    },
    close: () => void pipe.destroy(),
  };
}

function openPipe(descriptor: number): Socket | undefined {
  try {
    return new Socket({ fd: descriptor, readable: false, writable: true });
  } catch {
    return undefined;
  }
}
