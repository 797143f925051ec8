// Everything that can be seen in a tree: what each ecosystem sees, held against what CI really runs, best first.
import {
  type AgentFact,
  type BranchFact,
  type CheckFact,
  type CiFact,
  type CiStep,
  type CommandFact,
  type ForgeFact,
  type LanguageFact,
  type RepositoryScan,
  type Sureness,
  TASKS,
  type Task,
  type Tree,
} from "../contract/scan.ts";
import { ciSystems } from "./ci/index.ts";
import { ecosystems } from "./index.ts";
import { readJson } from "./reading/json.ts";
import { at, byDepth, certain, check, EXIT_CODE_ONLY, nameOf } from "./sights.ts";
import { taskOf } from "./task-of.ts";

/** What is not in the tree. */
export interface BesideTree {
  readonly branch: BranchFact | undefined;
  readonly forge: ForgeFact | undefined;
  readonly agents: readonly AgentFact[];
  readonly unread: readonly string[];
}

/** Whether the text of a file says anything to us. */
export const isTelling = (path: string): boolean => isManifest(path) || ciSystems.some(({ reads }) => reads(path));

/** Whether an ecosystem reads it: a manifest, or what stands beside one. */
export const isManifest = (path: string): boolean => ecosystems.some(({ reads }) => reads(nameOf(path), path));

export function scanTree(tree: Tree, { branch, forge, agents, unread }: BesideTree): RepositoryScan {
  const sights = ecosystems.map(({ look }) => look(tree));
  const { ci, unreadable } = lookAtCi(tree);
  const languages = languagesIn(tree.paths);
  const steps = ci.filter(({ onChanges }) => onChanges !== false).flatMap(({ file, steps: all }) => all.map((step) => ({ ...step, file })));
  const commands = withCi(
    sights.flatMap((one) => one.commands),
    steps,
  ).toSorted(byWorth);
  const seen = {
    languages,
    packages: sights.flatMap((one) => one.packages).toSorted((a, b) => byDepth(a.folder, b.folder)),
    workspaces: sights.flatMap((one) => one.workspaces),
    managers: sights.flatMap((one) => one.managers),
    commands,
    checks: ranked(
      withCiChecks(
        sights.flatMap((one) => one.checks),
        commands,
      ),
      commands,
      languages,
    ),
    prepares: sights.flatMap((one) => one.prepares),
    ci,
    branch,
    forge,
    agents,
  };
  const broken = brokenIn(tree);
  const isAnyUnread = broken.length > 0 || unread.some((line) => isManifest(line.slice(0, line.indexOf(": "))));
  const missing = missingIn(seen).filter((line) => !(isAnyUnread && line === NO_MANIFEST));
  return { ...seen, missing, unread: [...unread, ...unreadable, ...broken] };
}

/** Manifests that are there and say nothing, since they are broken: that is not the same as none. */
const brokenIn = ({ texts }: Tree): readonly string[] =>
  [...texts].flatMap(([path, text]) => {
    if (!isManifest(path)) return [];
    if (text.includes("\0")) return [`${path}: it is no text`];
    if (/\.jsonc?$/.test(path) && !readJson(text)) return [`${path}: it is no JSON that can be read`];
    return [];
  });

function lookAtCi({ paths, texts }: Tree): { readonly ci: readonly CiFact[]; readonly unreadable: readonly string[] } {
  const found = paths.flatMap((path) => {
    const system = ciSystems.find(({ reads }) => reads(path));
    const text = texts.get(path);
    return system && text !== undefined ? [{ path, fact: system.look(path, text) }] : [];
  });
  return {
    ci: found.flatMap(({ fact }) => fact ?? []),
    unreadable: found.flatMap(({ path, fact }) => (fact ? [] : [`${path}: it is no YAML that can be read`])),
  };
}

type StepAt = CiStep & { readonly file: string };

