// Where a torn piece does not parse to its end, its lines still tell which tests start and which are switched off.

import type { Piece } from "../../../contract/change-set.ts";
import type { Language } from "../../../contract/syntax.ts";
import { type Disabling, type Inventory, normalised } from "./inventory.ts";

const SCRIPT_TEST = /^\s*(?:it|test|specify)(?:\.\w+)*\(\s*(?:"((?:[^"\\]|\\.){1,300})"|'((?:[^'\\]|\\.){1,300})'|`([^`]{1,300})`)/;
const SCRIPT_SKIP =
  /^\s*(?:(?:it|test|describe|context|suite|specify)\.(?:skip|only|todo)|x(?:it|describe|test|context)|f(?:it|describe))\s*[(`.]/;

const TESTS: { readonly [language in Language]?: RegExp } = {
  javascript: SCRIPT_TEST,
  typescript: SCRIPT_TEST,
  tsx: SCRIPT_TEST,
  python: /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/,
  go: /^func\s+((?:Test|Benchmark|Fuzz|Example)(?![a-z])\w*)\s*\(/,
};

const SKIPS: { readonly [language in Language]?: RegExp } = {
  javascript: SCRIPT_SKIP,
  typescript: SCRIPT_SKIP,
  tsx: SCRIPT_SKIP,
  python: /^\s*@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip\w*|expectedFailure)|skip\w*|xfail)\b|^\s*pytest\.(?:skip|xfail)\(/,
  go: /^\s*\w{1,3}\.Skip(?:f|Now)?\(/,
  rust: /^\s*#\[\s*ignore\b/,
  java: /^\s*@(?:Disabled|Ignore)\b/,
  "c-sharp": /^\s*\[(?:Ignore|Explicit)\b|\(\s*Skip\s*=/,
  ruby: /^\s*(?:x(?:it|describe|context|specify)\b|skip\b|pending\b)/,
  php: /->markTest(?:Skipped|Incomplete)\(/,
  cpp: /^\s*GTEST_SKIP\(/,
};

/** Where a test is a call, there is no test without its mark. */
const BY_CALL: ReadonlySet<Language> = new Set(["javascript", "typescript", "tsx", "ruby"]);

type Growing = { readonly [list in keyof Inventory]: Inventory[list][number][] };

export function readTornLines({ line: first, text }: Piece, test: string, language: Language, found: Growing): void {
  for (const [offset, raw] of text.split("\n").entries()) {
    if (raw.length > 1_000) continue;
    const line = first + offset;
    const match = TESTS[language]?.exec(raw);
    const name = match?.[1] ?? match?.[2] ?? match?.[3];
    if (name && !found.tests.some((known) => known.test === name))
      found.tests.push({
        kind: "test",
        test: name,
        text: normalised(raw),
        raw,
        line,
        lastLine: line,
        isMarked: BY_CALL.has(language),
        assertions: 0,
      });
    if (SKIPS[language]?.test(raw) && !found.disablings.some((known) => isSame(known, raw, line)))
      found.disablings.push({ kind: kindOf(raw), test, text: normalised(raw), raw, line });
  }
}

const kindOf = (raw: string): Disabling["kind"] =>
  /\.only\b|^\s*f(?:it|describe)/.test(raw) ? "focus" : /skipif|skipUnless/i.test(raw) ? "sometimes" : "skip";

/** The tree tells a mark at the line of what it marks. */
const isSame = (known: Disabling, raw: string, line: number): boolean =>
  Math.abs(known.line - line) < 12 && known.raw.includes(raw.trim().slice(0, 30));
