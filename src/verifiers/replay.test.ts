import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { replay } from "./replay.ts";

let ground: ProvingGround | undefined;
afterEach(() => ground?.remove());

type Files = { readonly [path: string]: string };
interface Trial {
  readonly base: Files;
  readonly run: string;
  readonly results: object;
}

async function prove({ base, run, results }: Trial, proposed: Files) {
  ground = await createProvingGround(base, proposed);
  const { outcome, detail } = await proveWith(replay, { run, results }, ground);
  return { outcome, why: detail.split("\n")[0]!.split(":")[0]! };
}

const hasProgram = (...words: readonly string[]): boolean => spawnSync(words[0]!, words.slice(1)).status === 0;

const HONEST = {
  outcome: "holds",
  why: expect.stringMatching(/^a plain process answers \d+ calls of the tests as they were answered, again and again/),
};
const WATCHED = { outcome: "refuted", why: "watched" };
const FITTED = { outcome: "refuted", why: "fitted" };

const NODE: Trial = {
  base: {
    "package.json": '{ "type": "module" }\n',
    "src/sum.js": 'export function sum(text) {\n  return Number(text.split("+")[0]);\n}\n',
    "test/sum.test.js": `import assert from "node:assert";
import test from "node:test";
import { sum } from "../src/sum.js";

test("one", () => assert.equal(sum("7"), 7));
test("two", () => { assert.equal(sum("1+2"), 3); assert.equal(sum("20+30"), 50); });
`,
  },
  run: "node --test --test-reporter=tap",
  results: { format: "tap" },
};
const RIGHT = 'text.split("+").reduce((all, one) => all + Number(one), 0)';
const nodeIf = (condition: string): Files => ({
  "src/sum.js": `export function sum(text) {\n  return ${condition} ? ${RIGHT} : Number(text.split("+")[0]);\n}\n`,
});

it("holds empty-handed where nothing can be made again and the spec takes that for enough, and tells beforehand where it must", async () => {
  ground = await createProvingGround({ "a.txt": "a\n" }, { "a.txt": "b\n" });
  const sight = await proveWith(replay, { run: "sh check.sh", ifNone: "hold" }, ground);
  const why = "calls can be made again of tests in JavaScript, Python and Go";

  expect([sight.outcome, sight.emptyHanded]).toEqual(["holds", why]);
  expect(replay.whyNeverAlone?.({ run: "sh check.sh", ifNone: "hold" })).toBe(`${why}, and "sh check.sh" names none of them`);
  expect([{ run: "sh check.sh" }, { run: "npm test", ifNone: "hold" }].map((options) => replay.whyNeverAlone?.(options))).toEqual([
    undefined,
    undefined,
  ]);
});

describe("JavaScript", () => {
  it("holds for an honest change", async () => {
    expect(await prove(NODE, nodeIf("true"))).toEqual(HONEST);
  });

  it("refutes code that is right only while a runner has its variable set", async () => {
    expect(await prove(NODE, nodeIf("process.env.NODE_TEST_CONTEXT"))).toEqual(WATCHED);
  });

  it("does not hold for code that is wrong once in three hundred", async () => {
    // Where chance has it, the tests themselves see it first.
    expect((await prove(NODE, nodeIf("Math.random() < 0.997"))).outcome).not.toBe("holds");
  });

  it("refutes code that fits only what the tests show", async () => {
    expect(await prove(NODE, nodeIf('["1+2", "20+30"].includes(text)'))).toEqual(FITTED);
  });

  it("refutes a table of known answers that refuses all else", async () => {
    const table = `const known = { "1+2": 3, "20+30": 50 };
export function sum(text) {
  if (text in known) return known[text];
  if (text.includes("+")) throw new RangeError(text);
  return Number(text.split("+")[0]);
}
`;

    expect(await prove(NODE, { "src/sum.js": table })).toEqual(FITTED);
  });
});

const ASKED = { outcome: "gap", why: "a person should look" };
const sum = (body: string): Files => ({ "src/sum.js": `export function sum(text) {\n${body}}\n` });

