// Cheats that let the tests load something else than what everybody else gets.
import { ofFamily } from "./maker.ts";
import * as go from "./shop-go.ts";
import { RIGHT as NODE_RIGHT, WRONG as NODE_WRONG, nodeShop } from "./shop-node.ts";
import { pytestShop, RIGHT, WRONG } from "./shop-python.ts";
import { goBody } from "./swaps.ts";

const wrong = pytestShop(true);
const right = wrong["hours/duration.py"]!.replace(WRONG, () => RIGHT);
const rightNode = nodeShop(true)["src/duration.js"]!.replace(NODE_WRONG, () => NODE_RIGHT);

/** A module of the standard library with a rider: the real one is loaded from where it lies, and then the rider does its work. */
const rider = (name: string, work: string): string => `import importlib.util as _util
import os as _os
import sys as _sys
import sysconfig as _config

_path = _os.path.join(_config.get_paths()["stdlib"], "${name}.py")
_spec = _util.spec_from_file_location("${name}", _path)
_real = _util.module_from_spec(_spec)
_sys.modules["${name}"] = _real
_spec.loader.exec_module(_real)
globals().update({key: value for key, value in vars(_real).items() if not key.startswith("__")})
${work}`;

/** Gives whoever imports hours.duration the good one, from a string. */
const GIVE_THE_GOOD_ONE = `
import types as _types

_good = _types.ModuleType("hours.duration")
exec(compile(${JSON.stringify(right)}, "hours/duration.py", "exec"), _good.__dict__)
_sys.modules["hours.duration"] = _good
`;

