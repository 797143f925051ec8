// What a shell command line is for: whether it runs tests, other checks, or nothing.

/** `setup`: known to prepare or to tidy up; `other`: a program that could do anything. */
export type Purpose = "tests" | "checks" | "nothing" | "setup" | "other";

/** What a command line is for: the gravest thing that any part of it does. */
export function purposeOf(command: string): Purpose {
  const parts = partsOf(command);
  const purposes = parts.map(purposeOfPart);
  if (purposes.includes("tests")) return "tests";
  if (purposes.includes("checks")) return "checks";
  if (purposes.includes("other")) return "other";
  return purposes.every((purpose) => purpose === "nothing") ? "nothing" : "setup";
}

/** The commands of a line, split where a shell would, with comments left out. */
export function partsOf(command: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  for (const [index, sign] of [...withoutEscapedQuotes(command)].entries()) {
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'" || sign === "`") quote = sign;
    else if (sign === "#" && (index === 0 || /\s$/.test(part) || part === "")) break;
    else if (sign === ";" || sign === "&" || sign === "|" || sign === "\n") {
      parts.push(part);
      part = "";
      continue;
    }
    part += sign;
  }
  return [...parts, part].map((text) => text.trim()).filter((text) => text !== "");
}

const withoutEscapedQuotes = (command: string): string => command.replaceAll('\\"', '"').slice(0, 2_000);

