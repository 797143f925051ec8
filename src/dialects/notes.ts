// Where a translation writes down what became of each thing that a file says.
import { type Path, showPath } from "../spec/path.ts";
import type { Fate } from "./translation.ts";

export interface Notes {
  tell(kind: Fate["kind"], path: Path, to: string, why?: string): void;
  readonly fates: readonly Fate[];
}

export type PlaceOf = (path: Path) => { readonly line: number; readonly col: number };

export function createNotes(placeOf: PlaceOf): Notes {
  const fates: Fate[] = [];
  return {
    tell: (kind, path, to, why = "") => {
      fates.push({ kind, path: showPath(path), ...placeOf(path), to, why });
    },
    fates,
  };
}
