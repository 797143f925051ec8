// Task, as the front door of a project.
import type { Ecosystem } from "../contract/scan.ts";
import { lookThrough } from "./front-doors.ts";
import { entriesOf, inside, readYaml } from "./reading/yaml.ts";
import { NOTHING } from "./sights.ts";

const FILES = ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"];

export const taskfile: Ecosystem = {
  name: "task",
  reads: (name, path) => FILES.includes(name) && !path.includes("/"),
  look: (tree) => {
    const file = FILES.find((name) => tree.texts.has(name));
    if (file === undefined) return NOTHING;
    const recipes = entriesOf(inside(readYaml(tree.texts.get(file)!), "tasks")).map(({ key, line }) => ({ name: key, line }));
    return lookThrough({ ecosystem: "task", file, recipes, call: (name) => `task ${name}` });
  },
};
