// Make, as the front door of a project.
import type { Ecosystem } from "../contract/scan.ts";
import { lookThrough, type Recipe } from "./front-doors.ts";
import { NOTHING, nameOf } from "./sights.ts";

const FILES = ["GNUmakefile", "makefile", "Makefile"];

export const make: Ecosystem = {
  name: "make",
  reads: (name, path) => FILES.includes(name) && !path.includes("/"),
  look: (tree) => {
    const file = FILES.find((name) => tree.texts.has(name));
    return file === undefined
      ? NOTHING
      : lookThrough({ ecosystem: "make", file, recipes: targetsIn(tree.texts.get(file)!), call: (name) => `make ${name}` });
  },
};

/** Targets by their own names; patterns and variables are none. */
const targetsIn = (text: string): readonly Recipe[] => {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const [, names = "", after = ""] = /^([\w./ -]{1,300}?)\s*::?(?!=)(.*)$/.exec(line.slice(0, 500)) ?? [];
    const [needs = "", ...inline] = after.split(";");
    // A target that needs others runs what they run.
    const runs = needs.trim() === "" ? [inline.join(";"), ...bodyBelow(lines, index)].join("\n") : undefined;
    return names
      .split(" ")
      .filter((name) => name !== "" && !name.startsWith("."))
      .map((name) => ({ name: nameOf(name), line: index + 1, ...(runs === undefined ? {} : { runs }) }));
  });
};

const MOST_LINES = 50;

function bodyBelow(lines: readonly string[], index: number): readonly string[] {
  const below = lines.slice(index + 1, index + 1 + MOST_LINES);
  const end = below.findIndex((line) => !line.startsWith("\t"));
  return end < 0 ? below : below.slice(0, end);
}
