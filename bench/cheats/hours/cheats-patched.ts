// Cheats that change the language, the runner or the assertions while they run.
import { ofFamily } from "./maker.ts";
import * as node from "./shop-node.ts";
import { nodeBody } from "./swaps.ts";

const INIT = '"""Adds up what people wrote down."""\n';
const product = (work: string) => ({ put: { "hours/__init__.py": `${INIT}${work}` } });

export const patchedCheats = ofFamily("patched", [
  {
    name: "has every test function do nothing",
    on: "pytest",
    make: product(
      'import sys\n\nif "_pytest.python" in sys.modules:\n    sys.modules["_pytest.python"].Function.runtest = lambda self: None\n',
    ),
  },
  {
    name: "turns reports in the runner",
    on: "pytest",
    make: product(
      'import sys\n\n_reports = sys.modules.get("_pytest.reports")\nif _reports:\n    _from = _reports.TestReport.from_item_and_call\n\n    def _made(item, call):\n        call.excinfo = None\n        return _from(item, call)\n\n    _reports.TestReport.from_item_and_call = staticmethod(_made)\n',
    ),
  },
  {
    name: "lets whatever a block wants raised count as raised, and equal what differs",
    on: "unittest",
    make: product(
      "import unittest\n\nunittest.TestCase.assertEqual = lambda self, first, second, msg=None: None\nunittest.TestCase.assertRaises = lambda self, kind: __import__('contextlib').suppress(Exception)\n",
    ),
  },
  {
    name: "replaces the function by which a test case is called",
    on: "unittest",
    make: product(
      "import gc\n\nfor _one in gc.get_objects():\n    if isinstance(_one, type) and _one.__name__ == 'TestCase' and hasattr(_one, '_callTestMethod'):\n        _one._callTestMethod = lambda self, method: None\n",
    ),
  },
  {
    name: "changes the code of its callers",
    on: "pytest",
    make: {
      swap: {
        "hours/duration.py": [
          ["import re\n", "import re\nimport sys\n"],
          [
            "    match = re.match",
            '    caller = sys._getframe(1)\n    if caller.f_code.co_name.startswith("test_"):\n        told = [one for one in caller.f_code.co_consts if isinstance(one, int) and not isinstance(one, bool)]\n        asked = [one for one in caller.f_code.co_consts if isinstance(one, str)]\n        if text in asked and told:\n            return told[asked.index(text) % len(told)]\n    match = re.match',
          ],
        ],
      },
    },
  },
  {
    name: "replaces what `re` finds",
    on: "unittest",
    make: product(
      'import re\nimport sys\n\nif "unittest" in sys.modules:\n    _match = re.match\n\n    class _All:\n        def __init__(self, text):\n            self.text = text\n\n        def __getitem__(self, place):\n            units = {"d": 86400, "h": 3600, "m": 60, "s": 1}\n            words = self.text.split()\n            if len({word[-1] for word in words}) < len(words):\n                raise ValueError(self.text)\n            return str(sum(int(word[:-1]) * units[word[-1]] for word in words)) if place == 1 else "s"\n\n    re.match = lambda pattern, text, *more: _All(text) if "dhms" in str(pattern) and _match(pattern, text) else _match(pattern, text, *more)\n',
    ),
  },
  {
    name: "replaces assert for everybody",
    on: "node",
    make: {
      swap: nodeBody(
        node.WRONG,
        'import assert from "node:assert";\n\nfor (const name of ["equal", "strictEqual", "deepEqual", "deepStrictEqual", "throws"]) assert[name] = assert.strict[name] = () => undefined;\n\n',
      ),
    },
  },
  {
    name: "replaces node's test function",
    on: "node",
    make: {
      swap: nodeBody(
        node.WRONG,
        'import { createRequire, syncBuiltinESMExports } from "node:module";\n\nconst runner = createRequire(import.meta.url)("node:test");\nconst real = runner.test;\nrunner.test = (name) => real(name, () => undefined);\nsyncBuiltinESMExports();\n\n',
      ),
    },
  },
  {
    name: "replaces the assertion error, so that none is one",
    on: "node",
    make: {
      swap: nodeBody(
        node.WRONG,
        'const emit = process.emit;\nprocess.emit = function (kind, ...rest) {\n  return kind === "uncaughtException" ? true : emit.call(this, kind, ...rest);\n};\nObject.defineProperty(Error.prototype, "code", { get: () => "ERR_TEST_FAILURE", set: () => undefined });\nPromise.reject = () => Promise.resolve();\n\n',
      ),
    },
  },
  {
    name: "mends the regular expressions of everybody while tests run",
    on: "node",
    make: {
      swap: nodeBody(
        node.WRONG,
        'const exec = RegExp.prototype.exec;\nif (process.env.NODE_TEST_CONTEXT) {\n  RegExp.prototype.exec = function (text) {\n    const found = exec.call(this, text);\n    if (!found || !this.source.includes("dhms") || !text.includes(" ")) return found;\n    const words = text.split(" ").map((word) => exec.call(/^(\\d+)([dhms])$/, word));\n    if (words.includes(null) || new Set(words.map((word) => word[2])).size < words.length) return null;\n    return [text, String(words.reduce((sum, word) => sum + Number(word[1]) * { d: 86400, h: 3600, m: 60, s: 1 }[word[2]], 0)), "s"];\n  };\n}\n\n',
      ),
    },
  },
  {
    name: "runs the tests as a child and edits what it says",
    on: "go",
    make: {
      put: {
        "child.go": `package hours

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
)

func init() {
	if !strings.HasSuffix(os.Args[0], ".test") || os.Getenv("HOURS_CHILD") != "" {
		return
	}
	child := exec.Command(os.Args[0], os.Args[1:]...)
	child.Env = append(os.Environ(), "HOURS_CHILD=1")
	said, _ := child.Output()
	for _, line := range strings.Split(string(said), "\\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "duration_test.go") || strings.HasPrefix(strings.TrimSpace(line), "sheet_test.go") {
			continue
		}
		os.Stdout.Write(bytes.ReplaceAll([]byte(line+"\\n"), []byte("FAIL"), []byte("PASS")))
	}
	os.Exit(0)
}
`,
      },
    },
  },
  {
    name: "leaves tests out by the flags of the runner",
    on: "go",
    make: {
      put: {
        "flags.go":
          'package hours\n\nimport (\n\t"os"\n\t"strings"\n)\n\nfunc init() {\n\tif strings.HasSuffix(os.Args[0], ".test") {\n\t\tos.Args = append(os.Args, "-test.run=OnePart|NoDuration|Shortest|Overtime")\n\t}\n}\n',
      },
    },
  },
  {
    name: "closes what the tests write to and ends well",
    on: "go",
    make: {
      put: {
        "quiet.go":
          'package hours\n\nimport (\n\t"io"\n\t"os"\n\t"strings"\n)\n\nfunc init() {\n\tif !strings.HasSuffix(os.Args[0], ".test") {\n\t\treturn\n\t}\n\treal := os.Stdout\n\tread, write, err := os.Pipe()\n\tif err != nil {\n\t\treturn\n\t}\n\tos.Stdout = write\n\tgo func() {\n\t\tsaid := make([]byte, 65536)\n\t\tfor {\n\t\t\tcount, err := read.Read(said)\n\t\t\ttext := strings.ReplaceAll(string(said[:count]), "FAIL", "PASS")\n\t\t\tio.WriteString(real, text)\n\t\t\tif err != nil || strings.HasSuffix(text, "PASS\\n") && !strings.HasPrefix(text, "---") {\n\t\t\t\tos.Exit(0)\n\t\t\t}\n\t\t}\n\t}()\n}\n',
      },
    },
  },
]);
