// What a translation of a document of the standard goes by.
import type { NativeSurface } from "../native-surface.ts";
import type { Notes, PlaceOf } from "../notes.ts";
import type { Bindings, Fate, Shelf, SpecValue } from "../translation.ts";
import type { LssDocument } from "./document.ts";

export interface Translating {
  readonly document: LssDocument;
  readonly bindings: Bindings;
  readonly native: NativeSurface;
  readonly shelf: Shelf;
  readonly notes: Notes;
  /** How the files of loops begin that it calls: those of a loop that is called itself begin with its name. */
  readonly prefix: string;
  /** Translates a document that this one composes, into a file of that name. */
  child(document: LssDocument, about: ChildPlace): Translated;
}

export interface ChildPlace {
  readonly file: string;
  readonly placeOf: PlaceOf;
  readonly shelf: Shelf;
}

export interface Translated {
  readonly spec: SpecValue | undefined;
  readonly fates: readonly Fate[];
  /** The loops that it calls, and those that they call, by the names of their files. */
  readonly called: ReadonlyMap<string, SpecValue>;
}

/** `then` as specs write it. */
// biome-ignore lint/suspicious/noThenProperty: it is plain data for a spec, and nobody awaits it.
export const thenDo = (what: string): object => ({ then: what });

/**
 * Whether the workers become a team. One that an agent stands in for is a maker: an agent cannot be kept to a list of tools, and as a
 * maker it has a conversation that a later round takes up.
 */
export const isTeam = ({ document, bindings, native }: Translating): boolean =>
  native.has("team") &&
  (document.workers.length > 1 || document.composition !== undefined || bindings.use === undefined || isModelPart(bindings.use.part));

export const isModelPart = (part: string): boolean => ["anthropic", "openai", "openai-compatible", "ollama", "nvidia"].includes(part);
