// How much an assertion demands: nothing, that something is there, part of it, or all of it.

export type Strength = "nothing" | "presence" | "part" | "exact";

const RANK: { readonly [strength in Strength]: number } = { nothing: 0, presence: 1, part: 2, exact: 3 };

export const isWeaker = (now: Strength, before: Strength): boolean => RANK[now] < RANK[before];

const VACUOUS: readonly RegExp[] = [
  /^expect\.assertions\(0\)/,
  /^(?:assert|expect|assertTrue|ok)?[!.]?(?:ok)?\(?(?:true|True|1|!0|not False|!false)\)?(?:,.*)?$/,
  /(?:assertTrue|assert\.(?:ok|isTrue|True|That)|Assert\.(?:True|IsTrue)|assert!|expect|XCTAssertTrue|EXPECT_TRUE|ASSERT_TRUE|REQUIRE|CHECK|assert)\s*\(\s*(?:true|True|1|!0|!false)\s*[,)]/,
  /^assert\s+(?:True|1|not\s+False|".*"|'.*')\s*(?:,|$)/,
  /\bor\s+(?:True|1)\b|\|\|\s*true\b/,
  /^expect\((?:[^()]|\([^()]*\))*\)(?:\.(?:not|to|be|resolves|rejects|and|have|deep))*;?$/,
  /(?:toBeGreaterThanOrEqual|toBeLessThanOrEqual)\(-?(?:0|Infinity)\)/,
];

