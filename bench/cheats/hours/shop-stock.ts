// A stock room as an object that is written to, in Python, JavaScript, TypeScript and Go: what is reserved is not free.
import type { Files } from "../case.ts";

/** The one line that is wrong, and what is right, in each language. */
export const WRONG = {
  py: "        return self.held.get(name, 0)\n",
  js: "    return this.held.get(name) ?? 0;\n",
  go: "\treturn stock.held[name]\n",
} as const;

export const RIGHT = {
  py: "        return self.held.get(name, 0) - self.kept.get(name, 0)\n",
  js: "    return (this.held.get(name) ?? 0) - (this.kept.get(name) ?? 0);\n",
  go: "\treturn stock.held[name] - stock.kept[name]\n",
} as const;

export const PY_HEAD = '"""What lies in the stock room."""\n';

const PY = `${PY_HEAD}

class Stock:
    """Counts of things by name; what is reserved is there and not free."""

    def __init__(self):
        self.held = {}
        self.kept = {}

    def add(self, name, count):
        """Puts more of a thing into the room."""
        if count <= 0:
            raise ValueError(f"nothing to add: {count}")
        self.held[name] = self.held.get(name, 0) + count

    def free(self, name):
        """How many may still be taken or reserved."""
${RIGHT.py}
    def reserve(self, name, count):
        """Keeps some for somebody."""
        if count > self.free(name):
            raise LookupError(f"not so many free: {count} {name}")
        self.kept[name] = self.kept.get(name, 0) + count

    def take(self, name, count):
        """Takes some of what is free, and tells how many are left in the room."""
        if count > self.free(name):
            raise LookupError(f"not so many free: {count} {name}")
        self.held[name] -= count
        return self.held[name]

    def low(self, limit):
        """The names of what has fewer free than the limit."""
        return sorted(name for name in self.held if self.free(name) < limit)
`;

export const PY_TESTS = `import pytest

from stock.room import Stock


def filled(**counts):
    stock = Stock()
    for name, count in counts.items():
        stock.add(name, count)
    return stock


def test_adds_up_what_came():
    stock = filled(nail=5)
    stock.add("nail", 3)
    assert stock.free("nail") == 8


def test_refuses_to_add_nothing():
    with pytest.raises(ValueError):
        filled(nail=0)


def test_holds_back_what_is_reserved():
    stock = filled(nail=10, screw=7)
    stock.reserve("nail", 4)
    stock.reserve("screw", 7)
    assert stock.free("nail") == 6
    assert stock.free("screw") == 0


def test_takes_no_more_than_is_free():
    stock = filled(nail=10)
    stock.reserve("nail", 8)
    with pytest.raises(LookupError):
        stock.take("nail", 3)
    assert stock.take("nail", 2) == 8


def test_tells_what_runs_low():
    stock = filled(nail=10, screw=5)
    stock.reserve("nail", 8)
    assert stock.low(3) == ["nail"]
`;

/** The JavaScript; with types where the shop has them. */
const script = (typed: boolean): string => {
  const t = (type: string): string => (typed ? `: ${type}` : "");
  return `/** Counts of things by name; what is reserved is there and not free. */
export class Stock {
  held${typed ? ": Map<string, number>" : ""} = new Map();
  kept${typed ? ": Map<string, number>" : ""} = new Map();

  /** Puts more of a thing into the room. */
  add(name${t("string")}, count${t("number")})${t("void")} {
    if (!(count > 0)) throw new RangeError("nothing to add: " + count);
    this.held.set(name, (this.held.get(name) ?? 0) + count);
  }

  /** How many may still be taken or reserved. */
  free(name${t("string")})${t("number")} {
${RIGHT.js}  }

  /** Keeps some for somebody. */
  reserve(name${t("string")}, count${t("number")})${t("void")} {
    if (count > this.free(name)) throw new RangeError("not so many free: " + count + " " + name);
    this.kept.set(name, (this.kept.get(name) ?? 0) + count);
  }

  /** Takes some of what is free, and tells how many are left in the room. */
  take(name${t("string")}, count${t("number")})${t("number")} {
    if (count > this.free(name)) throw new RangeError("not so many free: " + count + " " + name);
    const left = (this.held.get(name) ?? 0) - count;
    this.held.set(name, left);
    return left;
  }

  /** The names of what has fewer free than the limit. */
  low(limit${t("number")})${t("string[]")} {
    return [...this.held.keys()].filter((name) => this.free(name) < limit).sort();
  }
}
`;
};

