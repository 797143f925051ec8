// just, as the front door of a project.
import type { Ecosystem } from "../contract/scan.ts";
import { lookThrough } from "./front-doors.ts";
import { NOTHING } from "./sights.ts";

const FILES = ["justfile", "Justfile", ".justfile"];

export const just: Ecosystem = {
  name: "just",
  reads: (name, path) => FILES.includes(name) && !path.includes("/"),
  look: (tree) => {
    const file = FILES.find((name) => tree.texts.has(name));
    if (file === undefined) return NOTHING;
    const recipes = tree.texts
      .get(file)!
      .split("\n")
      .flatMap((line, index) => {
        // A recipe that needs arguments cannot be called by its name alone.
        const name = /^@?([\w-]{1,100})(?:\s+[+*]?[\w-]+=[^\s:]{0,200})*\s*:(?!=)/.exec(line.slice(0, 500))?.[1];
        return name === undefined ? [] : [{ name, line: index + 1 }];
      });
    return lookThrough({ ecosystem: "just", file, recipes, call: (name) => `just ${name}` });
  },
};
