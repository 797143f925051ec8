// Settings of compilers, type checkers and linters, and what would make them less strict.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView } from "../view.ts";
import { type LooseSetting, looseSightings, lowered, noLongerOn, raised, switchedOff, switchedOn } from "./loose-setting.ts";

const TS_STRICT =
  /(^|\.)(strict|noImplicitAny|strictNullChecks|strictFunctionTypes|strictBindCallApply|strictPropertyInitialization|noImplicitThis|useUnknownInCatchVariables|alwaysStrict|noImplicitReturns|noUncheckedIndexedAccess|exactOptionalPropertyTypes|checkJs|noEmitOnError)$/;
const TS_FILE = /(^|\/)(ts|js)config[^/]*\.json$/;
const PY_FILE = /(^|\/)(pyproject\.toml|setup\.cfg|tox\.ini|\.?mypy\.ini|pyrightconfig\.json|\.?ruff\.toml|\.flake8|\.?pylintrc)$/;

const STRICT: readonly LooseSetting[] = [
  { path: TS_STRICT, files: TS_FILE, judge: noLongerOn("medium", "no longer checks types as strictly") },
  {
    path: /(^|\.)(suppressImplicitAnyIndexErrors|suppressExcessPropertyErrors|noStrictGenericChecks)$/,
    files: TS_FILE,
    judge: switchedOn("medium", "keeps type errors from being said"),
  },
  {
    path: /(^|\.)(noUnusedLocals|noUnusedParameters|noFallthroughCasesInSwitch|noImplicitOverride)$/,
    files: TS_FILE,
    judge: switchedOff("low", "was switched off"),
  },
  { path: /(^|\.)skipLibCheck$/, files: TS_FILE, judge: switchedOn("low", "was switched on") },
  {
    path: /mypy(\.ini)?(\..*)?\.?(strict|disallow_untyped_defs|disallow_any_generics|check_untyped_defs|strict_optional|warn_return_any|no_implicit_optional|disallow_incomplete_defs|strict_equality)$|^mypy\.strict$/,
    judge: noLongerOn("medium", "no longer checks types as strictly"),
  },
  { path: /^(tool\.)?mypy\.(ignore_errors)$/, judge: switchedOn("medium", "makes the type checker say nothing") },
  { path: /mypy-.*\.ignore_errors$|mypy\.overrides\.ignore_errors$/, judge: switchedOn("low", "makes the type checker say nothing there") },
  {
    path: /(^|\.)follow_imports$/,
    files: PY_FILE,
    judge: ({ before, after }) =>
      /^(skip|silent)$/.test(after ?? "") && before !== after ? { severity: "low", what: `became ${after}` } : undefined,
  },
  {
    path: /(^|\.)typeCheckingMode$/,
    judge: ({ before, after }) =>
      rank(TYPE_MODES, after) < rank(TYPE_MODES, before) ? { severity: "medium", what: `went from ${before} to ${after}` } : undefined,
  },
  { path: /(^|\.)level$/, files: /phpstan/, judge: lowered },
  { path: /(^|\.)errorLevel$/, files: /psalm/, judge: raised },
  {
    path: /(^|\.)(TreatWarningsAsErrors|EnforceCodeStyleInBuild|MSBuildTreatWarningsAsErrors)$/,
    judge: noLongerOn("medium", "no longer fails on warnings"),
  },
  {
    path: /(^|\.)Nullable$/,
    judge: ({ before, after }) =>
      before === "enable" && after !== "enable" ? { severity: "medium", what: "no longer checks for null" } : undefined,
  },
  { path: /(^|\.)(allWarningsAsErrors|warningsAsErrors)$/, judge: switchedOff("medium", "no longer fails on warnings") },
];

const TYPE_MODES = ["off", "basic", "standard", "strict"];
/** An unsaid mode ranks above none and below none: it is no change for the worse. */
const rank = (order: readonly string[], value: string | undefined): number => (value === undefined ? Number.NaN : order.indexOf(value));

