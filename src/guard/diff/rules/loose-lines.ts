// Lines of build files and option files that keep tests from being run, where there is no name and value to compare.
import type { Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import { LONGEST_LINE } from "./side-lines.ts";

interface LooseLine {
  readonly files: RegExp;
  /** A line that loosens when it comes. */
  readonly comes?: RegExp;
  /** A line that loosens when it goes and nothing like it comes. */
  readonly goes?: RegExp;
  readonly what: string;
}

const TABLE: readonly LooseLine[] = [
  {
    files: /(^|\/)CMakeLists\.txt$|\.cmake$/,
    goes: /^\s*enable_testing\s*\(|^\s*include\s*\(\s*CTest\s*\)/i,
    what: "cmake no longer knows of tests",
  },
  {
    files: /(^|\/)CMakeLists\.txt$|\.cmake$/,
    comes: /\b(DISABLED|WILL_FAIL)\s+(TRUE|ON|1|YES)\b|\bBUILD_TESTING\s+(OFF|FALSE|0)\b/i,
    what: "tests are disabled or may fail",
  },
  { files: /(^|\/)meson\.build$/, comes: /\bshould_fail\s*:\s*true/, what: "tests must fail now" },
  {
    files: /(^|\/)BUILD(\.bazel)?$/,
    comes: /\btags\s*=\s*\[[^\]]*["'](manual|skip|disabled|notest)["']|\bflaky\s*=\s*True/,
    what: "a target is left out of the tests",
  },
  {
    files: /(^|\/)\.bazelrc$/,
    comes:
      /^\s*(test|build)\S*\s.*(--test_tag_filters=\S*-\w|--build_tests_only|--test_filter=|--runs_per_test=0|--flaky_test_attempts|--notest_keep_going)/,
    what: "tests are left out",
  },
  {
    files: /(^|\/)(\.rspec(-local)?|mocha\.opts|\.prove(rc)?)$/,
    comes:
      /^\s*(--tag\s+~|--exclude-pattern|--pattern\s+\S*[\w-]+_spec\.rb|--example\s|--grep\s|--invert|--fgrep\s|--dry-run|--no-fail|--failure-exit-code\s+0)/,
    what: "tests are left out",
  },
  { files: /(^|\/)noxfile\.py$/, comes: /success_codes\s*=\s*[[(][^\])]*[1-9]/, what: "a failing run counts as success" },
  { files: /(^|\/)build\.sbt$/, comes: /^\s*Test\s*\/\s*(test|skip)\s*:=\s*(\{\s*\}|true|\(\))/, what: "tests are skipped" },
  { files: /(^|\/)mix\.exs$/, comes: /\btest_ignore_filters\b|\btest_paths:\s*\[\s*\]/, what: "tests are left out" },
  { files: /(^|\/)Package\.swift$/, goes: /^\s*\.testTarget\s*\(/, what: "a target of tests is gone" },
];

export const looseLines = (view: ChangeView): readonly Sighting[] =>
  view.files.flatMap((file) =>
    file.before && file.after ? TABLE.filter(({ files }) => files.test(file.path)).flatMap((row) => sightingsOf(file, row)) : [],
  );

function sightingsOf(file: FileView, { comes, goes, what }: LooseLine): readonly Sighting[] {
  const finds = (pattern: RegExp, text: string): boolean => pattern.test(text.slice(0, LONGEST_LINE));
  const lost = goes && !file.added.some(({ text }) => finds(goes, text)) ? file.removed.find(({ text }) => finds(goes, text)) : undefined;
  if (lost) return [{ file: file.path, line: lost.after, severity: "medium", confidence: "medium", what, before: lost.text }];
  const came = comes && file.added.find(({ text }) => finds(comes, text) && !file.removed.some((old) => finds(comes, old.text)));
  return came ? [{ file: file.path, line: came.after, severity: "medium", confidence: "medium", what, after: came.text }] : [];
}