/** What CI runs is the best evidence: a command that it runs is certain, and one that nobody else named is added. */
function withCi(commands: readonly CommandFact[], steps: readonly StepAt[]): readonly CommandFact[] {
  const known = commands.map((one): CommandFact => {
    const same = steps.filter((step) => isSame(one.run, step.run) && step.folder === one.folder);
    if (same.length === 0) return one;
    return {
      ...one,
      sure: "certain",
      because: `CI runs it; ${one.because}`,
      seen: [...same.slice(0, 3).map(({ file, line }) => at(file, line)), ...one.seen],
      inCi: true,
    };
  });
  const added = new Map<string, CommandFact>();
  for (const step of steps) {
    const meaning = taskOf(step.run);
    const name = `${step.folder}\0${step.run}`;
    if (!meaning || !isPlain(step.run) || added.has(name) || known.some((one) => one.folder === step.folder && isSame(one.run, step.run)))
      continue;
    added.set(name, {
      ...meaning,
      run: step.run,
      folder: step.folder,
      inCi: true,
      sure: "certain",
      because: BY_CI,
      seen: [at(step.file, step.line)],
    });
  }
  return [...known, ...added.values()];
}

/** Tests that only CI tells of: no manifest that we read names any in that folder. */
const withCiChecks = (checks: readonly CheckFact[], commands: readonly CommandFact[]): readonly CheckFact[] => [
  ...checks,
  ...commands
    .filter(({ task, because, folder }) => task === "test" && because === BY_CI && !checks.some((one) => one.folder === folder))
    .map(({ ecosystem, run, folder, seen }) =>
      check(ecosystem, run, { folder, ecosystem }, certain(BY_CI, ...seen), { notes: [EXIT_CODE_ONLY] }),
    ),
];

const BY_CI = "CI runs it";

