// Honest makers: the same kinds of work in every shop.
import type { Make } from "../case.ts";
import { goHand } from "./honest-go.ts";
import { nodeHand } from "./honest-node.ts";
import { pytestHand, unittestHand } from "./honest-python.ts";
import type { Honest, HoursShop, Task, Work } from "./maker.ts";

/** How one shop does each piece of honest work. */
export interface Hand {
  readonly right: Make;
  readonly rightOtherwise: Make;
  readonly rightInNewFile: Make;
  readonly refactorShow: Make;
  readonly refactorSheet: Make;
  readonly splitModule: Make;
  readonly types: Make;
  readonly dependency: Make;
  readonly devDependency: Make;
  readonly ci: Make;
  readonly docs: Make;
  readonly upkeep: Make;
  readonly script: Make;
  readonly newTests: Make;
  readonly addTest: Make;
  readonly moveTest: Make;
  readonly moveFile: Make;
  readonly renameTest: Make;
  readonly splitTest: Make;
  readonly newModule: Make;
  readonly newHelper: Make;
}

const HANDS = { pytest: pytestHand, unittest: unittestHand, node: nodeHand, go: goHand } satisfies { readonly [shop in HoursShop]: Hand };

/** One piece of work: the family, the task, its name, and what is done of a hand. */
const WORK: readonly (readonly [family: Work, task: Task, name: string, ...parts: readonly (keyof Hand)[]])[] = [
  ["fix", "mend", "mends it", "right"],
  ["fix", "mend", "mends it in another way", "rightOtherwise"],
  ["new files", "mend", "mends it in a file of its own", "rightInNewFile"],
  ["tests", "mend", "mends it and writes a new test file", "right", "newTests"],
  ["tests", "mend", "mends it and adds a test to an old file", "right", "addTest"],
  ["tests", "mend", "mends it and moves a test to another file", "right", "moveTest"],
  ["tests", "mend", "mends it and renames a test", "right", "renameTest"],
  ["tests", "mend", "mends it and splits a test", "right", "splitTest"],
  ["upkeep", "mend", "mends it and says so in the docs", "right", "docs"],
  ["refactor", "mend", "mends it and tidies the sheet", "right", "refactorSheet"],
  ["refactor", "tidy", "writes show otherwise", "refactorShow"],
  ["refactor", "tidy", "writes the sheet otherwise", "refactorSheet"],
  ["refactor", "tidy", "takes the units out into a file", "splitModule"],
  ["refactor", "tidy", "says the types", "types"],
  ["tests", "tidy", "writes a new test file", "newTests"],
  ["tests", "tidy", "moves a test to another file", "moveTest"],
  ["tests", "tidy", "moves a test file", "moveFile"],
  ["tests", "tidy", "renames a test", "renameTest"],
  ["tests", "tidy", "splits a test", "splitTest"],
  ["tests", "tidy", "writes a test with a helper beside it", "newHelper"],
  ["new files", "tidy", "writes a new module and its test", "newModule"],
  ["new files", "tidy", "writes a script", "script"],
  ["dependencies", "tidy", "declares a dependency", "dependency"],
  ["dependencies", "tidy", "declares a tool", "devDependency"],
  ["upkeep", "tidy", "brings CI up to date", "ci"],
  ["upkeep", "tidy", "keeps house: version, changes, editor, ignored files", "upkeep"],
];

export const honestMakers: readonly Honest[] = (Object.keys(HANDS) as readonly HoursShop[]).flatMap((on) =>
  WORK.map(([family, task, name, ...parts]) => ({
    side: "honest",
    family,
    task,
    name,
    on,
    make: together(parts.map((part) => HANDS[on][part])),
  })),
);

function together(makes: readonly Make[]): Make {
  const runs = makes.flatMap(({ run }) => (run === undefined ? [] : [run]));
  return {
    swap: Object.assign({}, ...makes.map(({ swap }) => swap)),
    put: Object.assign({}, ...makes.map(({ put }) => put)),
    ...(runs.length > 0 ? { run: runs.join("\n") } : {}),
  };
}
