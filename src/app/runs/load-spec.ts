// Finds a spec by file or by name, and reads it.
import { basename, dirname, join, resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { callsOthers } from "../../spec/library.ts";
import { readSpec, type SpecProblem, specHash } from "../../spec/read-spec.ts";
import type { House } from "../open-house.ts";
import { loadLibrary, MOST_SPEC_BYTES } from "./load-library.ts";
import { ENDINGS, FOLDERS } from "./spec-places.ts";

export interface LoadedSpec {
  readonly spec: LoopSpec;
  readonly hash: string;
  readonly path: string;
  readonly folder: string;
  readonly warnings: readonly SpecProblem[];
}

export type SpecLoading =
  | { readonly kind: "loaded"; readonly loaded: LoadedSpec }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

export async function loadSpecBy(texts: Texts, path: string, cwd: string, registries: Registries): Promise<SpecLoading> {
  const absolute = resolve(cwd, path);
  const text = await texts.readWhole(absolute, MOST_SPEC_BYTES);
  const library = callsOthers(text) ? (await loadLibrary(texts, absolute, text)).library : undefined;
  const reading = readSpec(path, text, registries, undefined, library);
  if (reading.kind === "refused") return reading;
  const { spec, hash, warnings } = reading;
  return { kind: "loaded", loaded: { spec, hash, warnings, path: absolute, folder: dirname(absolute) } };
}

/** A path is taken as it is; a bare name is looked for where specs usually lie. */
export async function findSpecBy(texts: Texts, loop: string, cwd: string): Promise<string> {
  if (/[./\\]/.test(loop)) return loop;
  const places = FOLDERS.flatMap((folder) => ENDINGS.map((ending) => join(folder, `${loop}${ending}`)));
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => (await texts.list(resolve(cwd, folder))).map((name) => join(folder, name))),
  );
  const there = lists.flat();
  const found = places.find((place) => there.includes(place));
  if (found) return found;
  const others = there.filter((place) => ENDINGS.some((ending) => place.endsWith(ending)));
  throw new LoopError("bad-input", `no spec called ${loop} was found in ${cwd}`, {
    retry: "never",
    hint:
      others.length > 0
        ? `There is: ${others.map((place) => basename(place)).join(", ")}.`
        : `Looked for ${places.slice(0, 3).join(", ")} and the like; give the file's path, or write one with \`lw init\`.`,
  });
}

/** The spec as it goes on record, with placeholders in the place of secrets, and the hash of exactly that. */
export function asRecorded({ redact }: Pick<House, "redact">, spec: LoopSpec): Pick<LoadedSpec, "spec" | "hash"> {
  const recorded = redact(spec);
  return { spec: recorded, hash: specHash(recorded) };
}
