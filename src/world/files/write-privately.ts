// Writes files that only their owner may read.
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

/** Writes a new file that only its owner may read, and that is safe on disk afterwards. */
export function writePrivately(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
