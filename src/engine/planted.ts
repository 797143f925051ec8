// What checks of base made of a proposal's new files, laid into base where nothing asks for them: who is read there was found by its name. Pure.
import type { Finding } from "../contract/evidence.ts";
import type { Standing } from "../guard/product-source.ts";

/** New files that are left out of the sealed run, and what is said of them. */
export interface Planted {
  readonly found: readonly string[];
  readonly findings: readonly Finding[];
}

export const NOTHING_PLANTED: Planted = { found: [], findings: [] };

/** One run of base's checks with other files among its own. */
export interface PlantRun {
  readonly read: ReadonlySet<string>;
  /** Stands for how every test ended; undefined where that was not read. */
  readonly outcomes: string | undefined;
}

/** A new file, and the neutral one that was laid beside it to see whether its folder is read as a whole. */
export interface Beside {
  readonly path: string;
  readonly neutral: string;
  /** What it would be on base. */
  readonly standing: Standing;
}

/** Whoever was read, or all of them where the tests end otherwise though none was: something may only have looked whether it is there. */
export function suspectsOf(added: readonly string[], plant: PlantRun, base: { readonly outcomes?: string }): readonly string[] {
  const read = added.filter((path) => plant.read.has(path));
  const isMoved = base.outcomes !== undefined && plant.outcomes !== undefined && plant.outcomes !== base.outcomes;
  return read.length > 0 || !isMoved ? read : added;
}

/**
 * A file whose neutral twin is read too belongs to a folder that is read as a whole: it is source. One that was found by its name
 * decides how work is checked, unless it is source that base's tests already ask for, and nothing had to give way to it.
 */
export function weighPlant(suspects: readonly Beside[], plant: PlantRun, control: PlantRun): Planted {
  const ours = new Set(suspects.flatMap(({ path, neutral }) => [path, neutral]));
  const displaced = [...control.read].filter((path) => !plant.read.has(path) && !ours.has(path)).sort();
  const byName = suspects.filter(({ path, neutral, standing }) => {
    if (control.read.has(neutral)) return false;
    if (!plant.read.has(path)) return plant.outcomes !== control.outcomes;
    return displaced.length > 0 || standing !== "product";
  });
  const decides = byName.filter(({ standing }) => displaced.length > 0 || standing === "other");
  return { found: decides.map(({ path }) => path), findings: decides.map(({ path }) => findingOf(path, displaced)) };
}

const findingOf = (path: string, displaced: readonly string[]): Finding =>
  displaced.length > 0
    ? {
        rule: "shadows-file",
        severity: "high",
        where: `${path} is read in the place of ${displaced.slice(0, 5).join(", ")}`,
        file: path,
        why: "Laid into base, where nothing asks for it, the checks of base read this new file and no longer the other. Give it a name that nothing else goes by.",
      }
    : {
        rule: "decides-checks",
        severity: "medium",
        where: `${path} is found by its name`,
        file: path,
        why: "Laid into base, where nothing asks for it, the checks of base read this new file: it decides how work is checked. The proposal is verified without it.",
      };

/** A file of no meaning in the place of another: in its folder and with its ending, or in a new folder where its own would be new. */
export function neutralOf(
  path: string,
  text: string,
  stem: string,
  folders: ReadonlySet<string>,
): { readonly path: string; readonly text: string } {
  const parts = path.split("/");
  const name = parts.pop()!;
  const isNew = parts.findIndex((_, index) => !folders.has(parts.slice(0, index + 1).join("/")));
  if (isNew !== -1) return { path: [...parts.slice(0, isNew), stem, ...parts.slice(isNew + 1), name].join("/"), text: emptyOf(name, text) };
  const dot = name.startsWith(".") ? "." : "";
  const ending = name.slice(1).includes(".") ? name.slice(name.lastIndexOf(".")) : "";
  return { path: [...parts, `${dot}${stem}${ending}`].join("/"), text: emptyOf(name, text) };
}

function emptyOf(name: string, text: string): string {
  if (name.endsWith(".go")) return `${/^package \w+/m.exec(text)?.[0] ?? "package main"}\n`;
  if (name.endsWith(".rs")) return "fn main() {}\n";
  return name.endsWith(".json") ? "{}\n" : "";
}