const LEVELS = ["off", "allow", "ignore", "info", "warn", "warning", "error", "deny", "forbid"];
const levelOf = (value: string | undefined): number | undefined => {
  const word = { "0": "off", "1": "warn", "2": "error" }[value ?? ""] ?? value?.toLowerCase() ?? "";
  const at = LEVELS.indexOf(word);
  return at < 0 ? undefined : at <= 2 ? 0 : at <= 5 ? 1 : 2;
};

const LINT_FILE =
  /(^|\/)(\.?eslint[^/]*|\.eslintrc[^/]*|package\.json|biome\.jsonc?|\.stylelintrc[^/]*|stylelint\.config[^/]*|Cargo\.toml|clippy\.toml|\.?oxlintrc[^/]*|tslint\.json|deno\.jsonc?|analysis_options\.yaml)$/;

const LINT: readonly LooseSetting[] = [
  {
    path: /(^|\.)(linter|analyzer|assist)\.(enabled|rules\.recommended)$|(^|\.)rules\.recommended$/,
    files: /biome|deno/,
    judge: switchedOff("medium", "switches the linter off"),
  },
  {
    path: /rules\.|lints\.|^[@\w-]+\/[\w-]+$|^[a-z]+(-[a-z]+)+$|(^|\.)(linter|nursery|correctness|suspicious|style|complexity|security|a11y)\.\w+$/,
    files: LINT_FILE,
    judge: ({ before, after }) => {
      const [old, now] = [levelOf(before), levelOf(after)];
      if (now === undefined || now === 2) return undefined;
      if (old !== undefined && old > now) return { severity: now === 0 ? "medium" : "low", what: `went from ${before} to ${after}` };
      return old === undefined && before === undefined && now === 0 ? { severity: "low", what: "is switched off" } : undefined;
    },
  },
  {
    path: /(^|\.)(issues-exit-code|exit-code)$/,
    files: /golangci/,
    judge: ({ before, after }) =>
      after === "0" && before !== "0" ? { severity: "medium", what: "makes the linter succeed always" } : undefined,
  },
  { path: /(^|\.)(run\.)?tests$/, files: /golangci/, judge: switchedOff("low", "keeps tests from being looked at") },
  {
    path: /(^|\.)(disable-all|DisabledByDefault|exit-zero|exit_zero|SuppressAll)$/,
    judge: switchedOn("medium", "switches the linter off"),
  },
  { path: /(^|\.)Enabled$/, files: /rubocop/, judge: switchedOff("low", "was switched off") },
  { path: /(^|\.)(maxIssues|maxWarnings|max-warnings|maximumWarnings|warningThreshold)$/, judge: raised },
  {
    path: /(^|\.)(ignore|extend-ignore|extend_ignore|disable|disabled|disabled_rules|ignoreErrors|NoWarn)$/,
    files: /(pyproject\.toml|setup\.cfg|tox\.ini|\.?ruff\.toml|\.flake8|\.?pylintrc|golangci|phpstan|proj|props)/,
    judge: ({ path, before, after }) => {
      if (
        after === undefined ||
        !/ruff|flake8|pylint|lint|linters|^ignore|^extend-ignore|^disable|parameters|PropertyGroup|MESSAGES/i.test(path)
      )
        return undefined;
      const came = codesIn(after).filter((code) => !codesIn(before ?? "").includes(code));
      const isBroad = came.some((code) => /^(all|[A-Z]{1,3}|#\^?\.[*+]\$?#|~?\^?\.\*)$/.test(code) || code === "ALL");
      return came.length > 0 ? { severity: isBroad ? "medium" : "low", what: `now ignores ${came.slice(0, 3).join(", ")}` } : undefined;
    },
  },
];

const codesIn = (text: string): readonly string[] => text.split(/[\s,;"'[\]]+/).filter((code) => code !== "");

/** So many rules switched off in one change are a decision about linting, not a tuned rule. */
const MANY = 4;

function loosenedLint(view: ChangeView): readonly Sighting[] {
  const sightings = [...looseSightings(view, LINT), ...ignoredCode(view)];
  const off = sightings.filter(
    ({ file, what }) =>
      /switched off|now ignores/.test(what) && view.files.some(({ path, before }) => path === file && before !== undefined),
  );
  return off.length >= MANY
    ? sightings.map((sighting) => (sighting === off[0] ? { ...sighting, severity: "medium" as const } : sighting))
    : sightings;
}

/** Ignore files that now name the code itself rather than what tools make of it. */
const ignoredCode = (view: ChangeView): readonly Sighting[] =>
  view.files
    .filter(
      ({ path, before }) => /(^|\/)\.(eslintignore|prettierignore|stylelintignore|golangciignore)$/.test(path) && before !== undefined,
    )
    .flatMap((file) =>
      file.added
        .filter(({ text }) => /^\/?(\*\*\/)?(src|app|lib|packages|\*|\*\*|\.|\*\.[cm]?[jt]sx?)\/?(\*\*?(\/\*)?)?$/.test(text.trim()))
        .map(
          ({ text, after }): Sighting => ({
            file: file.path,
            line: after,
            severity: file.path.endsWith(".prettierignore") ? "low" : "medium",
            confidence: "medium",
            what: `the linter no longer looks at ${text.trim()}`,
            after: text,
          }),
        ),
    );

const options = (...lines: readonly string[]): string =>
  `{\n  "compilerOptions": {\n    "target": "es2022"${lines.map((line) => `,\n    ${line}`).join("")}\n  }\n}\n`;

export const lintRules: readonly DiffRule[] = [
  {
    id: "strictness-lowered",
    severity: "medium",
    why: "The compiler or type checker was told to check less. Put the setting back and fix what it finds.",
    find: (view) => looseSightings(view, STRICT),
    examples: {
      flags: [
        { "tsconfig.json": [options('"strict": true'), options('"strict": false')] },
        { "tsconfig.json": [options('"strict": true'), options('"strict": true', '"noImplicitAny": false')] },
        { "tsconfig.json": [options('"strictNullChecks": true'), options()] },
        { "mypy.ini": ["[mypy]\nstrict = True\n", "[mypy]\nstrict = False\n"] },
        { "pyproject.toml": ["[tool.mypy]\nfiles = 'src'\n", "[tool.mypy]\nfiles = 'src'\nignore_errors = true\n"] },
        { "phpstan.neon": ["parameters:\n  level: 8\n", "parameters:\n  level: 2\n"] },
      ],
      passes: [
        { "tsconfig.json": [options('"strict": false'), options('"strict": true')] },
        { "tsconfig.json": [options(), options('"skipLibCheck": true')] },
        { "tsconfig.json": [options('"strict": true'), options('"strict": true', '"lib": ["es2023"]')] },
        { "tsconfig.build.json": [undefined, options('"strict": false')] },
      ],
    },
  },
  {
    id: "lint-loosened",
    severity: "low",
    why: "The linter was told to look away. Fix what it finds, or switch off one rule in one place and say why.",
    find: loosenedLint,
    examples: {
      flags: [
        { ".eslintrc.json": ['{\n  "rules": {\n    "no-undef": "error"\n  }\n}\n', '{\n  "rules": {\n    "no-undef": "off"\n  }\n}\n'] },
        { "biome.json": ['{\n  "linter": {\n    "enabled": true\n  }\n}\n', '{\n  "linter": {\n    "enabled": false\n  }\n}\n'] },
        { "ruff.toml": ["ignore = ['E501']\n", "ignore = ['E501', 'ALL']\n"] },
        { ".golangci.yml": ["linters:\n  enable:\n    - govet\n", "linters:\n  disable-all: true\n  enable:\n    - govet\n"] },
      ],
      passes: [
        { "pyproject.toml": ["[tool.ruff.lint]\nselect = ['E']\n", "[tool.ruff.lint]\nselect = ['E', 'F']\n"] },
        { "pyproject.toml": ["[tool.ruff.lint]\nignore = ['E501']\n", "[tool.ruff.lint]\nignore = ['E501', 'UP038']\n"] },
        {
          ".eslintrc.json": [
            '{\n  "rules": {\n    "a-b": "error"\n  }\n}\n',
            '{\n  "rules": {\n    "a-b": "error",\n    "no-console": "off"\n  }\n}\n',
          ],
        },
        { "package.json": ['{\n  "name": "a-b"\n}\n', '{\n  "name": "off"\n}\n'] },
      ],
    },
  },
];
