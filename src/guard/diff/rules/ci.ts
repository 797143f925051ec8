// CI that was weakened: checks that may fail unnoticed, do nothing, are skipped, or are gone.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import { commandIn } from "./ci-commands.ts";
import { pipelines } from "./ci-files.ts";
import { decidedEnds, forgivenFailures, lostStrictness, skippedSteps } from "./ci-steps.ts";
import { hiddenPipelines, lostTriggers, unscheduledJobs } from "./ci-triggers.ts";
import { purposeOf } from "./commands.ts";
import { commandSightings, type PlacedCommand } from "./compare-commands.ts";
import { joined, LONGEST_LINE, sideLines } from "./side-lines.ts";

const commandsOf = (file: FileView, side: "before" | "after"): readonly PlacedCommand[] =>
  sideLines(file, side).flatMap((lines) =>
    joined(lines)
      .filter(({ isChanged }) => isChanged)
      .flatMap(({ text, line }) => commandIn(text).map((command) => ({ command, line, purpose: purposeOf(command) }))),
  );

function weakenedCommands(view: ChangeView): readonly Sighting[] {
  const files = pipelines(view).map((file) => ({ file, removed: commandsOf(file, "before"), added: commandsOf(file, "after") }));
  return files.flatMap(({ file, removed, added }) => {
    const others = files.filter((other) => other.file !== file).flatMap((other) => other.added.map(({ command }) => command));
    // The same command that still stands in another job was there twice.
    const kept = sideLines(file, "after").flatMap((lines) => joined(lines).flatMap((line) => (line.isChanged ? [] : commandIn(line.text))));
    const stillRun = kept.filter((command) => removed.some((gone) => gone.command === command));
    return commandSightings(file.path, { removed, added, elsewhere: [...others, ...stillRun] });
  });
}

const FORGIVING_END = /\s*(?:\|\||;)\s*(?:true|:|exit\s+0)\s*$/;

/** The same line with "or true" after it, where the line by itself was not taken for a command. */
function forgivenLines(view: ChangeView): readonly Sighting[] {
  return pipelines(view).flatMap((file) => {
    const removed = new Set(file.removed.map(({ text }) => text.trim()));
    return file.added.flatMap(({ text, after }): readonly Sighting[] => {
      const line = text.slice(0, LONGEST_LINE);
      const plain = FORGIVING_END.test(line) ? line.replace(FORGIVING_END, "").trim() : "";
      if (plain === "" || !removed.has(plain) || commandIn(plain).length > 0) return [];
      return [
        {
          file: file.path,
          line: after,
          confidence: "medium",
          what: "a failure is hidden where there was none to hide",
          before: plain,
          after: line,
        },
      ];
    });
  });
}

const WORKFLOW = (steps: string): string =>
  `on: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n${steps}`;