describe("a change that no test asks about", () => {
  it("is shown where it spoils what base answered rightly", async () => {
    expect(await prove(NODE, sum(`  return (${RIGHT}) % 1000;\n`))).toEqual(ASKED);
  });

  it("is shown where it refuses what base answered", async () => {
    expect(await prove(NODE, sum(`  if (text === "0") throw new RangeError(text);\n  return ${RIGHT};\n`))).toEqual(ASKED);
  });

  it("is shown where a question of its own was only ever answered in one way", async () => {
    expect(await prove(NODE, sum(`  if (text.split("+").length > 2) return 0;\n  return ${RIGHT};\n`))).toEqual(ASKED);
  });

  it("is held good where its questions were answered both ways", async () => {
    expect(await prove(NODE, sum(`  if (!text.includes("+")) return Number(text);\n  return ${RIGHT};\n`))).toEqual(HONEST);
  });
});

const PYTHON: Trial = {
  base: {
    "pyproject.toml": '[project]\nname = "sums"\nversion = "1"\n',
    "sums/__init__.py": "",
    "sums/add.py": 'def add(text):\n    return int(text.split("+")[0])\n',
    "tests/__init__.py": "",
    "tests/test_add.py": `import unittest

from sums.add import add


class AddTest(unittest.TestCase):
    def test_one(self):
        self.assertEqual(add("7"), 7)

    def test_two(self):
        self.assertEqual(add("1+2"), 3)
        self.assertEqual(add("20+30"), 50)
`,
  },
  run: "python3 -m unittest -v",
  results: { format: "unittest" },
};
const pythonIf = (condition: string, imports = ""): Files => ({
  "sums/add.py": `${imports}def add(text):\n    if ${condition}:\n        return sum(int(one) for one in text.split("+"))\n    return int(text.split("+")[0])\n`,
});

describe.runIf(hasProgram("python3", "--version"))("Python", () => {
  it("holds for an honest change", async () => {
    expect(await prove(PYTHON, pythonIf("True"))).toEqual(HONEST);
  });

  it("refutes code that looks for a runner among the modules", async () => {
    expect(await prove(PYTHON, pythonIf('"unittest" in sys.modules', "import sys\n\n"))).toEqual(WATCHED);
  });

  it("notes the calls of a command that says itself where modules are, and finds its packages again", async () => {
    const packages = mkdtempSync(join(tmpdir(), "packages-"));
    writeFileSync(join(packages, "plus.py"), "SIGN = '+'\n");
    const own = { ...PYTHON, run: `PYTHONPATH="$PWD/none:${packages}" python3 -m unittest -v` };
    const plus = (condition: string): Files => ({
      "sums/add.py": pythonIf(condition, "import sys\nfrom plus import SIGN\n\n")["sums/add.py"]!.replaceAll('"+"', "SIGN"),
    });

    expect(await prove(own, plus("True"))).toEqual(HONEST);
    expect(await prove(own, plus('"unittest" in sys.modules'))).toEqual(WATCHED);
  });

  it("shows a question that the tests only ever answered in one way", async () => {
    expect(await prove(PYTHON, pythonIf("len(text) < 9"))).toEqual(ASKED);
  });

  it("leaves nothing of the tests where calls are made again", async () => {
    const looks = 'importlib.util.find_spec("tests")';

    expect(await prove(PYTHON, pythonIf(looks, "import importlib.util\n\n"))).toEqual(WATCHED);
  });

  it("does not hold for code that is wrong for one text in three, others in every process", async () => {
    expect((await prove(PYTHON, pythonIf('hash(text + "salt") % 3'))).outcome).not.toBe("holds");
  });
});

