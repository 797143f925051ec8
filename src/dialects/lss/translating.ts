// What a translation goes by, and where it writes down what became of each thing that a document says.
import { type Path, showPath } from "../../spec/path.ts";
import type { NativeSurface } from "../native-surface.ts";
import type { Bindings, Fate } from "../translation.ts";
import type { LssDocument } from "./document.ts";

export interface Translating {
  readonly document: LssDocument;
  readonly bindings: Bindings;
  readonly native: NativeSurface;
  readonly notes: Notes;
}

export interface Notes {
  tell(kind: Fate["kind"], path: Path, to: string, why?: string): void;
  readonly fates: readonly Fate[];
}

export function createNotes(placeOf: (path: Path) => { readonly line: number; readonly col: number }): Notes {
  const fates: Fate[] = [];
  return {
    tell: (kind, path, to, why = "") => {
      fates.push({ kind, path: showPath(path), ...placeOf(path), to, why });
    },
    fates,
  };
}

/** `then` as specs write it. */
// biome-ignore lint/suspicious/noThenProperty: it is plain data for a spec, and nobody awaits it.
export const thenDo = (what: string): object => ({ then: what });
