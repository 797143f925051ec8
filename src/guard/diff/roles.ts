// What a file is for, by its name: rules ask for the role, not for the name.
import { endingOf } from "./languages.ts";
import { isTestFile } from "./test-files.ts";

export type Role =
  /** Holds tests that a runner collects, or code that only tests use. */
  | "test"
  /** Set-up that a runner loads by itself: conftest, jest.setup, test helpers' entry. */
  | "harness"
  | "snapshot"
  | "fixture"
  /** What tells runners, linters, compilers and package managers how to work. */
  | "settings"
  | "ci"
  | "lock"
  | "docs"
  | "source"
  | "other";

const HARNESS =
  /(^|\/)(conftest\.py|sitecustomize\.py|usercustomize\.py|(jest|vitest|test|tests?[-_.]?)[-_.]?(setup|global|env|environment)[^/]*\.[cm]?[jt]sx?|setup[-_.]?(tests?|jest|vitest|files)[^/]*\.[cm]?[jt]sx?|(spec|test|rails)_helper\.rb|noxfile\.py|karma\.conf\.[cm]?[jt]s)$/i;
const SNAPSHOT =
  /(^|\/)(__snapshots__|__image_snapshots__|snapshots|goldens?|golden[-_]?files?|cassettes|approvals)\/|\.(snap|golden|ambr|approved\.[^/]+|snapshot|stdout|stderr)$|[._-]golden\.[^/]+$/i;
const CI =
  /^\.(github|gitea|forgejo)\/(workflows|actions)\/|^\.gitlab-ci|^\.circleci\/|^\.travis\.yml$|^azure-pipelines|^\.azure-pipelines\/|^\.buildkite\/|(^|\/)Jenkinsfile[^/]*$|^appveyor\.ya?ml$|^\.appveyor|^\.drone\.yml$|^\.woodpecker|^bitbucket-pipelines|^\.semaphore\/|^\.cirrus\.yml$|^\.ci\/|^ci\/|^\.?tekton\/|^cloudbuild\.ya?ml$|^buildspec\.ya?ml$|^\.builds?\/|^\.build\.ya?ml$|^\.teamcity\/|^bamboo-specs\/|^wercker\.ya?ml$|^\.scrutinizer\.ya?ml$|^codemagic\.ya?ml$|^bitrise\.ya?ml$|^\.kokoro\/|^\.evergreen|^\.harness\/|^\.semgrep\.ya?ml$|^codecov\.ya?ml$|^\.codecov\.ya?ml$|^\.github\/codecov/i;
