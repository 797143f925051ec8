import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smallProjects } from "../../test/support/small-projects.ts";
import { tries } from "../../test/support/tries.ts";
import type { RepositoryScan } from "../contract/scan.ts";
import { ecosystems } from "./index.ts";
import { isTelling, scanTree } from "./scan-tree.ts";

const NOTHING_BESIDE = { branch: undefined, forge: undefined, agents: [], unread: [] };

const scan = (files: { readonly [path: string]: string }): RepositoryScan => {
  const paths = Object.keys(files).toSorted((a, b) => (a < b ? -1 : 1));
  return scanTree({ paths, texts: new Map(Object.entries(files).filter(([path]) => isTelling(path))) }, NOTHING_BESIDE);
};

describe.each(smallProjects)("$name", ({ files, check, manager, prepare, commands }) => {
  const seen = scan(files);

  it("has its tests run and read in the best way", () => {
    const [best] = seen.checks;

    expect({ run: best?.run, format: best?.results?.format, file: best?.results?.file }).toEqual({
      format: undefined,
      file: undefined,
      ...check,
    });
  });

  it("shows where everything stands, in files that are there", () => {
    const facts = [...seen.packages, ...seen.managers, ...seen.commands, ...seen.checks, ...seen.prepares, ...seen.workspaces];
    const places = facts.flatMap(({ seen: places }) => places);

    expect(facts.filter(({ seen: none }) => none.length === 0)).toEqual([]);
    expect(places.filter(({ file, line }) => files[file] === undefined || (line ?? 1) > files[file].split("\n").length)).toEqual([]);
  });

  it("has its package manager, what is prepared, and its commands", () => {
    expect(seen.managers[0]?.manager).toBe(manager ?? seen.managers[0]?.manager);
    expect(seen.prepares[0]?.run).toBe(prepare);
    for (const [task, run] of Object.entries(commands ?? {}))
      expect([task, seen.commands.find((one) => one.task === task)?.run]).toEqual([task, run]);
  });
});

it("has a small project for every ecosystem", () => {
  const looked = new Set(smallProjects.flatMap(({ files }) => scan(files).checks.map(({ ecosystem }) => ecosystem)));

  expect(ecosystems.map(({ name }) => name).filter((name) => !looked.has(name))).toEqual([]);
});

it("takes what CI runs for the best evidence, with the line in which it stands", () => {
  const { commands } = scan({
    "package.json": '{\n  "scripts": {\n    "test": "node --test",\n    "lint": "eslint ."\n  }\n}\n',
    ".github/workflows/ci.yml":
      "on:\n  pull_request:\njobs:\n  t:\n    steps:\n      - run: |\n          npm ci\n          npm run test\n      - run: npx tsc --noEmit\n",
    ".github/workflows/release.yml": "on:\n  release:\njobs:\n  t:\n    steps:\n      - run: npm run lint\n",
  });

  expect(commands.map(({ task, run, inCi, seen }) => [task, run, inCi, seen])).toEqual([
    [
      "test",
      "npm test",
      true,
      [
        { file: ".github/workflows/ci.yml", line: 8 },
        { file: "package.json", line: 3 },
      ],
    ],
    ["lint", "npm run lint", false, [{ file: "package.json", line: 4 }]],
    ["typecheck", "npx tsc --noEmit", true, [{ file: ".github/workflows/ci.yml", line: 9 }]],
  ]);
});

it.each([
  [".gitlab-ci.yml", "stages: [a]\nunit:\n  script:\n    - pip install .\n    - pytest -q\n", "gitlab-ci", 5],
  [".circleci/config.yml", "jobs:\n  unit:\n    steps:\n      - checkout\n      - run: pytest -q\n", "circleci", 5],
  [".travis.yml", "language: python\nscript: pytest -q\n", "travis", 2],
  ["azure-pipelines.yml", "steps:\n  - script: pytest -q\n", "azure-pipelines", 2],
  ["bitbucket-pipelines.yml", "pipelines:\n  default:\n    - step:\n        script:\n          - pytest -q\n", "bitbucket-pipelines", 5],
  [".woodpecker.yml", "steps:\n  unit:\n    image: a\n    commands:\n      - pytest -q\n", "woodpecker", 5],
])("reads %s", (file, text, system, line) => {
  const { ci, commands } = scan({ [file]: text });

  expect(ci.map((one) => one.system)).toEqual([system]);
  expect(commands.filter(({ task }) => task === "test").map(({ run, seen }) => [run, seen])).toEqual([["pytest -q", [{ file, line }]]]);
});

