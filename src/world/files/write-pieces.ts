// Writes a text that comes in pieces into a file, whole or not at all, however long it is.
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopError } from "../../contract/errors.ts";

/** Gives back how many bytes were written; nothing is there when it fails or when there were none. */
export async function writePieces(path: string, pieces: AsyncIterable<string>): Promise<number> {
  const draft = join(dirname(path), `.${randomBytes(6).toString("hex")}.draft`);
  try {
    const file = await open(draft, "wx", 0o600);
    let bytes = 0;
    try {
      for await (const piece of pieces) {
        await file.appendFile(piece);
        bytes += Buffer.byteLength(piece);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (bytes > 0) await rename(draft, path);
    return bytes;
  } catch (cause) {
    if (cause instanceof LoopError) throw cause;
    throw new LoopError("store-unusable", `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      retry: "never",
      hint: "Check its rights and the space that is left.",
      cause,
    });
  } finally {
    await rm(draft, { force: true });
  }
}
