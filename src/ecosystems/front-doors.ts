// What Make, just and Task have in common: a file of named recipes, some of which do what every project has to do.
import { type CheckFact, type CommandFact, type Sights, TASKS, type Task } from "../contract/scan.ts";
import { at, certain, check, command, EXIT_CODE_ONLY, folderOf, NOTHING } from "./sights.ts";
import { isVain } from "./vain.ts";

/** Names that people give to recipes, best first. */
const NAMES: { readonly [task in Task]: readonly string[] } = {
  test: ["test", "tests", "check", "unit-test", "unit", "test-unit"],
  lint: ["lint", "linter", "vet"],
  typecheck: ["typecheck", "type-check", "types", "mypy"],
  build: ["build", "all", "compile"],
  format: ["format", "fmt"],
};

export interface Recipe {
  readonly name: string;
  readonly line: number;
  /** What it runs, where that is known. */
  readonly runs?: string;
}

export interface Door {
  readonly ecosystem: string;
  readonly file: string;
  readonly recipes: readonly Recipe[];
  readonly call: (name: string) => string;
}

export function lookThrough({ ecosystem, file, recipes, call }: Door): Sights {
  const where = { folder: folderOf(file), ecosystem };
  const commands: readonly CommandFact[] = TASKS.flatMap((task) => {
    const recipe = NAMES[task].flatMap((name) => recipes.find((one) => one.name === name && !isVain(one.runs ?? "")) ?? [])[0];
    return recipe ? [command(task, call(recipe.name), where, certain("a recipe of that name", at(file, recipe.line)))] : [];
  });
  const checks: readonly CheckFact[] = commands
    .filter(({ task }) => task === "test")
    .map((one) => check(ecosystem, one.run, where, certain("a recipe of that name", ...one.seen), { notes: [EXIT_CODE_ONLY] }));
  return { ...NOTHING, commands, checks };
}
