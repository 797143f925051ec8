// Bytes kept by their hash, and the way to them.
/** Bytes kept by their hash; the record holds only this. */
export interface ArtifactRef {
  readonly sha256: string;
  readonly bytes: number;
  /** True when there was more than could be kept. */
  readonly truncated: boolean;
}

export interface Artifacts {
  keep(bytes: Uint8Array | string): Promise<ArtifactRef>;
  read(ref: ArtifactRef): Promise<Uint8Array>;
}

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
