// Python, with pip, poetry, uv, pdm, pipenv, hatch, tox or nox.
import type {
  CheckFact,
  CommandFact,
  Ecosystem,
  Fact,
  ManagerFact,
  PackageFact,
  PrepareFact,
  Tree,
  WorkspaceFact,
} from "../contract/scan.ts";
import { shellWord } from "../std/shell-word.ts";
import { readToml, type TomlReading } from "./reading/toml.ts";
import {
  at,
  byDepth,
  certain,
  check,
  command,
  folderOf,
  guessed,
  has,
  inFolder,
  isUnder,
  likely,
  lineWith,
  named,
  nameOf,
  PRINTED,
  RESULTS_XML,
} from "./sights.ts";

const ECOSYSTEM = "python";
const MANIFESTS = ["pyproject.toml", "setup.py", "setup.cfg", "Pipfile"];
const REQUIREMENTS = /^(?:(?:dev|test)[-_])?requirements(?:[-_.](?:dev|test|tests|testing|ci))?\.txt$/;
const READ = new Set([...MANIFESTS, "tox.ini", "pytest.ini", "noxfile.py", "mypy.ini", ".pre-commit-config.yaml", "hatch.toml"]);
const DEPS = ".lw-python";

interface Project {
  readonly file: string;
  readonly folder: string;
  readonly toml: TomlReading;
}

export const python: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name, path) => READ.has(name) || REQUIREMENTS.test(name) || (isTest(path) && path.split("/").length <= 3),
  look: (tree) => {
    const projects = projectsIn(tree);
    const roots = projects.filter(({ folder }) => !projects.some((other) => other.folder !== folder && isUnder(folder, other.folder)));
    return {
      packages: projects.map(packageOf),
      workspaces: projects.flatMap(workspacesOf),
      managers: roots.map((one) => managerOf(tree, one)),
      commands: roots.flatMap((one) => commandsOf(tree, one)),
      checks: roots.flatMap((one) => checksOf(tree, one)),
      prepares: roots.flatMap((one) => prepareOf(tree, one)),
    };
  },
};

/** One for each folder with a manifest; a folder with nothing but requirements or tests counts too. */
function projectsIn(tree: Tree): readonly Project[] {
  const files = named(tree, (name) => MANIFESTS.includes(name) || REQUIREMENTS.test(name)).toSorted(
    (a, b) => byDepth(folderOf(a), folderOf(b)) || rank(nameOf(a)) - rank(nameOf(b)),
  );
  const folders = new Set<string>();
  const projects = files.flatMap((file) => {
    const folder = folderOf(file);
    // Requirements often lie in a folder of their own, which is no project.
    const isLoose = !MANIFESTS.includes(nameOf(file)) && folder !== "";
    if (folders.has(folder) || isLoose) return [];
    folders.add(folder);
    return [{ file, folder, toml: readToml(nameOf(file) === "pyproject.toml" ? (tree.texts.get(file) ?? "") : "") }];
  });
  const test = projects.length === 0 ? tree.paths.find((path) => isTest(path) && path.split("/").length <= 2) : undefined;
  return test === undefined ? projects : [{ file: test, folder: "", toml: readToml("") }];
}

const rank = (name: string): number => (MANIFESTS.includes(name) ? MANIFESTS.indexOf(name) : MANIFESTS.length);
const isTest = (path: string): boolean => /^test_[^/]*\.py$|_test\.py$/.test(nameOf(path)) || /(^|\/)tests?\.py$/.test(path);

const packageOf = ({ file, folder, toml }: Project): PackageFact => {
  const name = toml.text("project", "name") ?? toml.text("tool.poetry", "name");
  return { folder, ...(name === undefined ? {} : { name }), ecosystem: ECOSYSTEM, ...certain("it has a manifest", at(file)) };
};

const workspacesOf = ({ file, folder, toml }: Project): readonly WorkspaceFact[] => {
  const members = toml.list("tool.uv.workspace", "members");
  return members
    ? [{ tool: "uv", folder, members, ...certain("the manifest names them", at(file, toml.lineOf("tool.uv.workspace", "members"))) }]
    : [];
};

