// Test runs that are bent from inside: runners told what to report, assertions replaced, tests dropped before they run.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { textOf, walk } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import { assertRules } from "./special-casing-asserts.ts";
import { isFunction, nameOf } from "./special-casing-functions.ts";
import { type News, newsOf } from "./special-casing-news.ts";

const MOST_BODY = 20_000;

/** A function whose new lines bend the run. Its whole body is read, for what it is asked by. */
function hooksIn(news: News): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const piece of news.pieces) {
    walk(piece.tree.root, (node) => {
      if (!isFunction(node)) return undefined;
      const name = nameOf(piece, node);
      const judge = HOOKS.get(name);
      if (!judge) return undefined;
      const body = textOf(piece, node).slice(0, MOST_BODY);
      if (!hasNews(news, piece, node)) return false;
      const judged = judge(body);
      if (judged)
        found.push({ file: news.file.path, line: news.lineOf(piece, node), confidence: "medium", after: body.slice(0, 400), ...judged });
      return false;
    });
  }
  return found;
}

function hasNews(news: News, piece: ParsedPiece, node: SyntaxNode): boolean {
  const from = news.lineOf(piece, node);
  const to = from + textOf(piece, node).split("\n").length - 1;
  for (let line = from; line <= to; line += 1) if (news.hasLine(line)) return true;
  return false;
}

type Judged = Pick<Sighting, "severity" | "what">;

