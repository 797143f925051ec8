// What the lines of a commit do: what callers can see of it, what decides, what it brings in.

/** Signs of one commit, small enough to be on record. Names in it are strangers' words. */
export interface ChangeSigns {
  /** Changed lines of product source that are neither blank nor comments. */
  readonly added: number;
  readonly removed: number;
  readonly testLines: number;
  /** Whether a changelog says something new beside code. */
  readonly isTold: boolean;
  /** What others can call, and cannot any more; can in another way; could not before. */
  readonly gone: readonly string[];
  readonly altered: readonly string[];
  readonly brought: readonly string[];
  /** Changed lines that decide, refuse or warn. */
  readonly decisions: number;
  /** Words of who may do what, of secrets, escaping and starting programs, in changed code. */
  readonly delicate: readonly string[];
  readonly dependencies: readonly DependencyChange[];
  /** What it needs to run at all, where that changed: `node >=20`. */
  readonly needs: readonly string[];
  readonly migration: boolean;
  /** The workflow may do more, or runs what strangers send. */
  readonly powers: boolean;
  /** All it does is another version of something that is brought in. */
  readonly isBump: boolean;
  readonly deletedSources: number;
}

export interface DependencyChange {
  readonly name: string;
  readonly from?: string;
  readonly to?: string;
  /** Not there where it is needed only to build or to test. */
  readonly runs?: true;
}
