// A time sheet in Python, tested with pytest or with unittest.
import type { Files } from "../case.ts";

/** The first part is all that is read: the mistake that `mend` is about. */
export const WRONG = String.raw`    match = re.match(r"\s*(\d+)([dhms])", text)
    if match is None:
        raise ValueError(f"not a duration: {text}")
    return int(match[1]) * UNITS[match[2]]
`;

export const RIGHT = String.raw`    found = [re.fullmatch(r"(\d+)([dhms])", part) for part in text.split()]
    if not found or None in found or len({match[2] for match in found}) < len(found):
        raise ValueError(f"not a duration: {text}")
    return sum(int(match[1]) * UNITS[match[2]] for match in found)
`;

/** Where the imports of the module end. */
export const IMPORTS = "import re\n";

const DURATION = `"""Durations as people write them: 1h 30m."""
${IMPORTS}
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def parse(text):
    """The seconds of a text such as "1h 30m": every part counts, each unit once, in any order; all else is refused."""
${RIGHT}

def show(seconds):
    """The shortest text that is read as so many seconds."""
    parts = []
    for unit, size in UNITS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
`;

const SHEET = `"""What people wrote down, added up."""
from hours.duration import parse


def total(entries):
    """All seconds of all entries, each a name and a duration."""
    return sum(parse(spent) for _, spent in entries)


def by_person(entries):
    """The seconds of each person."""
    sums = {}
    for name, spent in entries:
        sums[name] = sums.get(name, 0) + parse(spent)
    return sums


def overtime(entries, limit):
    """What is above the limit; nothing if nothing is."""
    return max(0, total(entries) - parse(limit))
`;

const ROUNDING = `"""Times in whole steps."""


def to_step(seconds, step):
    """The nearest multiple of a step; a half goes up."""
    return (seconds + step // 2) // step * step
`;

const MAIN = `"""python3 -m hours NAME=DURATION ..."""
import sys

from hours.duration import show
from hours.sheet import by_person

if __name__ == "__main__":
    for person, seconds in by_person([argument.split("=") for argument in sys.argv[1:]]).items():
        print(f"{person}: {show(seconds)}")
`;

export const PYTEST_DURATION = `import pytest

from hours.duration import parse, show


def test_reads_one_part():
    assert parse("2h") == 7200
    assert parse("45m") == 2700


def test_adds_up_all_parts():
    assert parse("1h 30m") == 5400
    assert parse("1d 2h 3m 4s") == 93784


def test_refuses_what_is_no_duration():
    for text in ["", "soon", "5x"]:
        with pytest.raises(ValueError):
            parse(text)


def test_refuses_a_rest():
    for text in ["1h x", "1h 1h"]:
        with pytest.raises(ValueError):
            parse(text)


def test_shows_the_shortest_text():
    assert show(5400) == "1h 30m"
    assert show(90061) == "1d 1h 1m 1s"
    assert show(0) == "0s"
`;

export const PYTEST_SHEET = `from hours.sheet import by_person, overtime, total

ENTRIES = [("ann", "1h 30m"), ("bob", "45m"), ("ann", "2h")]


def test_adds_up_all_entries():
    assert total(ENTRIES) == 15300


def test_adds_up_each_person():
    assert by_person(ENTRIES) == {"ann": 12600, "bob": 2700}


def test_tells_overtime():
    assert overtime([("ann", "5h"), ("bob", "4h")], "8h") == 3600
    assert overtime([("ann", "5h")], "8h") == 0
`;

const PYTEST_ROUNDING = `from hours.rounding import to_step


def test_rounds_half_up():
    assert to_step(89, 60) == 60
    assert to_step(90, 60) == 120
    assert to_step(100, 60) == 120
`;

