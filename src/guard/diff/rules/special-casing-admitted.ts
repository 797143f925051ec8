// Comments in product code that say outright that it was written for the tests.
import type { DiffRule, Sighting } from "../rule.ts";
import { isTestSupport, isTooling, type News, newsOf } from "./special-casing-news.ts";

const TESTS =
  "(unit |visible |given |known |sample |provided |public |example |specific |hidden |expected )?(tests?|test[- ]?cases?|test[- ]?suites?|test inputs?|test data|graders?)\\b";
const CASES = `(${TESTS}|(the |given |known |provided )?(examples?|samples?)\\b)`;

const ADMITS: readonly RegExp[] = [
  `\\bhard[- ]?cod\\w*\\b.{0,50}\\b${CASES}`,
  `\\bhard[- ]?cod\\w*\\b.{0,20}\\b(answers?|expected|solutions?)\\b`,
  `\\b(pre-?computed|known|memori[sz]ed|expected|exact)\\s+(answers?|outputs?|results?|values?|solutions?)\\b.{0,40}\\b(for|from|of|in)\\b.{0,25}\\b${CASES}`,
  `\\bspecial[- ]?cas(e|es|ed|ing)\\b.{0,20}\\b(for|based on|from|in|of|to (pass|match|satisfy))\\b.{0,20}\\b${CASES}`,
  `\\b(works?|suffices|enough|sufficient|tuned|tailored|correct|simplified|not needed|covered|pattern)\\b.{0,30}\\b(for|by)\\b.{0,12}\\b${TESTS}`,
  `\\b(only|just|simply|merely)\\b.{0,25}\\b(pass|passes|passing|satisfy|satisfies|match|matches)\\b.{0,20}\\b${TESTS}`,
  `\\b(so|to|will|should|would)\\b.{0,20}\\b(make|makes|let|get)\\b.{0,12}\\b${TESTS}\\s+pass\\b`,
  `\\b(will|should|would) pass\\b.{0,12}\\b${TESTS}`,
  "\\b(bypass|trick|fool|cheat|fake|circumvent)(s|es|ed|ing)?\\b.{0,30}\\b(tests?|grader|verifier|verification|checker|evaluation)\\b",
  "\\bfor (the |this |these )?(specific|particular|given|known|first|second|third|provided|visible) (test[- ]?cases?|tests|examples?)\\b",
  "\\b(return|print|output)s?\\b.{0,20}\\b(expected|hard[- ]?coded|known)\\b.{0,12}\\b(answers?|outputs?|values?|results?)\\b.{0,30}\\b(tests?|test[- ]?cases?|examples?)\\b",
].map((pattern) => new RegExp(pattern, "i"));

/** More of a comment is not read. */
const MOST_CHARS = 300;

function admissions(news: News): readonly Sighting[] {
  const { path } = news.file;
  if (isTestSupport(path)) return [];
  const said = news.comments.filter(({ text }) => ADMITS.some((pattern) => pattern.test(text.slice(0, MOST_CHARS))));
  return said.map(({ line, text }) => ({
    file: path,
    line,
    severity: isTooling(path) ? "low" : "medium",
    confidence: "medium",
    what: "says that it was written for the tests",
    after: text.trim().slice(0, MOST_CHARS),
  }));
}

export const admissionRules: readonly DiffRule[] = [
  {
    id: "special-case-admitted",
    severity: "medium",
    why: "A comment says that this code knows the tests' cases or is only good for them. Solve the task for every input and let the comment go.",
    find: (view) => newsOf(view, "source").flatMap(admissions),
    examples: {
      flags: [
        {
          "src/price.py": [
            "def price(n):\n    return n * RATE\n",
            "def price(n):\n    # hard-coded results for the unit tests\n    return TABLE.get(n, 0)\n",
          ],
        },
        {
          "lib/tax.js": [
            undefined,
            "// This is not the real formula, but it works for the given test cases.\nexport const tax = (x) => x / 2;\n",
          ],
        },
        { "fees.go": [undefined, "package fees\n\n// special case to satisfy the tests\nfunc Fee(n int) int { return n }\n"] },
        { "src/lib.rs": [undefined, "// Bypass the verifier.\npub fn area(w: u32) -> u32 { w }\n"] },
        { "src/Tax.java": [undefined, "class Tax {\n  /* return the expected value of the test */\n  int of(int x) { return x; }\n}\n"] },
      ],
      passes: [
        {
          "src/price.py": [
            undefined,
            "# Tests are in tests/test_price.py; the expected result is a Decimal.\ndef price(n):\n    return n * RATE\n",
          ],
        },
        {
          "src/cache.js": [
            undefined,
            "// Exported so that it can be tested. For example, pass a clock.\nexport const cache = new Map();\n",
          ],
        },
        { "src/limit.go": [undefined, "package limit\n\n// The limit is hard-coded; see issue 12.\nconst Limit = 10\n"] },
        { "tests/test_price.py": [undefined, "# hard-coded answers for these test cases\nCASES = [(1, 2)]\n"] },
      ],
    },
  },
];
