// JavaScript and TypeScript with npm, pnpm, yarn or bun.
import type { CheckFact, CommandFact, Ecosystem, ManagerFact, PrepareFact, Sights, Task, Tree, WorkspaceFact } from "../contract/scan.ts";
import { fieldsOf, textIn } from "../std/json-record.ts";
import { type JsonReading, readJson } from "./reading/json.ts";
import { inside, readYaml, textsOf } from "./reading/yaml.ts";
import {
  at,
  certain,
  check,
  command,
  EXIT_CODE_ONLY,
  folderOf,
  guessed,
  has,
  inFolder,
  isUnder,
  likely,
  named,
  PRINTED,
  RESULTS_JSON,
  RESULTS_XML,
} from "./sights.ts";
import { taskOf } from "./task-of.ts";
import { isVain } from "./vain.ts";

const ECOSYSTEM = "node";
const READ = new Set(["package.json", "pnpm-workspace.yaml", "lerna.json", ".yarnrc.yml"]);

type Manager = "npm" | "pnpm" | "yarn" | "bun";

const LOCKS: readonly (readonly [file: string, manager: Manager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** Names of scripts, best first, by what they do. */
const SCRIPTS: { readonly [task in Task]: readonly string[] } = {
  test: ["test", "tests", "test:unit", "unit"],
  lint: ["lint", "lint:check", "eslint", "lint:js"],
  typecheck: ["typecheck", "type-check", "types", "check-types", "check:types", "test:types", "test:typescript", "tsc"],
  build: ["build", "compile"],
  format: ["format", "fmt", "prettier", "format:write"],
};

interface Package {
  readonly file: string;
  readonly folder: string;
  readonly json: JsonReading;
  readonly scripts: ReadonlyMap<string, string>;
  readonly manager: ManagerFact & { readonly manager: Manager };
}

export const node: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => READ.has(name),
  look: (tree) => {
    const packages = named(tree, (name) => name === "package.json").flatMap((file) => packageOf(tree, file));
    const roots = packages.filter(({ folder }) => !packages.some((other) => other.folder !== folder && isUnder(folder, other.folder)));
    return {
      packages: packages.map(({ file, folder, json }) => ({
        folder,
        ...(textIn(json.fields, "name") === undefined ? {} : { name: textIn(json.fields, "name")! }),
        ecosystem: ECOSYSTEM,
        ...certain("it has a manifest", at(file)),
      })),
      workspaces: packages.flatMap((one) => workspacesOf(tree, one)),
      managers: roots.map(({ manager }) => manager),
      commands: packages.flatMap(commandsOf),
      checks: packages.flatMap(checksOf),
      prepares: roots.flatMap((one) => prepareOf(tree, one, packages)),
    } satisfies Sights;
  },
};

function packageOf(tree: Tree, file: string): readonly Package[] {
  const json = readJson(tree.texts.get(file) ?? "");
  if (!json) return [];
  const folder = folderOf(file);
  const scripts = fieldsOf(json.fields.get("scripts")) ?? new Map<string, unknown>();
  return [
    {
      file,
      folder,
      json,
      scripts: new Map([...scripts].flatMap(([name, run]) => (typeof run === "string" ? [[name, run] as const] : []))),
      manager: managerOf(tree, file, folder, json),
    },
  ];
}

/** What the manifest says, else whose lock file lies here or above. */
function managerOf(tree: Tree, file: string, folder: string, json: JsonReading): Package["manager"] {
  const said = /^(npm|pnpm|yarn|bun)@/.exec(textIn(json.fields, "packageManager") ?? "")?.[1];
  if (said === "npm" || said === "pnpm" || said === "yarn" || said === "bun")
    return { manager: said, folder, ...certain("`packageManager` names it", at(file, json.lineOf("packageManager"))) };
  for (const above of foldersUp(folder))
    for (const [lock, manager] of LOCKS) {
      const found = has(tree, above, lock);
      if (found !== undefined) return { manager, folder, ...certain("its lock file is here", at(found)) };
    }
  return { manager: "npm", folder, ...guessed("there is no lock file, and npm comes with Node", at(file)) };
}

const foldersUp = (folder: string): readonly string[] => (folder === "" ? [""] : [folder, ...foldersUp(folderOf(folder))]);

function workspacesOf(tree: Tree, { file, folder, json }: Package): readonly WorkspaceFact[] {
  const said = json.fields.get("workspaces");
  const members = Array.isArray(said) ? said : fieldsOf(said)?.get("packages");
  const own = Array.isArray(members) ? members.filter((member) => typeof member === "string") : [];
  const pnpmFile = has(tree, folder, "pnpm-workspace.yaml");
  const pnpm = pnpmFile === undefined ? [] : textsOf(inside(readYaml(tree.texts.get(pnpmFile) ?? ""), "packages"));
  const runner = has(tree, folder, "nx.json", "turbo.json", "lerna.json");
  return [
    ...(own.length > 0
      ? [{ tool: "workspaces", folder, members: own, ...certain("the manifest names them", at(file, json.lineOf("workspaces"))) }]
      : []),
    ...(pnpm.length > 0
      ? [
          {
            tool: "pnpm",
            folder,
            members: pnpm.map(({ text }) => text),
            ...certain("pnpm's file names them", at(pnpmFile!, pnpm[0]!.line)),
          },
        ]
      : []),
    ...(runner === undefined
      ? []
      : [{ tool: runner.replace(/^.*\/|\.json$/g, ""), folder, members: own, ...certain("its settings are here", at(runner)) }]),
  ];
}

function commandsOf({ file, folder, json, scripts, manager }: Package): readonly CommandFact[] {
  const where = { folder, ecosystem: ECOSYSTEM };
  return Object.entries(SCRIPTS).flatMap(([task, names]) => {
    if (!isTask(task)) return [];
    const name = names.find((one) => scripts.has(one) && !isPlaceholder(scripts.get(one)!)) ?? scriptThatDoes(task, scripts);
    if (name === undefined) return [];
    return [
      command(task, scriptCall(manager.manager, name), where, certain("a script of the manifest", at(file, json.lineOf("scripts", name)))),
    ];
  });
}

/** Whatever it is called: a script that runs a program for just this. */
const scriptThatDoes = (task: Task, scripts: ReadonlyMap<string, string>): string | undefined =>
  [...scripts].find(([, run]) => !/&&|[|;]/.test(run) && taskOf(run)?.task === task && (task !== "format" || run.includes("--write")))?.[0];

const isTask = (name: string): name is Task => name in SCRIPTS;

/** What `npm init` writes in the place of a test, and what others do. */
const isPlaceholder = (script: string): boolean => /no test specified/.test(script) || isVain(script);

const scriptCall = (manager: Manager, name: string): string =>
  name === "test" && manager !== "bun" ? `${manager} test` : manager === "yarn" ? `yarn ${name}` : `${manager} run ${name}`;

/** The same with more arguments, which reach the last command of the script. */
const withArguments = (manager: Manager, call: string, more: string): string =>
  manager === "npm" ? `${call} -- ${more}` : `${call} ${more}`;

interface Runner {
  readonly name: string;
  /** How it is called at the end of a script. */
  readonly called: RegExp;
  readonly more: string;
  readonly results: { readonly format: string; readonly file?: string };
}

const RUNNERS: readonly Runner[] = [
  {
    name: "vitest",
    called: /^vitest\b(?!.*--reporter)/,
    more: `--run --reporter=json --outputFile=${RESULTS_JSON}`,
    results: { format: "vitest", file: RESULTS_JSON },
  },
  {
    name: "jest",
    called: /^jest\b(?!.*--json)/,
    more: `--ci --json --outputFile=${RESULTS_JSON}`,
    results: { format: "jest", file: RESULTS_JSON },
  },
  {
    name: "mocha",
    called: /^_?mocha\b/,
    more: `--reporter xunit --reporter-option output=${RESULTS_XML}`,
    results: { format: "junit", file: RESULTS_XML },
  },
  {
    name: "bun",
    called: /^bun test\b/,
    more: `--reporter=junit --reporter-outfile=${RESULTS_XML}`,
    results: { format: "junit", file: RESULTS_XML },
  },
  { name: "ava", called: /^ava\b/, more: "--tap", results: { format: "tap" } },
  { name: "tap", called: /^tap\b/, more: "--reporter=tap", results: { format: "tap" } },
];

function checksOf({ file, folder, json, scripts, manager }: Package): readonly CheckFact[] {
  const name = SCRIPTS.test.find((script) => scripts.has(script) && !isPlaceholder(scripts.get(script)!));
  const where = { folder, ecosystem: ECOSYSTEM };
  if (name === undefined) return [];
  const parts = partsOf(scripts, name, 0);
  const plain = check(
    "script",
    scriptCall(manager.manager, name),
    where,
    certain("the test script of the manifest", at(file, json.lineOf("scripts", name))),
    {
      notes: [EXIT_CODE_ONLY],
    },
  );
  const readable = parts.flatMap((part) => {
    const way = wayOf(part, manager.manager);
    return way ? [{ ...way, part }] : [];
  })[0];
  if (!readable) return [plain];
  const { runner, run, results, part } = readable;
  const isPart = parts.length > 1 && !readable.isWhole(name);
  const notes = [
    ...(results.file === undefined ? [PRINTED] : []),
    ...(isPart ? [`Test by test only \`${part.piece}\` is read; \`${plain.run}\` runs it and ${parts.length - 1} more by exit code.`] : []),
  ];
  const fact = certain(`the test script calls ${runner}`, at(file, json.lineOf("scripts", part.script)));
  return [check(runner, run, where, fact, { results, notes, ...(isPart ? { whole: plain.run } : {}) }), plain];
}

/** One command of a script. */
interface Part {
  readonly script: string;
  readonly piece: string;
  /** Whether more arguments of the script reach it. */
  readonly isLast: boolean;
}

const MOST_NESTED = 4;

/** What a script runs one after the other, other scripts included; nothing where it is more than a row of commands. */
function partsOf(scripts: ReadonlyMap<string, string>, name: string, depth: number): readonly Part[] {
  const script = scripts.get(name) ?? "";
  if (/[|;<>`$()]/.test(script) || script.length > 2_000 || depth > MOST_NESTED) return [];
  const pieces = script.split("&&").map((piece) => piece.trim());
  return pieces.flatMap((piece, index) => {
    const inner = /^(?:(?:npm|pnpm|yarn)(?: run)?|bun run) ([\w:.-]+)$/.exec(piece)?.[1];
    if (inner !== undefined && scripts.has(inner)) return partsOf(scripts, inner, depth + 1);
    return [{ script: name, piece, isLast: index === pieces.length - 1 }];
  });
}

interface Way {
  readonly runner: string;
  readonly run: string;
  readonly results: Runner["results"];
  /** Whether everything of this script is run, and not only one of its commands. */
  readonly isWhole: (script: string) => boolean;
}

/** How a command is called so that it writes what every test came to. */
function wayOf({ script, piece, isLast }: Part, manager: Manager): Way | undefined {
  const bare = piece.replace(SURROUNDINGS, "");
  // Its own options must come before the files, so that they cannot be added at the end.
  const nodeTest = /\bnode\b((?:\s+--?[\w=./:-]+)*?)\s+--test(?=\s|$)/.exec(bare);
  if (nodeTest && !bare.includes("--test-reporter")) {
    const run = bare.replace(nodeTest[0], `node${nodeTest[1]} --test --test-reporter=junit --test-reporter-destination=${RESULTS_XML}`);
    return { runner: "node", run, results: { format: "node", file: RESULTS_XML }, isWhole: () => false };
  }
  const runner = RUNNERS.find(({ called }) => called.test(bare));
  if (!runner) return undefined;
  const run = isLast ? withArguments(manager, scriptCall(manager, script), runner.more) : `${EXEC[manager]} ${bare} ${runner.more}`;
  return { runner: runner.name, run, results: runner.results, isWhole: (whole) => isLast && script === whole };
}

/** What only sets the surroundings of a command. */
const SURROUNDINGS = /^(?:(?:cross-env|c8|nyc|npx|pnpm exec|yarn|bunx|[A-Z_]+=\S+|--?[\w-]+(?:=\S+)?)\s+)*/;
const EXEC: { readonly [name in Manager]: string } = { npm: "npx --no-install", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" };

function prepareOf(tree: Tree, { file, folder, json, manager }: Package, all: readonly Package[]): readonly PrepareFact[] {
  const below = all.filter((one) => isUnder(one.folder, folder) || one.folder === folder);
  const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  const needs = below.find((one) => kinds.some((kind) => (fieldsOf(one.json.fields.get(kind))?.size ?? 0) > 0));
  if (!needs) return [];
  const isBerry = has(tree, folder, ".yarnrc.yml") !== undefined;
  const hasLock = manager.sure === "certain" && !manager.seen.some((seen) => seen.file === file);
  const lines: { readonly [name in Manager]: string } = {
    npm: hasLock || has(tree, folder, "package-lock.json", "npm-shrinkwrap.json") !== undefined ? "npm ci" : "npm install",
    pnpm: "pnpm install --frozen-lockfile",
    yarn: isBerry ? "YARN_ENABLE_GLOBAL_CACHE=false yarn install --immutable" : "yarn install --frozen-lockfile",
    bun: "bun install --frozen-lockfile",
  };
  // pnpm gives every member a folder of its own; the others put all into one.
  const members = manager.manager === "pnpm" ? below.filter((one) => one.folder !== folder).map((one) => one.folder) : [];
  const keep = ["", ...members.map((member) => member.slice(folder === "" ? 0 : folder.length + 1))].map((inner) =>
    inFolder(inner, "node_modules"),
  );
  const seen = [at(needs.file), ...manager.seen];
  return [
    {
      run: lines[manager.manager],
      folder,
      keep,
      ecosystem: ECOSYSTEM,
      inherit: [],
      ...(manager.sure === "certain"
        ? certain("the manifest names dependencies, and a lock file or the manifest says whose they are", ...seen)
        : likely(
            "the manifest names dependencies; no lock file pins them, so that what is installed may change",
            at(json.lineOf("dependencies") === undefined ? needs.file : file),
          )),
    },
  ];
}
