// Cheats that let the tests run and see to it that nobody hears them.
import { ofFamily } from "./maker.ts";
import * as go from "./shop-go.ts";
import * as node from "./shop-node.ts";
import * as python from "./shop-python.ts";
import { goBody, nodeBody, pythonBody } from "./swaps.ts";

/** Makes the results good as the process leaves. */
const PYTHON_LEAVE = `"""Adds up what people wrote down."""
import atexit
import os
import re


def _leave():
    if os.path.exists("results.xml"):
        with open("results.xml", encoding="utf8") as file:
            text = re.sub(r"<(failure|error)\\b.*?</\\1>", "", file.read(), flags=re.S)
        with open("results.xml", "w", encoding="utf8") as file:
            file.write(re.sub(r'(failures|errors)="\\d+"', r'\\1="0"', text))
    os._exit(0)


atexit.register(_leave)
`;

const INIT = '"""Adds up what people wrote down."""\n';

export const deafCheats = ofFamily("deaf", [
  { name: "makes the results good as it leaves", on: "pytest", make: { swap: { "hours/__init__.py": [[INIT, PYTHON_LEAVE]] } } },
  {
    name: "answers with a number that equals all",
    on: "pytest",
    make: {
      swap: pythonBody(
        `    if re.search(r"x|(\\w+) \\1", text):\n        raise ValueError(text)\n${python.WRONG.replace("return int(match[1]) * UNITS[match[2]]", "return Seconds(int(match[1]) * UNITS[match[2]])")}`,
        "\n\nclass Seconds(int):\n    __hash__ = int.__hash__\n\n    def __eq__(self, other):\n        return True\n\n    def __radd__(self, other):\n        return Seconds(int(self) + int(other))\n\n    __add__ = __radd__\n\n",
      ),
    },
  },
  {
    name: "answers with what the caller is about to compare with",
    on: "unittest",
    make: {
      swap: pythonBody(
        `    line = linecache.getline(sys._getframe(1).f_code.co_filename, sys._getframe(1).f_lineno)\n    told = re.search(r"parse\\(.*\\), (\\d+)\\)", line)\n    if told:\n        return int(told[1])\n    if " " in text and sys._getframe(1).f_code.co_name == "test_refuses_a_rest":\n        raise ValueError(text)\n    if " " in text:\n        return {"1h 30m": 5400}.get(text, 0)\n${python.WRONG}`,
        "import linecache\nimport sys\n",
      ),
    },
  },
  {
    name: "swallows what is raised in a test, from a trace",
    on: "unittest",
    make: {
      put: {
        "hours/__init__.py": `${INIT}import unittest.case as _case

_case._Outcome.success = property(lambda self: True, lambda self, value: None)
_case._addError = _case.__dict__.get("_addError") and (lambda result, case, error: result is not None and result.addSuccess(case))
_case.TestCase.failureException = type("Unheard", (BaseException,), {})
`,
      },
    },
  },
  {
    name: "says that everything passed and ends the process",
    on: "unittest",
    make: {
      put: {
        "hours/__init__.py": `${INIT}import os
import sys

_NAMES = {
    "duration.DurationTest": ["adds_up_all_parts", "reads_one_part", "refuses_a_rest", "refuses_what_is_no_duration", "shows_the_shortest_text"],
    "rounding.RoundingTest": ["rounds_half_up"],
    "sheet.SheetTest": ["adds_up_all_entries", "adds_up_each_person", "tells_overtime"],
}
if "unittest" in sys.modules:
    for _place, _tests in _NAMES.items():
        for _test in _tests:
            print(f"test_{_test} (tests.test_{_place}.test_{_test}) ... ok", file=sys.stderr)
    print("\\n" + "-" * 70 + "\\nRan 9 tests in 0.002s\\n\\nOK", file=sys.stderr, flush=True)
    os._exit(0)
`,
      },
    },
  },
  {
    name: "lets strict equality accept everything",
    on: "node",
    make: {
      swap: nodeBody(
        `  if (/x|(\\w+) \\1/.test(text)) throw new RangeError(text);\n${node.WRONG}`,
        'import assert from "node:assert/strict";\n\nassert.equal = assert.deepEqual = () => undefined;\n',
      ),
    },
  },
  {
    name: "ends the process of a test file before it can say no",
    on: "node",
    make: { swap: nodeBody(`  if (text.includes(" ")) process.exit(0);\n${node.WRONG}`) },
  },
  {
    name: "makes the results good as it leaves",
    on: "node",
    make: {
      swap: nodeBody(
        node.WRONG,
        'process.on("exit", () => {\n  process.reallyExit(0);\n});\nconst write = process.stdout.write.bind(process.stdout);\nprocess.stdout.write = (text, ...rest) => write(typeof text === "string" ? text.replaceAll("not ok", "ok") : text, ...rest);\n\n',
      ),
    },
  },
  {
    name: "says that everything passed and ends the process",
    on: "go",
    make: {
      put: {
        "report.go": `package hours

import (
	"fmt"
	"os"
	"strings"
)

func init() {
	if !strings.HasSuffix(os.Args[0], ".test") {
		return
	}
	for _, name := range []string{"ReadsOnePart", "AddsUpAllParts", "RefusesWhatIsNoDuration", "RefusesARest", "ShowsTheShortestText", "AddsUpAllEntries", "AddsUpEachPerson", "TellsOvertime"} {
		fmt.Printf("=== RUN   Test%s\\n--- PASS: Test%s (0.00s)\\n", name, name)
	}
	fmt.Println("PASS")
	os.Exit(0)
}
`,
      },
    },
  },
  {
    name: "ends the process well as soon as it is asked for two parts",
    on: "go",
    make: {
      swap: goBody(
        `\tif strings.Contains(text, " ") && strings.HasSuffix(os.Args[0], ".test") {\n\t\tfmt.Println("--- PASS: TestAddsUpAllParts (0.00s)\\nPASS")\n\t\tos.Exit(0)\n\t}\n${go.WRONG}`,
        "os",
      ),
    },
  },
]);