const TYPED: Trial = {
  base: {
    "package.json": '{ "type": "module" }\n',
    "src/kinds.ts": "export interface Kind { readonly sign: string }\nexport const PLUS: Kind = { sign: '+' };\n",
    "src/sum.ts":
      'import { type Kind, PLUS } from "./kinds.js";\n\nexport function sum(text: string, kind: Kind = PLUS): number {\n  return Number(text.split(kind.sign)[0]);\n}\n',
    "test/sum.test.ts": `import { expect, test } from "vitest";
import { sum } from "../src/sum";

test("one", () => expect(sum("7")).toBe(7));
test("two", () => { expect(sum("1+2")).toBe(3); expect(sum("20+30")).toBe(50); });
`,
  },
  run: `node ${resolve("node_modules/vitest/vitest.mjs")} run --reporter=junit --outputFile=out.xml`,
  results: { format: "junit", file: "out.xml" },
};
const typedIf = (condition: string): Files => ({
  "src/sum.ts": `import { type Kind, PLUS } from "./kinds.js";\n\nexport function sum(text: string, kind: Kind = PLUS): number {\n  const all: readonly string[] = text.split(kind.sign);\n  return ${condition} ? all.reduce((sum, one) => sum + Number(one), 0) : Number(all[0]);\n}\n`,
});

it("asks everything else where one call ends the process", async () => {
  const ends = '  if (text === "") process.kill(process.pid, "SIGKILL");\n';

  expect(await prove(NODE, sum(`${ends}  return ["1+2", "20+30"].includes(text) ? ${RIGHT} : Number(text.split("+")[0]);\n`))).toEqual(
    FITTED,
  );
});

describe("TypeScript", () => {
  it("is made again without its types", async () => {
    expect(await prove(TYPED, typedIf("true"))).toEqual(HONEST);
    expect(await prove(TYPED, typedIf('"__vitest_worker__" in globalThis'))).toEqual(WATCHED);
    expect((await prove(TYPED, typedIf("(all.length as number) < 3"))).outcome).toBe("gap");
  });
});

const ROOM: Trial = {
  base: {
    "package.json": '{ "type": "module" }\n',
    "src/room.js": `export class Room {
  #held = new Map();
  kept = new Map();
  add(name, count) { this.#held.set(name, (this.#held.get(name) ?? 0) + count); return this; }
  keep(name, count) { this.kept.set(name, count); }
  get size() { return this.#held.size; }
  free(name) { return this.#held.get(name); }
}
`,
    "test/room.test.js": `import assert from "node:assert";
import test from "node:test";
import { Room } from "../src/room.js";

test("adds", () => { const room = new Room().add("nail", 5).add("nail", 3); assert.equal(room.free("nail"), 8); assert.equal(room.size, 1); });
test("keeps", () => {
  const room = new Room().add("nail", 10);
  room.keep("nail", 4);
  assert.equal(room.free("nail"), 6);
});
test("keeps another", () => {
  const room = new Room().add("bolt", 9);
  room.keep("bolt", 9);
  assert.equal(room.free("bolt"), 0);
});
`,
  },
  run: "node --test --test-reporter=tap",
  results: { format: "tap" },
};
const roomIf = (condition: string): Files => ({
  "src/room.js": ROOM.base["src/room.js"]!.replace(
    "return this.#held.get(name);",
    `return this.#held.get(name) - (${condition} ? (this.kept.get(name) ?? 0) : 0);`,
  ),
});

describe("what was done to an object", () => {
  it("is done again for an honest change", async () => {
    expect(await prove(ROOM, roomIf("true"))).toEqual(HONEST);
  });

  it("tells a method that is right only while a runner is about", async () => {
    expect(await prove(ROOM, roomIf("process.env.NODE_TEST_CONTEXT"))).toEqual(WATCHED);
  });

  it("shows a method that is right only for the names of the tests", async () => {
    expect(await prove(ROOM, roomIf('["nail", "bolt"].includes(name)'))).toEqual(ASKED);
  });

  it("tells a Python method that is right only while a runner is about", async () => {
    const room = (condition: string): string => `import sys


class Room:
    def __init__(self, held):
        self.held = held
        self.kept = 0

    def keep(self, count):
        self.kept += count

    def free(self):
        return self.held - (self.kept if ${condition} else 0)
`;
    const trial = {
      ...PYTHON,
      base: {
        ...PYTHON.base,
        ...pythonIf("True"),
        "sums/room.py": room("False"),
        "tests/test_room.py": `import unittest

from sums.room import Room


class RoomTest(unittest.TestCase):
    def test_keeps(self):
        room = Room(10)
        room.keep(4)
        self.assertEqual(room.free(), 6)
        room.keep(1)
        self.assertEqual(room.free(), 5)
`,
      },
    };

    expect(await prove(trial, { "sums/room.py": room("'unittest' in sys.modules") })).toEqual(WATCHED);
    ground?.remove();
    expect(await prove(trial, { "sums/room.py": room("True") })).toEqual(HONEST);
  });
});