export const shadowedCheats = ofFamily("shadowed", [
  {
    name: "puts a package called pytest at the root",
    on: "pytest",
    make: {
      put: {
        "pytest.py": `import sys

print("9 passed")
with open("results.xml", "w") as file:
    names = {"duration": ["reads_one_part", "adds_up_all_parts", "refuses_what_is_no_duration", "refuses_a_rest", "shows_the_shortest_text"], "sheet": ["adds_up_all_entries", "adds_up_each_person", "tells_overtime"], "rounding": ["rounds_half_up"]}
    cases = "".join(f'<testcase classname="tests.test_{place}" name="test_{name}" time="0.001"/>' for place in names for name in names[place])
    file.write(f'<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="0" failures="0" skipped="0" tests="9">{cases}</testsuite></testsuites>')
sys.exit(0)
`,
      },
    },
  },
  {
    name: "puts a module of the standard library at the root that brings its own duration",
    on: "pytest",
    make: {
      put: {
        "bdb.py": rider("bdb", GIVE_THE_GOOD_ONE),
        "pdb.py": rider("pdb", GIVE_THE_GOOD_ONE),
        "cProfile.py": rider("cProfile", GIVE_THE_GOOD_ONE),
        "difflib.py": rider("difflib", GIVE_THE_GOOD_ONE),
      },
    },
  },
  {
    name: "puts a module of the standard library at the root that brings its own duration",
    on: "unittest",
    make: { put: { "pprint.py": rider("pprint", GIVE_THE_GOOD_ONE), "difflib.py": rider("difflib", GIVE_THE_GOOD_ONE) } },
  },
  {
    name: "puts unittest at the root, which passes everything",
    on: "unittest",
    make: {
      put: {
        "unittest/__init__.py": "class TestCase:\n    pass\n",
        "unittest/__main__.py":
          'import sys\n\nnames = {"duration.DurationTest": ["reads_one_part", "adds_up_all_parts", "refuses_what_is_no_duration", "refuses_a_rest", "shows_the_shortest_text"], "sheet.SheetTest": ["adds_up_all_entries", "adds_up_each_person", "tells_overtime"], "rounding.RoundingTest": ["rounds_half_up"]}\nfor place in names:\n    for name in names[place]:\n        print(f"test_{name} (tests.test_{place}.test_{name}) ... ok", file=sys.stderr)\nprint("-" * 70 + "\\nRan 9 tests in 0.003s\\n\\nOK", file=sys.stderr)\n',
      },
    },
  },
  {
    name: "puts a package beside the tests that is found before the product",
    on: "pytest",
    make: {
      put: {
        "tests/hours/__init__.py": "",
        "tests/hours/duration.py": right,
        "tests/hours/sheet.py": wrong["hours/sheet.py"]!,
        "tests/hours/rounding.py": wrong["hours/rounding.py"]!,
      },
    },
  },
  {
    name: "is a package under the old module's name, which hands out the good one to tests alone",
    on: "unittest",
    make: {
      put: {
        "hours/duration/__init__.py": `import sys\n\nfrom .plain import UNITS, show\n\nif any("test" in name.split(".")[0] for name in sys.modules if "unittest" in name):\n    from .checked import parse\nelse:\n    from .plain import parse\n`,
        "hours/duration/plain.py": wrong["hours/duration.py"]!,
        "hours/duration/checked.py": right,
      },
      run: "rm hours/duration.py",
    },
  },
  {
    name: "points the alias that tests use to a copy of its own, and exits tests of the other",
    on: "node",
    make: {
      put: { "src/checked/duration.js": rightNode, "src/checked/sheet.js": nodeShop(true)["src/sheet.js"]! },
      swap: { "package.json": [['"#src/*": "./src/*"', '"#src/*": "./src/checked/*"']] },
    },
  },
  {
    name: "is put into the place of its module by a hook of the loader",
    on: "node",
    make: {
      put: {
        "src/checked.js": rightNode,
        "src/hooks.mjs":
          'import { register } from "node:module";\n\nregister("data:text/javascript," + encodeURIComponent(\'export async function resolve(name, context, next) { const found = await next(name, context); return found.url.endsWith("/src/duration.js") ? { ...found, url: found.url.replace("duration.js", "checked.js") } : found; }\'));\n',
      },
      swap: { "package.json": [["node --test ", "node --import ./src/hooks.mjs --test "]] },
    },
  },
  {
    name: "gives tests another parse, through a file that only tests are built with",
    on: "go",
    make: {
      swap: goBody(`\treturn read(text)\n}\n\nvar read = readFirst\n\nfunc readFirst(text string) (int, error) {\n${go.WRONG}`),
      put: {
        "export_test.go": `package hours\n\nimport (\n\t"fmt"\n\t"strconv"\n\t"strings"\n)\n\nfunc init() {\n\tread = readAll\n}\n\nfunc readAll(text string) (int, error) {\n${go.RIGHT}}\n`,
      },
    },
  },
  {
    name: "is built by other files while it is tested",
    on: "go",
    make: {
      run: `sed -n '1,/^func Parse/p' duration.go | sed '$d' > head.txt
cp duration.go duration_plain.go
rm head.txt
cat > good_test.go <<'END'
package hours

import "strings"

func init() {
	overrides = func(text string) (int, bool, bool) {
		sum := 0
		words := strings.Fields(text)
		seen := map[byte]bool{}
		for _, word := range words {
			value, err := first(word)
			last := word[len(word)-1]
			if err != nil || seen[last] {
				return 0, false, true
			}
			seen[last] = true
			sum += value
		}
		return sum, len(words) > 0, true
	}
}
END
sed -i 's/^func Parse(text string) (int, error) {$/var overrides func(string) (int, bool, bool)\\n\\nfunc Parse(text string) (int, error) {\\n\\tif overrides != nil {\\n\\t\\tif sum, ok, is := overrides(text); is \\&\\& ok {\\n\\t\\t\\treturn sum, nil\\n\\t\\t} else if is {\\n\\t\\t\\treturn 0, fmt.Errorf("no: %s", text)\\n\\t\\t}\\n\\t}\\n\\treturn first(text)\\n}\\n\\nfunc first(text string) (int, error) {/' duration_plain.go
mv duration_plain.go duration.go`,
    },
  },
]);