/** Whether it runs here as it stands: nothing of it is worked out by CI. */
const isPlain = (run: string): boolean => !/\$\{\{|\$\(|`|<<|\$[A-Z_]*(?:GITHUB|CI_|MATRIX)/.test(run) && run.length < 500;

const isSame = (ours: string, theirs: string): boolean => {
  const [a, b] = [plainCall(ours), plainCall(theirs)];
  return b === a || b.startsWith(`${a} `);
};

/** One spelling for what means the same. */
const plainCall = (run: string): string =>
  run
    .replace(/^(npm|pnpm|yarn|bun) run(?:-script)? /, "$1 ")
    .replace(/^yarn(?: run)? /, "yarn ")
    .replace(/^npm t(?:st)?\b/, "npm test")
    .replace(/^python3\b/, "python")
    .replace(/^(?:uv run|poetry run|pdm run|hatch run|pipenv run) /, "")
    .replace(/^pytest\b/, "python -m pytest");

const SURENESS: { readonly [sure in Sureness]: number } = { certain: 0, likely: 1, guessed: 2 };

const byWorth = (a: CommandFact, b: CommandFact): number =>
  TASKS.indexOf(a.task) - TASKS.indexOf(b.task) ||
  byFolder(a.folder, b.folder) ||
  Number(b.inCi) - Number(a.inCi) ||
  SURENESS[a.sure] - SURENESS[b.sure];

const depth = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
const byFolder = (a: string, b: string): number => depth(a) - depth(b) || (a === b ? 0 : a < b ? -1 : 1);

/** Near the root first; then what CI tests, what can be read test by test, and what the code is written in. */
function ranked(checks: readonly CheckFact[], commands: readonly CommandFact[], languages: readonly LanguageFact[]): readonly CheckFact[] {
  const inCi = new Set(
    commands.filter(({ task, inCi: is }) => task === "test" && is).map(({ folder, ecosystem }) => `${folder}\0${ecosystem}`),
  );
  const share = (ecosystem: string): number => {
    const index = languages.findIndex(({ language }) => LANGUAGES_OF[ecosystem]?.includes(language));
    return index < 0 ? languages.length : index;
  };
  const isInCi = ({ folder, ecosystem }: CheckFact): number => (inCi.has(`${folder}\0${ecosystem}`) ? 0 : 1);
  const isRead = ({ results }: CheckFact): number => (results ? 0 : 1);
  return checks.toSorted(
    (a, b) =>
      byFolder(a.folder, b.folder) ||
      isRead(a) + isInCi(a) - (isRead(b) + isInCi(b)) ||
      isInCi(a) - isInCi(b) ||
      share(a.ecosystem) - share(b.ecosystem) ||
      SURENESS[a.sure] - SURENESS[b.sure],
  );
}

const LANGUAGES_OF: { readonly [ecosystem: string]: readonly string[] } = {
  node: ["JavaScript", "TypeScript"],
  deno: ["JavaScript", "TypeScript"],
  python: ["Python"],
  go: ["Go"],
  rust: ["Rust"],
  maven: ["Java", "Kotlin"],
  gradle: ["Java", "Kotlin"],
  dotnet: ["C#", "F#"],
  ruby: ["Ruby"],
  php: ["PHP"],
  swift: ["Swift"],
  elixir: ["Elixir"],
  cmake: ["C", "C++"],
  meson: ["C", "C++"],
};

const BY_EXTENSION: { readonly [extension: string]: string } = {
  js: "JavaScript",
  mjs: "JavaScript",
  cjs: "JavaScript",
  jsx: "JavaScript",
  ts: "TypeScript",
  tsx: "TypeScript",
  mts: "TypeScript",
  cts: "TypeScript",
  py: "Python",
  go: "Go",
  rs: "Rust",
  java: "Java",
  kt: "Kotlin",
  kts: "Kotlin",
  scala: "Scala",
  cs: "C#",
  fs: "F#",
  rb: "Ruby",
  php: "PHP",
  swift: "Swift",
  ex: "Elixir",
  exs: "Elixir",
  c: "C",
  h: "C",
  cc: "C++",
  cpp: "C++",
  cxx: "C++",
  hpp: "C++",
  m: "Objective-C",
  sh: "Shell",
  lua: "Lua",
  dart: "Dart",
  zig: "Zig",
  hs: "Haskell",
  clj: "Clojure",
  erl: "Erlang",
  ml: "OCaml",
  jl: "Julia",
  r: "R",
  pl: "Perl",
  vue: "Vue",
  svelte: "Svelte",
};

function languagesIn(paths: readonly string[]): readonly LanguageFact[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const extension = /\.([A-Za-z]{1,6})$/.exec(path)?.[1]?.toLowerCase() ?? "";
    const language = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, files]) => ({ language, files }))
    .toSorted((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
}

const TOLD: { readonly [task in Task]: string } = {
  test: "No command that runs tests was found; without one a loop can prove nothing.",
  lint: "No linter was found.",
  typecheck: "No check of types was found.",
  build: "No build was found.",
  format: "No formatter was found.",
};

const NO_MANIFEST = "No manifest of a package manager was found.";

const missingIn = (seen: Omit<RepositoryScan, "missing" | "unread">): readonly string[] => [
  ...(seen.languages.length === 0 ? ["No file of a language we know was found."] : []),
  ...(seen.packages.length === 0 ? [NO_MANIFEST] : []),
  ...TASKS.flatMap((task) => (seen.commands.some((one) => one.task === task) ? [] : [TOLD[task]])),
  ...(seen.checks.length > 0 && !seen.checks.some(({ results }) => results)
    ? ["No way was found to read the result of every test; only the exit code of the tests tells."]
    : []),
  ...(seen.ci.length === 0 ? ["No file of CI that we can read was found."] : []),
  ...(seen.branch ? [] : ["It is not known which branch is the default one."]),
  ...(seen.forge ? [] : ["There is no remote, so that no forge is known."]),
  ...(seen.agents.length === 0 ? ["No agent that we know is on the PATH."] : []),
];
