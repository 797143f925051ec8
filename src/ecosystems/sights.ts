// Small words that every ecosystem needs to say what it sees.
import type { CheckFact, CommandFact, Fact, Sighting, Sights, Task, Tree } from "../contract/scan.ts";

export const NOTHING: Sights = { packages: [], workspaces: [], managers: [], commands: [], checks: [], prepares: [] };

/** Where a runner is told to write what it found; in the folder in which it runs. */
export const RESULTS_XML = "lw-results.xml";
export const RESULTS_JSON = "lw-results.json";

/** Someone's own packages; more than this is not looked at one by one. */
const MOST_PACKAGES = 100;

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "");
export const inFolder = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** Those that lie nearest to the root first. */
export const byDepth = (a: string, b: string): number => a.split("/").length - b.split("/").length || (a < b ? -1 : 1);

/** What lies there is fed to tests, and is no project of its own. */
const FED_TO_TESTS = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data|__tests__|__mocks__)\//;

/** The files of a name, nearest to the root first. */
export const named = ({ paths }: Tree, isIt: (name: string) => boolean): readonly string[] =>
  paths
    .filter((path) => isIt(nameOf(path)) && !FED_TO_TESTS.test(path))
    .toSorted(byDepth)
    .slice(0, MOST_PACKAGES);

export const has = ({ paths }: Tree, folder: string, ...names: readonly string[]): string | undefined =>
  names.map((name) => inFolder(folder, name)).find((path) => includesSorted(paths, path));

/** Paths are in order. */
function includesSorted(paths: readonly string[], path: string): boolean {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (paths[middle]! < path) low = middle + 1;
    else high = middle;
  }
  return paths[low] === path;
}

export const isUnder = (path: string, folder: string): boolean => folder === "" || path.startsWith(`${folder}/`);

export const at = (file: string, line?: number): Sighting => (line === undefined ? { file } : { file, line });

export const certain = (because: string, ...seen: readonly Sighting[]): Fact => ({ sure: "certain", because, seen });
export const likely = (because: string, ...seen: readonly Sighting[]): Fact => ({ sure: "likely", because, seen });
export const guessed = (because: string, ...seen: readonly Sighting[]): Fact => ({ sure: "guessed", because, seen });

type Where = { readonly folder: string; readonly ecosystem: string };

export const command = (task: Task, run: string, where: Where, fact: Fact): CommandFact => ({
  task,
  run,
  folder: where.folder,
  ecosystem: where.ecosystem,
  inCi: false,
  ...fact,
});

export const check = (
  runner: string,
  run: string,
  where: Where,
  fact: Fact,
  more: Partial<Pick<CheckFact, "results" | "whole" | "inherit" | "notes">> = {},
): CheckFact => ({
  runner,
  run,
  folder: where.folder,
  ecosystem: where.ecosystem,
  inherit: [],
  notes: [],
  ...more,
  ...fact,
});

/** The first line that matches; undefined when none does. Lines are cut, so that no pattern meets a long one. */
export function lineWith(text: string, pattern: RegExp): number | undefined {
  const found = text.split("\n").findIndex((line) => pattern.test(line.slice(0, 2_000)));
  return found < 0 ? undefined : found + 1;
}

/** Runs a command that leaves many JUnit files, puts them into one, and ends as the command did. */
export const gatheringJunit = (run: string, files: string): string =>
  `${run}; code=$?; { echo '<testsuites>'; find . -path '${files}' -exec sed '/^<?xml/d' {} +; echo '</testsuites>'; } > ${RESULTS_XML}; exit $code`;

export const EXIT_CODE_ONLY = "Only the exit code tells: which tests failed before and pass now is not seen.";
export const PRINTED = "The results are read from what is printed, which the code under test can print as well.";
