// Kept bytes piece by piece, for who wants a part of them: looked through once against their hash before any of them is given.
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { ArtifactPieces } from "../../contract/web.ts";

const PIECE = 64 * 1024;
/** How many are remembered to be what they were. */
const MOST_KNOWN = 2_000;

export function createArtifactPieces(folder: string): ArtifactPieces {
  const pathOf = (sha256: string): string => join(folder, sha256.slice(0, 2), sha256);
  /** By its hash: what the file was like when it was looked through. */
  const known = new Map<string, string>();

  async function sizeIn(file: FileHandle, sha256: string): Promise<number | undefined> {
    const { size, mtimeMs, ino } = await file.stat();
    const like = `${ino} ${size} ${mtimeMs}`;
    if (known.get(sha256) === like) return size;
    const hash = createHash("sha256");
    for await (const piece of piecesOf(file, 0, size)) hash.update(piece);
    if (hash.digest("hex") !== sha256) return undefined;
    const [oldest] = known.size >= MOST_KNOWN ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    known.set(sha256, like);
    return size;
  }

  return {
    async size(sha256) {
      const file = await open(pathOf(sha256), "r").catch(() => undefined);
      if (!file) return undefined;
      try {
        return await sizeIn(file, sha256);
      } finally {
        await file.close();
      }
    },
    async *read(sha256, from, to) {
      const file = await open(pathOf(sha256), "r");
      try {
        yield* piecesOf(file, from, to);
      } finally {
        await file.close();
      }
    },
  };
}

async function* piecesOf(file: FileHandle, from: number, to: number): AsyncIterable<Uint8Array<ArrayBuffer>> {
  for (let at = from; at < to; ) {
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(PIECE, to - at)), 0, Math.min(PIECE, to - at), at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
