// Settings of test runners, builds and coverage tools, and what would make them look away.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView } from "../view.ts";
import { weakeningOf } from "./command-weakening.ts";
import { looseLines } from "./loose-lines.ts";
import { isHarmless, type LooseSetting, leftOut, looseSightings, raised, switchedOff, switchedOn, testsLeftOut } from "./loose-setting.ts";
import { type SettingChange, settingChangesIn } from "./setting-changes.ts";

const JS_RUNNER =
  /(^|\/)((jest|vitest|vite|playwright|cypress|karma|ava|wdio|web-test-runner)(\.[\w-]+)*\.(config|conf|workspace)\.[^/]+|(vitest|jest)\.(config|workspace)[^/]*|\.mocharc[^/]*|package\.json)$/;
/** Options that are handed to a runner are judged as its command line would be. */
const asArguments: LooseSetting["judge"] = ({ before, after, isItem }) => {
  if (after === undefined) return undefined;
  const weakening = weakeningOf(`pytest ${isItem ? "" : (before ?? "")}`, `pytest ${after}`, "tests");
  if (!weakening) return undefined;
  const path = /--ignore(?:-glob)?[= ](\S+)/.exec(after)?.[1];
  const isMinor = /-p\s+no:(warnings|cacheprovider|randomly|doctest|logging)/.test(after) || (path !== undefined && isHarmless(path));
  return isMinor ? { ...weakening, severity: "low" } : weakening;
};

const LEFT_OUT: readonly LooseSetting[] = [
  { path: /(^|\.)(addopts|PYTEST_ADDOPTS)$/i, judge: asArguments },
  {
    path: /(^|\.)(testPathIgnorePatterns|testIgnore|excludeSpecPattern|collect_ignore(_glob)?|norecursedirs|exclude_?tests?|test-exclude|excludedGroups|excludeTags|excludeCategories|exclude-tags)$/,
    judge: leftOut("medium"),
  },
  {
    path: /(surefire|failsafe|test|Test|junit).*\.(excludes?|excludedGroups|excludeTestsMatching)(\.exclude)?$|(^|\.)(excludes\.exclude|testsuite\.exclude|testsuites\..*exclude|excludeTestsMatching)$/,
    files: /(pom\.xml|gradle(\.kts)?|phpunit\.xml(\.dist)?)$/,
    judge: leftOut("medium"),
  },
  { path: /optimizeDeps|build\.|rollup|plugins|ssr|server|babel|eslint|coverage/, files: JS_RUNNER, judge: () => undefined },
  { path: /(^|\.)(mocha|jest|vitest|test|ava|tap)?\.?(exclude|ignore|ignores|ignored)$/, files: JS_RUNNER, judge: testsLeftOut },
  {
    path: /(^|\.)(grep|fgrep|grepInvert|testNamePattern|default-filter|invert)$/,
    files: /(mocharc|playwright|jest|vitest|cypress|wdio|nextest|package\.json)/,
    judge: ({ after }) => (after !== undefined ? { severity: "medium", what: `runs only some (${after})` } : undefined),
  },
  {
    path: /(^|[.\s])(test|tasks\.test|withType.*)\.(onlyIf|setOnlyIf)$/,
    files: /gradle(\.kts)?$/,
    judge: ({ after }) => (after === "false" ? { severity: "high", what: "keeps the tests from running" } : undefined),
  },
  { path: /groups\.exclude\.group$/, files: /phpunit/, judge: leftOut("medium") },
  { path: /(^|\.)(Compile|None|Content)\.Remove$/, judge: testsLeftOut },
  { path: /(^|\.)autotests$/, judge: switchedOff("medium", "keeps cargo from finding tests") },
  { path: /^(test|lib)\.test$/, files: /Cargo\.toml$/, judge: switchedOff("medium", "keeps cargo from testing it") },
  { path: /^(test\.harness|lib\.doctest)$/, files: /Cargo\.toml$/, judge: switchedOff("medium", "takes the test harness away") },
];

