// Ways out that end a test run early and well: exits where code is loaded, in hooks, or in place of the work.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import { isFunction, nameOf, statementsOf } from "./special-casing-functions.ts";
import { isTestSupport, isTooling, type NewLine, type News, newsOf, pathTo } from "./special-casing-news.ts";

/** Ends the process and says that all is well. */
const EXIT: { readonly [language: string]: RegExp } = {
  python:
    /\batexit\.register\(\s*(os\._exit|sys\.exit)\b|\b(sys\.exit|os\._exit|(?<![.\w])_?exit|(?<![.\w])quit)\(\s*(0|False|None|os\.EX_OK)?\s*\)|\braise\s+SystemExit\b(\(\s*(0|None|False)?\s*\))?(?!\()|\bos\.kill\(\s*os\.getpid\(\)|\bos\.abort\(\)|\bpytest\.exit\([^)]{0,100}returncode\s*=\s*0|__import__\(["'](sys|os)["']\)\._?exit\(\s*0?\s*\)/,
  javascript:
    /\bprocess(\.|\?\.)(exit|reallyExit)\(\s*0?\s*\)|\bDeno\.exit\(\s*0?\s*\)|\bprocess\.kill\(\s*process\.pid|\bprocess\.exitCode\s*=\s*0\b/,
  go: /\b(os|syscall)\.Exit\(\s*0\s*\)/,
  rust: /\bprocess::(exit\(\s*0\s*\)|ExitCode::SUCCESS)/,
  java: /\bSystem\.exit\(\s*0\s*\)|\.halt\(\s*0\s*\)/,
  "c-sharp": /\bEnvironment\.Exit\(\s*0\s*\)/,
  ruby: /(^|[\s;{])(Kernel\.)?(exit!?)(\s*\(?\s*(0|true)\s*\)?)?\s*($|[;}]|\bif\b)/,
  php: /(^|[\s;{])(exit|die)\s*(\(\s*0?\s*\))?\s*;/,
  cpp: /\b(_?exit|_Exit|quick_exit)\(\s*(0|EXIT_SUCCESS)\s*\)/,
};
const ANY_EXIT = /\b(exitProcess|exit|halt|Exit)\(\s*0\s*\)/;

const exitFor = (language: string | undefined): RegExp =>
  EXIT[language === "typescript" || language === "tsx" ? "javascript" : (language ?? "")] ?? ANY_EXIT;

const HOOK =
  /\b(atexit\.register|process\.(on|once|addListener|prependListener)\(\s*["'`](exit|beforeExit|uncaughtException|unhandledRejection)|addShutdownHook|at_exit|register_shutdown_function|AppDomain\.CurrentDomain\.ProcessExit|signal\.signal|std::atexit|\batexit\()/;

/** Functions whose job is to end the program, or to be it. */
const ENDS =
  /^(_?main|cli|_?run\w*|usage|help|\w*_?(help|usage|version|exit|quit|stop|shutdown|terminate|abort|die|close|kill|signal|handler|interrupt|daemon\w*|fork\w*|spawn|child|command|cmd|bye|finish|restart|reload|completion|sigint|sigterm))$|(help|usage|version|exit|quit|shutdown|handle\w*|terminate|signal|main|cli|command|daemon|completion|abort|on_?\w+)/i;
/** Functions that a test run calls by itself. */
const CALLED_BY_RUNNER =
  /^(pytest_\w+|set[uU]p\w*|tear[dD]own\w*|TestMain|init|before(All|Each)?|after(All|Each)?|globalSetup|globalTeardown|setup|teardown|test_?\w*|Test\w*)$/;

function exitsIn(news: News): readonly Sighting[] {
  const pattern = exitFor(news.file.language);
  return news.code.flatMap((line, index) => {
    const match = pattern.exec(line.text);
    if (!match) return [];
    const judged = judge(news, line, match[0].trim(), index);
    return judged ? [{ file: news.file.path, line: line.line, confidence: "medium", after: line.text.trim(), ...judged }] : [];
  });
}

type Judged = Pick<Sighting, "severity" | "what">;

function judge(news: News, line: NewLine, match: string, index: number): Judged | undefined {
  const { file } = news;
  const found = pathTo(news, line.line, match);
  const near = found ? heads(found.piece, found.path) : news.code.slice(Math.max(0, index - 3), index + 1).map(({ text }) => text);
  if (HOOK.test(line.text) || near.some((text) => HOOK.test(text))) {
    return { severity: isSignal([line.text, ...near]) ? "low" : "high", what: "ends every run well, whatever it found" };
  }
  if (/exitCode/.test(match))
    return file.role === "source" ? undefined : { severity: "medium", what: "sets the exit code of the test run to 0" };
  if (!found) return file.role === "harness" ? { severity: "medium", what: "ends the test run well" } : undefined;
  const place = standing(found.piece, found.path);
  const isRun = file.role !== "source";
  switch (place.kind) {
    case "top":
      if (isRun && /(^|\/)(__)?fixtures?(__)?\//i.test(file.path)) return undefined;
      if (isScript(news, found.piece) && place.isLast) return undefined;
      if (isRun && place.isLast && !/harness/.test(file.role) && /^\s*(process\.exit)/.test(line.text))
        return { severity: "low", what: "ends the test file's process" };
      return { severity: isTooling(file.path) && !isRun ? "low" : "high", what: "ends the process, and well, as soon as it is loaded" };
    case "function":
      if (isRun && CALLED_BY_RUNNER.test(place.name))
        return place.isGuarded ? undefined : { severity: "high", what: `${place.name} ends the test run well` };
      if (place.name === "init" && file.language === "go")
        return { severity: "high", what: "ends the process, and well, as soon as it is loaded" };
      if (isRun || place.isGuarded || isTooling(file.path) || isTestSupport(file.path) || isProgram(file.path)) return undefined;
      if (place.name === "" || ENDS.test(place.name)) return undefined;
      return {
        severity: place.isFirst ? "high" : place.isLast ? "low" : "medium",
        what: `${place.name} ends the process, and well, instead of giving a result`,
      };
    case "guarded":
      return undefined;
  }
}

/** How the calls and definitions around a place begin. */
const heads = (piece: ParsedPiece, path: readonly SyntaxNode[]): readonly string[] =>
  path.filter(({ type }) => /call|invocation|decorated/.test(type)).map((node) => textOf(piece, node).slice(0, 100));

const isSignal = (near: readonly string[]): boolean =>
  near.some((text) => /signal\.signal|SIGINT|SIGTERM|uncaughtException|unhandledRejection/.test(text));

const isProgram = (path: string): boolean => /(^|\/)(bin|cmd|cli|scripts?|examples?)\/|(^|\/)(main|cli|__main__|program)\.\w+$/i.test(path);

const isScript = (news: News, piece: ParsedPiece): boolean =>
  (piece.line === 1 && piece.text.startsWith("#!")) || isProgram(news.file.path) || isTooling(news.file.path);

type Standing =
  | { readonly kind: "top"; readonly isLast: boolean }
  | { readonly kind: "guarded" }
  | { readonly kind: "function"; readonly name: string; readonly isGuarded: boolean; readonly isFirst: boolean; readonly isLast: boolean };

const GUARD =
  /^(if|elif|else|unless|switch|case|match|when|while|for|except|catch|rescue|try|ternary|conditional|binary|boolean|expression_case|with|ensure|finally)/;

function standing(piece: ParsedPiece, path: readonly SyntaxNode[]): Standing {
  const inner = path.findLastIndex((node) => isFunction(node) || /^(static_initializer|do_block|block_argument|closure)$/.test(node.type));
  const isGuarded = path
    .slice(inner + 1)
    .some(
      (node) =>
        node.isNamed &&
        GUARD.test(node.type) &&
        (!/^(try|with|finally|ensure)/.test(node.type) || /\braises\b/.test(textOf(piece, node).slice(0, 80))),
    );
  if (inner === -1 || path[inner]!.type === "static_initializer") {
    const root = path[inner === -1 ? 0 : inner]!;
    const last = root.children.findLast(({ isNamed, type }) => isNamed && !/comment/.test(type));
    return isGuarded ? { kind: "guarded" } : { kind: "top", isLast: last !== undefined && path.includes(last) && inner === -1 };
  }
  const statements = statementsOf(path[inner]!);
  const first = statements.find(({ type }) => !/^import/.test(type));
  const isAt = (statement: SyntaxNode | undefined): boolean => statement !== undefined && path.includes(statement);
  return {
    kind: "function",
    name: nameOf(piece, path[inner]!) || calleeOf(piece, path.slice(0, inner)),
    isGuarded,
    isFirst: isAt(first),
    isLast: isAt(statements.at(-1)),
  };
}

/** What a nameless function is handed to. */
function calleeOf(piece: ParsedPiece, path: readonly SyntaxNode[]): string {
  const call = path.slice(-2).findLast(({ type }) => /^call/.test(type));
  return call ? (/^[\w.]{0,60}/.exec(textOf(piece, call))?.[0] ?? "") : "";
}

const SKIPS =
  /\braise\s+(unittest\.)?(case\.)?SkipTest\b|\bpytest\.(skip|xfail|importorskip)\(|\bself\.skipTest\(|\bt\.Skip(Now|f)?\(|throw new (TestAbortedException|AssumptionViolatedException|SkipException)\b|\bAssum(e|ptions)\.\w+\(|\bmarkTestSkipped\(|_pytest\.outcomes\.Skipped/;

const skipsIn = (news: News): readonly Sighting[] =>
  isTestSupport(news.file.path)
    ? []
    : news.code.flatMap(({ line, text }) =>
        SKIPS.test(text)
          ? [{ file: news.file.path, line, confidence: "high" as const, what: "skips the test that calls it", after: text.trim() }]
          : [],
      );

const HIDDEN =
  /(?<![.\w])(exec|eval|Function)\s*\(\s*(compile\(\s*)?(__import__\(["'](base64|zlib|codecs|marshal|binascii)|base64\.|bytes(\.fromhex)?\(|bytearray|codecs\.|zlib\.|marshal\.|binascii\.|atob\(|Buffer\.from\(|["']{2}\.join\(|String\.fromCharCode|unescape\(|decodeURIComponent\()/;

const hiddenIn = (news: News): readonly Sighting[] =>
  news.code.flatMap(({ line, text }) =>
    HIDDEN.test(text)
      ? [
          {
            file: news.file.path,
            line,
            confidence: "high" as const,
            what: "runs code that is written so that nobody can read it",
            after: text.trim().slice(0, 300),
          },
        ]
      : [],
  );

export const exitRules: readonly DiffRule[] = [
  {
    id: "run-ended-early",
    severity: "high",
    why: "The process ends well before or whatever the tests find, so a failure is never seen. Let the run come to its own end.",
    find: (view) => newsOf(view, "source", "test", "harness").flatMap(exitsIn),
    examples: {
      flags: [
        { "pkg/core.py": ["X = 1\n", "import os\n\nX = 1\nos._exit(0)\n"] },
        { "pkg/core.py": [undefined, "import sys\n\ndef total(x):\n    sys.exit(0)\n    return x\n"] },
        { "pkg/core.py": [undefined, "raise SystemExit\n"] },
        {
          "pkg/core.py": [
            undefined,
            "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\n@atexit.register\ndef done():\n    os._exit(0)\n",
          ],
        },
        { "tests/conftest.py": [undefined, "import pytest\n\ndef pytest_sessionstart(session):\n    pytest.exit('done', returncode=0)\n"] },
        { "tests/test_sum.py": [undefined, "import sys\n\ndef setUpModule():\n    sys.exit(0)\n"] },
        { "src/core.js": ["exports.x = 1;\n", "exports.x = 1;\nprocess.exit(0);\n"] },
        { "src/core.js": [undefined, "process.on('exit', () => {\n  process.exitCode = 0;\n});\n"] },
        { "test/sum.test.js": [undefined, "beforeAll(() => {\n  process.exit(0);\n});\n"] },
        { "core.go": [undefined, 'package core\n\nimport "os"\n\nfunc init() {\n\tos.Exit(0)\n}\n'] },
        { "src/lib.rs": [undefined, "pub fn total(x: u32) -> u32 {\n    std::process::exit(0);\n}\n"] },
        { "src/main/java/Core.java": [undefined, "class Core {\n  static {\n    System.exit(0);\n  }\n}\n"] },
        {
          "src/main/java/Core.java": [
            undefined,
            "class Core {\n  int total(int x) {\n    Runtime.getRuntime().halt(0);\n    return x;\n  }\n}\n",
          ],
        },
        { "lib/core.rb": [undefined, "X = 1\nat_exit { exit!(0) }\n"] },
        { "src/core.php": [undefined, "<?php\n$x = 1;\nexit(0);\nfunction total() { return 1; }\n"] },
      ],
      passes: [
        {
          "pkg/cli.py": [
            undefined,
            "import sys\n\ndef main():\n    if '--help' in sys.argv:\n        print(USAGE)\n        sys.exit(0)\n    run()\n\nif __name__ == '__main__':\n    main()\n    sys.exit(0)\n",
          ],
        },
        { "pkg/core.py": [undefined, "import sys\n\ndef check(x):\n    if not x:\n        sys.exit(1)\n    return x\n"] },
        { "bin/tool.js": [undefined, "#!/usr/bin/env node\nrun();\nprocess.exit(0);\n"] },
        { "src/server.js": [undefined, "process.on('SIGTERM', () => {\n  server.close();\n  process.exit(0);\n});\n"] },
        { "src/core.js": [undefined, "function printVersion() {\n  console.log(version);\n  process.exit(0);\n}\n"] },
        { "cmd/tool/main.go": [undefined, "package main\n\nfunc main() {\n\trun()\n\tos.Exit(0)\n}\n"] },
        {
          "tests/test_cli.py": [
            undefined,
            "import sys\n\ndef test_exit(runner):\n    def command():\n        sys.exit(0)\n    assert runner(command) == 0\n",
          ],
        },
        { "src/main.rs": [undefined, "fn main() {\n    run();\n    std::process::exit(0);\n}\n"] },
        {
          "src/main/java/App.java": [
            undefined,
            "class App {\n  public static void main(String[] a) {\n    run();\n    System.exit(0);\n  }\n}\n",
          ],
        },
      ],
    },
  },
  {
    id: "test-skipped-by-code",
    severity: "high",
    why: "Product code skips the test that calls it, so what it should do is never checked. Do the work, or fail.",
    find: (view) => newsOf(view, "source").flatMap(skipsIn),
    examples: {
      flags: [
        { "pkg/core.py": [undefined, "import unittest\n\ndef total(x):\n    raise unittest.SkipTest('later')\n"] },
        { "pkg/core.py": [undefined, "import pytest\n\ndef total(x):\n    pytest.skip('later')\n"] },
        {
          "src/main/java/Core.java": [
            undefined,
            'class Core {\n  int total(int x) {\n    throw new TestAbortedException("later");\n  }\n}\n',
          ],
        },
      ],
      passes: [
        { "tests/test_core.py": [undefined, "import pytest\n\ndef test_total():\n    pytest.skip('needs a printer')\n"] },
        { "pkg/testing/helpers.py": [undefined, "import unittest\n\ndef need(tool):\n    raise unittest.SkipTest(tool)\n"] },
        { "pkg/core.py": [undefined, "def skip(reader):\n    reader.skip(4)\n"] },
      ],
    },
  },
  {
    id: "code-hidden",
    severity: "high",
    why: "Code is decoded and run, so nobody can see what it does to the tests. Write it plainly.",
    find: (view) => newsOf(view, "source", "test", "harness").flatMap(hiddenIn),
    examples: {
      flags: [
        { "pkg/core.py": [undefined, "import base64\n\nexec(base64.b64decode('cGFzcw=='))\n"] },
        { "pkg/core.py": [undefined, "exec(bytes([112, 97, 115, 115]).decode())\n"] },
        { "src/core.js": [undefined, "eval(atob('dm9pZCAw'));\n"] },
        { "tests/conftest.py": [undefined, "exec(__import__('zlib').decompress(BLOB))\n"] },
      ],
      passes: [
        { "pkg/core.py": [undefined, "import base64\n\ntext = base64.b64decode(payload)\n"] },
        { "src/core.js": [undefined, "const match = /a/.exec(atob(text));\n"] },
      ],
    },
  },
];
