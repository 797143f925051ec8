// Bytes kept by their hash: written whole or not at all, never changed, read back only if they are still the same.
import { createHash, type Hash, randomBytes } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ArtifactRef, type ArtifactSink, type ArtifactStore, keepThrough, MOST_KEPT_BYTES } from "../../contract/artifacts.ts";
import { LoopError } from "../../contract/errors.ts";
import { sha256 } from "../../std/hash.ts";
import { makeFolderIn } from "../files/make-folder.ts";
import { readRegular } from "../files/read-regular.ts";

/** More are written again sooner than read. */
const MOST_COMPARED_BYTES = 1024 * 1024;

export function createArtifacts(folder: string): ArtifactStore {
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  const safe = new Set<string>();
  const receive = async (): Promise<ArtifactSink> =>
    createSink({ folder, draft: join(folder, `draft-${randomBytes(8).toString("hex")}`), pathOf, safe });
  return {
    receive,
    keep: keepThrough(receive),
    async read(ref) {
      const bytes = await readRegular(pathOf(ref.sha256)).catch((cause: unknown) => Promise.reject(artifactGone(ref, "is missing", cause)));
      if (sha256(bytes) !== ref.sha256) throw artifactGone(ref, "was changed", undefined);
      return bytes;
    },
  };
}

interface Places {
  readonly folder: string;
  readonly draft: string;
  readonly pathOf: (hash: string) => string;
  /** What is known to be there and synced, because it was done here. */
  readonly safe: Set<string>;
}

function createSink({ folder, draft, pathOf, safe }: Places): ArtifactSink {
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  let truncated = false;
  let opened: FileHandle | undefined;
  // Most commands print nothing: a file is made for the first that comes.
  const file = async (): Promise<FileHandle> => {
    if (opened) return opened;
    makeFolderIn(dirname(folder), folder);
    opened = await open(draft, "wx", 0o600);
    return opened;
  };
  const drop = async (): Promise<void> => {
    await opened?.close();
    if (opened) await rm(draft, { force: true });
    opened = undefined;
  };
  return {
    async write(chunk) {
      const space = MOST_KEPT_BYTES - bytes;
      const kept = chunk.length > space ? chunk.subarray(0, space) : chunk;
      truncated ||= kept.length < chunk.length;
      if (kept.length === 0) return;
      hash.update(kept);
      bytes += kept.length;
      // A plain `write` may take only a part; this one goes on until all is written.
      await orSayWhy(draft, async () => (await file()).appendFile(kept));
    },
    async keep() {
      const digest = hash.digest("hex");
      const path = pathOf(digest);
      await orSayWhy(path, async () => {
        if (await isThere(path, digest, bytes)) {
          await drop();
          if (safe.has(digest)) return;
        } else {
          const written = await file();
          await written.sync();
          await written.close();
          makeFolderIn(folder, dirname(path));
          // Damaged bytes may lie under their name: these are the right ones.
          await rename(draft, path);
        }
        // Also where it was there: whoever put it there may not have come so far yet.
        await syncFolder(dirname(path));
        safe.add(digest);
      });
      return { sha256: digest, bytes, truncated };
    },
    drop,
  };
}

/** A name is safe once the folder is that it stands in. Others go on meanwhile. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The same bytes, of which every run has a few: they were safe before they got their name, and need not be written again. */
async function isThere(path: string, digest: string, bytes: number): Promise<boolean> {
  if (bytes > MOST_COMPARED_BYTES) return false;
  const found = await readRegular(path).catch(() => undefined);
  return found?.length === bytes && sha256(found) === digest;
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