const IGNORED: readonly LooseSetting[] = [
  {
    path: /(^|\.)(skipTests|maven\.test\.skip|skipITs|skipUnitTests|maven\.test\.skip\.exec|testFailureIgnore|maven\.test\.failure\.ignore)$/,
    judge: switchedOn("high", "makes failing tests pass unseen"),
  },
  { path: /(surefire|failsafe|jacoco|test).*\.skip$/, files: /pom\.xml$/, judge: switchedOn("high", "skips the tests") },
  {
    path: /(^|\.)(passWithNoTests|allowNoTests|dangerouslyIgnoreUnhandledErrors|ignoreFailures|ignore_outcome|ignore_errors|continueOnFailure|testFailuresIgnored|allowEmptyTests|ignoreExitCode|suppressErrors)$/,
    files: /(config|conf|workspace|rc|package\.json|gradle|kts|ini|toml|cfg|xml|ya?ml)/,
    judge: (change) => (/mypy|pyright/.test(change.path) ? undefined : switchedOn("medium", "lets a failure pass")(change)),
  },
  {
    path: /(^|\.)(failIfNoTests|failIfNoSpecifiedTests|forbidOnly|failOnWarning|failOnRisky|failOnEmptyTestSuite|failOnError|failsOnError|failOnViolation|failOnNoDiscoveredTests|haltOnFailure|xfail_strict|noEmitOnError|errorOnFailure)$/i,
    judge: switchedOff("medium", "no longer fails what it failed"),
  },
  {
    path: /(^|[.\s(])(test|Test|tasks\.test|check|named\("test"\)|withType.*)(\W.*)?\.(enabled|isEnabled)$|^(test|check)\.enabled$/,
    files: /gradle(\.kts)?$/,
    judge: switchedOff("high", "switches the tests off"),
  },
  { path: /(^|\.)(isIgnoreFailures)$/, judge: switchedOn("high", "lets failing tests pass") },
  { path: /(^|\.)IsTestProject$/, judge: switchedOff("high", "keeps the tests from running") },
  {
    path: /(^|\.)(retries|reruns|retry)$/,
    files: /(config|rc|package\.json|ini|toml|cfg)/,
    judge: (change) => (Number(change.after) > 3 ? raised(change) : undefined),
  },
  {
    path: /(^|\.)(updateSnapshots?|update_snapshots)$/,
    judge: ({ after }) =>
      /^(all|true|always)$/.test(after ?? "") ? { severity: "medium", what: "rewrites what it should compare with" } : undefined,
  },
];

/** Names under which runners are told where tests are. */
const WHERE =
  /(^|\.)(testMatch|testRegex|testpaths|testDir|specPattern|python_files|python_functions|python_classes|roots|testsuite\.directory|testSourceDirectory|spec_files|spec_dir|testFiles)$|(^|\.)(test|vitest|mocha|ava|wdio)\.(include|spec|specs|files)$|^specs?$/;

function narrowedPlaces(view: ChangeView): readonly Sighting[] {
  const changes = settingChangesIn(
    view,
    ({ role, before, after }) => role === "settings" && before !== undefined && after !== undefined,
  ).filter(({ path }) => WHERE.test(path));
  const paths = new Set(changes.map(({ file, path }) => `${file.path}\0${path}`));
  return [...paths].flatMap((key) => {
    const of = changes.filter(({ file, path }) => `${file.path}\0${path}` === key);
    const [gone, came] = [of.flatMap(({ before }) => before ?? []), of.flatMap(({ after }) => after ?? [])];
    const isNarrow = came.some((place) => isSingle(place)) && gone.some((place) => !isSingle(place));
    const isFewer = gone.length > 0 && came.length === 0 && of.every(({ isItem }) => isItem);
    // A pattern of names that no longer speaks of tests finds other files.
    const speaks = (place: string): boolean => /test|spec/i.test(place);
    const isElsewhere = /python_|testMatch|testRegex|spec/.test(of[0]!.path) && gone.some(speaks) && came.length > 0 && !came.some(speaks);
    const isNowhere = came.some((place) => /^(|none|nothing|\$\^|\^\$|\(\?!\)|\/dev\/null)$/i.test(place));
    if (!isNarrow && !isFewer && !isNowhere && !isElsewhere) return [];
    const { file, path, line } = of[0]!;
    return [
      {
        file: file.path,
        line,
        confidence: "medium" as const,
        what: `${path} names fewer tests`,
        before: gone.join(" "),
        after: came.join(" "),
      },
    ];
  });
}

const isSingle = (place: string): boolean => /[\w-]\.\w+$/.test(place) && !/[*{?[(|\\$]/.test(place);

/** A new block of Cargo settings names its own test: that one is not weakened. */
const isNewTarget = (changes: readonly SettingChange[], line: number | undefined): boolean =>
  changes.some(
    ({ path, before, line: at }) => /^(test|lib)\.(name|path)$/.test(path) && before === undefined && Math.abs(at - (line ?? 0)) <= 6,
  );

function leftOutTests(view: ChangeView): readonly Sighting[] {
  const cargo = settingChangesIn(view, ({ path }) => path.endsWith("Cargo.toml"));
  return [...looseSightings(view, LEFT_OUT), ...narrowedPlaces(view), ...looseLines(view)].map((sighting) =>
    sighting.file.endsWith("Cargo.toml") &&
    isNewTarget(
      cargo.filter(({ file }) => file.path === sighting.file),
      sighting.line,
    )
      ? { ...sighting, severity: "low" as const }
      : sighting,
  );
}

const pom = (configuration: string): string => `<project>\n  <properties>\n    <a>1</a>\n${configuration}  </properties>\n</project>\n`;

export const runnerRules: readonly DiffRule[] = [
  {
    id: "tests-left-out",
    severity: "medium",
    why: "The settings now keep tests from being found or run. Let the runner find them and make them pass.",
    find: leftOutTests,
    examples: {
      flags: [
        { "CMakeLists.txt": ["enable_testing()\nadd_test(NAME a COMMAND a)\n", "add_test(NAME a COMMAND a)\n"] },
        { "BUILD.bazel": ['cc_test(\n    name = "a",\n)\n', 'cc_test(\n    name = "a",\n    tags = ["manual"],\n)\n'] },
        { ".rspec": ["--color\n", "--color\n--tag ~slow\n"] },
        { "noxfile.py": ["session.run('pytest')\n", "session.run('pytest', success_codes=[0, 1])\n"] },
        { ".mocharc.json": ['{\n  "spec": "test/**/*.js"\n}\n', '{\n  "spec": "test/sum.js"\n}\n'] },
        { "pytest.ini": ["[pytest]\nnorecursedirs = build\n", "[pytest]\nnorecursedirs = build tests/parser\n"] },
        { "pytest.ini": ["[pytest]\naddopts = -ra\n", "[pytest]\naddopts = -ra --ignore=tests/test_a.py\n"] },
        { "setup.cfg": ["[tool:pytest]\ntestpaths = tests\n", '[tool:pytest]\ntestpaths = tests\naddopts = -k "not slow_sum"\n'] },
        {
          "pyproject.toml": [
            "[tool.pytest.ini_options]\naddopts = [\n  '-ra',\n]\n",
            "[tool.pytest.ini_options]\naddopts = [\n  '-ra',\n  '--deselect=tests/test_a.py::test_b',\n]\n",
          ],
        },
        {
          "pyproject.toml": [
            "[tool.pytest.ini_options]\ntestpaths = ['tests', 'integration']\n",
            "[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
          ],
        },
        {
          "jest.config.js": [
            "module.exports = {\n  verbose: true,\n};\n",
            "module.exports = {\n  verbose: true,\n  testPathIgnorePatterns: ['src/sum.test.js'],\n};\n",
          ],
        },
        {
          "vitest.config.ts": [
            "export default defineConfig({\n  test: {\n    exclude: ['**/node_modules/**'],\n  },\n})\n",
            "export default defineConfig({\n  test: {\n    exclude: ['**/node_modules/**', 'src/parse.spec.ts'],\n  },\n})\n",
          ],
        },
        {
          "package.json": [
            '{\n  "jest": {\n    "testMatch": ["**/*.test.js"]\n  }\n}\n',
            '{\n  "jest": {\n    "testMatch": ["src/ok.test.js"]\n  }\n}\n',
          ],
        },
        {
          "Cargo.toml": [
            '[[test]]\nname = "a"\npath = "t.rs"\nedition = "2021"\nfoo = 1\nbar = 2\nbaz = 3\n',
            '[[test]]\nname = "a"\npath = "t.rs"\nedition = "2021"\nfoo = 1\nbar = 2\nbaz = 3\ntest = false\n',
          ],
        },
        {
          "pom.xml": [
            "<plugin>\n  <artifactId>maven-surefire-plugin</artifactId>\n  <configuration>\n  </configuration>\n</plugin>\n",
            "<plugin>\n  <artifactId>maven-surefire-plugin</artifactId>\n  <configuration>\n    <excludes>\n      <exclude>**/ParserTest.java</exclude>\n    </excludes>\n  </configuration>\n</plugin>\n",
          ],
        },
      ],
      passes: [
        { "CMakeLists.txt": ["enable_testing()\n", "enable_testing()\nadd_subdirectory(test)\n"] },
        {
          "vite.config.ts": [
            "export default {\n  a: 1,\n};\n",
            "export default {\n  a: 1,\n  optimizeDeps: { exclude: ['a-test'] },\n};\n",
          ],
        },
        { "pytest.ini": ["[pytest]\naddopts = -ra\n", "[pytest]\naddopts = -ra --strict-markers\n"] },
        { "pytest.ini": ["[pytest]\naddopts = -ra\n", "[pytest]\naddopts = -ra --ignore=docs\n"] },
        {
          "jest.config.js": [
            "module.exports = {\n};\n",
            "module.exports = {\n  testPathIgnorePatterns: ['/node_modules/', '/dist/'],\n};\n",
          ],
        },
        {
          "pyproject.toml": [
            "[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
            "[tool.pytest.ini_options]\ntestpaths = ['tests', 'integration']\n",
          ],
        },
        { "Cargo.toml": ["[package]\nname = 'a'\n", "[package]\nname = 'a'\n\n[[test]]\nname = 'ui'\nharness = false\n"] },
        {
          "setup.cfg": ["[a]\nb = 1\n[tool:pytest]\naddopts = --ignore=tests/test_a.py\n", "[a]\nb = 1\n"],
          "pytest.ini": [undefined, "[pytest]\naddopts = --ignore=tests/test_a.py\n"],
        },
      ],
    },
  },
  {
    id: "failures-ignored",
    severity: "medium",
    why: "The settings now let tests fail, or be missing, without failing the run. Take that out and make the tests pass.",
    find: (view) => looseSightings(view, IGNORED),
    examples: {
      flags: [
        { "pom.xml": [pom(""), pom("    <skipTests>true</skipTests>\n")] },
        { "pom.xml": [pom(""), pom("    <maven.test.failure.ignore>true</maven.test.failure.ignore>\n")] },
        { "build.gradle": ["test {\n    useJUnitPlatform()\n}\n", "test {\n    useJUnitPlatform()\n    ignoreFailures = true\n}\n"] },
        {
          "build.gradle.kts": [
            "tasks.test {\n    useJUnitPlatform()\n}\n",
            "tasks.test {\n    useJUnitPlatform()\n    enabled = false\n}\n",
          ],
        },
        {
          "vitest.config.ts": [
            "export default { test: {\n  globals: true,\n} }\n",
            "export default { test: {\n  globals: true,\n  passWithNoTests: true,\n} }\n",
          ],
        },
        { "tox.ini": ["[testenv]\ndeps = pytest\n", "[testenv]\ndeps = pytest\nignore_outcome = true\n"] },
        { "setup.cfg": ["[tool:pytest]\nxfail_strict = true\n", "[tool:pytest]\nxfail_strict = false\n"] },
      ],
      passes: [
        { "pom.xml": [pom("    <skipTests>true</skipTests>\n"), pom("")] },
        { "pom.xml": [pom(""), pom("    <java.version>21</java.version>\n")] },
        { "vitest.config.ts": [undefined, "export default { test: {\n  passWithNoTests: true,\n} }\n"] },
        { "build.gradle": ["test {\n}\n", "test {\n    useJUnitPlatform()\n}\n"] },
      ],
    },
  },
];