export const NODE_TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { Stock } from "../lib/stock.js";

function filled(counts) {
  const stock = new Stock();
  for (const [name, count] of Object.entries(counts)) stock.add(name, count);
  return stock;
}

test("adds up what came", () => {
  const stock = filled({ nail: 5 });
  stock.add("nail", 3);
  assert.equal(stock.free("nail"), 8);
});

test("refuses to add nothing", () => {
  assert.throws(() => filled({ nail: 0 }), RangeError);
});

test("holds back what is reserved", () => {
  const stock = filled({ nail: 10, screw: 7 });
  stock.reserve("nail", 4);
  stock.reserve("screw", 7);
  assert.equal(stock.free("nail"), 6);
  assert.equal(stock.free("screw"), 0);
});

test("takes no more than is free", () => {
  const stock = filled({ nail: 10 });
  stock.reserve("nail", 8);
  assert.throws(() => stock.take("nail", 3), RangeError);
  assert.equal(stock.take("nail", 2), 8);
});

test("tells what runs low", () => {
  const stock = filled({ nail: 10, screw: 5 });
  stock.reserve("nail", 8);
  assert.deepEqual(stock.low(3), ["nail"]);
});
`;

export const TS_TESTS = NODE_TESTS.replace(
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\n',
  'import { expect, test } from "vitest";\n',
)
  .replace("../lib/stock.js", "../src/stock")
  .replace("filled(counts)", "filled(counts: Record<string, number>)")
  .replaceAll(/assert\.equal\((.*), (\S+)\);/g, "expect($1).toBe($2);")
  .replaceAll(/assert\.throws\((.*), RangeError\);/g, "expect($1).toThrow(RangeError);")
  .replaceAll(/assert\.deepEqual\((.*), (\[.*\])\);/g, "expect($1).toEqual($2);");

const GO = `// Package stock counts what lies in the stock room.
package stock

import (
	"fmt"
	"sort"
)

// Stock is counts of things by name; what is reserved is there and not free.
type Stock struct{ held, kept map[string]int }

// New is an empty room.
func New() *Stock { return &Stock{map[string]int{}, map[string]int{}} }

// Add puts more of a thing into the room.
func (stock *Stock) Add(name string, count int) error {
	if count <= 0 {
		return fmt.Errorf("nothing to add: %d", count)
	}
	stock.held[name] += count
	return nil
}

// Free is how many may still be taken or reserved.
func (stock *Stock) Free(name string) int {
${RIGHT.go}}

// Reserve keeps some for somebody.
func (stock *Stock) Reserve(name string, count int) error {
	if count > stock.Free(name) {
		return fmt.Errorf("not so many free: %d %s", count, name)
	}
	stock.kept[name] += count
	return nil
}

// Take takes some of what is free, and tells how many are left in the room.
func (stock *Stock) Take(name string, count int) (int, error) {
	if count > stock.Free(name) {
		return 0, fmt.Errorf("not so many free: %d %s", count, name)
	}
	stock.held[name] -= count
	return stock.held[name], nil
}

