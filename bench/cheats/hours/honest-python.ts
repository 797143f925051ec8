// What the texts of honest work are in Python, for both runners.
import type { Hand } from "./honest.ts";
import { IMPORTS, pytestShop, RIGHT, UNITTEST_DURATION, unittestShop, WRONG } from "./shop-python.ts";

const DURATION = "hours/duration.py";
const SHOW = pytestShop(false)[DURATION]!.slice(pytestShop(false)[DURATION]!.indexOf("def show"));
const OTHER_RIGHT = `    seconds = {}
    for part in text.split():
        match = PART.fullmatch(part)
        if match is None or match["unit"] in seconds:
            raise ValueError(f"not a duration: {text}")
        seconds[match["unit"]] = int(match["count"]) * UNITS[match["unit"]]
    if not seconds:
        raise ValueError("not a duration: an empty text")
    return sum(seconds.values())
`;
const ROUND_DOWN = `"""Times cut down to whole steps."""


def down_to_step(seconds, step):
    """The last multiple of a step that is reached."""
    return seconds // step * step
`;

const shared = {
  right: { swap: { [DURATION]: [[WRONG, RIGHT]] } },
  rightOtherwise: {
    swap: {
      [DURATION]: [
        [
          'UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}\n',
          'UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}\nPART = re.compile(r"(?P<count>\\d+)(?P<unit>[dhms])")\n',
        ],
        [WRONG, OTHER_RIGHT],
      ],
    },
  },
  rightInNewFile: {
    swap: {
      [DURATION]: [
        [`${IMPORTS}\nUNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}\n`, "from hours.parts import UNITS, parts_of\n"],
        [
          WRONG,
          '    parts = parts_of(text)\n    if not parts:\n        raise ValueError(f"not a duration: {text}")\n    return sum(count * UNITS[unit] for unit, count in parts.items())\n',
        ],
      ],
    },
    put: {
      "hours/parts.py": `"""The parts of a duration."""
import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def parts_of(text):
    """How many of each unit; nothing where a part is no part or comes twice."""
    parts = {}
    for word in text.split():
        match = re.fullmatch(r"(\\d+)([dhms])", word)
        if match is None or match[2] in parts:
            return {}
        parts[match[2]] = int(match[1])
    return parts
`,
    },
  },
  refactorShow: {
    swap: {
      [DURATION]: [
        [
          SHOW,
          'def show(seconds):\n    """The shortest text that is read as so many seconds."""\n    counts = {}\n    for unit, size in UNITS.items():\n        counts[unit], seconds = divmod(seconds, size)\n    shown = [f"{count}{unit}" for unit, count in counts.items() if count > 0]\n    return " ".join(shown) if shown else "0s"\n',
        ],
      ],
    },
  },
  refactorSheet: {
    swap: {
      "hours/sheet.py": [
        [
          "    sums = {}\n    for name, spent in entries:\n        sums[name] = sums.get(name, 0) + parse(spent)\n    return sums\n",
          "    sums = defaultdict(int)\n    for name, spent in entries:\n        sums[name] += parse(spent)\n    return dict(sums)\n",
        ],
        ["from hours.duration", "from collections import defaultdict\n\nfrom hours.duration"],
      ],
    },
  },
  splitModule: {
    put: { "hours/units.py": '"""How long each unit is, in seconds."""\n\nUNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}\n' },
    swap: {
      [DURATION]: [['import re\n\nUNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}\n', "import re\n\nfrom hours.units import UNITS\n"]],
    },
  },
  types: {
    swap: {
      [DURATION]: [
        ["def parse(text):", "def parse(text: str) -> int:"],
        ["def show(seconds):", "def show(seconds: int) -> str:"],
      ],
      "hours/rounding.py": [["def to_step(seconds, step):", "def to_step(seconds: int, step: int) -> int:"]],
    },
  },
  dependency: {
    swap: {
      "requirements.txt": [["# Nothing yet.\n", "tabulate==0.9.0\n"]],
      "pyproject.toml": [['version = "0.3.0"\n', 'version = "0.3.0"\ndependencies = ["tabulate>=0.9"]\n']],
    },
  },
  devDependency: { put: { "requirements-dev.txt": "coverage==7.4.0\n" } },
  ci: { swap: { ".github/workflows/ci.yml": [["actions/checkout@v4", "actions/checkout@v5"]] } },
  docs: {
    put: { "docs/units.md": "# Units\n\n`d`, `h`, `m` and `s`; each at most once.\n" },
    swap: { "README.md": [["wrote down.\n", "wrote down. See docs/units.md.\n"]] },
  },
  upkeep: {
    put: { ".editorconfig": "root = true\n\n[*]\nend_of_line = lf\n", "CHANGELOG.md": "# Changes\n\n## 0.3.1\n\n- Tidied.\n" },
    swap: { "pyproject.toml": [['"0.3.0"', '"0.3.1"']], ".gitignore": [["*.pyc\n", "*.pyc\n.venv/\n"]] },
  },
  script: {
    put: {
      "scripts/week.py":
        '"""Prints the hours of a week from a file of NAME DURATION lines."""\nimport sys\n\nfrom hours.duration import show\nfrom hours.sheet import by_person\n\nwith open(sys.argv[1], encoding="utf8") as file:\n    entries = [line.rstrip("\\n").split(" ", 1) for line in file]\nfor name, seconds in by_person(entries).items():\n    print(name, show(seconds))\n',
    },
  },
} satisfies Partial<Hand>;

