// Settings of runners, coverage, linters and compilers that were loosened.
import type { DiffRule } from "../rule.ts";
import { weakenedScripts, weakenedTargets } from "./settings-commands.ts";
import { coverageRules } from "./settings-coverage.ts";
import { lintRules } from "./settings-lint.ts";
import { runnerRules } from "./settings-runners.ts";

const manifest = (scripts: { readonly [name: string]: string }): string =>
  JSON.stringify({ name: "a", scripts, license: "MIT" }, undefined, 2);

export const settingsRules: readonly DiffRule[] = [
  {
    id: "check-command-weakened",
    severity: "medium",
    why: "The command that checks the work does nothing, does less, or can no longer fail. Put it back as it was and make it pass.",
    find: (view) => [...weakenedScripts(view), ...weakenedTargets(view)],
    examples: {
      flags: [
        { "package.json": [manifest({ test: "jest --ci" }), manifest({ test: "true" })] },
        { "package.json": [manifest({ test: "jest --ci" }), manifest({ test: "echo ok && exit 0" })] },
        { "package.json": [manifest({ test: "vitest run" }), manifest({ test: "vitest run || true" })] },
        { "package.json": [manifest({ test: "vitest run" }), manifest({ test: "vitest run --passWithNoTests" })] },
        { "package.json": [manifest({ test: "mocha 'test/**/*.js'" }), manifest({ test: "mocha test/sum.test.js" })] },
        { "package.json": [manifest({ test: "npm run unit && npm run e2e" }), manifest({ test: "npm run unit" })] },
        { "package.json": [manifest({ build: "tsc", test: "node run.js" }), manifest({ build: "tsc" })] },
        { Makefile: ["test:\n\tpytest -q\n", "test:\n\t@echo passed\n"] },
        { Makefile: ["test:\n\tgo test ./...\n", "test:\n\t-go test ./...\n"] },
        { Makefile: ["test: build\n\t$(PYTHON) -m pytest\n", "test: build\n\t$(PYTHON) -m pytest || true\n"] },
        { justfile: ["test:\n    cargo test\n", "test:\n    -cargo test\n"] },
        { "tox.ini": ["[testenv]\ncommands = pytest {posargs}\n", "[testenv]\ncommands = - pytest {posargs}\n"] },
        { "Taskfile.yml": ["tasks:\n  test:\n    cmds:\n      - go test ./...\n", "tasks:\n  test:\n    cmds:\n      - echo fine\n"] },
        {
          "composer.json": [
            '{\n  "scripts": {\n    "test": "phpunit"\n  }\n}\n',
            '{\n  "scripts": {\n    "test": "phpunit || exit 0"\n  }\n}\n',
          ],
        },
      ],
      passes: [
        { "package.json": [manifest({ test: "jest --ci" }), manifest({ test: "vitest run" })] },
        { "package.json": [manifest({ test: "jest" }), manifest({ test: "jest", lint: "eslint ." })] },
        { "package.json": [manifest({ test: "npm run lint && jest" }), manifest({ lint: "eslint .", test: "jest" })] },
        { "package.json": [manifest({ "test:unit": "vitest run" }), manifest({ test: "vitest run" })] },
        { "package.json": [manifest({ clean: "rm -rf dist" }), manifest({ clean: "rm -rf dist || true" })] },
        { Makefile: ["test:\n\tpytest -q\n", "test:\n\tpytest -q -n auto\n"] },
        { Makefile: ["clean:\n\trm -rf build\n", "clean:\n\t-rm -rf build\n"] },
        { Makefile: ["test:\n\tpytest\n", "test:\n\tpytest\n\t@echo 'all tests passed'\n"] },
        { "tox.ini": ["[testenv]\ncommands = pytest {posargs}\n", "[testenv]\ncommands = pytest --tb=short {posargs}\n"] },
      ],
    },
  },
  ...runnerRules,
  ...coverageRules,
  ...lintRules,
];
