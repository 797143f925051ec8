// The inventory of a language that has no grammar here, by its lines: coarser, and said to be so.
import type { Piece } from "../../../contract/change-set.ts";
import { endingOf } from "../languages.ts";
import { type Disabling, type Fact, type Inventory, normalised, type Test } from "./inventory.ts";

const COMMENT = /^\s*(?:\/\/|#(?!\[)|--|\*|\/\*|;|%|'|<!--)/;
const TEST =
  /^\s*(?:(?:pub|public|private|internal|override|suspend|async|static|open|final|export)\s+)*(?:fun|func|def|sub|function|proc|void|test|it|describe|specify|feature|scenario|Scenario:|@test)\s*[("'`{]?\s*["'`]?((?:test|Test|should|it|spec)?[^"'`({]{0,200})/;
const TEST_NAME = /^(?:test|Test|should|it_)|\s/;
const MARK = /^\s*(?:@Test|@ParameterizedTest|#\[test\]|\[(?:Fact|Theory|Test|TestMethod)\]|@test\b|TEST(?:_F|_P|_CASE)?\s*\()/;
const ASSERTION =
  /\b(?:assert\w*|expect\w*|XCTAssert\w*|XCTFail|should\w*|verify\w*|EXPECT_\w+|ASSERT_\w+|REQUIRE\w*|CHECK\w*|refute\w*|assert_\w+|is_deeply|ok|is|isnt|like|cmp_ok|must|shouldBe|shouldEqual|mustEqual)\s*[!({ ]|\b(?:==\s*expected|shouldBe|shouldEqual|should\s+be|should\s+equal)\b|^\s*(?:Then|\[\[?)\s/;
const SKIP =
  /@(?:Ignore|Disabled|Skip|tag\s*:?skip)\b|\b(?:XCTSkip\w*|skip|pending|xit|xdescribe|xtest|ignore|markTestSkipped|GTEST_SKIP|Skip)\s*[("'`{]|\btags?\s*:?\s*\[?:?skip\b|\bpending\b\s*$|^\s*skip\b/;
const FOCUS = /\b(?:fit|fdescribe|ftest|focus)\s*[("'`]|\.only\s*[("'`]|@focus\b/;

export function readLines(pieces: readonly Piece[], path: string): Inventory {
  const tests: Test[] = [];
  const assertions: Fact[] = [];
  const disablings: Disabling[] = [];
  for (const [index, { line: first, text }] of pieces.entries()) {
    let test = `#${index}`;
    let isMarked = false;
    for (const [offset, raw] of text.split("\n").entries()) {
      const line = first + offset;
      if (raw.length > 2_000 || COMMENT.test(raw)) continue;
      const name = TEST.exec(raw)?.[1]?.trim();
      if (name && (isMarked || TEST_NAME.test(name) || path.endsWith(".bats"))) {
        test = name;
        tests.push({ kind: "test", test, text: normalised(raw), raw, line, lastLine: line, isMarked, assertions: 0 });
      }
      isMarked = MARK.test(raw) || (isMarked && raw.trim() === "");
      if (SKIP.test(raw)) disablings.push({ kind: "skip", test, text: normalised(raw), raw, line });
      if (FOCUS.test(raw)) disablings.push({ kind: "focus", test, text: normalised(raw), raw, line });
      if (!name && ASSERTION.test(raw) && !isShellNoise(path, raw)) assertions.push({ test, text: normalised(raw), raw, line });
    }
  }
  return { tests, assertions, disablings, swallows: [], mocks: [], helpers: [] };
}

/** In shell scripts `is`, `ok` and brackets are everywhere. */
const isShellNoise = (path: string, raw: string): boolean => /^(?:sh|bash|zsh)$/.test(endingOf(path)) && !/\bassert/.test(raw);