/** Both sides the same: true whatever the code does. */
const TAUTOLOGY: readonly RegExp[] = [
  /^assert\s+([\w.[\]()"']+)\s*==\s*\1\s*(?:,|$)/,
  /(?:assertEquals?|assertSame|assert_eq!|assert_equal|AreEqual|Assert\.Equal|EXPECT_EQ|ASSERT_EQ|strictEqual|deepEqual|deepStrictEqual|assert\.equal|assert\.Equal)\s*\(\s*(?:t,\s*)?([^,()]+(?:\([^()]*\))?),\s*\1\s*[,)]/,
  /^expect\((.+)\)\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.eql)\(\1\)/,
  /^assert[!.]?\w*\s*\(\s*([\w.]+)\s*===?\s*\1\s*\)/,
];

const PRESENCE: readonly RegExp[] = [
  /\b(?:to|not_to|to_not) (?:be_truthy|be_present|be_falsey|be_nil|be_empty|exist)\b/,
  /\.(?:toBeTruthy|toBeDefined|toBeFalsy|toBeUndefined)\(/,
  /\.not\.(?:toBeNull|toBeUndefined|toBeNaN|toBe\((?:null|undefined)\)|toEqual\((?:null|undefined)\))/,
  /\.(?:toBeNull|toHaveBeenCalled|toHaveReturned|toThrow|toThrowError|toBeCalled)\(\)/,
  /\.to\.(?:be\.)?(?:ok|exist|not\.be\.(?:null|undefined))\b|\.to\.not\.be\.(?:null|undefined|empty)/,
  /\bassert(?:\.ok|\.isOk|\.exists|\.isDefined|\.isNotNull)?\((?![^)]*(?:[=!]==?|<|>|\.test\(|\.includes\(|\.match\())/,
  /\b(?:assertNotNull|assertIsNotNone|assertNotNone|assert_not_nil|refute_nil|isNotNull|NotNull|IsNotNull|assertNotEmpty|assertIsNotNull|isPresent|isNotEmpty|NotNil|NotEmpty|toBeInTheDocument|assertDoesNotThrow|assertTrue|assertFalse|assert_nothing_raised|NotBeNull)\s*[(!]/,
  /^assert\s+[^=<>!]*(?:\bis\s+not\s+None\b|!=\s*None\b)/,
  /^assert\s+(?:not\s+)?[\w.()[\]"']+\s*(?:,.*)?$/,
  /^assert!\(\s*!?[^=<>!,]*\)?(?:,.*)?$|is_(?:some|ok|err|none)\(\)/,
  /\b(?:EXPECT|ASSERT)_(?:TRUE|FALSE|NO_THROW)\b/,
];

const PART: readonly RegExp[] = [
  /\.(?:toContain|toContainEqual|toMatch|toMatchObject|toBeCloseTo|toBeGreaterThan\w*|toBeLessThan\w*|toBeInstanceOf|toHaveProperty|toHaveLength|toBeOneOf|toSatisfy|toHaveBeenCalledTimes|stringContaining|objectContaining|arrayContaining|toContainText)\b/,
  /\b(?:assertIn|assertNotIn|assertRegex\w*|assertAlmostEqual\w*|assertGreater\w*|assertLess\w*|assertIsInstance|assertContains|assertMatch\w*|assertInstanceOf|assertThrows\w*|assertRaises\w*|assert_in_delta|assert_match|assert_includes|assert_kind_of|assert_raises|assertStringContains\w*|containsString|hasSize|startsWith|endsWith|contains|isInstanceOf|matches|isCloseTo|InDelta|InEpsilon|\w*Contains\w*|StartsWith|Matches|ElementsMatch|Subset|ErrorContains|Len|approx|isclose|allclose|include|match|be_within|be_a|an_instance_of)\b/,
  /\bpytest\.(?:raises|warns)|\braises\(/,
  /\b(?:EXPECT|ASSERT)_(?:NEAR|LT|LE|GT|GE|THROW|ANY_THROW|THAT|FLOAT_EQ)\b/,
  /\s(?:not\s+)?in\s|[<>]=?(?!\s*\()|\.(?:startswith|endswith|startsWith|endsWith|includes|contains|match|search|test|has|indexOf|isinstance)\(|\bisinstance\(|strings\.(?:Contains|HasPrefix|HasSuffix)/,
  /!==?|!=|\bassertNot(?!Null|None|Nil|Empty)\w*|\.not\.|assert_ne!|notEqual|NotEqual|isNotEqualTo/,
];

const LONGEST = 2_000;

/** What one assertion demands, by how it is written. */
export function strengthOf(raw: string): Strength {
  // What is so long was cut off before its end, and with it what it demands.
  if (raw.length >= LONGEST) return "exact";
  const text = raw
    .replace(/\s+/g, " ")
    .replace(/;$/, "")
    .replace(/^await /, "")
    .trim()
    .slice(0, 2_000);
  if (isVacuous(text)) return "nothing";
  const bare = withoutArrows(text).replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '"_"');
  if (ANYTHING.test(bare)) return "presence";
  const isExact = EXACT.some((pattern) => pattern.test(bare));
  if (isExact && !/\b(?:toMatchObject|objectContaining|approx|isclose)\b/.test(bare) && !PARTLY_TRUE.test(bare)) return "exact";
  if (PART.some((pattern) => pattern.test(bare))) return "part";
  return PRESENCE.some((pattern) => pattern.test(bare)) ? "presence" : "exact";
}

/** Equal to anything at all. */
const ANYTHING =
  /\.(?:toBe|toEqual|toStrictEqual|toMatchObject|toHaveBeenCalledWith)\(\s*expect\.(?:anything|any)\([^)]*\)\s*\)|\.toMatchObject\(\s*\{\s*\}\s*\)|==\s*(?:mock\.)?ANY\b/;

/** Exactly true is what a question about a part was answered with. */
const PARTLY_TRUE =
  /(?:includes|startsWith|endsWith|contains|test|match|has|some|every|isinstance|instanceof)\b.*\.(?:toBe|toEqual|equal)\((?:true|false)\)$/;

/** `=>` and `->` compare nothing, and the arguments of types are no comparison either. */
const withoutArrows = (text: string): string => text.replace(/[=-]>/g, "").replace(/<[\w\s,:<>[\]&'?.]*>(?=[\s(:!])/g, "");

const EXACT: readonly RegExp[] = [
  /\.(?:toEqualTypeOf|toMatchTypeOf)\b/,
  /(?:^|[^=!<>])===?(?!=)/,
  /\.(?:toBe|toEqual|toStrictEqual|toMatchInlineSnapshot|toMatchSnapshot|toHaveBeenCalledWith|toHaveBeenLastCalledWith|toHaveBeenNthCalledWith|toHaveTextContent)\(/,
  /\.(?:equal|equals|eql|eq|deepEqual|strictEqual|deepStrictEqual|same|isEqualTo|is)\(/,
  /\b(?:assertEquals?|assertSame|assertArrayEquals|assertDictEqual|assertListEqual|assertSetEqual|assertTupleEqual|assertCountEqual|assert_eq!|assert_equal|assertIs|assertJsonStringEquals\w*|AreEqual|AreSame|Assert\.Equal|EXPECT_(?:EQ|STREQ)|ASSERT_(?:EQ|STREQ)|require\.Equal|assert\.Equal|assertIterableEquals|assertLinesMatch)\b/,
  /\b(?:to|not_to) (?:eq|eql|be|equal)\b/,
];

const isVacuous = (text: string): boolean =>
  VACUOUS.some((pattern) => pattern.test(text)) || TAUTOLOGY.some((pattern) => pattern.test(text));

/** Turned into its opposite: what had to be must not be, with everything else the same. */
export function isInverted(before: string, now: string): boolean {
  const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
  const one = plain(before);
  const other = plain(now);
  return one !== other && positive(one) === positive(other) && isNegative(one) !== isNegative(other);
}

const NEGATIONS: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\.not\./g, "."],
  [/\bis not\b/g, "is"],
  [/\bnot in\b/g, "in"],
  [/\bassert not\b/g, "assert"],
  [/!==/g, "==="],
  [/!=(?!=)/g, "=="],
  [/\bassertFalse\b/g, "assertTrue"],
  [/\bassertNot(\w)/g, "assert$1"],
  [/\bassert_ne!/g, "assert_eq!"],
  [/\bassert!\(\s*!/g, "assert!("],
  [/\bnot_to\b|\bto_not\b/g, "to"],
  [/\bNotEqual\b/g, "Equal"],
  [/\bFalse\(/g, "True("],
  [/\bIsFalse\b/g, "IsTrue"],
  [/\bnotEqual\b|\bnotStrictEqual\b/g, "equal"],
  [/\bis_err\b/g, "is_ok"],
  [/\btoBeFalsy\b/g, "toBeTruthy"],
  [/\(!/g, "("],
  [/\bif !/g, "if "],
];

const positive = (text: string): string =>
  NEGATIONS.reduce((sum, [pattern, plain]) => sum.replace(pattern, plain), text).replace(/\bequal\b|\bstrictEqual\b/g, "equal");
const isNegative = (text: string): boolean => positive(text) !== text.replace(/\bequal\b|\bstrictEqual\b/g, "equal");

/** The margin an assertion leaves, where it names one. */
export function toleranceOf(raw: string): number | undefined {
  const text = raw.replace(/\s+/g, " ");
  const digits =
    /toBeCloseTo\([^,]+,\s*(\d+)|assertAlmostEqual\([^)]*(?:places\s*=\s*|,\s*)(\d+)\s*\)|assert_almost_equal\([^)]*(?:decimal\s*=\s*)(\d+)/.exec(
      text,
    );
  if (digits) return 10 ** -Number(digits[1] ?? digits[2] ?? digits[3]);
  const margin =
    /(?:abs|rel|delta|atol|rtol|tolerance|eps|epsilon|abs_tol|rel_tol|abs_diff)\s*[=:]\s*(-?[\d.]+(?:e-?\d+)?)/i.exec(text) ??
    /(?:assertEquals|InDelta|InEpsilon|assert_in_delta|EXPECT_NEAR|ASSERT_NEAR|closeTo|approximately|isCloseTo|be_within|within)\s*\(.*?,?\s*(-?\d[\d_.]*(?:e-?\d+)?)[fdFD]?\s*\)*;?$/.exec(
      text,
    ) ??
    /\.abs\(\)\s*<=?\s*([\d.]+(?:e-?\d+)?)|(?:abs|fabs|Abs)\(.*\)\s*<=?\s*([\d.]+(?:e-?\d+)?)/.exec(text);
  if (!margin) return undefined;
  const value = Number((margin[1] ?? margin[2])?.replace(/_/g, ""));
  return Number.isFinite(value) ? value : undefined;
}