export const ciRules: readonly DiffRule[] = [
  {
    id: "ci-command-weakened",
    severity: "medium",
    why: "A command that checked the work is gone from the pipeline, does nothing, or can no longer fail. Put it back as it was and make it pass.",
    find: (view) => [...weakenedCommands(view), ...forgivenLines(view), ...hiddenPipelines(view)],
    examples: {
      flags: [
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: npm test\n"), WORKFLOW("      - run: npm test || true\n")] },
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: npm test\n"), WORKFLOW("      - run: echo tests pass # npm test\n")] },
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - name: Test\n        run: cargo test --all\n      - run: ls\n"),
            WORKFLOW("      - run: ls\n"),
          ],
        },
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: go test ./...\n"), WORKFLOW("      - run: go test -run '^$' ./...\n")] },
        { ".gitlab-ci.yml": ["test:\n  script:\n    - pytest -q\n", "test:\n  script:\n    - pytest -q --collect-only\n"] },
        {
          ".circleci/config.yml": [
            "jobs:\n  build:\n    steps:\n      - run: yarn test\n",
            "jobs:\n  build:\n    steps:\n      - run: yarn test; exit 0\n",
          ],
        },
        { Jenkinsfile: ["stage('t') {\n  sh 'mvn -B verify'\n}\n", "stage('t') {\n  sh 'mvn -B verify -DskipTests'\n}\n"] },
        { ".travis.yml": ["script:\n  - bundle exec rspec\n", "script:\n  - 'true'\n"] },
        { "azure-pipelines.yml": ["steps:\n- script: dotnet test\n", "steps:\n- script: dotnet test || exit 0\n"] },
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: pytest\n"), undefined] },
        { "scripts/run_tests.sh": ["#!/bin/sh\npytest -q tests\n", "#!/bin/sh\necho '12 passed'\n"] },
        { Dockerfile: ["FROM node\nRUN npm ci\nRUN npm test\n", "FROM node\nRUN npm ci\n"] },
      ],
      passes: [
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: npm test\n"), WORKFLOW("      - run: npm test -- --reporter=dot\n")] },
        {
          ".github/workflows/ci.yml": [WORKFLOW("      - run: npm test\n"), WORKFLOW("      - run: npm run lint\n      - run: npm test\n")],
        },
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: npx jest\n"), WORKFLOW("      - run: npx vitest run\n")] },
        {
          ".github/workflows/ci.yml": [WORKFLOW("      - run: npm test\n      - run: npm run docs\n"), WORKFLOW("      - run: npm test\n")],
        },
        { ".github/workflows/docs.yml": ["on: push\njobs:\n  d:\n    steps:\n      - run: mkdocs build\n", undefined] },
        {
          ".travis.yml": ["script:\n  - make test\n", undefined],
          ".github/workflows/ci.yml": [undefined, WORKFLOW("      - run: make test\n")],
        },
        {
          ".github/workflows/a.yml": [
            WORKFLOW("      - run: npm run test:e2e\n      - run: npm test\n"),
            WORKFLOW("      - run: npm test\n"),
          ],
          ".github/workflows/e2e.yml": [undefined, WORKFLOW("      - run: npm run test:e2e\n")],
        },
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: tox -e py38\n"), WORKFLOW("      - run: tox -e py312\n")] },
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: npm test\n"),
            WORKFLOW("      - run: npm test || { echo failed; exit 1; }\n"),
          ],
        },
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: pip install pytest\n      - run: pytest\n"),
            WORKFLOW("      - run: uv sync\n      - run: uv run pytest\n"),
          ],
        },
      ],
    },
  },
  {
    id: "ci-failure-forgiven",
    severity: "medium",
    why: "A failing check no longer fails the pipeline. Take the exemption out and make the check pass.",
    find: forgivenFailures,
    examples: {
      flags: [
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: npm test\n"),
            WORKFLOW("      - run: npm test\n        continue-on-error: true\n"),
          ],
        },
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: npm test\n"),
            WORKFLOW("      - run: npm test\n").replace("    runs-on", "    continue-on-error: true\n    runs-on"),
          ],
        },
        { ".gitlab-ci.yml": ["unit:\n  script:\n    - pytest\n", "unit:\n  allow_failure: true\n  script:\n    - pytest\n"] },
        { "azure-pipelines.yml": ["steps:\n- script: npm test\n", "steps:\n- script: npm test\n  continueOnError: true\n"] },
        { ".buildkite/pipeline.yml": ["steps:\n  - command: make test\n", "steps:\n  - command: make test\n    soft_fail: true\n"] },
        {
          ".travis.yml": [
            "python: [3.9]\nscript: pytest\n",
            "python: [3.9]\nscript: pytest\nmatrix:\n  allow_failures:\n    - python: 3.9\n",
          ],
        },
        {
          ".drone.yml": [
            "steps:\n  - name: test\n    commands:\n      - go test ./...\n",
            "steps:\n  - name: test\n    failure: ignore\n    commands:\n      - go test ./...\n",
          ],
        },
      ],
      passes: [
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: npm test\n"),
            WORKFLOW("      - run: npm test\n      - run: npx size-report\n        continue-on-error: true\n"),
          ],
        },
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - uses: codecov/codecov-action@v4\n"),
            WORKFLOW("      - uses: codecov/codecov-action@v4\n        with:\n          fail_ci_if_error: false\n"),
          ],
        },
        { ".github/workflows/new.yml": [undefined, WORKFLOW("      - run: npm run nightly\n        continue-on-error: true\n")] },
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: npm test\n        continue-on-error: true\n"),
            WORKFLOW("      - run: npm test\n"),
          ],
        },
      ],
    },
  },
  {
    id: "ci-step-skipped",
    severity: "medium",
    why: "A check of the pipeline is switched off by a condition that is never met. Let it run and make it pass.",
    find: skippedSteps,
    examples: {
      flags: [
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: npm test\n"), WORKFLOW("      - run: npm test\n        if: false\n")] },
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: npm test\n"),
            WORKFLOW("      - name: t\n        if: ${{ false }}\n        run: npm test\n"),
          ],
        },
        { ".gitlab-ci.yml": ["unit:\n  script:\n    - pytest\n", "unit:\n  when: never\n  script:\n    - pytest\n"] },
        { ".github/workflows/ci.yml": ["env:\n  A: 1\njobs:\n", "env:\n  A: 1\n  SKIP_TESTS: true\njobs:\n"] },
      ],
      passes: [
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: npm test\n"),
            WORKFLOW("      - run: npm test\n        if: matrix.os != 'windows-latest'\n"),
          ],
        },
        { ".github/workflows/ci.yml": [WORKFLOW("      - run: npm publish\n"), WORKFLOW("      - run: npm publish\n        if: false\n")] },
      ],
    },
  },
  {
    id: "ci-result-decided",
    severity: "high",
    why: "The script of a check ends in success whatever the check says. Let the check's own result be the result.",
    find: decidedEnds,
    examples: {
      flags: [
        {
          ".github/workflows/ci.yml": [
            WORKFLOW("      - run: |\n          npm ci\n          npm test\n"),
            WORKFLOW("      - run: |\n          set +e\n          npm ci\n          npm test\n"),
          ],
        },
        { "ci/test.sh": ["#!/bin/sh\nmake test\n", "#!/bin/sh\nmake test\nexit 0\n"] },
        { "scripts/test.sh": ["#!/bin/sh\nexec pytest -q\n", "#!/bin/sh\nexit 0\nexec pytest -q\n"] },
      ],
      passes: [
        { "ci/test.sh": ["#!/bin/sh\nmake test\n", '#!/bin/sh\nif [ -z "$CI" ]; then\n  exit 0\nfi\nmake test\n'] },
        { "ci/deploy.sh": ["#!/bin/sh\n./upload\n", "#!/bin/sh\n./upload\nexit 0\n"] },
      ],
    },
  },
  {
    id: "ci-strictness-lost",
    severity: "low",
    why: "A script of the pipeline goes on after an error. Keep set -e, so that a failing check stops it.",
    find: lostStrictness,
    examples: { flags: [], passes: [{ "ci/test.sh": ["set -e\nmake\n", "set -euo pipefail\nmake\n"] }] },
  },
  {
    id: "ci-trigger-removed",
    severity: "medium",
    why: "The checks are no longer started for proposed changes, or nothing waits for them. Leave what starts them in place.",
    find: (view) => [...lostTriggers(view), ...unscheduledJobs(view)],
    examples: {
      flags: [
        {
          ".github/workflows/ci.yml": [
            "on:\n  pull_request:\n  push:\njobs:\n  t:\n    steps:\n      - run: npm test\n",
            "on:\n  workflow_dispatch:\njobs:\n  t:\n    steps:\n      - run: npm test\n",
          ],
        },
        { ".github/workflows/test.yml": ["on: [push, pull_request]\njobs:\n", "on: workflow_dispatch\njobs:\n"] },
        { ".gitlab-ci.yml": ["stages: [build, test]\nunit:\n  stage: test\n", "stages: [build]\nunit:\n  stage: test\n"] },
        {
          ".circleci/config.yml": [
            "workflows:\n  main:\n    jobs:\n      - build\n      - test\n",
            "workflows:\n  main:\n    jobs:\n      - build\n",
          ],
        },
      ],
      passes: [
        {
          ".github/workflows/ci.yml": ["on: [push, pull_request]\njobs:\n", "on:\n  push:\n  pull_request:\n    branches: [main]\njobs:\n"],
        },
        { ".gitlab-ci.yml": ["stages: [build, test]\n", "stages: [lint, build, test, deploy]\n"] },
        { ".github/workflows/label.yml": ["on: pull_request\njobs:\n", "on: issues\njobs:\n"] },
      ],
    },
  },
];