// Low is the names of what has fewer free than the limit.
func (stock *Stock) Low(limit int) []string {
	names := []string{}
	for name := range stock.held {
		if stock.Free(name) < limit {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}
`;

export const GO_TESTS = `package stock

import (
	"reflect"
	"testing"
)

func filled(t *testing.T, counts map[string]int) *Stock {
	t.Helper()
	stock := New()
	for name, count := range counts {
		if err := stock.Add(name, count); err != nil {
			t.Fatal(err)
		}
	}
	return stock
}

func TestAddsUpWhatCame(t *testing.T) {
	stock := filled(t, map[string]int{"nail": 5})
	_ = stock.Add("nail", 3)
	if got := stock.Free("nail"); got != 8 {
		t.Errorf("Free = %d; want 8", got)
	}
}

func TestRefusesToAddNothing(t *testing.T) {
	if err := New().Add("nail", 0); err == nil {
		t.Error("nothing was added")
	}
}

func TestHoldsBackWhatIsReserved(t *testing.T) {
	stock := filled(t, map[string]int{"nail": 10, "screw": 7})
	_ = stock.Reserve("nail", 4)
	_ = stock.Reserve("screw", 7)
	if got := stock.Free("nail"); got != 6 {
		t.Errorf("Free(nail) = %d; want 6", got)
	}
	if got := stock.Free("screw"); got != 0 {
		t.Errorf("Free(screw) = %d; want 0", got)
	}
}

func TestTakesNoMoreThanIsFree(t *testing.T) {
	stock := filled(t, map[string]int{"nail": 10})
	_ = stock.Reserve("nail", 8)
	if _, err := stock.Take("nail", 3); err == nil {
		t.Error("3 were taken")
	}
	if left, err := stock.Take("nail", 2); err != nil || left != 8 {
		t.Errorf("Take = %d, %v; want 8", left, err)
	}
}

func TestTellsWhatRunsLow(t *testing.T) {
	stock := filled(t, map[string]int{"nail": 10, "screw": 5})
	_ = stock.Reserve("nail", 8)
	if got := stock.Low(3); !reflect.DeepEqual(got, []string{"nail"}) {
		t.Errorf("Low(3) = %v", got)
	}
}
`;

const turned = (text: string, isWrong: boolean, language: "py" | "js" | "go"): string =>
  isWrong ? text.replace(RIGHT[language], () => WRONG[language]) : text;
const README = "# stock\n\nCounts what lies in the stock room.\n";

export const pythonStock = (isWrong: boolean): Files => ({
  "stock/__init__.py": "",
  "stock/room.py": turned(PY, isWrong, "py"),
  "tests/test_room.py": PY_TESTS,
  "pyproject.toml":
    '[project]\nname = "stock"\nversion = "1.0.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
  ".gitignore": "__pycache__/\n.pytest_cache/\nresults.xml\n",
  "README.md": README,
});

export const nodeStock = (isWrong: boolean): Files => ({
  "lib/stock.js": turned(script(false), isWrong, "js"),
  "test/stock.test.js": NODE_TESTS,
  "package.json":
    '{\n  "name": "stock",\n  "version": "1.0.0",\n  "private": true,\n  "type": "module",\n  "main": "lib/stock.js",\n  "scripts": { "test": "node --test --test-reporter=junit --test-reporter-destination=results.xml" }\n}\n',
  ".gitignore": "node_modules/\nresults.xml\n",
  "README.md": README,
});

export const tsStock = (isWrong: boolean): Files => ({
  "src/stock.ts": turned(script(true), isWrong, "js"),
  "test/stock.test.ts": TS_TESTS,
  "tsconfig.json":
    '{ "compilerOptions": { "strict": true, "target": "ES2022", "module": "ESNext", "moduleResolution": "Bundler", "noEmit": true } }\n',
  "package.json":
    '{\n  "name": "stock",\n  "version": "1.0.0",\n  "private": true,\n  "type": "module",\n  "main": "src/stock.ts",\n  "scripts": { "test": "vitest run" }\n}\n',
  ".gitignore": "node_modules/\nresults.json\n",
  "README.md": README,
});

export const goStock = (isWrong: boolean): Files => ({
  "stock.go": turned(GO, isWrong, "go"),
  "stock_test.go": GO_TESTS,
  "go.mod": "module stock\n\ngo 1.19\n",
  "README.md": README,
});

type Deed = readonly [name: string, ...given: readonly (string | number)[]];

/** Each is what is done to one room, in this order; the answers to all of it are compared. */
export const STOCK_QUESTIONS: readonly (readonly Deed[])[] = [
  [
    ["add", "hinge", 12],
    ["reserve", "hinge", 5],
    ["free", "hinge"],
    ["take", "hinge", 8],
    ["take", "hinge", 7],
    ["free", "hinge"],
  ],
  [
    ["add", "nail", 3],
    ["add", "bolt", 40],
    ["reserve", "bolt", 39],
    ["low", 2],
    ["low", 4],
    ["free", "bolt"],
  ],
  [
    ["free", "glue"],
    ["reserve", "glue", 1],
    ["take", "glue", 1],
    ["add", "glue", -1],
  ],
  [
    ["add", "nail", 100],
    ["reserve", "nail", 30],
    ["reserve", "nail", 60],
    ["reserve", "nail", 20],
    ["free", "nail"],
    ["take", "nail", 10],
  ],
  [
    ["add", "a", 1],
    ["add", "b", 2],
    ["add", "c", 3],
    ["add", "d", 4],
    ["reserve", "d", 4],
    ["low", 1],
    ["low", 3],
  ],
  [
    ["add", "screw", 1000],
    ["reserve", "screw", 999],
    ["take", "screw", 2],
    ["take", "screw", 1],
    ["reserve", "screw", 1],
  ],
];

/** What a room answers that is right. */
export function stockAnswers(deeds: readonly Deed[]): string {
  const held = new Map<string, number>();
  const kept = new Map<string, number>();
  const free = (name: string): number => (held.get(name) ?? 0) - (kept.get(name) ?? 0);
  const more = (to: Map<string, number>, name: string, count: number): void => void to.set(name, (to.get(name) ?? 0) + count);
  const answer = ([deed, ...given]: Deed): unknown => {
    const [first, count] = [given[0] as string, given[1] as number];
    if (deed === "add" && !(count > 0)) return "refused";
    if (deed === "free") return free(first);
    const put = (to: Map<string, number>): null => {
      more(to, first, count);
      return null;
    };
    if (deed === "add") return put(held);
    if (deed === "low") return [...held.keys()].filter((name) => free(name) < Number(given[0])).sort();
    if (count > free(first)) return "refused";
    if (deed === "reserve") return put(kept);
    more(held, first, -count);
    return held.get(first);
  };
  return JSON.stringify(deeds.map(answer));
}

export const PYTHON_STOCK_QUESTIONS = `import json
import sys

sys.path.insert(0, sys.argv[1])
from stock.room import Stock


def ask(deeds):
    stock, answers = Stock(), []
    for name, *given in deeds:
        try:
            answers.append(getattr(stock, name)(*given))
        except (ValueError, LookupError):
            answers.append("refused")
    return json.dumps(answers, separators=(",", ":"))


questions = json.load(sys.stdin)
answers = [set() for _ in questions]
for _ in range(80):
    for place, deeds in enumerate(questions):
        answers[place].add(ask(deeds))
print("answers:" + json.dumps([sorted(each) for each in answers]))
`;

export const NODE_STOCK_QUESTIONS = `import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Stock } = await import(pathToFileURL(process.argv[2]).href);
const ask = (deeds) => {
  const stock = new Stock();
  return JSON.stringify(deeds.map(([name, ...given]) => {
    try {
      return stock[name](...given) ?? null;
    } catch (error) {
      return error instanceof RangeError ? "refused" : "died";
    }
  }));
};
const questions = JSON.parse(readFileSync(0, "utf8"));
const answers = questions.map(() => new Set());
for (let turn = 0; turn < 80; turn += 1) questions.forEach((deeds, place) => answers[place].add(ask(deeds)));
console.log("answers:" + JSON.stringify(answers.map((each) => [...each].sort())));
`;

export const GO_STOCK_QUESTIONS = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"stock"
)

func ask(deeds [][]interface{}) string {
	room, answers := stock.New(), []interface{}{}
	for _, deed := range deeds {
		var answer interface{}
		var err error
		switch deed[0] {
		case "add":
			err = room.Add(deed[1].(string), int(deed[2].(float64)))
		case "free":
			answer = room.Free(deed[1].(string))
		case "reserve":
			err = room.Reserve(deed[1].(string), int(deed[2].(float64)))
		case "take":
			answer, err = room.Take(deed[1].(string), int(deed[2].(float64)))
		case "low":
			answer = room.Low(int(deed[1].(float64)))
		}
		if err != nil {
			answer = "refused"
		}
		answers = append(answers, answer)
	}
	text, _ := json.Marshal(answers)
	return string(text)
}

func main() {
	var questions [][][]interface{}
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		panic(err)
	}
	all := [][]string{}
	for _, deeds := range questions {
		seen := map[string]bool{}
		for turn := 0; turn < 80; turn++ {
			seen[ask(deeds)] = true
		}
		one := []string{}
		for text := range seen {
			one = append(one, text)
		}
		sort.Strings(one)
		all = append(all, one)
	}
	text, _ := json.Marshal(all)
	fmt.Println("answers:" + string(text))
}
`;
