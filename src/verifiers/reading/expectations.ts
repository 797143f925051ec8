// What tests expect, made wrong one at a time: a run that does not notice is not a run of those tests. A scan of lines, no parser.
import { linesOf } from "./changed-lines.ts";
import { languageOf, maskCode } from "./mask-code.ts";
import type { Mutant } from "./mutants.ts";

const LITERAL = String.raw`-?\d{1,15}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\b(?:[tT]rue|[fF]alse)\b`;
const EQUALS =
  "(?:(?:deep|strict|deepStrict)?[eE]quals?|to(?:Be|Equal|StrictEqual)|assertEquals?|assert_eq!|assert_equal|assertSame|AreEqual|eql?)";

/** Where a line says what it wants a value to be, as a literal. The last group is the literal. */
const EXPECTATIONS: readonly RegExp[] = [
  // equal(value, 3); expect(value).toBe(3); also as the body of an arrow that is handed to a test
  new RegExp(String.raw`\b${EQUALS}\(.*(?<=[,(]\s*)(${LITERAL})\s*,?\s*\)\s*;?\s*$`),
  new RegExp(String.raw`=>\s*[\w.]*\b${EQUALS}\(.*(?<=[,(]\s*)(${LITERAL})\s*\)\s*\)\s*;?\s*$`),
  // assertEquals(3, value)
  new RegExp(String.raw`\b(?:assertEquals?|assertSame|AreEqual)\(\s*(${LITERAL})\s*,`),
  // assert value == 3
  new RegExp(String.raw`^\s*assert\s[^!<>=]*==\s*(${LITERAL})\s*$`),
  // if got != 3 {
  new RegExp(String.raw`^\s*if\s.*!=\s*(${LITERAL})\s*\{\s*$`),
];
/** Lines that want a difference, or that say what is wanted only of something that is not there. */
const CONTRARY = /\bnot|Not|NOT_|skip|todo|xfail|\braises|throws|rejects/i;
const LONGEST_LINE = 500;

/** Every expectation of a test file that can be made wrong, made wrong. */
export function expectationsOf(path: string, text: string): readonly Mutant[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const masked = linesOf(maskCode(text, language));
  return linesOf(text).flatMap((raw, index) => {
    const line = raw.replace(/\r?\n$/, "");
    const mask = masked[index] ?? "";
    if (line.length > LONGEST_LINE || CONTRARY.test(mask)) return [];
    const found = EXPECTATIONS.map((pattern) => pattern.exec(line)).find((match) => match !== null && !isMasked(mask, match));
    if (!found) return [];
    const literal = found[1]!;
    const at = found.index + found[0].lastIndexOf(literal);
    const wrong = otherThan(literal);
    return [
      { path, line: index + 1, what: `${literal} becomes ${wrong}`, result: line.slice(0, at) + wrong + line.slice(at + literal.length) },
    ];
  });
}

/** In a comment or a string, where it asks for nothing. */
const isMasked = (mask: string, { index, 0: found }: RegExpExecArray): boolean =>
  mask.slice(index + (/\S/.exec(found)?.index ?? 0))[0] === "\u0000";

/** Far from the right one, so that what is nearly the same is not enough. */
function otherThan(literal: string): string {
  const truth = TRUTHS.get(literal);
  if (truth !== undefined) return truth;
  return /^["']/.test(literal) ? `${literal[0]}~~${literal.slice(1)}` : literal.replace(/\d/, (digit) => `8${digit}`);
}

const TRUTHS: ReadonlyMap<string, string> = new Map([
  ["true", "false"],
  ["false", "true"],
  ["True", "False"],
  ["False", "True"],
]);