function managerOf(tree: Tree, { file, folder, toml }: Project): ManagerFact {
  const byLock = (["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "Pipfile"] as const).flatMap((lock) => {
    const found = has(tree, folder, lock);
    return found === undefined ? [] : [{ manager: LOCKED_BY[lock], folder, ...certain("its file is here", at(found)) }];
  })[0];
  if (byLock) return byLock;
  for (const [table, manager] of [
    ["tool.poetry", "poetry"],
    ["tool.uv", "uv"],
    ["tool.pdm", "pdm"],
    ["tool.hatch.envs.default", "hatch"],
  ] as const) {
    const line = toml.lineOfTable(table);
    if (line !== undefined) return { manager, folder, ...certain(`\`${table}\` is in the manifest`, at(file, line)) };
  }
  return { manager: "pip", folder, ...guessed("nothing names another", at(file)) };
}

const LOCKED_BY = { "uv.lock": "uv", "poetry.lock": "poetry", "pdm.lock": "pdm", "Pipfile.lock": "pipenv", Pipfile: "pipenv" } as const;

function commandsOf(tree: Tree, project: Project): readonly CommandFact[] {
  const { file, folder, toml } = project;
  const where = { folder, ecosystem: ECOSYSTEM };
  const tool = (table: string, name: string): Fact | undefined => {
    const line = toml.lineOfTable(table) ?? toml.tablesIn(`${table}.`).map((one) => toml.lineOfTable(one))[0];
    if (line !== undefined) return certain(`\`${table}\` is in the manifest`, at(file, line));
    const own = has(tree, folder, name);
    return own === undefined ? undefined : certain("its settings are here", at(own));
  };
  const tox = has(tree, folder, "tox.ini");
  const nox = has(tree, folder, "noxfile.py");
  const toxLine = toml.lineOfTable("tool.tox");
  const hatch = toml.lineOf("tool.hatch.envs.default.scripts", "test");
  const ruff = tool("tool.ruff", "ruff.toml") ?? tool("tool.ruff", ".ruff.toml");
  const flake8 = tool("tool.flake8", ".flake8");
  const mypy = tool("tool.mypy", "mypy.ini");
  const pyright = tool("tool.pyright", "pyrightconfig.json");
  const black = tool("tool.black", ".black");
  const test = testRunnerOf(tree, project);
  return [
    ...(tox !== undefined || toxLine !== undefined
      ? [command("test", "tox", where, certain("it has settings of tox", tox === undefined ? at(file, toxLine) : at(tox)))]
      : []),
    ...(nox === undefined
      ? []
      : [command("test", "nox", where, certain("it has sessions of nox", at(nox, lineWith(tree.texts.get(nox) ?? "", /@nox\.session/))))]),
    ...(hatch === undefined ? [] : [command("test", "hatch run test", where, certain("a script of hatch", at(file, hatch)))]),
    ...(test ? [command("test", test.runner === "pytest" ? "python -m pytest" : "python -m unittest", where, test.fact)] : []),
    ...(ruff
      ? [
          command("lint", "ruff check .", where, ruff),
          ...(black ? [] : [command("format", "ruff format .", where, likely("ruff is used here, and formats too", ...ruff.seen))]),
        ]
      : []),
    ...(flake8 ? [command("lint", "flake8", where, flake8)] : []),
    ...(mypy ? [command("typecheck", "mypy .", where, mypy)] : []),
    ...(pyright ? [command("typecheck", "pyright", where, pyright)] : []),
    ...(black ? [command("format", "black .", where, black)] : []),
    ...(toml.lineOfTable("build-system") === undefined
      ? []
      : [
          command(
            "build",
            "python -m build",
            where,
            likely("the manifest names a build system", at(file, toml.lineOfTable("build-system"))),
          ),
        ]),
  ];
}

