// Comments and marks that make compilers, linters and coverage tools look away from code.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import { LONGEST_LINE } from "./side-lines.ts";

interface Mark {
  readonly name: string;
  readonly pattern: RegExp;
  /** `file`: everything in the file, or every kind of complaint; `place`: one line, one block, or named complaints. */
  readonly reach: "file" | "place";
}

/** What a comment begins with, so that the same words in a string or a sentence are not taken for the mark itself. */
const comment = (mark: string): RegExp => new RegExp(`(?:(?<!/)//+|/\\*|#|^\\s*\\*|<!--|--)[\\s*!]*(?:${mark})`, "i");

const MARKS: readonly Mark[] = [
  { name: "@ts-nocheck", reach: "file", pattern: comment("@ts-nocheck\\b") },
  { name: "eslint-disable", reach: "file", pattern: comment("(?:eslint|tslint|stylelint|oxlint)[-:]disable\\s*(?:\\*/|-->|--.*)?\\s*$") },
  {
    name: "biome-ignore-all",
    reach: "file",
    pattern: comment(
      "(?:biome-ignore-all\\s+(?:lint|check)\\s*:|deno-lint-ignore-file\\s*(?:\\*/)?$|jshint\\s+ignore:\\s*start|jslint\\s+ignore)",
    ),
  },
  { name: "noqa for the file", reach: "file", pattern: comment("(?:flake8|ruff)\\s*:\\s*noqa\\s*(?:$|#)") },
  {
    name: "type checks off",
    reach: "file",
    pattern:
      /^\s*#\s*(?:type:\s*ignore\s*$|mypy:\s*ignore-errors\s*(?:=\s*true\s*)?$|pyre-ignore-all-errors\s*$|pytype:\s*skip-file|pyright:\s*(?:basic|ignore\s*$|.*=\s*false.*=\s*false))/i,
  },
  { name: "pylint off", reach: "file", pattern: comment("pylint\\s*:\\s*(?:skip-file|disable\\s*=\\s*all\\b)") },
  { name: "nolint", reach: "file", pattern: /(?:\/\/|\/\*)\s*nolint(?::all)?\s*(?:\*\/|\/\/.*)?$/ },
  {
    name: "#![allow]",
    reach: "file",
    pattern:
      /^\s*#!\[\s*(?:allow|expect)\s*\(\s*(?:warnings|unused|clippy::(?:all|pedantic|correctness|suspicious)|dead_code|unused_must_use|unconditional_panic|.*\bwarnings\b)/,
  },
  { name: "@SuppressWarnings", reach: "file", pattern: /@(?:file:)?Suppress(?:Warnings)?\s*\(\s*\{?\s*"(?:all|ALL)"/ },
  {
    name: "rubocop:disable",
    reach: "file",
    pattern: comment("(?:rubocop\\s*:\\s*disable|swiftlint\\s*:\\s*disable|ktlint-disable)\\s+all\\b"),
  },
  {
    name: "coverage off for the file",
    reach: "file",
    pattern: comment(
      "(?:istanbul|c8|v8|node:coverage)\\s+(?:ignore\\s+file|disable\\s*(?:\\*/)?\\s*$)|simplecov:disable|:nocov-file:|@codeCoverageIgnoreFile|coverage:ignore-file",
    ),
  },
  {
    name: "phpcs:ignoreFile",
    reach: "file",
    pattern: comment("(?:phpcs\\s*:\\s*(?:ignoreFile|disable\\s*$)|@psalm-suppress\\s+all|@phpstan-ignore-file)"),
  },
  {
    name: "#pragma warning disable",
    reach: "file",
    pattern: /^\s*#\s*pragma\s+warning\s*(?:disable\s*(?:\/\/.*)?$|\(\s*disable\s*:\s*\)|\(\s*push\s*,\s*0\s*\))/,
  },
  {
    name: "#pragma GCC diagnostic",
    reach: "file",
    pattern: /^\s*#\s*pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored\s+"-W(?:all|extra|everything|error)"/,
  },
  { name: "@ts-ignore", reach: "place", pattern: comment("@ts-(?:ignore|expect-error)\\b") },
  { name: "eslint-disable", reach: "place", pattern: comment("(?:eslint|tslint|stylelint|oxlint)[-:]disable") },
  { name: "biome-ignore", reach: "place", pattern: comment("(?:biome-ignore|deno-lint-ignore|jshint\\s+ignore)") },
  { name: "noqa", reach: "place", pattern: /#\s*(?:noqa|(?:flake8|ruff):\s*noqa)\b/i },
  { name: "type: ignore", reach: "place", pattern: /#\s*(?:type|pyright|pyre|mypy|ty)\s*:\s*ignore|#\s*pyre-(?:ignore|fixme)/ },
  { name: "pylint: disable", reach: "place", pattern: /#\s*pylint\s*:\s*disable/ },
  { name: "nosec", reach: "place", pattern: /#\s*(?:nosec|nosemgrep)\b|(?:\/\/|#|\/\*)\s*(?:NOSONAR|NOLINT\w*|noinspection|nosemgrep)\b/ },
  { name: "nolint", reach: "place", pattern: /\/\/\s*(?:nolint|lint:ignore|#nosec)/ },
  { name: "#[allow]", reach: "place", pattern: /^\s*#!?\[\s*(?:cfg_attr\s*\([^)]*,\s*)?(?:allow|expect)\s*\(/ },
  {
    name: "@SuppressWarnings",
    reach: "place",
    pattern: /@(?:file:)?Suppress(?:Warnings|FBWarnings|Lint)?\s*\(|^\s*\[(?:assembly:\s*)?SuppressMessage\s*\(/,
  },
  {
    name: "rubocop:disable",
    reach: "place",
    pattern: comment("(?:rubocop|swiftlint|shellcheck|hadolint|phpcs|credo)\\s*:?\\s*(?:disable|ignore)"),
  },
  {
    name: "coverage off",
    reach: "place",
    pattern: comment(
      "(?:pragma:?\\s*no\\s*(?:cover|branch)|(?:istanbul|c8|v8)\\s+ignore|:nocov:|@codeCoverageIgnore|LCOV_EXCL|GCOVR?_EXCL|coverage:ignore|grcov-excl)",
    ),
  },
  { name: "phpstan-ignore", reach: "place", pattern: comment("(?:@?phpstan-ignore|@psalm-suppress|@phan-suppress|@noinspection)") },
  {
    name: "#pragma warning disable",
    reach: "place",
    pattern: /^\s*#\s*pragma\s+(?:warning\s*(?:disable\b|\(\s*disable)|(?:GCC|clang)\s+diagnostic\s+ignored)/,
  },
];

/** Every mark holds one of these words: most lines are done with after looking for them. */
const SOME_MARK =
  /nocheck|disable|ignore|noqa|nolint|allow|suppress|pragma|expect|nocov|nosonar|nosec|nosemgrep|inspection|skip-file|excl|fixme|pyright|mypy/i;

const CODE_ROLES = new Set(["source", "test", "harness", "settings"]);
/** So many new marks in product code are a way of working, not an exception. */
const MANY = 6;

interface Seen {
  readonly mark: Mark;
  readonly line: number;
  readonly text: string;
}

function suppressions(view: ChangeView): readonly Sighting[] {
  const files = view.files.filter(({ role, path }) => CODE_ROLES.has(role) && !GENERATED.test(path));
  const removed = counted(files.flatMap(({ removed: lines }) => lines.flatMap(({ text, before }) => markIn(text, before))));
  return files.flatMap((file) => {
    // What another line lost was moved or edited, not added.
    const fresh = file.added
      .flatMap(({ text, after }) => markIn(text, after))
      .filter(({ mark }) => {
        const left = removed.get(mark) ?? 0;
        removed.set(mark, left - 1);
        return left <= 0;
      });
    const isGenerated = file.added.slice(0, 15).some(({ text }) => /generated|do not edit|auto-?generated|vendored/i.test(text));
    return isGenerated ? [] : sightingsIn(file, fresh);
  });
}

const GENERATED = /(^|\/)(vendor|third[-_]?party|generated|__generated__|gen)\/|\.(generated|gen|pb|min)\.|_pb2/i;

/** The gravest mark of a line. */
function markIn(text: string, line: number): readonly Seen[] {
  const start = text.slice(0, LONGEST_LINE);
  const mark = SOME_MARK.test(start) ? MARKS.find(({ pattern }) => pattern.test(start)) : undefined;
  return mark ? [{ mark, line, text }] : [];
}

function counted(seen: readonly Seen[]): Map<Mark, number> {
  const counts = new Map<Mark, number>();
  for (const { mark } of seen) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

function sightingsIn(file: FileView, fresh: readonly Seen[]): readonly Sighting[] {
  const places = fresh.filter(({ mark }) => mark.reach === "place");
  const isMany = places.length >= MANY && file.role === "source" && file.before !== undefined && places.length > file.added.length / 40;
  return fresh.map((seen) => {
    const isGrave = seen.mark.reach === "file" || (isMany && seen === places[0]);
    return {
      file: file.path,
      line: seen.line,
      severity: isGrave ? ("medium" as const) : ("low" as const),
      confidence: "high" as const,
      what: isMany && seen === places[0] ? `${places.length} suppressions were added` : `"${seen.mark.name}" was added`,
      after: seen.text,
    };
  });
}

export const suppressionRules: readonly DiffRule[] = [
  {
    id: "suppression-added",
    severity: "low",
    why: "A complaint of the compiler, the linter or the coverage tool was silenced instead of answered. Fix what it complains about, or silence one rule on one line and say why.",
    find: suppressions,
    examples: {
      flags: [
        { "src/a.ts": ["const a = 1;\n", "// @ts-nocheck\nconst a = 1;\n"] },
        { "src/a.js": ["const a = 1;\n", "/* eslint-disable */\nconst a = 1;\n"] },
        { "app/a.py": ["a = 1\n", "# flake8: noqa\na = 1\n"] },
        { "app/a.py": ["a = 1\n", "# mypy: ignore-errors\na = 1\n"] },
        { "app/a.py": ["a = 1\n", "# pylint: disable=all\na = 1\n"] },
        { "src/lib.rs": ["fn a() {}\n", "#![allow(warnings)]\nfn a() {}\n"] },
        { "src/A.java": ["class A {}\n", '@SuppressWarnings("all")\nclass A {}\n'] },
        { "src/A.cs": ["class A {}\n", "#pragma warning disable\nclass A {}\n"] },
        { "lib/a.rb": ["a = 1\n", "# rubocop:disable all\na = 1\n"] },
        { "src/a.js": ["const a = 1;\n", "/* istanbul ignore file */\nconst a = 1;\n"] },
        { "a.go": ["package a\n", "//nolint\npackage a\n"] },
        {
          "src/a.ts": [
            "a();\nb();\nc();\n",
            "// @ts-ignore\na();\n// @ts-ignore\nb();\n// @ts-ignore\nc();\n// @ts-ignore\nd();\n// @ts-ignore\ne();\n// @ts-ignore\nf();\n",
          ],
        },
      ],
      passes: [
        { "src/a.ts": ["a();\n", "// @ts-expect-error: types are wrong upstream\na();\n"] },
        { "src/a.ts": ["a();\n", "a(); // eslint-disable-line no-undef\n"] },
        { "app/a.py": ["import a\n", "import a  # noqa: F401\n"] },
        { "app/a.py": ["a = f()\n", "a = f()  # type: ignore[no-any-return]\n"] },
        { "a.go": ["package a\n", "package a\n\n//nolint:gosec // the path is our own\nvar b = 1\n"] },
        { "src/lib.rs": ["fn a() {}\n", "#[allow(dead_code)]\nfn a() {}\n"] },
        { "src/a.ts": ["// @ts-nocheck\nconst a = 1;\n", "const b = 2;\n// @ts-nocheck\n"] },
        { "src/a.ts": ["const a = 1;\n", 'const a = "@ts-nocheck";\n'] },
        { "src/types.gen.ts": [undefined, "/* eslint-disable */\nexport {}\n"] },
      ],
    },
  },
];
