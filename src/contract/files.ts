// Files: our own, and those of a maker's copy, which no path leads out of.
import type { Input, StandardInput } from "./around.ts";

export interface Files {
  /** A plain file of at most 4 MiB; anything else counts as not there. */
  readText(path: string): Promise<string | undefined>;
  /** Whole or not at all, also in a power cut; `for-now` is for what would be written anew after one, and need not outlive it. */
  writeText(path: string, text: string, lasts?: "for-good" | "for-now"): Promise<void>;
}

/** Small texts that people wrote: specs, policies, settings. One that cannot be read is told as their mistake. */
export interface Texts {
  readWhole(path: string, mostBytes: number): Promise<string>;
  /** The same, where the file may be missing. */
  readOptional(path: string, mostBytes?: number): Promise<string | undefined>;
  /** The names in a folder; none when there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** A plain file that really lies below a folder, behind all links; with where that is. */
  readBelow(folder: string, path: string, mostBytes: number): Promise<TextBelow>;
  /** Where it really is, behind all links; undefined where there is neither a plain file nor a folder. */
  real(path: string): Promise<{ readonly path: string; readonly kind: "file" | "folder" } | undefined>;
}

export type TextBelow =
  | { readonly kind: "text"; readonly text: string; readonly real: string }
  | { readonly kind: "refused"; readonly why: string };

/** Places where people keep specs, whatever lies there: nothing here waits, and one bad file hides no other. */
export interface SpecFiles {
  /** What is at a path that somebody named; of a folder, those of its own files that are wanted, in order. */
  look(path: string, isWanted: (name: string) => boolean): Promise<PlaceSeen>;
  read(path: string, mostBytes: number): Promise<SpecText>;
}

export type PlaceSeen =
  | { readonly kind: "file"; readonly file: FileSeen }
  | { readonly kind: "folder"; readonly files: readonly FileSeen[] }
  /** There is nothing, and the folder it would be in can be read. */
  | { readonly kind: "gone" }
  | { readonly kind: "unreadable"; readonly why: string };

export interface FileSeen {
  readonly path: string;
  /** Where it really is, behind all links; two paths with one of these are one file. */
  readonly real: string;
  /** Another one means that it may have changed; undefined where it changed just now, so that its time says nothing. */
  readonly stamp: string | undefined;
}

export type SpecText = { readonly kind: "text"; readonly text: string } | { readonly kind: "unreadable"; readonly why: string };

/** What somebody names or pipes in, read to its end or up to a bound. */
export interface Inputs {
  chunks(input: Input): AsyncIterable<Uint8Array>;
  bytes(input: Input, mostBytes: number): Promise<BytesReading>;
  text(input: Input, mostBytes: number): Promise<string>;
  /** A line that is longer than the bound is undefined. */
  lines(input: Input, mostBytes: number): AsyncIterable<string | undefined>;
  /** What another program asks, one a line, as it comes. */
  typed(input: StandardInput): AsyncIterable<string>;
}

export type BytesReading =
  | { readonly kind: "read"; readonly bytes: Uint8Array /** False when there was more than the bound. */; readonly isWhole: boolean }
  | { readonly kind: "unreadable"; readonly why: string };

/** Which files are looked for under a folder. */
export interface Search {
  /** Told by the names of the file and of the folder it lies in. */
  readonly isWanted: (name: string, folder: string) => boolean;
  /** Names of folders that are not looked into. */
  readonly skip: ReadonlySet<string>;
  readonly mostDepth: number;
  /** How many names are looked at, all together. */
  readonly mostNames: number;
}

export interface Found {
  readonly paths: readonly string[];
  /** What was not looked at, and why: the list above is whole only when this is empty. */
  readonly unseen: readonly string[];
  readonly links: number;
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

/** What a worker hands over, out of its copy. */
export interface HandedFiles {
  /** A plain file of at most 32 MiB, or what is in the way; bytes that are no UTF-8 are no text. */
  readText(path: string): Promise<TextFound>;
}

export type TextFound =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large"; readonly bytes: number }
  | { readonly kind: "none"; readonly why: string };

export interface FileList {
  readonly paths: readonly string[];
  /** False when there are more. */
  readonly isWhole: boolean;
}