/** A choice that whoever starts the run makes. */
const ASKED =
  /\bgetoption\(|\.getini\(|\boption\.|\bsys\.(version_info|platform)|\bplatform\.|\bos\.name\b|keywords|get_closest_marker|iter_markers/;

const HOOKS: ReadonlyMap<string, (body: string) => Judged | undefined> = new Map(
  Object.entries({
    pytest_collection_modifyitems: (body: string): Judged | undefined => {
      const drops =
        /items\[:\]\s*=\s*\[\s*\]|items\[:\]\s*=(?!\s*(sorted|reversed|list\(reversed)\b).{0,200}|items\.(clear|remove|pop)\(|\bdel\s+items\b|pytest_deselected|items\s*=\s*\[/s.test(
          body,
        ) && !/items\[:\]\s*=\s*(sorted|reversed|\w+)\s*(\(|$)/m.test(body);
      const marks = /add_marker\(\s*(pytest\.mark\.)?\w*(skip|xfail)/.test(body);
      if (!drops && !marks) return undefined;
      return {
        severity: ASKED.test(body) ? "low" : "high",
        what: drops ? "drops tests before they run" : "marks tests so that they cannot fail",
      };
    },
    pytest_runtest_makereport: (body: string): Judged | undefined =>
      /\.outcome\s*=\s*["'](passed|skipped)|\bwasxfail\s*=|\.passed\s*=\s*True|\.failed\s*=\s*False|\bexcinfo\s*=\s*None|force_result\(/.test(
        body,
      )
        ? { severity: "high", what: "reports tests as passed that did not pass" }
        : undefined,
    pytest_report_teststatus: (body: string): Judged | undefined =>
      /return\s*\(?\s*["']passed/.test(body) && !/report\.passed/.test(body)
        ? { severity: "high", what: "reports every test as passed" }
        : undefined,
    pytest_sessionfinish: setsExit,
    pytest_unconfigure: setsExit,
    pytest_terminal_summary: setsExit,
    pytest_configure: setsExit,
    pytest_runtest_call: neverRuns,
    pytest_pyfunc_call: neverRuns,
    pytest_runtest_protocol: neverRuns,
    pytest_ignore_collect: (body: string): Judged | undefined =>
      /return\s+True\s*$/.test(body.trim()) && !/\bif\b/.test(body)
        ? { severity: "high", what: "keeps every test from being collected" }
        : undefined,
    pytest_exception_interact: (body: string): Judged | undefined =>
      /excinfo\s*=|outcome\s*=/.test(body) ? { severity: "high", what: "hides the failure of a test" } : undefined,
    TestMain: (body: string): Judged | undefined => {
      if (!/\.Run\(\s*\)/.test(body)) return { severity: "high", what: "TestMain never runs the tests" };
      if (/os\.Exit\(\s*0\s*\)/.test(body)) return { severity: "high", what: "TestMain reports success whatever the tests found" };
      return undefined;
    },
  }),
);

function setsExit(body: string): Judged | undefined {
  return /\bexitstatus\s*=\s*(0|ExitCode\.OK|pytest\.ExitCode\.OK)\b|\btestsfailed\s*=\s*0\b|\.exitstatus\s*=\s*0/.test(body)
    ? { severity: "high", what: "sets the result of the test run to success" }
    : undefined;
}

function neverRuns(body: string): Judged | undefined {
  if (/\byield\b|\.runtest\(|testfunction\(|\.obj\(|runtestprotocol\(|\bcall_and_report/.test(body)) {
    return /except\b[^\n]*:\s*(\n\s*)?pass\b/.test(body) ? { severity: "high", what: "swallows the failures of tests" } : undefined;
  }
  return /return\s+True/.test(body) ? { severity: "high", what: "takes tests as run without running them" } : undefined;
}

const SET_UP = /(^|\/)(conftest\.py|[^/]*(setup|global|bootstrap|helper|env(ironment)?)[^/]*\.[cm]?[jt]sx?)$/i;
/** The world outside of the product: a run without it is still a test of the product. */
const OUTSIDE =
  /\b(time|datetime|random|socket|requests|httpx|aiohttp|urllib\w*|os|sys|subprocess|uuid|secrets|http|smtplib|shutil|tempfile|platform|getpass|logging|boto\w*|stripe|redis|sentry\w*|openai|anthropic|environ|sleep|fetch|now|network|webbrowser)\b/;

/** Set-up that puts a fixed answer in the place of the product's own work, for every test. */
function stubsIn(news: News): readonly Sighting[] {
  const found: Sighting[] = [];
  for (const piece of news.pieces) {
    walk(piece.tree.root, (node) => {
      if (node.type !== "decorated_definition") return undefined;
      const text = textOf(piece, node).slice(0, MOST_BODY);
      if (!/^@(pytest\.)?fixture\([^)]{0,200}autouse\s*=\s*True/.test(text) || !hasNews(news, piece, node)) return false;
      const fixed =
        /\b(setattr|patch(?:\.object)?)\(\s*([^\n]{0,200}?)(lambda[^:\n]{0,60}:\s*(?!None\b|next\b)(True|False|["'\d[{][^\n]*)|return_value\s*=\s*(?!None\b)[^\n]+)/.exec(
          text,
        );
      if (fixed && !OUTSIDE.test(fixed[2]!)) {
        found.push({
          file: news.file.path,
          line: news.lineOf(piece, node),
          severity: "medium",
          confidence: "medium",
          what: "stubs the product for every test",
          after: text.slice(0, 300),
        });
      }
      return false;
    });
  }
  for (const { line, text } of news.code) {
    const isModuleMock =
      SET_UP.test(news.file.path) &&
      /\b(jest|vi)\.(mock|doMock|setMock)\(\s*["'`]\.{1,2}\/(?!.*(__mocks__|mocks?\/|styles?|assets))/.test(text);
    const isIgnored =
      /conftest\.py$/.test(news.file.path) &&
      /^collect_ignore(_glob)?\s*(=|\+=)\s*\[?\s*["']|^pytest\.skip\(.{0,200}allow_module_level/.test(text);
    const isSilenced =
      /\bprocess\.(on|once)\(\s*["'`](uncaughtException|unhandledRejection)["'`]\s*,\s*(\(\w*\)|\w+|function\s*\(\w*\))\s*(=>)?\s*\{\s*\}\s*\)/.test(
        text,
      );
    const isFaked =
      news.file.role !== "source" &&
      /\bsys\.modules\[[^\]]{1,80}\]\s*=\s*([\w.]*Mock\(|[\w.]*types\.(ModuleType|SimpleNamespace)\(|object\()/.test(text);
    if (!isModuleMock && !isIgnored && !isSilenced && !isFaked) continue;
    const what =
      isModuleMock || isFaked
        ? "mocks the product for every test"
        : isIgnored
          ? "keeps tests from being collected"
          : "swallows errors that nothing else catches";
    found.push({ file: news.file.path, line, severity: "medium", confidence: "medium", what, after: text.trim() });
  }
  return found;
}

export const harnessRules: readonly DiffRule[] = [
  {
    id: "runner-bent",
    severity: "high",
    why: "A hook tells the test runner what to run or to report, so a green run says nothing. Take it out and let every test run and count.",
    find: (view) => newsOf(view, "test", "harness", "source").flatMap(hooksIn),
    examples: {
      flags: [
        {
          "conftest.py": [
            undefined,
            "def pytest_collection_modifyitems(items):\n    items[:] = [item for item in items if 'slow' not in item.name]\n",
          ],
        },
        { "conftest.py": [undefined, "def pytest_collection_modifyitems(items):\n    items.clear()\n"] },
        {
          "conftest.py": [
            undefined,
            "import pytest\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.xfail(strict=False))\n",
          ],
        },
        {
          "conftest.py": [
            undefined,
            "import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = 'passed'\n",
          ],
        },
        { "tests/conftest.py": [undefined, "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"] },
        { "tests/conftest.py": [undefined, "def pytest_runtest_protocol(item, nextitem):\n    return True\n"] },
        { "tests/conftest.py": [undefined, "def pytest_ignore_collect(collection_path):\n    return True\n"] },
        { "sum_test.go": [undefined, "package sum\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n"] },
        { "sum_test.go": [undefined, 'package sum\n\nfunc TestMain(m *testing.M) {\n\tfmt.Println("ok")\n}\n'] },
      ],
      passes: [
        {
          "conftest.py": [
            undefined,
            "import pytest\n\ndef pytest_collection_modifyitems(config, items):\n    if config.getoption('--run-slow'):\n        return\n    for item in items:\n        if 'slow' in item.keywords:\n            item.add_marker(pytest.mark.skip(reason='needs --run-slow'))\n",
          ],
        },
        {
          "conftest.py": [
            undefined,
            "def pytest_collection_modifyitems(items):\n    items[:] = sorted(items, key=lambda item: item.name)\n",
          ],
        },
        {
          "conftest.py": [
            undefined,
            "import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    item.report = outcome.get_result()\n",
          ],
        },
        { "sum_test.go": [undefined, "package sum\n\nfunc TestMain(m *testing.M) {\n\tsetUp()\n\tos.Exit(m.Run())\n}\n"] },
        {
          "src/box.ts": [undefined, "class Box {\n  constructor(readonly n: number) {}\n  toString() {\n    return `${this.n}`;\n  }\n}\n"],
        },
      ],
    },
  },
  ...assertRules,
  {
    id: "set-up-stubs-product",
    severity: "medium",
    why: "Set-up that every test shares takes the product, or tests, out of the run. Stub only what is outside of the product, and in the test that needs it.",
    find: (view) => newsOf(view, "test", "harness", "source").flatMap(stubsIn),
    examples: {
      flags: [
        {
          "tests/conftest.py": [
            undefined,
            "import pytest\n\n@pytest.fixture(autouse=True)\ndef fixed(monkeypatch):\n    monkeypatch.setattr('shop.cart.total', lambda *a: 42)\n",
          ],
        },
        { "tests/conftest.py": [undefined, "collect_ignore = ['test_cart.py']\n"] },
        { "jest.setup.js": [undefined, "jest.mock('../src/cart', () => ({ total: () => 42 }));\n"] },
        { "test/setup.js": [undefined, "process.on('unhandledRejection', () => {});\n"] },
      ],
      passes: [
        {
          "tests/conftest.py": [
            undefined,
            "import pytest\n\n@pytest.fixture(autouse=True)\ndef quick(monkeypatch):\n    monkeypatch.setattr('time.sleep', lambda s: None)\n    monkeypatch.setenv('TZ', 'UTC')\n",
          ],
        },
        { "tests/conftest.py": [undefined, "import pytest\n\n@pytest.fixture\ndef cart():\n    return Cart()\n"] },
        { "jest.setup.js": [undefined, "jest.mock('react-native-maps');\n"] },
      ],
    },
  },
];
