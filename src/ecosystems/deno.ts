// JavaScript and TypeScript with Deno.
import type { Ecosystem, Task, Tree } from "../contract/scan.ts";
import { fieldsOf, textIn } from "../std/json-record.ts";
import { readJson } from "./reading/json.ts";
import { at, certain, check, command, folderOf, has, likely, NOTHING, named, RESULTS_XML } from "./sights.ts";

const ECOSYSTEM = "deno";
const MANIFESTS = ["deno.json", "deno.jsonc"];
const TASK_NAMES: { readonly [task in Task]: readonly string[] } = {
  test: ["test"],
  lint: ["lint"],
  typecheck: ["check", "typecheck"],
  build: ["build", "compile"],
  format: ["fmt", "format"],
};
const OWN: { readonly [task in Task]: string | undefined } = {
  test: "deno test",
  lint: "deno lint",
  typecheck: undefined,
  build: undefined,
  format: "deno fmt",
};

export const deno: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => MANIFESTS.includes(name),
  look: (tree) => {
    const all = named(tree, (name) => MANIFESTS.includes(name)).map((file) => lookAt(tree, file));
    return {
      packages: all.flatMap(({ packages }) => packages),
      workspaces: all.flatMap(({ workspaces }) => workspaces),
      managers: all.slice(0, 1).flatMap(({ managers }) => managers),
      commands: all.flatMap(({ commands }) => commands),
      checks: all.flatMap(({ checks }) => checks),
      prepares: all.slice(0, 1).flatMap(({ prepares }) => prepares),
    };
  },
};

function lookAt(tree: Tree, file: string): ReturnType<Ecosystem["look"]> {
  const json = readJson(tree.texts.get(file) ?? "");
  if (!json) return NOTHING;
  const folder = folderOf(file);
  const where = { folder, ecosystem: ECOSYSTEM };
  const tasks = fieldsOf(json.fields.get("tasks")) ?? new Map<string, unknown>();
  const commands = Object.entries(OWN).flatMap(([task, own]) => {
    if (!isTask(task)) return [];
    const name = TASK_NAMES[task].find((one) => tasks.has(one));
    if (name !== undefined)
      return [command(task, `deno task ${name}`, where, certain("a task of the manifest", at(file, json.lineOf("tasks", name))))];
    return own === undefined ? [] : [command(task, own, where, likely("it is built into Deno", at(file)))];
  });
  const members = json.fields.get("workspace");
  const names = Array.isArray(members) ? members.filter((member) => typeof member === "string") : [];
  const testTask = tasks.get("test");
  // What the task allows the tests to do, they need here as well.
  const allowed =
    typeof testTask === "string" ? (testTask.match(/(?:^|\s)(?:-A|--allow-[\w-]+(?:=\S+)?|--unstable[\w-]*)/g) ?? []).join("") : "";
  const lock = has(tree, folder, "deno.lock");
  const needs = lock !== undefined || json.fields.has("imports");
  const cache = 'DENO_DIR="$PWD/.lw-deno"';
  return {
    packages: [
      {
        folder,
        ...(textIn(json.fields, "name") === undefined ? {} : { name: textIn(json.fields, "name")! }),
        ecosystem: ECOSYSTEM,
        ...certain("it has a manifest", at(file)),
      },
    ],
    workspaces:
      names.length === 0
        ? []
        : [{ tool: "deno", folder, members: names, ...certain("the manifest names them", at(file, json.lineOf("workspace"))) }],
    managers: [{ manager: "deno", folder, ...certain("its manifest is here", at(file)) }],
    commands,
    checks: [
      check(
        "deno",
        `${needs ? `${cache} ` : ""}deno test${allowed}${needs ? " --cached-only" : ""} --junit-path=${RESULTS_XML}`,
        where,
        likely("Deno has a test runner of its own", at(file, json.lineOf("tasks", "test"))),
        {
          results: { format: "junit", file: RESULTS_XML },
        },
      ),
    ],
    prepares: needs
      ? [
          {
            run: `${cache} deno install`,
            folder,
            keep: [".lw-deno"],
            ecosystem: ECOSYSTEM,
            inherit: [],
            ...likely("it imports packages", at(lock ?? file)),
          },
        ]
      : [],
  };
}

const isTask = (name: string): name is Task => name in OWN;
