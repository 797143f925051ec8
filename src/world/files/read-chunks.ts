// A file or standard input, piece by piece, however long it is.
import { open } from "node:fs/promises";
import type { Input } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import { whyUnread } from "./why-unread.ts";

export async function* readChunks(input: Input): AsyncIterable<Uint8Array> {
  if (input.kind === "stdin") return yield* input.stdin.chunks();
  const { path } = input;
  const file = await open(path, "r").catch((cause: unknown) => Promise.reject(unreadable(path, cause)));
  try {
    yield* file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 });
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    await file.close();
  }
}

const unreadable = (path: string, cause: unknown): LoopError =>
  new LoopError("bad-input", `${path} cannot be read: ${whyUnread(cause)}`, {
    retry: "never",
    hint: "Name a file that you may read, or - for standard input.",
    cause,
  });
