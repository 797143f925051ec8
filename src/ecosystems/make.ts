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
const targetsIn = (text: string): readonly Recipe[] =>
  text.split("\n").flatMap((line, index) => {
    const names = /^([\w./ -]{1,300}?)\s*::?(?!=)/.exec(line.slice(0, 500))?.[1];
    return (names ?? "")
      .split(" ")
      .filter((name) => name !== "" && !name.startsWith("."))
      .map((name) => ({ name: nameOf(name), line: index + 1 }));
  });
