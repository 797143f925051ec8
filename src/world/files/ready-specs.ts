// The specs that come with this program, to begin a new loop with.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReadySpec } from "../../contract/web.ts";

const ENDING = ".loop.yaml";
const MOST_BYTES = 64 * 1024;
/** A loop that calls others is several files, and a new loop begins with one. */
const CALLS_OTHERS = /\bloop: *\S+\.loop\.yaml/;

/** Whichever of its files we are in; none where they were left out. */
export function readReadySpecs(): readonly ReadySpec[] {
  for (const place of ["../examples/", "../../examples/", "../../../examples/"]) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    const names = namesIn(folder).filter((name) => name.endsWith(ENDING));
    if (names.length > 0) return names.toSorted().flatMap((name) => readOne(join(folder, name), name.slice(0, -ENDING.length)));
  }
  return [];
}

function readOne(path: string, name: string): readonly ReadySpec[] {
  const stats = statSync(path);
  const text = stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(path, "utf8") : undefined;
  return text === undefined || CALLS_OTHERS.test(text) ? [] : [{ name, text }];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // they are elsewhere, or were left out
  }
}
