// What editing a loop reaches of this machine: its file, and the overlays that somebody keeps in their home.
import { basename, join, resolve } from "node:path";
import { LoopError } from "../contract/errors.ts";
import { createKeptFiles } from "../world/files/files.ts";
import { texts } from "../world/files/spec-files.ts";
import { BUILT_IN, type Overlay, readOverlay } from "./authoring/overlays.ts";
import type { Home } from "./home.ts";
import { MOST_SPEC_BYTES } from "./runs/load-library.ts";

const MOST_KEPT = 200;

/** Ours first; one of the home that is called the same comes in its place. */
export async function knownOverlays({ folder }: Home): Promise<readonly Overlay[]> {
  const names = (await texts.list(join(folder, "overlays"))).filter((name) => /\.ya?ml$/.test(name)).sort();
  if (names.length > MOST_KEPT)
    throw new LoopError("bad-input", `there are more than ${MOST_KEPT} overlays in ${folder}`, { retry: "never", hint: "Keep fewer." });
  const kept = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, "overlays", name);
      return readOverlay(file, basename(name).replace(/\.ya?ml$/, ""), await texts.readWhole(file, MOST_SPEC_BYTES));
    }),
  );
  return [...BUILT_IN.filter(({ name }) => !kept.some((one) => one.name === name)), ...kept];
}

export const readSpecFile = (file: string, cwd: string): Promise<string> => texts.readWhole(resolve(cwd, file), MOST_SPEC_BYTES);

/** Whole or not at all, into the file that is meant, whose mode stays. */
export const writeSpecFile = (file: string, cwd: string, text: string): Promise<void> =>
  createKeptFiles().writeText(resolve(cwd, file), text);
