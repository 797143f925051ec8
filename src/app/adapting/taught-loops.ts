// The loops that the agents of a repository are taught: its specs, where specs usually lie.
import { join } from "node:path";
import type { TaughtLoop } from "../../contract/agents.ts";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { fieldsOf } from "../../dialects/values.ts";
import { displayLine } from "../../std/display-text.ts";
import { loadSpecBy } from "../runs/load-spec.ts";
import { ENDINGS, FOLDERS } from "../runs/spec-places.ts";

export interface TaughtLoops {
  readonly loops: readonly TaughtLoop[];
  /** Specs that were not taken, and why. */
  readonly notes: readonly string[];
}

/** `wanted` are names; undefined stands for all. Nothing that a spec says is run. */
export async function taughtLoops(
  root: string,
  wanted: readonly string[] | undefined,
  texts: Texts,
  registries: Registries,
): Promise<TaughtLoops> {
  const places = await Promise.all(
    FOLDERS.map(async (folder) => (await texts.list(join(root, folder))).map((name) => (folder === "." ? name : `${folder}/${name}`))),
  );
  const paths = places
    .flat()
    .filter((path) => ENDINGS.some((ending) => path.endsWith(ending)))
    .toSorted();
  const loops = new Map<string, TaughtLoop>();
  const notes: string[] = [];
  for (const path of paths) {
    const loading = await loadSpecBy(texts, join(root, path), root, registries);
    if (loading.kind === "refused") {
      const [first] = loading.problems;
      notes.push(
        `Not taught: ${displayLine(path, 200)} is no sound spec (${displayLine(first?.problem ?? "", 200)}). See \`lw validate\`.`,
      );
      continue;
    }
    const { spec } = loading.loaded;
    const other = loops.get(spec.name);
    if (other) notes.push(`Not taught: ${displayLine(path, 200)} has the name of ${other.spec}.`);
    else loops.set(spec.name, taught(spec, path));
  }
  const missing = wanted?.find((name) => !loops.has(name));
  if (missing !== undefined)
    throw new LoopError("bad-input", `there is no loop called ${displayLine(missing, 60)} here`, {
      retry: "never",
      hint: loops.size === 0 ? "Write one with `lw init`." : `There is: ${[...loops.keys()].join(", ")}.`,
    });
  return { loops: [...loops.values()].filter(({ name }) => wanted?.includes(name) ?? true), notes };
}

function taught({ name, intent, level, verifiers }: LoopSpec, spec: string): TaughtLoop {
  const runs = verifiers.map((verifier) => fieldsOf(verifier.with).run).filter((run) => typeof run === "string");
  return { name, intent, level, spec, proofs: [...new Set(runs)] };
}
