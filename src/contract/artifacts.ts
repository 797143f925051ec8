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