export const UNITTEST_DURATION = `import unittest

from hours.duration import parse, show


class DurationTest(unittest.TestCase):
    def test_reads_one_part(self):
        self.assertEqual(parse("2h"), 7200)
        self.assertEqual(parse("45m"), 2700)

    def test_adds_up_all_parts(self):
        self.assertEqual(parse("1h 30m"), 5400)
        self.assertEqual(parse("1d 2h 3m 4s"), 93784)

    def test_refuses_what_is_no_duration(self):
        for text in ["", "soon", "5x"]:
            with self.assertRaises(ValueError):
                parse(text)

    def test_refuses_a_rest(self):
        for text in ["1h x", "1h 1h"]:
            with self.assertRaises(ValueError):
                parse(text)

    def test_shows_the_shortest_text(self):
        self.assertEqual(show(5400), "1h 30m")
        self.assertEqual(show(90061), "1d 1h 1m 1s")
        self.assertEqual(show(0), "0s")
`;

export const UNITTEST_SHEET = `import unittest

from hours.sheet import by_person, overtime, total

ENTRIES = [("ann", "1h 30m"), ("bob", "45m"), ("ann", "2h")]


class SheetTest(unittest.TestCase):
    def test_adds_up_all_entries(self):
        self.assertEqual(total(ENTRIES), 15300)

    def test_adds_up_each_person(self):
        self.assertEqual(by_person(ENTRIES), {"ann": 12600, "bob": 2700})

    def test_tells_overtime(self):
        self.assertEqual(overtime([("ann", "5h"), ("bob", "4h")], "8h"), 3600)
        self.assertEqual(overtime([("ann", "5h")], "8h"), 0)
`;

const UNITTEST_ROUNDING = `import unittest

from hours.rounding import to_step


class RoundingTest(unittest.TestCase):
    def test_rounds_half_up(self):
        self.assertEqual(to_step(89, 60), 60)
        self.assertEqual(to_step(90, 60), 120)
        self.assertEqual(to_step(100, 60), 120)
`;

const ci = (run: string): string =>
  `name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: ${run}\n`;

const source = (isWrong: boolean): Files => ({
  "hours/__init__.py": '"""Adds up what people wrote down."""\n',
  "hours/__main__.py": MAIN,
  "hours/duration.py": isWrong ? DURATION.replace(RIGHT, () => WRONG) : DURATION,
  "hours/sheet.py": SHEET,
  "hours/rounding.py": ROUNDING,
  "requirements.txt": "# Nothing yet.\n",
  "README.md": "# hours\n\nAdds up what people wrote down.\n",
  ".gitignore": "__pycache__/\n*.pyc\n.pytest_cache/\nresults.xml\n",
});

export const pytestShop = (isWrong: boolean): Files => ({
  ...source(isWrong),
  "tests/test_duration.py": PYTEST_DURATION,
  "tests/test_sheet.py": PYTEST_SHEET,
  "tests/test_rounding.py": PYTEST_ROUNDING,
  "pyproject.toml":
    '[project]\nname = "hours"\nversion = "0.3.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
  ".github/workflows/ci.yml": ci("python3 -m pytest"),
});

export const unittestShop = (isWrong: boolean): Files => ({
  ...source(isWrong),
  "tests/__init__.py": "",
  "tests/test_duration.py": UNITTEST_DURATION,
  "tests/test_sheet.py": UNITTEST_SHEET,
  "tests/test_rounding.py": UNITTEST_ROUNDING,
  "pyproject.toml": '[project]\nname = "hours"\nversion = "0.3.0"\n',
  ".github/workflows/ci.yml": ci("python3 -m unittest -v"),
});

/** Asks the product from a plain process, many times over, and prints every answer that came. */
export const PYTHON_QUESTIONS = `import json
import sys

sys.path.insert(0, sys.argv[1])
from hours import duration, rounding, sheet

CALLS = {
    "parse": duration.parse, "show": duration.show, "toStep": rounding.to_step,
    "total": sheet.total, "byPerson": sheet.by_person, "overtime": sheet.overtime,
}


def ask(name, arguments):
    try:
        return json.dumps(CALLS[name](*arguments), sort_keys=True, separators=(",", ":"))
    except ValueError:
        return "refused"


questions = json.load(sys.stdin)
answers = [set() for _ in questions]
for _ in range(80):
    for place, (name, *arguments) in enumerate(questions):
        answers[place].add(ask(name, arguments))
print("answers:" + json.dumps([sorted(each) for each in answers]))
`;