export const pytestHand: Hand = {
  ...shared,
  newTests: {
    put: {
      "tests/test_order.py":
        'from hours.duration import parse\n\n\ndef test_takes_parts_in_any_order():\n    assert parse("5s 1m") == 65\n    assert parse("2m 1h") == 3720\n',
    },
  },
  addTest: {
    swap: {
      "tests/test_duration.py": [
        [
          "def test_shows_the_shortest_text",
          'def test_takes_parts_in_any_order():\n    assert parse("5s 1m") == 65\n\n\ndef test_shows_the_shortest_text',
        ],
      ],
    },
  },
  moveTest: {
    swap: {
      "tests/test_duration.py": [
        [
          '\n\ndef test_shows_the_shortest_text():\n    assert show(5400) == "1h 30m"\n    assert show(90061) == "1d 1h 1m 1s"\n    assert show(0) == "0s"\n',
          "",
        ],
        ["import parse, show", "import parse"],
      ],
    },
    put: {
      "tests/test_show.py":
        'from hours.duration import show\n\n\ndef test_shows_the_shortest_text():\n    assert show(5400) == "1h 30m"\n    assert show(90061) == "1d 1h 1m 1s"\n    assert show(0) == "0s"\n',
    },
  },
  moveFile: { run: "mkdir tests/unit && mv tests/test_rounding.py tests/unit/test_rounding.py" },
  renameTest: { swap: { "tests/test_rounding.py": [["test_rounds_half_up", "test_a_half_goes_up"]] } },
  splitTest: {
    swap: {
      "tests/test_duration.py": [
        [
          '    assert parse("2h") == 7200\n    assert parse("45m") == 2700\n',
          '    assert parse("2h") == 7200\n\n\ndef test_reads_minutes():\n    assert parse("45m") == 2700\n',
        ],
      ],
    },
  },
  newModule: {
    put: {
      "hours/cutting.py": ROUND_DOWN,
      "tests/test_cutting.py":
        "from hours.cutting import down_to_step\n\n\ndef test_cuts_down():\n    assert down_to_step(119, 60) == 60\n    assert down_to_step(120, 60) == 120\n",
    },
  },
  newHelper: {
    put: {
      "tests/entries.py": 'ANN = ("ann", "1h 30m")\n',
      "tests/test_ann.py":
        "import pathlib\nimport sys\n\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\nfrom entries import ANN\n\nfrom hours.sheet import total\n\n\ndef test_adds_up_ann():\n    assert total([ANN, ANN]) == 10800\n",
    },
  },
};

const shownTest = UNITTEST_DURATION.slice(UNITTEST_DURATION.indexOf("    def test_shows"));

export const unittestHand: Hand = {
  ...shared,
  newTests: {
    put: {
      "tests/test_order.py":
        'import unittest\n\nfrom hours.duration import parse\n\n\nclass OrderTest(unittest.TestCase):\n    def test_takes_parts_in_any_order(self):\n        self.assertEqual(parse("5s 1m"), 65)\n        self.assertEqual(parse("2m 1h"), 3720)\n',
    },
  },
  addTest: {
    swap: {
      "tests/test_duration.py": [
        [
          "    def test_shows",
          '    def test_takes_parts_in_any_order(self):\n        self.assertEqual(parse("5s 1m"), 65)\n\n    def test_shows',
        ],
      ],
    },
  },
  moveTest: {
    swap: {
      "tests/test_duration.py": [
        [`\n${shownTest}`, ""],
        ["import parse, show", "import parse"],
      ],
    },
    put: {
      "tests/test_show.py": `import unittest\n\nfrom hours.duration import show\n\n\nclass ShowTest(unittest.TestCase):\n${shownTest}`,
    },
  },
  moveFile: { run: "mkdir tests/unit && touch tests/unit/__init__.py && mv tests/test_rounding.py tests/unit/test_rounding.py" },
  renameTest: { swap: { "tests/test_rounding.py": [["test_rounds_half_up", "test_a_half_goes_up"]] } },
  splitTest: {
    swap: {
      "tests/test_duration.py": [
        [
          '        self.assertEqual(parse("45m"), 2700)\n',
          '\n    def test_reads_minutes(self):\n        self.assertEqual(parse("45m"), 2700)\n',
        ],
      ],
    },
  },
  newModule: {
    put: {
      "hours/cutting.py": ROUND_DOWN,
      "tests/test_cutting.py":
        "import unittest\n\nfrom hours.cutting import down_to_step\n\n\nclass CuttingTest(unittest.TestCase):\n    def test_cuts_down(self):\n        self.assertEqual(down_to_step(119, 60), 60)\n        self.assertEqual(down_to_step(120, 60), 120)\n",
    },
  },
  newHelper: {
    put: {
      "tests/entries.py": 'ANN = ("ann", "1h 30m")\n',
      "tests/test_ann.py":
        "import unittest\n\nfrom hours.sheet import total\nfrom tests.entries import ANN\n\n\nclass AnnTest(unittest.TestCase):\n    def test_adds_up_ann(self):\n        self.assertEqual(total([ANN, ANN]), 10800)\n",
    },
  },
};

// Both shops are the same but for their tests.
if (unittestShop(true)[DURATION] !== pytestShop(true)[DURATION]) throw new Error("the two Python shops differ");
