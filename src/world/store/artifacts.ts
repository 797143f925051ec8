// Bytes kept by their hash: written whole or not at all, never changed, read back only if they are still the same.
import { createHash, type Hash, randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ArtifactRef, Artifacts } from "../../contract/artifacts.ts";
import { LoopError } from "../../contract/errors.ts";
import { sha256 } from "../../std/hash.ts";
import { syncFolder } from "./store.ts";

/** More bytes than this are counted as there, and not kept. */
export const MOST_KEPT_BYTES = 32 * 1024 * 1024;

/** Takes bytes as they come; memory stays small however many there are. Ends with `keep` or with `drop`. */
export interface ArtifactSink {
  write(chunk: Uint8Array): Promise<void>;
  keep(): Promise<ArtifactRef>;
  drop(): Promise<void>;
}

export interface ArtifactStore extends Artifacts {
  receive(): Promise<ArtifactSink>;
}

/** Bytes that are all there already go the same way as those that come piece by piece. */
export const keepThrough =
  (receive: ArtifactStore["receive"]): Artifacts["keep"] =>
  async (bytes) => {
    const sink = await receive();
    try {
      await sink.write(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes);
      return await sink.keep();
    } catch (error) {
      await sink.drop();
      throw error;
    }
  };

export function createArtifacts(folder: string): ArtifactStore {
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  const receive = (): Promise<ArtifactSink> =>
    orSayWhy(folder, async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `draft-${randomBytes(8).toString("hex")}`);
      return createSink(await open(draft, "wx", 0o600), draft, pathOf);
    });
  return {
    receive,
    keep: keepThrough(receive),
    async read(ref) {
      const bytes = await readFile(pathOf(ref.sha256)).catch((cause: unknown) => Promise.reject(artifactGone(ref, "is missing", cause)));
      if (sha256(bytes) !== ref.sha256) throw artifactGone(ref, "was changed", undefined);
      return bytes;
    },
  };
}

function createSink(file: FileHandle, draft: string, pathOf: (hash: string) => string): ArtifactSink {
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  let truncated = false;
  return {
    async write(chunk) {
      const room = MOST_KEPT_BYTES - bytes;
      const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
      truncated ||= kept.length < chunk.length;
      if (kept.length === 0) return;
      hash.update(kept);
      bytes += kept.length;
      // A plain `write` may take only a part; this one goes on until all is written.
      await orSayWhy(draft, () => file.appendFile(kept));
    },
    async keep() {
      const digest = hash.digest("hex");
      const path = pathOf(digest);
      await orSayWhy(path, async () => {
        await file.sync();
        await file.close();
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        // The same bytes may be there already, or damaged ones under their name: either way these are the right ones.
        await rename(draft, path);
        syncFolder(dirname(path));
      });
      return { sha256: digest, bytes, truncated };
    },
    async drop() {
      await file.close();
      await rm(draft, { force: true });
    },
  };
}

async function orSayWhy<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new LoopError("store-unusable", `${path} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      retry: "later",
      hint: "Make room or mend the permissions there, then go on with `lw resume`.",
      cause,
    });
  }
}

const artifactGone = (ref: ArtifactRef, what: string, cause: unknown): LoopError =>
  new LoopError("journal-damaged", `the artifact ${ref.sha256.slice(0, 12)} ${what}`, {
    retry: "never",
    hint: "The record still holds its hash and the end of its text; the bytes themselves cannot be shown.",
    cause,
  });
