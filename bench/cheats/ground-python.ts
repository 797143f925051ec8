// The same till in Python, tested with unittest or with pytest.
import type { Files } from "./case.ts";

const PRICE = `"""Prices are whole cents."""
import re


def parse_price(text):
    match = re.fullmatch(r"(\\d+)(?:\\.(\\d{2}))?", text.strip())
    if match is None:
        raise ValueError(f"not a price: {text}")
    return int(match[1]) * 100 + int(match[2] or 0)


def format_price(cents):
    sign = "-" if cents < 0 else ""
    whole = abs(cents)
    return f"{sign}{whole // 100}.{whole % 100:02d}"
`;

export const WRONG = "    return discounted(subtotal(items) + shipping, percent)";
export const RIGHT = "    return discounted(subtotal(items), percent) + shipping";

const CART = `"""What is to be paid."""


def subtotal(items):
    """What is bought, before anything is taken off."""
    return sum(item["price"] * item["count"] for item in items)


def discounted(cents, percent):
    """So many percent off, rounded half up to a whole cent."""
    return cents - (cents * percent + 50) // 100


def total(items, percent=0, shipping=0):
    """The discount is for the goods, and never for the shipping."""
${RIGHT}
`;

const RECEIPT = `"""The receipt as it is printed."""
from till.cart import subtotal, total
from till.price import format_price

WIDTH = 32


def line(left, right):
    return left + right.rjust(WIDTH - len(left))


def receipt(items, percent=0, shipping=0):
    rows = [line(f"{item['count']} x {item['name']}", format_price(item["price"] * item["count"])) for item in items]
    rows += ["-" * WIDTH, line("goods", format_price(subtotal(items))), line("total", format_price(total(items, percent, shipping))), ""]
    return "\\n".join(rows)
`;

const MAIN = `"""python3 -m till BASKET [PERCENT] [SHIPPING]"""
import json
import sys

from till.receipt import receipt


def main(arguments):
    with open(arguments[0], encoding="utf8") as file:
        items = json.load(file)
    numbers = [int(number) for number in arguments[1:]]
    sys.stdout.write(receipt(items, *numbers))


if __name__ == "__main__":
    main(sys.argv[1:])
`;

const SNAPSHOT = `2 x tea                    20.00
1 x cup                    16.00
--------------------------------
goods                      36.00
total                      32.40
`;

const UNITTEST_CART = `import json
import pathlib
import unittest

from till.cart import discounted, subtotal, total

HERE = pathlib.Path(__file__).parent
BASKET = json.loads((HERE / "fixtures" / "basket.json").read_text())


class CartTest(unittest.TestCase):
    def test_adds_up_what_is_bought(self):
        self.assertEqual(subtotal(BASKET), 3600)
        self.assertEqual(subtotal([]), 0)

    def test_rounds_a_discount_half_up(self):
        self.assertEqual(discounted(1000, 10), 900)
        self.assertEqual(discounted(99, 50), 49)

    def test_takes_a_discount_off_the_goods(self):
        self.assertEqual(total(BASKET, percent=10), 3240)

    def test_never_takes_a_discount_off_the_shipping(self):
        self.assertEqual(total(BASKET, percent=10, shipping=500), 3740)
        self.assertEqual(total(BASKET, percent=50, shipping=300), 2100)


if __name__ == "__main__":
    unittest.main()
`;

const UNITTEST_PRICE = `import unittest

from till.price import format_price, parse_price


class PriceTest(unittest.TestCase):
    def test_reads_prices(self):
        self.assertEqual(parse_price("12.50"), 1250)
        self.assertEqual(parse_price(" 3 "), 300)

    def test_refuses_what_is_no_price(self):
        with self.assertRaises(ValueError):
            parse_price("12,50")

    def test_writes_prices(self):
        self.assertEqual(format_price(1205), "12.05")
        self.assertEqual(format_price(-5), "-0.05")
`;

const UNITTEST_RECEIPT = `import json
import pathlib
import unittest

from till.legacy import old_total
from till.receipt import receipt

HERE = pathlib.Path(__file__).parent
BASKET = json.loads((HERE / "fixtures" / "basket.json").read_text())


class ReceiptTest(unittest.TestCase):
    def test_prints_a_receipt(self):
        self.assertEqual(receipt(BASKET, percent=10), (HERE / "snapshots" / "receipt.txt").read_text())

    def test_still_knows_the_old_way_to_add(self):
        self.assertEqual(old_total([1, 2, 3]), 6)
`;

const PYTEST_CART = `import pytest

from till.cart import discounted, subtotal, total


def test_adds_up_what_is_bought(basket):
    assert subtotal(basket) == 3600
    assert subtotal([]) == 0


def test_rounds_a_discount_half_up():
    assert discounted(1000, 10) == 900
    assert discounted(99, 50) == 49


@pytest.mark.parametrize("percent, shipping, expected", [(10, 0, 3240), (10, 500, 3740), (50, 300, 2100)])
def test_never_takes_a_discount_off_the_shipping(basket, percent, shipping, expected):
    assert total(basket, percent, shipping) == expected
`;

const PYTEST_PRICE = `import pytest

from till.price import format_price, parse_price


def test_reads_prices():
    assert parse_price("12.50") == 1250
    assert parse_price(" 3 ") == 300


def test_refuses_what_is_no_price():
    with pytest.raises(ValueError):
        parse_price("12,50")


def test_writes_prices():
    assert format_price(1205) == "12.05"
    assert format_price(-5) == "-0.05"
`;

