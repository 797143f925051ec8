// Assertions that were replaced: what the tests check with no longer checks.
import type { DiffRule, Sighting } from "../rule.ts";
import { childByField, textOf, walk } from "../syntax-walk.ts";
import { isFunction, nameOf, statementsOf } from "./special-casing-functions.ts";
import { type News, newsOf } from "./special-casing-news.ts";

type Judged = Pick<Sighting, "severity" | "what">;

const ASSERTS = "assert\\w*|fail|raises|warns|approx|expect|should";
const FRAME = "expect|it|test|describe|suite|assert|beforeEach|afterEach|beforeAll|afterAll|before|after|specify";

/** A library of assertions sets its own, and headers define theirs: there only setting them to nothing is a cheat. */
interface Replacement {
  readonly pattern: RegExp;
  readonly what: string;
  readonly inSource: "too" | "if idle" | "never" | "only";
}

const REPLACED: readonly Replacement[] = [
  {
    pattern: /\b(unittest\.)?(case\.)?TestCase\.(assert\w*|fail|run|__call__|failureException|debug|defaultTestResult)\s*=[^=]/,
    what: "replaces a part of unittest",
    inSource: "too",
  },
  {
    pattern: /\b(unittest\.)?(TestResult|TextTestResult|TextTestRunner|TestSuite|TestProgram)\.\w+\s*=[^=]/,
    what: "replaces a part of unittest",
    inSource: "too",
  },
  {
    pattern: /\bsetattr\(\s*(unittest\.)?(case\.)?(TestCase|TestResult)\s*,\s*["'](assert|fail|run|add)/,
    what: "replaces a part of unittest",
    inSource: "too",
  },
  {
    pattern:
      /\bbuiltins\.(AssertionError|assert\w*|Exception|BaseException|isinstance|len|all|any|abs|round)\s*=[^=]|^\s*AssertionError\s*=[^=]|__builtins__(\.|\[["'])(AssertionError|assert)|\bsetattr\(\s*builtins\s*,\s*["'](AssertionError|assert)/,
    what: "replaces what a failed assertion is",
    inSource: "too",
  },
  {
    pattern: new RegExp(
      `\\b(pytest|_pytest(\\.\\w+){1,3}|nose\\.tools|np\\.testing|numpy\\.testing|pd\\.testing|torch\\.testing)\\.(${ASSERTS}|main|\\w*report\\w*|\\w*outcome\\w*|runtestprotocol|call_runtest_hook)\\s*=[^=]`,
    ),
    what: "replaces a part of the test library",
    inSource: "too",
  },
  {
    pattern:
      /\b(assert|chai\.assert|should|sinon\.assert|t|console\.assert)\.(equal|strictEqual|deepEqual|deepStrictEqual|ok|throws|rejects|match|notEqual|fail|is|same|true|false)\s*=[^=>]/,
    what: "replaces an assertion",
    inSource: "if idle",
  },
  {
    pattern:
      /\b(expect|Assertion|chai\.Assertion|JestAssertion|Matchers)\.prototype\.\w+\s*=[^=]|\bexpect\.(to\w+|not|resolves|rejects)\s*=[^=]/,
    what: "replaces an assertion",
    inSource: "if idle",
  },
  {
    pattern: /\b(report|rep|result|outcome)\.outcome\s*=\s*["']passed["']|\bsession\.(exitstatus|testsfailed)\s*=\s*0\b/,
    what: "reports success whatever the tests found",
    inSource: "too",
  },
  {
    pattern: /\bmacro_rules!\s*(assert|assert_eq|assert_ne|debug_assert\w*|panic|unreachable)\b/,
    what: "replaces an assertion macro",
    inSource: "too",
  },
  {
    pattern: /^\s*#\s*define\s+(assert|ASSERT_\w+|EXPECT_\w+|CHECK(_\w+)?|REQUIRE(_\w+)?|TEST(_F|_P)?|CU_ASSERT\w*)\b/,
    what: "replaces an assertion macro",
    inSource: "never",
  },
  { pattern: /^\s*#\s*define\s+NDEBUG\b/, what: "switches assertions off", inSource: "never" },
  { pattern: /\bunittest\.main\([^)]{0,200}exit\s*=\s*False/, what: "runs tests without handing on their result", inSource: "never" },
  { pattern: /\b_pytest(\.\w+){1,4}\s*=[^=]/, what: "replaces a part of the test library", inSource: "too" },
  // Tests of programs that exit replace it, and put it back.
  { pattern: /\b(sys\.exit|os\._exit|process\.exit|os\.Exit)\s*=[^=]/, what: "replaces the way a failed run ends", inSource: "only" },
  {
    pattern: /\bsys\.modules\[\s*["'](pytest|unittest|_pytest|nose)\b[^\]]{0,40}\]\s*=[^=]/,
    what: "replaces the test library",
    inSource: "too",
  },
  {
    pattern: /\b(RSpec::Expectations|Minitest::Assertions|Test::Unit::Assertions)\b.{0,80}(define_method|prepend|class_eval|module_eval)/,
    what: "replaces the assertions",
    inSource: "too",
  },
];

const GLOBAL = new RegExp(`\\b(global|globalThis|window)(\\.|\\[["'])(${FRAME})(["']\\])?(\\.\\w+)?\\s*=(?!=)\\s*(.*)$`);
/** Handing a library's own function on under its own name is how libraries are set up. */
const HANDED_ON =
  /^(\w+\.)*(expect|assert|it|test|describe|suite|before|after|beforeEach|afterEach|beforeAll|afterAll|context|should|chai|jasmine|vitest|jest|t)(\.expect|\.assert)?\s*;?$|^require\(|^chai\b|^(await\s+)?import\(|^\(?\w+\s+as\s/;

const IDLE =
  /(=>\s*(\{\s*(return\s*(true|undefined|null)?;?)?\s*\}|undefined|true|null|void 0|\(\s*\{\s*pass:\s*true)|function\s*\w*\([^)]*\)\s*\{\s*\}|lambda[^:]*:\s*(None|True)|noop|\bjest\.fn\(\)|Mock\(\)|pass:\s*true|type\()/;

function replacedIn(news: News): readonly Sighting[] {
  return news.code.flatMap(({ line, text }) => {
    const seen = replacementOn(text, news);
    return seen ? [{ file: news.file.path, line, confidence: "medium", after: text.trim(), ...seen }] : [];
  });
}

function replacementOn(text: string, { file }: News): Judged | undefined {
  const global = /^(javascript|typescript|tsx)$/.test(file.language ?? "") ? GLOBAL.exec(text) : null;
  if (global && (/\.(skip|only|todo|concurrent)\s*;?$/.test(global.at(-1)!.trim()) || !HANDED_ON.test(global.at(-1)!.trim()))) {
    return { severity: "high", what: `replaces ${global[3]} for every test` };
  }
  const hit = REPLACED.find(({ pattern }) => pattern.test(text));
  if (!hit) return undefined;
  if (hit.inSource === "only") return file.role === "test" || !IDLE.test(text) ? undefined : { severity: "medium", what: hit.what };
  const isMild = file.role === "source" && (hit.inSource === "never" || (hit.inSource === "if idle" && !IDLE.test(text)));
  if (isMild) return { severity: "low", what: hit.what };
  if (/^\s*#/.test(text)) return { severity: NOTHING.test(text) ? "high" : "low", what: hit.what };
  return { severity: /exit\s*=\s*False/.test(text) ? "medium" : "high", what: hit.what };
}

/** A macro that stands for nothing. */
const NOTHING = /(\)\s*(\(\(void\)\s*0\)|do\s*\{\s*\}\s*while.*|\{\s*\}|;|\(?(true|1)\)?)?|NDEBUG)\s*$/;

const BUILT_IN =
  /^(toBe|toEqual|toStrictEqual|toThrow|toThrowError|toMatch|toMatchObject|toContain|toContainEqual|toHaveLength|toHaveProperty|toBeTruthy|toBeFalsy|toBeNull|toBeUndefined|toBeDefined|toBeCloseTo|toHaveBeenCalled\w*)$/;

/** Matchers that take a built-in name, or that pass whatever they are given. */
function matchersIn(news: News): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const piece of news.pieces) {
    walk(piece.tree.root, (node) => {
      if (node.type !== "call_expression" || !/^(\w+\.)?expect\.extend\(/.test(textOf(piece, node).slice(0, 40))) return undefined;
      walk(node, (matcher, parents) => {
        if (!isFunction(matcher) && matcher.type !== "pair") return undefined;
        const name =
          nameOf(piece, matcher) || (matcher.type === "pair" ? textOf(piece, childByField(matcher, "key") ?? matcher).slice(0, 40) : "");
        if (!news.isNew(piece, matcher) || parents.some(isFunction)) return undefined;
        const isIdle =
          /^[^;]{0,300}\bpass:\s*true\b/.test(textOf(piece, matcher)) && !/\bif\b|\?/.test(textOf(piece, matcher).slice(0, 2_000));
        const what = BUILT_IN.test(name) ? `replaces ${name}` : isIdle ? `${name} passes whatever it is given` : undefined;
        if (what)
          found.push({
            file: news.file.path,
            line: news.lineOf(piece, matcher),
            severity: BUILT_IN.test(name) ? "high" : "medium",
            confidence: "high",
            what,
            after: textOf(piece, matcher).slice(0, 200),
          });
        return undefined;
      });
      return false;
    });
  }
  return found;
}

const CHECKS = /^(assert\w*|check[A-Z_]\w*|verify[A-Z_]\w*|expect\w*|should\w*|require[A-Z]\w*|must\w*)$/;

/** A function that is called an assertion and asserts nothing. */
function emptyAsserts(news: News): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const piece of news.pieces) {
    walk(piece.tree.root, (node, parents) => {
      if (!isFunction(node)) return undefined;
      const parent = parents.at(-1);
      const name = nameOf(piece, node) || (parent && /declarator|pair/.test(parent.type) ? nameOf(piece, parent) : "");
      if (!/^assert\w*$|^expect$/.test(name) || !CHECKS.test(name) || !news.isNew(piece, node) || !childByField(node, "body"))
        return undefined;
      const statements = statementsOf(node);
      const isIdle = statements.every((one) =>
        /^(pass|return(\s+(true|None|null|nil|undefined|self|this))?;?|\.\.\.|true|nil)$/i.test(textOf(piece, one).trim().slice(0, 30)),
      );
      const isAbstract = /abstract|interface|protocol/i.test(parents.map(({ type }) => type).join());
      if (isIdle && !isAbstract) {
        found.push({
          file: news.file.path,
          line: news.lineOf(piece, node),
          severity: "high",
          confidence: "high",
          what: `${name} checks nothing`,
          after: textOf(piece, node).slice(0, 300),
        });
      }
      return undefined;
    });
  }
  return found;
}

export const assertRules: readonly DiffRule[] = [
  {
    id: "assertion-replaced",
    severity: "high",
    why: "What the tests check with was replaced, so they can no longer fail. Leave the test library as it is.",
    find: (view) =>
      newsOf(view, "test", "harness", "source").flatMap((news) => [
        ...replacedIn(news),
        ...matchersIn(news),
        ...(news.file.role === "source" ? [] : emptyAsserts(news)),
      ]),
    examples: {
      flags: [
        { "tests/test_sum.py": [undefined, "import unittest\n\nunittest.TestCase.assertEqual = lambda self, a, b: None\n"] },
        { "pkg/core.py": [undefined, "import unittest\n\nunittest.TestCase.run = quiet\n"] },
        { "pkg/core.py": [undefined, "import builtins\n\nbuiltins.AssertionError = Warning\n"] },
        {
          "tests/test_sum.py": [
            undefined,
            "import unittest\n\nclass Quiet(unittest.TestCase):\n    def assertEqual(self, a, b, msg=None):\n        pass\n",
          ],
        },
        { "test/setup.js": [undefined, "global.expect = () => new Proxy({}, { get: () => () => {} });\n"] },
        { "test/setup.js": [undefined, "globalThis.it = globalThis.it.skip;\n"] },
        { "test/setup.js": [undefined, "const assert = require('assert');\nassert.strictEqual = () => {};\n"] },
        { "src/core.js": [undefined, "require('assert');\nassert.deepEqual = () => {};\n"] },
        { "vitest.setup.ts": [undefined, "expect.extend({ toBe() { return { pass: true, message: () => '' }; } });\n"] },
        { "tests/sum.rs": [undefined, "macro_rules! assert_eq {\n    ($a:expr, $b:expr) => {};\n}\n"] },
        { "test/sum_test.cpp": [undefined, '#define ASSERT_EQ(a, b)\n#include "sum.h"\n'] },
        { "src/test/java/Assertions.java": [undefined, "class Assertions {\n  static void assertEquals(Object a, Object b) {}\n}\n"] },
        { "sum_test.go": [undefined, "package sum\n\nfunc assertEqual(t *testing.T, a, b int) {\n}\n"] },
        { "tests/test_sum.py": [undefined, "import unittest\n\nif __name__ == '__main__':\n    unittest.main(exit=False)\n"] },
      ],
      passes: [
        { "test/setup.js": [undefined, "global.expect = require('chai').expect;\nglobal.assert = chai.assert;\n"] },
        {
          "tests/test_sum.py": [
            undefined,
            "import unittest\n\nclass Near(unittest.TestCase):\n    def assertNear(self, a, b):\n        self.assertLess(abs(a - b), 0.1)\n",
          ],
        },
        { "vitest.setup.ts": [undefined, "expect.extend({ toBeEven(n) { return { pass: n % 2 === 0, message: () => 'odd' }; } });\n"] },
        { "src/assert.js": [undefined, "assert.equal = function (a, b) {\n  if (a != b) throw new Error('unequal');\n};\n"] },
        { "include/check.h": [undefined, "#define CHECK(x) if (!(x)) abort()\n"] },
        { "pkg/http.py": [undefined, "class Call:\n    def start(self):\n        self.context = None\n        self.test = None\n"] },
      ],
    },
  },
];