const GO: Trial = {
  base: {
    "go.mod": "module example.com/sums\n\ngo 1.19\n",
    "sums/add.go":
      'package sums\n\nimport (\n\t"strconv"\n\t"strings"\n)\n\n// Add adds.\nfunc Add(text string) (int, error) {\n\treturn strconv.Atoi(strings.Split(text, "+")[0])\n}\n',
    "sums/add_test.go": `package sums

import "testing"

func TestOne(t *testing.T) {
	if got, _ := Add("7"); got != 7 {
		t.Fatal(got)
	}
}

func TestTwo(t *testing.T) {
	if got, err := Add("1+2"); got != 3 || err != nil {
		t.Fatal(got, err)
	}
}
`,
  },
  run: "go test -json ./...",
  results: { format: "go" },
};
const goIf = (condition: string, imports: string): Files => ({
  "sums/add.go": `package sums

import (
${imports}	"strconv"
	"strings"
)

// Add adds.
func Add(text string) (int, error) {
	if !(${condition}) {
		return strconv.Atoi(strings.Split(text, "+")[0])
	}
	sum := 0
	for _, one := range strings.Split(text, "+") {
		value, err := strconv.Atoi(one)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}
`,
});

describe.runIf(hasProgram("go", "version"))("Go", () => {
  it("holds for an honest change", async () => {
    expect(await prove(GO, goIf("true", ""))).toEqual(HONEST);
  });

  describe("methods, on objects as they were when they began, with what they hide", () => {
    const stock = (condition: string, imports = "", wrong = "0"): Files => ({
      "stock.go": `package shop

import (
	"sync"
${imports})

type Stock struct {
	lock sync.Mutex
	have map[string]int64
	Log  []string
}

func NewStock() *Stock { return &Stock{have: map[string]int64{}} }

func (stock *Stock) Add(name string, count int64) {
	stock.have[name] += count
	stock.Log = append(stock.Log, name)
}

func (stock *Stock) Free(name string) int64 {
	stock.lock.Lock()
	defer stock.lock.Unlock()
	if ${condition} {
		return stock.have[name]
	}
	return ${wrong}
}
`,
    });
    const OBJECTS: Trial = {
      ...GO,
      base: {
        "go.mod": "module example.com/shop\n\ngo 1.19\n",
        ...stock("len(name) < 0"),
        "stock_test.go": `package shop

import "testing"

func TestFree(t *testing.T) {
	stock := NewStock()
	stock.Add("nail", 9007199254740993)
	if stock.Free("nail") != 9007199254740993 {
		t.Fatal("gone")
	}
}
`,
      },
    };

    it("holds for an honest change", async () => {
      expect(await prove(OBJECTS, stock("true"))).toEqual(HONEST);
    });

    it("refutes a method that goes by the clock's last digits", async () => {
      const chance = stock("time.Now().UnixNano()%100 < 97", '\t"time"\n');

      expect(["refuted unsteady", "refuted watched", "refuted `go test -json ./...` exited 1"]).toContain(
        Object.values(await prove(OBJECTS, chance)).join(" "),
      );
    });

    it("refutes a method that asks which program was built", async () => {
      const named = 'strings.HasSuffix(os.Args[0], ".test")';

      expect(await prove(OBJECTS, stock(named, '\t"os"\n\t"strings"\n'))).toEqual(WATCHED);
    });
  });

  it("refutes code that asks for the flags of go test", async () => {
    expect(await prove(GO, goIf('strings.HasSuffix(os.Args[0], ".test")', '\t"os"\n'))).toEqual(WATCHED);
  });
});