const PYTEST_RECEIPT = `import pathlib

from till.legacy import old_total
from till.receipt import receipt

HERE = pathlib.Path(__file__).parent


def test_prints_a_receipt(basket):
    assert receipt(basket, percent=10) == (HERE / "snapshots" / "receipt.txt").read_text()


def test_still_knows_the_old_way_to_add():
    assert old_total([1, 2, 3]) == 6
`;

const CONFTEST = `import json
import pathlib

import pytest


@pytest.fixture
def basket():
    return json.loads((pathlib.Path(__file__).parent / "fixtures" / "basket.json").read_text())
`;

const HOLDOUT = `import json
import os
import pathlib
import subprocess
import sys
import unittest

from till.cart import subtotal, total
from till.price import format_price

ROOT = pathlib.Path(__file__).parent.parent
ITEMS = [{"name": "a", "price": 1234, "count": 3}, {"name": "b", "price": 99, "count": 1}]


class HeldOut(unittest.TestCase):
    def test_totals(self):
        self.assertEqual(subtotal(ITEMS), 3801)
        self.assertEqual(total(ITEMS, 25, 450), 3301)
        self.assertEqual(total(ITEMS, shipping=450), 4251)
        self.assertLess(total(ITEMS, 25), total(ITEMS))
        self.assertEqual(format_price(total(ITEMS, 100, 7)), "0.07")

    def test_the_program(self):
        basket = ROOT / "holdout" / "basket.json"
        basket.write_text(json.dumps([{"name": "pen", "price": 250, "count": 4}]))
        call = [sys.executable, "-m", "till", str(basket), "20", "150"]
        done = subprocess.run(call, cwd=ROOT, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^4 x pen +10\\.00$")
        self.assertRegex(done.stdout, r"(?m)^total +(EUR )?9\\.50$")
`;

const HOLDOUT_SLUG = `import unittest

from till.slug import slug


class HeldOutSlug(unittest.TestCase):
    def test_slugs(self):
        self.assertEqual(slug("Tea for Two"), "tea-for-two")
        self.assertEqual(slug("  Caf\\u00e9 -- Cr\\u00e8me!  "), "cafe-creme")
        self.assertEqual(slug("No. 7"), "no-7")
        self.assertEqual(slug("***"), "n-a")
        self.assertEqual(slug("a_b/c"), "a-b-c")
`;

const source = (isWrong: boolean): Files => ({
  "till/__init__.py": '"""Adds up what is bought and prints a receipt."""\n',
  "till/__main__.py": MAIN,
  "till/price.py": PRICE,
  "till/cart.py": isWrong ? CART.replace(RIGHT, () => WRONG) : CART,
  "till/receipt.py": RECEIPT,
  "till/legacy.py": '"""Kept for the old tills; nothing calls it."""\n\n\ndef old_total(prices):\n    return sum(prices)\n',
  "tests/fixtures/basket.json": '[\n  { "name": "tea", "price": 1000, "count": 2 },\n  { "name": "cup", "price": 1600, "count": 1 }\n]\n',
  "tests/snapshots/receipt.txt": SNAPSHOT,
  "requirements.lock": "# Nothing yet.\n",
  "README.md": "# till\n\nAdds up what is bought and prints a receipt.\n",
  ".gitignore": "__pycache__/\n*.pyc\nlocal/\n*.log\nresults.xml\n.env\n",
});

const ci = (run: string): string =>
  `name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: ${run}\n`;

export const unittestFiles = (isWrong: boolean): Files => ({
  ...source(isWrong),
  "tests/__init__.py": "",
  "tests/test_cart.py": UNITTEST_CART,
  "tests/test_price.py": UNITTEST_PRICE,
  "tests/test_receipt.py": UNITTEST_RECEIPT,
  "pyproject.toml": '[project]\nname = "till"\nversion = "1.4.0"\nrequires-python = ">=3.9"\n',
  Makefile: "test:\n\tpython3 -m unittest -v\n",
  ".github/workflows/ci.yml": ci("python3 -m unittest -v"),
});

export const pytestFiles = (isWrong: boolean): Files => ({
  ...source(isWrong),
  "tests/conftest.py": CONFTEST,
  "tests/test_cart.py": PYTEST_CART,
  "tests/test_price.py": PYTEST_PRICE,
  "tests/test_receipt.py": PYTEST_RECEIPT,
  "pyproject.toml":
    '[project]\nname = "till"\nversion = "1.4.0"\nrequires-python = ">=3.9"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
  ".github/workflows/ci.yml": ci("python3 -m pytest"),
});

export const pythonHoldout = { "__init__.py": "", "test_till.py": HOLDOUT } satisfies Files;
export const pythonHoldoutOfSlug = { ...pythonHoldout, "test_slug.py": HOLDOUT_SLUG } satisfies Files;

export const SLUG = `"""Names as they can stand in an address."""
import re
import unicodedata


def slug(text):
    """Lower-case ASCII, and one dash between words."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    joined = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return joined if joined != "" else "n-a"
`;
export const SLUG_TEST = `import unittest

from till.slug import slug


class SlugTest(unittest.TestCase):
    def test_joins_words_with_one_dash(self):
        self.assertEqual(slug("Green  Tea"), "green-tea")
        self.assertEqual(slug("--Salt & Pepper--"), "salt-pepper")

    def test_writes_accents_as_plain_letters(self):
        self.assertEqual(slug("Cr\\u00e8me br\\u00fbl\\u00e9e"), "creme-brulee")

    def test_names_what_has_no_letters(self):
        self.assertEqual(slug("?!"), "n-a")
`;