it("does not take a command that only CI can work out", () => {
  const { commands } = scan({
    ".github/workflows/ci.yml": "on: push\njobs:\n  t:\n    steps:\n      - run: go test ${{ matrix.flags }} ./...\n",
  });

  expect(commands).toEqual([]);
});

it("goes by what CI tests where two ecosystems meet", () => {
  const files = { "package.json": '{"scripts":{"test":"mocha"}}', "go.mod": "module a\n", "a.go": "package a\n" };
  const ci = (run: string) => ({ ".github/workflows/ci.yml": `on: push\njobs:\n  t:\n    steps:\n      - run: ${run}\n` });

  expect(scan({ ...files, ...ci("go test ./...") }).checks[0]?.ecosystem).toBe("go");
  expect(scan({ ...files, ...ci("npm test") }).checks[0]?.ecosystem).toBe("node");
});

it("says what is not there", () => {
  expect(scan({ "README.md": "# Nothing\n" }).missing).toEqual([
    "No file of a language we know was found.",
    "No manifest of a package manager was found.",
    "No command that runs tests was found; without one a loop can prove nothing.",
    "No linter was found.",
    "No check of types was found.",
    "No build was found.",
    "No formatter was found.",
    "No file of CI that we can read was found.",
    "It is not known which branch is the default one.",
    "There is no remote, so that no forge is known.",
    "No agent that we know is on the PATH.",
  ]);
});

it("names files of CI that it cannot read", () => {
  expect(scan({ ".github/workflows/ci.yml": "on: [push\n" }).unread).toEqual([".github/workflows/ci.yml: it is no YAML that can be read"]);
});

it.each([
  ["package.json", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  [".github/workflows/ci.yml", "[".repeat(100_000)],
  [".github/workflows/ci.yml", "- ".repeat(100_000)],
  [".github/workflows/ci.yml", `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n`],
  ["pyproject.toml", `a = [${'"'.repeat(100_000)}`],
  ["Makefile", `${"a ".repeat(50_000)}:\n`],
  ["justfile", `a ${"b=c ".repeat(50_000)}\n`],
  ["pom.xml", "<artifactId>".repeat(20_000)],
])("is not brought down by a %s that is built to be hard", (file, text) => {
  expect(scan({ [file]: text }).agents).toEqual([]);
});

it("sees the same however broken a file is: it never throws", () => {
  const files = smallProjects.flatMap(({ files: all }) => Object.entries(all));
  const broken = fc
    .tuple(
      fc.constantFrom(...files),
      fc.nat(),
      fc.nat({ max: 20 }),
      fc.string({ unit: fc.constantFrom(..."\0\n\t \"'{}[]:=-#&*|>$`é\ud800"), maxLength: 10 }),
    )
    .map(
      ([[path, text], at, length, more]) =>
        [path, text.slice(0, at % (text.length + 1)) + more + text.slice((at % (text.length + 1)) + length)] as const,
    );

  fc.assert(
    fc.property(fc.array(broken, { minLength: 1, maxLength: 4 }), (some) => {
      expect(scan(Object.fromEntries(some)).agents).toEqual([]);
    }),
    tries(100),
  );
});

it("takes what only CI runs for the tests, where no manifest names any", () => {
  const ci = (run: string) => `on: [push]\njobs:\n  t:\n    runs-on: x\n    steps:\n      - run: ${run}\n`;
  const checksOf = (run: string, more: { readonly [path: string]: string } = {}) =>
    scan({ ".github/workflows/ci.yml": ci(run), ...more }).checks.map((check) => check.run);

  expect(checksOf("./scripts/test.sh")).toEqual(["./scripts/test.sh"]);
  expect(checksOf("bats test")).toEqual(["bats test"]);
  expect(checksOf("zig build test --summary all")).toEqual(["zig build test --summary all"]);
  expect(checksOf("./scripts/latest.sh")).toEqual([]);
  expect(checksOf("./scripts/test.sh", { "go.mod": "module a\n" })).not.toContain("./scripts/test.sh");
});

it.each([
  ["package.json", '{ "scripts": { "test": "true" } }'],
  ["package.json", '{ "scripts": { "test": "echo no tests yet && exit 0" } }'],
  ["Makefile", "test:\n\t@echo nothing\n\t@true\n"],
  ["Makefile", "test: ; @true\n"],
])("takes nothing for tests that runs none: %s %s", (file, text) => {
  expect(scan({ [file]: text }).checks).toEqual([]);
});

it("takes a recipe for tests that needs others, or runs something", () => {
  expect(scan({ Makefile: "test: unit\n\t@echo done\n" }).checks.length).toBe(1);
  expect(scan({ Makefile: "test:\n\t@echo testing; ./t\n" }).checks.length).toBe(1);
});
