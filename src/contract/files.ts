// Files: our own, and those of a maker's copy, which no path leads out of.
export interface Files {
  /** A plain file of at most 4 MiB; anything else counts as not there. */
  readText(path: string): Promise<string | undefined>;
  /** Whole or not at all, also in a power cut. */
  writeText(path: string, text: string): Promise<void>;
}

/** Files of the maker's copy. A path that leads out of it, by name or by link, is refused. */
export interface WorkspaceFiles {
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Something that was asked for and is not done, with a reason that whoever asked can use. */
export interface Refused {
  readonly kind: "refused";
  readonly why: string;
}

/** Why a file of the copy may not be changed; undefined when it may. */
export type MayChange = (path: string, before: "there" | "absent") => string | undefined;

/**
 * Files of the maker's copy, for a maker that is told by a model what to do with them. Paths start at the root of the copy.
 * Each name on the way is opened by itself and no link is followed; only plain files with one name are read or changed.
 * What may not be is refused, and then nothing has happened.
 */
export interface CopyFiles {
  /** Installed dependencies, such as those in `node_modules`, are left out here and in a search, unless the folder lies in them. */
  list(folder: string, most: number): Promise<({ readonly kind: "list" } & FileList) | Refused>;
  readLines(path: string, from: number, most: number): Promise<LinesRead | Refused>;
  /** A piece of a file as text, by its place in bytes: for lines that are too long to be shown. */
  readBytes(path: string, from: number, most: number): Promise<BytesRead | Refused>;
  /** Lines that hold a text, in any case. */
  search(text: string, folder: string, most: number): Promise<Hits | Refused>;
  write(path: string, text: string): Promise<FileChanged | Refused>;
  /** Puts one text in the place of another, which must be there exactly once. */
  replace(path: string, before: string, after: string): Promise<FileChanged | Refused>;
  remove(path: string): Promise<FileChanged | Refused>;
  move(from: string, to: string): Promise<FileChanged | Refused>;
}

export interface LinesRead {
  readonly kind: "lines";
  readonly from: number;
  readonly lines: readonly ReadLine[];
  /** How many lines there are; undefined when the file was not read to its end. */
  readonly total: number | undefined;
  readonly bytes: number;
}

export interface ReadLine {
  readonly text: string;
  /** Where the rest of it begins, in bytes, when it is longer than what is shown of a line. */
  readonly restAt?: number;
}

export interface BytesRead {
  readonly kind: "bytes";
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

export interface Hits {
  readonly kind: "hits";
  readonly hits: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  /** False when not everything was looked through, or more was found than asked for. */
  readonly isWhole: boolean;
}

export interface FileChanged {
  readonly kind: "changed";
  /** How many bytes the file has now; none when it is gone. */
  readonly bytes: number;
}

/** Files of a verifier's copy, which the code under test may have left in any shape. A path that leads out of it is refused. */
export interface RoomFiles {
  /** A plain file of at most 32 MiB; anything else counts as not there, also a link. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface FileList {
  readonly paths: readonly string[];
  /** False when there are more. */
  readonly isWhole: boolean;
}
