// Limits of coverage and mutation tools, and what is left out of what they measure.
import type { DiffRule } from "../rule.ts";
import { type LooseSetting, looseSightings, lowered, raised, switchedOff, switchedOn, uncovered } from "./loose-setting.ts";

const COVERAGE_FILE =
  /(^|\/)((jest|vitest|vite)(\.[\w-]+)*\.config\.[^/]+|\.?(nycrc|c8rc)[^/]*|package\.json|\.coveragerc|pyproject\.toml|setup\.cfg|tox\.ini|\.?codecov\.ya?ml|pom\.xml|build\.gradle(\.kts)?|\.simplecov|\.taprc)$/;

const LIMITS: readonly LooseSetting[] = [
  {
    path: /(^|\.)(fail_under|fail-under|failUnder|minimum_coverage|minimumCoverage|min_coverage|cov-fail-under|coverage_threshold|MinimumCoverage|minCoverage)$/i,
    judge: lowered,
  },
  {
    path: /(^|\.)(coverageThreshold|thresholds?|check-coverage|global|autofail)?\.?(lines|branches|functions|statements)$/,
    files: COVERAGE_FILE,
    judge: lowered,
  },
  { path: /(rule|limit|violationRules|coverage).*\.minimum$/, judge: lowered },
  { path: /(^|\.)target$/, files: /codecov\.ya?ml$/i, judge: lowered },
  { path: /(^|\.)threshold$/, files: /codecov\.ya?ml$/i, judge: raised },
  { path: /(^|\.)informational$/, files: /codecov\.ya?ml$/i, judge: switchedOn("medium", "only informs and no longer fails") },
  { path: /(^|\.)(check-coverage|checkCoverage|enforceThreshold)$/, judge: switchedOff("medium", "no longer holds the limit") },
  { path: /thresholds?\.(break|low)$|(^|\.)(mutationScoreThreshold|mutationThreshold|minMsi|minCoveredMsi)$/, judge: lowered },
  {
    path: /(^|\.)(coveragePathIgnorePatterns|omit|sonar\.coverage\.exclusions)$|coverage\.(exclude|run\.omit|report\.omit)$|(^|\.)nyc\.exclude$/,
    judge: uncovered,
  },
  { path: /^exclude$/, files: /\.?(nycrc|c8rc)[^/]*$/, judge: uncovered },
  { path: /^ignore$/, files: /codecov\.ya?ml$/i, judge: uncovered },
  {
    path: /(^|\.)collectCoverageFrom$/,
    judge: (change) => (change.after?.startsWith("!") ? uncovered({ ...change, after: change.after.slice(1) }) : undefined),
  },
  {
    path: /(^|\.)(exclude_lines|exclude_also|partial_branches)$/,
    judge: ({ after, before }) =>
      before === undefined && after !== undefined && /^(\.\*|\.|\^|\\s\*|def |def|return|raise|if |class |\.\+)$/.test(after)
        ? { severity: "medium", what: `leaves nearly everything out (${after})` }
        : undefined,
  },
];

export const coverageRules: readonly DiffRule[] = [
  {
    id: "limit-lowered",
    severity: "medium",
    why: "The coverage that must be reached was lowered, or code was taken out of it. Cover the code instead.",
    find: (view) => looseSightings(view, LIMITS),
    examples: {
      flags: [
        { ".coveragerc": ["[report]\nfail_under = 90\n", "[report]\nfail_under = 60\n"] },
        {
          "jest.config.js": [
            "module.exports = {\n  coverageThreshold: {\n    global: { lines: 90 },\n  },\n};\n",
            "module.exports = {\n  coverageThreshold: {\n    global: { lines: 10 },\n  },\n};\n",
          ],
        },
        {
          "pyproject.toml": [
            "[tool.coverage.report]\nfail_under = 100\nshow_missing = true\n",
            "[tool.coverage.report]\nshow_missing = true\n",
          ],
        },
        {
          "codecov.yml": [
            "coverage:\n  status:\n    project:\n      default:\n        target: 90%\n",
            "coverage:\n  status:\n    project:\n      default:\n        target: 50%\n",
          ],
        },
        {
          ".coveragerc": ["[run]\nsource = app\nomit =\n    setup.py\n", "[run]\nsource = app\nomit =\n    setup.py\n    app/billing.py\n"],
        },
      ],
      passes: [
        { ".coveragerc": ["[report]\nfail_under = 90\n", "[report]\nfail_under = 95\n"] },
        { ".coveragerc": ["[run]\nomit =\n    setup.py\n", "[run]\nomit =\n    setup.py\n    */_version.py\n"] },
        {
          "pyproject.toml": [
            "[tool.coverage.report]\nexclude_also = ['x']\n",
            "[tool.coverage.report]\nexclude_also = ['x', 'if TYPE_CHECKING:']\n",
          ],
        },
      ],
    },
  },
];