const LOCK =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Cargo\.lock|go(\.work)?\.sum|Gemfile\.lock|composer\.lock|packages\.lock\.json|gradle\.lockfile|flake\.lock|deno\.lock|mix\.lock|pubspec\.lock|Package\.resolved|Podfile\.lock|Cartfile\.resolved|pixi\.lock|conda-lock\.ya?ml|rebar\.lock)$/i;
const SETTINGS =
  /(^|\/)(package\.json|tsconfig[^/]*\.json|jsconfig\.json|(jest|vitest|vite|playwright|cypress|karma|babel|webpack|rollup|ava|wdio|stryker|nyc|eslint|prettier|biome|commitlint|knip)\.config\.[^/]+|\.?(mocharc|nycrc|c8rc|eslintrc|stylelintrc|prettierrc|babelrc|swcrc|taprc)(\.[^/]+)?|vitest\.(workspace|projects)\.[^/]+|jest\.preset\.[^/]+|\.pnp\.[^/]+|\.yarn\/(releases|plugins|patches)\/[^/]+|biome\.jsonc?|\.?oxlintrc(\.[^/]+)?|tslint\.json|jasmine\.json|cypress\.json|project\.json|angular\.json|lerna\.json|rush\.json|pnpm-workspace\.ya?ml|\.yarnrc(\.yml)?|bunfig\.toml|(protractor|stryker|wdio|testcafe|nightwatch)\.conf\.[^/]+|\.lintstagedrc[^/]*|lint-staged\.config\.[^/]+|\.stylelintignore|\.eslintignore|\.prettierignore|deno\.jsonc?|nx\.json|turbo\.json|pyproject\.toml|setup\.(cfg|py)|tox\.(ini|toml)|\.?pytest\.(ini|toml)|manage\.py|\.coveragerc|mypy\.ini|\.?ruff\.toml|\.flake8|\.pylintrc|pylintrc|pyrightconfig\.json|\.pyre_configuration|hatch\.toml|uv\.toml|pip\.(conf|ini)|\.pypirc|noxfile\.py|(requirements|constraints)[^/]*\.txt|Pipfile|MANIFEST\.in|Cargo\.toml|\.cargo\/config(\.toml)?|rustfmt\.toml|clippy\.toml|nextest\.toml|go\.(mod|work)|rust-toolchain(\.toml)?|\.golangci\.ya?ml|[Mm]akefile|GNUmakefile|[^/]*\.mk|\.?[Jj]ustfile|Taskfile\.ya?ml|Rakefile|\.rspec|\.rubocop(_todo)?\.ya?ml|\.simplecov|Gemfile|[^/]*\.gemspec|pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|gradle\.properties|build\.sbt|checkstyle[^/]*\.xml|spotbugs[^/]*\.xml|pmd[^/]*\.xml|detekt[^/]*\.ya?ml|\.mvn\/.+|mvnw(\.cmd)?|gradlew(\.bat)?|gradle\/wrapper\/gradle-wrapper\.[^/]+|[^/]*\.(cs|fs|vb)proj|Directory\.Build\.(props|targets)|[^/]*\.runsettings|phpunit\.xml(\.dist)?|phpstan\.neon(\.dist)?|psalm\.xml(\.dist)?|\.?phpcs\.xml(\.dist)?|composer\.json|CMakeLists\.txt|meson\.build|BUILD(\.bazel)?|\.bazelrc|[^/]*\.bzl|mix\.exs|\.credo\.exs|rebar\.config|Package\.swift|[^/]*\.xctestplan|\.swiftlint\.ya?ml|analysis_options\.yaml|dart_test\.yaml|[^/]*\.cabal|stack\.ya?ml|\.pre-commit-config\.ya?ml|\.npmrc|\.githooks\/[^/]+|\.?lefthook(-local)?\.ya?ml|\.gitattributes|\.gitignore|\.gitmodules|\.husky\/[^/]+|\.editorconfig|sonar-project\.properties)$/;
const FIXTURE = /(^|\/)(fixtures?|__fixtures__|testdata|test[-_]data|test[-_]fixtures?|__mocks__|seeds?|mocks|stubs)\//i;
const DOCS =
  /\.(md|mdx|rst|adoc|txt)$|(^|\/)(docs?|documentation)\/|(^|\/)(CHANGES|CHANGELOG|LICENSE|NOTICE|AUTHORS|README|HISTORY)[^/]*$/i;
const CODE =
  /^([cm]?[jt]sx?|pyi?|pyx|go|rs|rb|rake|java|kts?|scala|groovy|cs|fs|vb|php|swift|dart|exs?|erl|c|h|cc|cpp|cxx|hh|hpp|m|mm|hs|ml|lua|pl|pm|r|jl|sh|bash|zsh|ps1|sql|vue|svelte|zig|nim|clj|cljs)$/;

export function roleOf(path: string): Role {
  if (CI.test(path)) return "ci";
  if (LOCK.test(path)) return "lock";
  if (SNAPSHOT.test(path)) return "snapshot";
  if (HARNESS.test(path)) return "harness";
  if (SETTINGS.test(path)) return "settings";
  if (isTestFile(path)) return "test";
  if (FIXTURE.test(path)) return "fixture";
  if (CODE.test(endingOf(path))) return "source";
  return DOCS.test(path) ? "docs" : "other";
}