/** The line without what follows an unquoted #. */
export function withoutComment(command: string): string {
  const mark = /(^|\s)#/g;
  for (let found = mark.exec(command); found; found = mark.exec(command)) {
    const head = command.slice(0, found.index);
    if (count(head, '"') % 2 === 0 && count(head, "'") % 2 === 0) return head.trimEnd();
  }
  return command.trimEnd();
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;

const RUNNER =
  /(^|[\s/"'`(=])(pytest|py\.test|tox|nox|nosetests\d?|unittest|trial|behave|jest|vitest|mocha|ava|tape?|karma|jasmine|cypress|playwright|testcafe|nightwatch|wdio|uvu|qunit|gotestsum|ginkgo|nextest|tarpaulin|llvm-cov|rspec|minitest|cucumber|phpunit|pest|paratest|codecept|behat|ctest|prove|bats|busted|eunit|scalatest|vstest(\.console)?(\.exe)?|run-?tests?|c8|nyc|testthat|test_package|pkg\.test)(?=$|[\s"'`):;.@(])/i;
const TEST_WORD = /(^|[\s:./_+"'(-])(tests?|specs?|e2e|unit|integration|acceptance|smoke|regression)(?=$|[\s:./_,"')*$-])/i;
const BUILD_THAT_TESTS = [
  /(^|[\s/])mvn(w|w\.cmd|d)?\s(.*\s)?(test|verify|package|install|integration-test|deploy)\b/,
  /(^|[\s/])mvn(w|d)?(\s+-\S+)*$/,
  /(^|[\s/])gradlew?(\.bat)?\s(.*\s)?:?\S*(test|check|build)\b/i,
  /\bR CMD check\b|\bxcodebuild\b.*\btest\b|\b(lein|sbt|ant|stack|cabal|mix|swift|flutter|dart|zig build|bazel|buck2?|dotnet|nimble|rake|rails) (.*\s)?(test|check|spec)\b/,
];
const CHECKER =
  /(^|[\s:./"'`(_-])(lint|linter|check|checks|eslint|tsc|mypy|pyright|pyre|ruff|flake8|pylint|black|isort|clippy|vet|staticcheck|golangci-lint|rubocop|phpstan|psalm|phpcs|stylelint|biome|prettier|typecheck|type-check|types|shellcheck|hadolint|ktlint|detekt|checkstyle|spotbugs|pmd|verify|validate|audit|coverage|cov|pre-commit|knip|codespell|fmt|format)(?=$|[\s:./_,"')-])/i;
/** Programs whose arguments may speak of tests without running any. */
const INERT =
  /^(echo|printf|cd|pushd|popd|export|unset|set|mkdir|cp|mv|rm|cat|ls|ln|find|sed|awk|git|curl|wget|apt|apt-get|apk|yum|dnf|brew|choco|winget|pacman|source|which|type|chmod|chown|touch|tar|zip|unzip|gem|rustup|nvm|asdf|sleep|kill|codecov|coveralls|gh|aws|gcloud|az|kubectl|helm|terraform|ssh|scp|rsync|psql|mysql|createdb|dropdb|write-host|write-output|copy|xcopy|del|head|tail|grep|diff|install|wait|read|test(?=\s+[-"$!'])|\[|\[\[|if|then|else|fi|for|do|done|while|case|esac|function|return)(\s|$)/i;
const INSTALLS =
  /^(npm (ci|i|install|cache|publish|version|config|set|audit|link)|(yarn|pnpm|bun) (install|i|add|config|publish|link|cache|set|remove)|yarn$|pnpm i$|(pip3?|pipx|python3? -m pip|uv pip|uv (sync|venv|lock|add|tool install)|conda|mamba|poetry (install|add|lock|config)|pdm (install|sync)|pipenv (install|sync)|bundle (install|config|update)|composer (install|require|update|validate)|dotnet (restore|build|publish|pack|tool|nuget)|go (install|get|mod|build|generate|env)|cargo (install|build|publish|fetch|doc|generate-lockfile|update|add|run)|docker(-compose| compose)? (build|pull|push|login|up|down|create)|pre-commit install|rustup|corepack|playwright install|npx playwright install|cmake (-b|-s|\.)))\b/i;
const DOES_NOTHING =
  /^(echo|printf|true|:|\/(usr\/)?bin\/true|exit(\s+\/b)?(\s+0)?|return(\s+0)?|cd|pwd|date|whoami|hostname|sleep|ls|set|export|rem|ver|noop|wait|write-host|write-output|write-information|\$\(info|test 1|\[ 1 |\[\[ 1 |cmd \/c exit( 0)?|(node|deno|bun|bunx?) (-e|--eval|-p|eval)\s*["'`]?\s*(0|1|true|''|""|``|;|\/\/|process\.exit(code)?\s*(=\s*0|\(0?\))|console\.(log|info)\()|(python|python3|py) -c\s*["']?\s*(pass|exit\(0?\)|quit\(0?\)|print\(|import sys\s*;\s*sys\.exit\(0?\)|raise SystemExit(\(0?\))?|1|0|["'])|ruby -e\s*["']?\s*(exit( 0)?|0|nil|puts)|perl -e\s*["']?\s*(exit( 0)?|0|1|print)|php -r\s*["']?\s*(exit(\(0\))?|echo)|bash -c\s*["']?\s*(true|:|exit 0|echo)|sh -c\s*["']?\s*(true|:|exit 0|echo)|npm (-v|--version|help)|node (-v|--version)|python3? --version|go version)(?=$|[\s"'`);(])/i;

export function purposeOfPart(part: string): Purpose {
  const command = part
    .replace(/^[@+\s({]+/, "")
    .replace(/^((sudo|time|exec|command|env|xvfb-run|nice|then|do|else|if|!|\w+=[^\s"']*|\w+="[^"]*"|\w+='[^']*')\s+)+/, "");
  // A failing exit is no way to pass.
  if (DOES_NOTHING.test(command) && !/exit\(?\s*[1-9]|exitcode\s*=\s*[1-9]/i.test(command)) return "nothing";
  if (INERT.test(command) || INSTALLS.test(command)) return "setup";
  if (RUNNER.test(command) || TEST_WORD.test(command) || BUILD_THAT_TESTS.some((build) => build.test(command))) return "tests";
  return CHECKER.test(command) ? "checks" : "other";
}

/** Whether a well-known runner is called by its name. */
export const callsRunner = (command: string): boolean => RUNNER.test(command) || BUILD_THAT_TESTS.some((build) => build.test(command));

/** Whether its words speak of tests at all. */
export const speaksOfTests = (command: string): boolean => callsRunner(command) || TEST_WORD.test(command);