interface TestRunner {
  readonly runner: "pytest" | "unittest";
  readonly fact: Fact;
}

/** Settings of pytest or a dependency on it, else what the tests themselves import. */
function testRunnerOf(tree: Tree, { file, folder, toml }: Project): TestRunner | undefined {
  for (const table of ["tool.pytest.ini_options", "tool.pytest"]) {
    const line = toml.lineOfTable(table);
    if (line !== undefined) return { runner: "pytest", fact: certain("settings of pytest", at(file, line)) };
  }
  const own = has(tree, folder, "pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py");
  if (own !== undefined) return { runner: "pytest", fact: certain("settings of pytest", at(own)) };
  for (const place of [
    file,
    inFolder(folder, "setup.cfg"),
    inFolder(folder, "tox.ini"),
    inFolder(folder, "Pipfile"),
    ...requirementsIn(tree, folder),
  ]) {
    const line = lineWith(tree.texts.get(place) ?? "", /(?:^|[\s"'[])pytest(?:$|[\s"'=<>~![,;\]])/);
    if (line !== undefined) return { runner: "pytest", fact: certain("pytest is named", at(place, line)) };
  }
  const tests = tree.paths.filter((path) => isTest(path) && isUnder(path, folder));
  for (const runner of ["pytest", "unittest"] as const)
    for (const path of tests) {
      const line = lineWith(tree.texts.get(path) ?? "", new RegExp(`^\\s*(?:import|from) ${runner}\\b`));
      if (line !== undefined) return { runner, fact: certain(`a test imports ${runner}`, at(path, line)) };
    }
  return tests.length > 0 ? { runner: "pytest", fact: guessed("there are tests, and most are run by pytest", at(tests[0]!)) } : undefined;
}

const requirementsIn = (tree: Tree, folder: string): readonly string[] =>
  tree.paths.filter(
    (path) => REQUIREMENTS.test(nameOf(path)) && (folderOf(path) === folder || folderOf(path) === inFolder(folder, "requirements")),
  );

function checksOf(tree: Tree, project: Project): readonly CheckFact[] {
  const { folder } = project;
  const test = testRunnerOf(tree, project);
  if (!test) return [];
  const isSrc = tree.paths.some((path) => path.startsWith(inFolder(folder, "src/")) && path.endsWith(".py"));
  const { manager } = managerOf(tree, project);
  const inVenv = manager === "poetry" || manager === "pdm";
  const prepared = prepareOf(tree, project).length > 0;
  const path = [...(prepared && !inVenv ? [`$PWD/${DEPS}`] : []), ...(isSrc ? ["$PWD/src"] : [])].join(":");
  const start = `${path === "" ? "" : `PYTHONPATH="${path}" `}${prepared && inVenv ? ".venv/bin/python" : "python3"}`;
  const where = { folder, ecosystem: ECOSYSTEM };
  if (test.runner === "pytest")
    return [
      check("pytest", `${start} -m pytest -p no:cacheprovider --junitxml=${RESULTS_XML}`, where, test.fact, {
        results: { format: "junit", file: RESULTS_XML },
        notes: ["The package itself is not installed, so that the tests meet the proposal's source and no copy of it."],
      }),
    ];
  const folders = ["tests", "test"].filter((name) => tree.paths.some((one) => one.startsWith(inFolder(folder, `${name}/`)) && isTest(one)));
  const hasInit = folders[0] !== undefined && has(tree, inFolder(folder, folders[0]), "__init__.py") !== undefined;
  const [first] = tree.paths.filter((one) => isTest(one) && folderOf(one) === folder);
  const pattern = first !== undefined && /^test\.py$/.test(nameOf(first)) ? " -p 'test*.py'" : "";
  const discover =
    folders[0] === undefined ? `discover -v${pattern}` : hasInit ? `discover -v -s ${folders[0]} -t .` : `discover -v -s ${folders[0]}`;
  return [check("unittest", `${start} -m unittest ${discover}`, where, test.fact, { results: { format: "unittest" }, notes: [PRINTED] })];
}

/** Dependencies and never the package itself: installed, it would hide what the maker changed. */
function prepareOf(tree: Tree, project: Project): readonly PrepareFact[] {
  const { file, folder, toml } = project;
  const { manager, seen } = managerOf(tree, project);
  const test = testRunnerOf(tree, project);
  const one = { folder, ecosystem: ECOSYSTEM, inherit: [] };
  const into = `python3 -m pip install --quiet --target ${DEPS}`;
  if (manager === "uv" && has(tree, folder, "uv.lock") !== undefined)
    return [
      {
        ...one,
        run: `uv export --quiet --frozen --no-hashes --no-emit-project --all-groups -o ${DEPS}.txt && uv pip install --quiet --target ${DEPS} -r ${DEPS}.txt`,
        keep: [DEPS],
        ...certain("uv's lock file pins them", ...seen),
      },
    ];
  if (manager === "poetry")
    return [
      {
        ...one,
        run: "POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_VIRTUALENVS_OPTIONS_ALWAYS_COPY=true poetry install --no-root --no-interaction",
        keep: [".venv"],
        ...certain("poetry keeps them", ...seen),
      },
    ];
  const files = requirementsIn(tree, folder);
  const groups = [...(toml.list("project", "dependencies") ?? setupNeeds(tree, folder)), ...optional(toml)].filter(
    (need) => !isItself(need, toml),
  );
  const needs = [
    ...new Set([...groups, ...(test?.runner === "pytest" && !groups.some((need) => /^pytest\b/.test(need)) ? ["pytest"] : [])]),
  ];
  if (files.length > 0)
    return [
      {
        ...one,
        run: `${into} ${[...files.map((path) => `-r ${shellWord(path.slice(folder === "" ? 0 : folder.length + 1))}`), ...needs.map(shellWord)].join(" ")}`,
        keep: [DEPS],
        ...certain("requirements are written down", ...files.map((path) => at(path))),
      },
    ];
  if (needs.length === 0) return [];
  const isSaid = groups.length > 0;
  const fact = isSaid
    ? certain("the manifest names them", at(file, toml.lineOf("project", "dependencies")))
    : likely("its tests need it", ...(test?.fact.seen ?? []));
  return [{ ...one, run: `${into} ${needs.map(shellWord).join(" ")}`, keep: [DEPS], ...fact }];
}

/** What tests and developers need, by the names that such groups usually have. */
const optional = (toml: TomlReading): readonly string[] =>
  [
    ["dependency-groups", /^(?:dev|tests?|testing)$/] as const,
    ["project.optional-dependencies", /^(?:dev|tests?|testing)$/] as const,
  ].flatMap(([table, name]) => toml.keysOf(table).flatMap((key) => (name.test(key) ? (toml.list(table, key) ?? []) : [])));

/** What the older files say, where it is plainly written there. */
const setupNeeds = (tree: Tree, folder: string): readonly string[] => {
  const list = /\binstall_requires\s*=\s*\[([^\]]{0,5000})\]/.exec(tree.texts.get(inFolder(folder, "setup.py")) ?? "")?.[1];
  const block = /^install_requires\s*=[ \t]*((?:\n[ \t]+[^\n]{1,200}){0,100})/m.exec(
    tree.texts.get(inFolder(folder, "setup.cfg")) ?? "",
  )?.[1];
  const quoted = [...(list ?? "").matchAll(/["']([^"'\n]{1,200})["']/g)].map(([, need]) => need!);
  return [...quoted, ...(block ?? "").split("\n").map((need) => need.trim())].filter((need) => /^[A-Za-z0-9]/.test(need));
};

const isItself = (need: string, toml: TomlReading): boolean => {
  const name = toml.text("project", "name");
  return (
    name !== undefined &&
    need
      .toLowerCase()
      .replaceAll("_", "-")
      .startsWith(`${name.toLowerCase().replaceAll("_", "-")}[`)
  );
};
