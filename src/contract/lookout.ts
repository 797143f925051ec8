// Lookouts: somebody says that a folder may have changed. What changed, and whether anything did, they do not know.
export interface Lookout {
  /** Never fails: a folder that cannot be watched is looked at when its time comes. Gives back what ends it. */
  watch(folders: readonly string[], look: () => void): () => void;
}

/** Looks at files below a folder, and tells what is in them by their hashes. */
export interface FileStates {
  /** What was seen before spares reading what is as it was. */
  look(folder: string, isWanted: (path: string) => boolean, before: FilesSeen | undefined): Promise<FilesSeen>;
}

export interface FilesSeen {
  /** By their paths from the folder on, in order. */
  readonly hashes: ReadonlyMap<string, string>;
  /** What each was like from outside, so that it is read again only where that changed. */
  readonly stamps: ReadonlyMap<string, string>;
  /** Folders that lie there, this one included. */
  readonly folders: readonly string[];
  /** When one of these files or folders last changed, as the system says; undefined where it does not. */
  readonly changedAt?: number;
}
