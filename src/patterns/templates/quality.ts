// Loops that make code better by something that can be counted: types, lint, coverage, code that nobody uses.
import { asPattern, BUILD, DAILY, LINT, TEST, TYPES, WEEKLY } from "./template.ts";

export const quality = [
  asPattern({
    name: "type-error-reduction",
    purpose: "Mend type errors by their causes.",
    invariant: "The types are checked by the same settings as on base, and the tests hold.",
    task: "Group the type errors by cause, and mend one cause after the other where it is. No casts, no ignored lines, no looser settings.",
    trigger: DAILY,
    isForRed: true,
    verifiers: [
      TYPES,
      BUILD,
      TEST,
      '{ id: scope, use: scope, with: { deny: ["**/tsconfig*.json", "**/mypy.ini", "**/pyrightconfig.json"], maxFiles: 30 } }',
    ],
  }),
  asPattern({
    name: "lint-cleanup",
    purpose: "Mend what the linter finds, and change nothing that the code does.",
    invariant: "The linter's settings are as they were, and the tests hold.",
    task: "Mend what the linter finds, rule by rule. Switch no rule off, for a line or for all. Where a finding is wrong, leave it and say so.",
    trigger: DAILY,
    isForRed: true,
    verifiers: [
      LINT,
      TEST,
      '{ id: scope, use: scope, with: { deny: ["**/.eslintrc*", "**/eslint.config.*", "**/biome.json*", "**/ruff.toml", "**/.golangci*"], maxLines: 600 } }',
    ],
  }),
  asPattern({
    name: "coverage-gap-fill",
    purpose: "Write tests for code that none runs.",
    invariant: "Only tests change, and more lines run than the spec asks for at least.",
    task: "Find the file with the most important lines that no test runs. Write tests that would fail if those lines were wrong, not tests that only run them.",
    trigger: WEEKLY,
    verifiers: [
      TEST,
      '{ id: scope, use: scope, with: { allow: ["**/*test*", "**/*spec*", "**/test/**", "**/tests/**", "**/__tests__/**"], maxFiles: 10 } }',
      "{ id: covered, use: measure, with: { coverage: { file: coverage/lcov.info, least: 0.6 }, run: {{coverage}} } }",
    ],
  }),
  asPattern({
    name: "dead-code-cleanup",
    purpose: "Take out code that nobody uses.",
    invariant: "No name that others may use goes, and everything is linted, tested and built without the rest.",
    task: "Find code that nothing calls, imports or names, also not by a string. Prove it by a search, and take it out, a piece at a time. Leave what others may use.",
    trigger: WEEKLY,
    verifiers: [LINT, TEST, BUILD, "{ id: scope, use: scope, with: { dependencies: any, api: keep, maxFiles: 20, maxLines: 800 } }"],
  }),
];
