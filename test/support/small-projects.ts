// Small projects, one for each way of building software, and what should be seen in them.

export interface SmallProject {
  readonly name: string;
  readonly files: { readonly [path: string]: string };
  /** The best way to run its tests. */
  readonly check: { readonly run: string; readonly format?: string; readonly file?: string };
  readonly manager?: string;
  /** What is prepared, if anything. */
  readonly prepare?: string;
  /** Other commands that must be seen, by their task. */
  readonly commands?: { readonly [task: string]: string };
  /** The program without which nothing of it runs; undefined where it needs the network as well. */
  readonly tool?: string;
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const XML = "lw-results.xml";
const JSON_FILE = "lw-results.json";

export const smallProjects: readonly SmallProject[] = [
  {
    name: "npm with node --test",
    files: {
      "package.json": json({ name: "sum", type: "module", scripts: { test: "node --test", lint: "eslint ." } }),
      "sum.js": "export const sum = (a, b) => a + b;\n",
      "sum.test.js":
        'import assert from "node:assert";\nimport { test } from "node:test";\nimport { sum } from "./sum.js";\ntest("adds", () => assert.equal(sum(1, 2), 3));\n',
      ".github/workflows/ci.yml":
        "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n",
    },
    check: { run: `node --test --test-reporter=junit --test-reporter-destination=${XML}`, format: "node", file: XML },
    manager: "npm",
    commands: { test: "npm test", lint: "npm run lint" },
    tool: "node",
  },
  {
    name: "npm with vitest",
    files: {
      "package.json": json({
        name: "shop",
        scripts: { test: "tsc --noEmit && vitest", build: "vite build" },
        devDependencies: { vitest: "^4.0.0" },
      }),
      "package-lock.json": json({ lockfileVersion: 3 }),
      "src/shop.ts": "export const shop = 1;\n",
    },
    check: { run: `npm test -- --run --reporter=json --outputFile=${JSON_FILE}`, format: "vitest", file: JSON_FILE },
    manager: "npm",
    prepare: "npm ci",
    commands: { test: "npm test", build: "npm run build" },
  },
  {
    name: "pnpm workspace with jest",
    files: {
      "package.json": json({
        name: "root",
        packageManager: "pnpm@10.1.0",
        scripts: { test: "jest --env node" },
        devDependencies: { jest: "30.0.0" },
      }),
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
      "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
      "packages/a/package.json": json({ name: "a" }),
    },
    check: { run: `pnpm test --ci --json --outputFile=${JSON_FILE}`, format: "jest", file: JSON_FILE },
    manager: "pnpm",
    prepare: "pnpm install --frozen-lockfile",
  },
  {
    name: "yarn with mocha",
    files: {
      "package.json": json({
        name: "old",
        scripts: { test: "NODE_ENV=test mocha --check-leaks test/", build: "rollup -c" },
        devDependencies: { mocha: "^11" },
      }),
      "yarn.lock": "# yarn lockfile v1\n",
    },
    check: { run: `yarn test --reporter xunit --reporter-option output=${XML}`, format: "junit", file: XML },
    manager: "yarn",
    prepare: "yarn install --frozen-lockfile",
    commands: { build: "yarn build" },
  },
  {
    name: "bun",
    files: {
      "package.json": json({ name: "quick", scripts: { test: "bun test" }, dependencies: { hono: "^4" } }),
      "bun.lock": "{}\n",
      "a.test.ts": 'import { test } from "bun:test";\n',
    },
    check: { run: `bun run test --reporter=junit --reporter-outfile=${XML}`, format: "junit", file: XML },
    manager: "bun",
    prepare: "bun install --frozen-lockfile",
  },
  {
    name: "deno",
    files: {
      "deno.jsonc": '{\n  // Tasks.\n  "tasks": { "test": "deno test --allow-read" },\n}\n',
      "main_test.ts": 'Deno.test("a", () => {});\n',
    },
    check: { run: `deno test --allow-read --junit-path=${XML}`, format: "junit", file: XML },
    manager: "deno",
    commands: { test: "deno task test", format: "deno fmt" },
  },
  {
    name: "Python with requirements and pytest",
    files: {
      "requirements.txt": "requests==2.32.0\n",
      "requirements-dev.txt": "pytest>=8\n",
      "shop.py": "def price():\n    return 3\n",
      "tests/test_shop.py": "from shop import price\n\n\ndef test_price():\n    assert price() == 3\n",
      "setup.cfg": "[flake8]\nmax-line-length = 100\n",
    },
    check: { run: `PYTHONPATH="$PWD/.lw-python" python3 -m pytest -p no:cacheprovider --junitxml=${XML}`, format: "junit", file: XML },
    manager: "pip",
    prepare: "python3 -m pip install --quiet --target .lw-python -r requirements-dev.txt -r requirements.txt pytest",
  },
  {
    name: "Python with unittest",
    files: {
      "pyproject.toml": '[project]\nname = "plain"\nversion = "1"\n',
      "plain.py": "def double(n):\n    return n * 2\n",
      "tests/test_plain.py":
        "import unittest\n\nfrom plain import double\n\n\nclass Doubles(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(double(2), 4)\n",
    },
    check: { run: "python3 -m unittest discover -v -s tests", format: "unittest" },
    manager: "pip",
    tool: "python3",
  },
  {
    name: "poetry",
    files: {
      "pyproject.toml":
        '[tool.poetry]\nname = "verse"\n\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\nmypy = "^1"\n\n[tool.mypy]\nstrict = true\n',
      "poetry.lock": "",
      "tests/test_verse.py": "def test_one():\n    assert True\n",
    },
    check: { run: `.venv/bin/python -m pytest -p no:cacheprovider --junitxml=${XML}`, format: "junit", file: XML },
    manager: "poetry",
    prepare: "POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_VIRTUALENVS_OPTIONS_ALWAYS_COPY=true poetry install --no-root --no-interaction",
    commands: { test: "python -m pytest", typecheck: "mypy ." },
  },
  {
    name: "uv, in src",
    files: {
      "pyproject.toml":
        '[project]\nname = "sun"\ndependencies = []\n\n[dependency-groups]\ndev = ["pytest", { include-group = "lint" }]\nlint = ["ruff"]\n\n[tool.ruff]\nline-length = 100\n',
      "uv.lock": "version = 1\n",
      "src/sun/__init__.py": "",
      "tests/test_sun.py": "import pytest\n",
    },
    check: {
      run: `PYTHONPATH="$PWD/.lw-python:$PWD/src" python3 -m pytest -p no:cacheprovider --junitxml=${XML}`,
      format: "junit",
      file: XML,
    },
    manager: "uv",
    prepare:
      "uv export --quiet --frozen --no-hashes --no-emit-project --all-groups -o .lw-python.txt && uv pip install --quiet --target .lw-python -r .lw-python.txt",
    commands: { lint: "ruff check .", format: "ruff format ." },
  },
  {
    name: "hatch",
    files: {
      "pyproject.toml":
        '[project]\nname = "egg"\ndependencies = ["attrs>=23"]\n\n[tool.hatch.envs.default]\ndependencies = ["pytest"]\n\n[tool.hatch.envs.default.scripts]\ntest = "pytest {args}"\n',
      "egg.py": "",
    },
    check: { run: `PYTHONPATH="$PWD/.lw-python" python3 -m pytest -p no:cacheprovider --junitxml=${XML}`, format: "junit", file: XML },
    manager: "hatch",
    prepare: "python3 -m pip install --quiet --target .lw-python 'attrs>=23' pytest",
    commands: { test: "hatch run test" },
  },
  {
    name: "tox",
    files: {
      "setup.py": 'from setuptools import setup\nsetup(name="t", install_requires=["six"])\n',
      "tox.ini": "[tox]\nenvlist = py312\n[testenv]\ndeps = pytest\ncommands = pytest\n",
      "test_t.py": "def test_t():\n    pass\n",
    },
    check: { run: `PYTHONPATH="$PWD/.lw-python" python3 -m pytest -p no:cacheprovider --junitxml=${XML}`, format: "junit", file: XML },
    manager: "pip",
    prepare: "python3 -m pip install --quiet --target .lw-python six pytest",
    commands: { test: "tox" },
  },
  {
    name: "nox",
    files: {
      "pyproject.toml": '[project]\nname = "n"\n\n[project.optional-dependencies]\ntest = ["pytest"]\n',
      "noxfile.py": "import nox\n\n\n@nox.session\ndef tests(session):\n    session.run('pytest')\n",
    },
    check: { run: `PYTHONPATH="$PWD/.lw-python" python3 -m pytest -p no:cacheprovider --junitxml=${XML}`, format: "junit", file: XML },
    prepare: "python3 -m pip install --quiet --target .lw-python pytest",
    commands: { test: "nox" },
  },
  {
    name: "Go",
    files: {
      "go.mod": "module example.com/shop\n\ngo 1.22\n\nrequire github.com/google/uuid v1.6.0\n",
      "go.sum": "",
      "shop.go": "package shop\n\nfunc Price() int { return 3 }\n",
      "shop_test.go": 'package shop\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {}\n',
      ".golangci.yml": "version: 2\n",
    },
    check: { run: 'GOFLAGS=-modcacherw GOMODCACHE="$PWD/.lw-go" go test -json ./...', format: "go" },
    manager: "go",
    prepare: 'GOFLAGS=-modcacherw GOMODCACHE="$PWD/.lw-go" go mod download',
    commands: { test: "go test ./...", lint: "golangci-lint run" },
  },
  {
    name: "Rust",
    files: {
      "Cargo.toml": '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      "Cargo.lock": '# made by cargo\nversion = 3\n\n[[package]]\nname = "sum"\nversion = "0.1.0"\n',
      "src/lib.rs":
        "pub fn sum(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::sum(1, 2), 3);\n    }\n}\n",
      ".gitignore": "target\n",
    },
    check: { run: "cargo test --offline --no-fail-fast", format: "cargo" },
    manager: "cargo",
    commands: { test: "cargo test", format: "cargo fmt --all" },
    tool: "cargo",
  },
  {
    name: "Maven",
    files: {
      "pom.xml":
        "<project>\n  <parent>\n    <artifactId>up</artifactId>\n  </parent>\n  <artifactId>shop</artifactId>\n  <modules>\n    <module>core</module>\n  </modules>\n</project>\n",
      "core/pom.xml": "<project><artifactId>core</artifactId></project>\n",
      mvnw: "#!/bin/sh\n",
      "core/src/main/java/Shop.java": "class Shop {}\n",
    },
    check: {
      run: `./mvnw -B -o -Dmaven.repo.local="$PWD/.lw-m2" -Dmaven.test.failure.ignore=false --fail-at-end test; code=$?; { echo '<testsuites>'; find . -path '*/target/surefire-reports/TEST-*.xml' -exec sed '/^<?xml/d' {} +; echo '</testsuites>'; } > ${XML}; exit $code`,
      format: "junit",
      file: XML,
    },
    prepare: './mvnw -B -q -Dmaven.repo.local="$PWD/.lw-m2" -Dmaven.test.failure.ignore=true test',
    commands: { test: "./mvnw -B test" },
  },
  {
    name: "Gradle with Kotlin",
    files: {
      "settings.gradle.kts": 'rootProject.name = "shop"\ninclude("app", "lib:core")\n',
      "build.gradle.kts": 'plugins {\n  kotlin("jvm") version "2.0.0"\n  id("io.gitlab.arturbosch.detekt") version "1.23.0"\n}\n',
      gradlew: "#!/bin/sh\n",
      "app/build.gradle.kts": "",
    },
    check: {
      run: `GRADLE_USER_HOME="$PWD/.lw-gradle" ./gradlew --offline --no-daemon --continue test; code=$?; { echo '<testsuites>'; find . -path '*/build/test-results/*/TEST-*.xml' -exec sed '/^<?xml/d' {} +; echo '</testsuites>'; } > ${XML}; exit $code`,
      format: "junit",
      file: XML,
    },
    prepare:
      'GRADLE_USER_HOME="$PWD/.lw-gradle" ./gradlew --no-daemon --continue test || GRADLE_USER_HOME="$PWD/.lw-gradle" ./gradlew --no-daemon testClasses',
    commands: { test: "./gradlew test", lint: "./gradlew detekt" },
  },
  {
    name: ".NET",
    files: {
      "Shop.sln": 'Project("{FAE0}") = "Shop", "src\\Shop\\Shop.csproj", "{1}"\n',
      "src/Shop/Shop.csproj": "<Project />\n",
      "test/Shop.Tests/Shop.Tests.csproj":
        '<Project>\n  <ItemGroup>\n    <PackageReference Include="Microsoft.NET.Test.Sdk" />\n    <PackageReference Include="JunitXml.TestLogger" />\n  </ItemGroup>\n</Project>\n',
    },
    check: {
      run: `NUGET_PACKAGES="$PWD/.lw-nuget" dotnet test Shop.sln --logger "junit;LogFilePath=$PWD/${XML}"`,
      format: "junit",
      file: XML,
    },
    manager: "nuget",
    prepare: 'NUGET_PACKAGES="$PWD/.lw-nuget" dotnet restore Shop.sln',
    commands: { test: "dotnet test Shop.sln" },
  },
  {
    name: "Ruby with rspec",
    files: {
      Gemfile: 'source "https://example.org"\ngem "rspec"\ngem "rspec_junit_formatter"\ngem "rubocop"\n',
      "spec/shop_spec.rb": 'RSpec.describe("a") {}\n',
    },
    check: { run: `BUNDLE_PATH=vendor/bundle bundle exec rspec --format RspecJunitFormatter --out ${XML}`, format: "junit", file: XML },
    manager: "bundler",
    prepare: "BUNDLE_PATH=vendor/bundle bundle install --quiet",
    commands: { test: "bundle exec rspec", lint: "bundle exec rubocop" },
  },
  {
    name: "PHP with phpunit",
    files: {
      "composer.json": json({
        name: "ada/shop",
        "require-dev": { "phpunit/phpunit": "^11", "phpstan/phpstan": "^2" },
        scripts: { test: "phpunit" },
      }),
      "src/Shop.php": "<?php\n",
    },
    check: { run: `vendor/bin/phpunit --log-junit ${XML}`, format: "junit", file: XML },
    manager: "composer",
    prepare: "composer install --no-interaction --no-progress",
    commands: { test: "composer run test", typecheck: "vendor/bin/phpstan analyse" },
  },
  {
    name: "Swift",
    files: {
      "Package.swift": '// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: "Shop", targets: [])\n',
      "Sources/Shop/Shop.swift": "",
    },
    check: { run: `swift test --disable-automatic-resolution --parallel --xunit-output ${XML}`, format: "junit", file: XML },
    manager: "swift",
  },
  {
    name: "Elixir",
    files: {
      "mix.exs":
        'defmodule Shop.MixProject do\n  use Mix.Project\n  def project, do: [app: :shop, deps: deps()]\n  defp deps do\n    [\n      {:credo, "~> 1.7"}\n    ]\n  end\nend\n',
      "test/shop_test.exs": "",
    },
    check: { run: 'MIX_HOME="$PWD/.lw-mix" HEX_HOME="$PWD/.lw-mix" mix test' },
    manager: "mix",
    prepare:
      'MIX_HOME="$PWD/.lw-mix" HEX_HOME="$PWD/.lw-mix" mix local.hex --force && MIX_HOME="$PWD/.lw-mix" HEX_HOME="$PWD/.lw-mix" mix local.rebar --force && MIX_HOME="$PWD/.lw-mix" HEX_HOME="$PWD/.lw-mix" mix deps.get',
    commands: { test: "mix test", lint: "mix credo" },
  },
  {
    name: "CMake",
    files: {
      "CMakeLists.txt":
        "cmake_minimum_required(VERSION 3.14)\nproject(sum C)\nenable_testing()\nadd_executable(sum_test sum_test.c)\nadd_test(NAME adds COMMAND sum_test)\n",
      "sum_test.c": "int main(void) { return 1 + 2 == 3 ? 0 : 1; }\n",
    },
    check: {
      run: `cmake -S . -B lw-build && cmake --build lw-build && ctest --test-dir lw-build --output-junit "$PWD/${XML}"`,
      format: "junit",
      file: XML,
    },
    manager: "cmake",
    tool: "cmake",
  },
  {
    name: "Meson",
    files: {
      "meson.build": "project('sum', 'c')\ne = executable('sum_test', 'sum_test.c')\ntest('adds', e)\n",
      "sum_test.c": "int main(void) { return 0; }\n",
    },
    check: { run: "meson setup lw-build && meson test -C lw-build", format: "junit", file: "lw-build/meson-logs/testlog.junit.xml" },
    manager: "meson",
  },
  {
    name: "C with Make",
    files: {
      Makefile: "CC ?= cc\n.PHONY: test\n\nsum_test: sum_test.c\n\t$(CC) -o $@ $<\n\ntest: sum_test\n\t./sum_test\n",
      "sum_test.c": "int main(void) { return 1 + 2 == 3 ? 0 : 1; }\n",
    },
    check: { run: "make test" },
    commands: { test: "make test" },
    tool: "make",
  },
  {
    name: "just",
    files: { justfile: "name := 'a'\n\ntest *args:\n    ./run {{args}}\n\nlint:\n    ./lint\n\ntest:\n    ./run\n", run: "#!/bin/sh\n" },
    check: { run: "just test" },
    commands: { test: "just test", lint: "just lint" },
  },
  {
    name: "Task",
    files: { "Taskfile.yml": "version: '3'\ntasks:\n  test:\n    cmds: [./run]\n  fmt: ./fmt\n" },
    check: { run: "task test" },
    commands: { test: "task test", format: "task fmt" },
  },
];
