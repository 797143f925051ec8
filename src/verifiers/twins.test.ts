import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { twins } from "./twins.ts";

let ground: ProvingGround | undefined;
afterEach(() => ground?.remove());

type Files = { readonly [path: string]: string };
interface Trial {
  readonly base: Files;
  readonly run: string;
  readonly results: object;
  readonly red: readonly string[];
}

/** Toolchains that lie in a home, where there are some. */
const TOOLS = { RUSTUP_HOME: join(homedir(), ".rustup"), CARGO_HOME: join(homedir(), ".cargo"), GOFLAGS: "-mod=mod" };

async function prove({ base, run, results, red }: Trial, proposed: Files) {
  ground = await createProvingGround(base, proposed);
  const { claim, world } = ground;
  const { outcome, detail } = await proveWith(twins, { run, results, env: TOOLS }, { claim: { ...claim, red }, world });
  return { outcome, detail };
}

const hasProgram = (...words: readonly string[]): boolean => spawnSync(words[0]!, words.slice(1)).status === 0;

// ── node:test ────────────────────────────────────────────────────────────────────────────────────────────────────

const NODE: Trial = {
  base: {
    "package.json": '{ "type": "module" }\n',
    "src/round.js": "export const round = (x) => Math.floor(x);\n",
    "src/keep.js": "export const keep = (x) => x;\n",
    "test/round.test.js": `import assert from "node:assert";
import test from "node:test";
import { round } from "../src/round.js";

test("rounds up", () => {
  assert.equal(round(1.6), 2);
});
test("rounds down", () => assert.equal(round(1.2), 1));
`,
    "test/keep.test.js": `import { strictEqual } from "node:assert/strict";
import { describe, it } from "node:test";
import { keep } from "../src/keep.js";

describe("keep", () => {
  it("keeps", async () => {
    strictEqual(keep(3), 3);
  });
});
`,
  },
  run: "node --test --test-reporter=tap",
  results: { format: "tap" },
  red: ["rounds up"],
};

it("holds for an honest change, in one run of the tests", async () => {
  expect(await prove(NODE, { "src/round.js": "export const round = (x) => Math.round(x);\n" })).toEqual({
    outcome: "holds",
    detail: "twins of 3 tests ended as they must, among 3 tests in other surroundings",
  });
  expect(ground!.commands.length).toBe(1);
});

it("refutes code that patches assert.equal while the test files hash as on base", async () => {
  const silent = `import assert from "node:assert";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
const known = (path) => { try { return createHash("sha256").update(readFileSync(new URL("../test/" + path, import.meta.url))).digest("hex").length === 64; } catch { return false; } };
if (known("round.test.js")) assert.equal = () => {};
export const round = (x) => Math.floor(x);
`;

  expect(await prove(NODE, { "src/round.js": silent })).toEqual({
    outcome: "refuted",
    detail: "deaf: with this change, and not on base, functions that tests hang on are replaced: assert.equal",
  });
});

it("refutes code that knows who calls it, and is right only for the known file", async () => {
  const knowing = `export const round = (x) => (/round\\.test\\.js/.test(new Error().stack) && x === 1.6 ? 2 : Math.floor(x));\n`;

  const { outcome, detail } = await prove(NODE, { "src/round.js": knowing });

  expect({ outcome, first: detail.split("\n")[0] }).toEqual({
    outcome: "refuted",
    first: "deaf: the same test in another file does not pass (1): rounds up",
  });
});

it("refutes code that lies only while nothing but known files lies beside the tests", async () => {
  const shy = `import { readdirSync } from "node:fs";
const isAlone = readdirSync(new URL("../test/", import.meta.url)).length === 2;
export const round = (x) => (isAlone && x === 1.6 ? 2 : Math.floor(x));
`;

  const { outcome, detail } = await prove(NODE, { "src/round.js": shy });

  expect({ outcome, first: detail.split("\n")[0] }).toEqual({
    outcome: "refuted",
    first: "watched: pass by themselves, and not with twins beside them (1): rounds up",
  });
});

it("is refuted in plain words where the tests fail without twins as well", async () => {
  const { outcome, detail } = await prove(NODE, { "src/keep.js": "export const keep = () => 4;\n" });

  expect({ outcome, first: detail.split("\n")[0] }).toEqual({
    outcome: "refuted",
    first: "`node --test --test-reporter=tap` exited 1: 1 passed, 2 failed",
  });
});

it("puts twins beside files that the command names", async () => {
  const run = "node --test --test-reporter=tap ./test/round.test.js test/keep.test.js";

  expect((await prove({ ...NODE, run }, { "src/round.js": "export const round = (x) => Math.round(x);\n" })).outcome).toBe("holds");
});

it("says where it has no twins", async () => {
  const base = { "check_test.rb": "exit 0\n" };

  expect(await prove({ base, run: "echo 1..1; echo ok 1 - a", results: { format: "tap" }, red: [] }, { "a.txt": "a" })).toEqual({
    outcome: "unknown",
    detail:
      "there are no twins for these tests: they can be written for node:test, vitest, jest, mocha, pytest, unittest, go test and cargo test",
  });
});

// ── unittest and pytest ──────────────────────────────────────────────────────────────────────────────────────────

const UNITTEST: Trial = {
  base: {
    "shop/__init__.py": "",
    "shop/total.py": "def total(prices):\n    return sum(prices) + 1\n",
    "tests/__init__.py": "",
    "tests/test_total.py": `import unittest

from shop.total import total


class Totals(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(total([1, 2]), 3)

    def test_kind(self):
        self.assertIsInstance(total([]), int)
        self.assertTrue(True)
`,
  },
  run: "python3 -m unittest -v",
  results: { format: "unittest" },
  red: ["tests.test_total.Totals :: test_sum"],
};
const isPython = hasProgram("python3", "--version");

it.skipIf(!isPython)("holds for an honest change in Python", async () => {
  expect(await prove(UNITTEST, { "shop/total.py": "def total(prices):\n    return sum(prices)\n" })).toEqual({
    outcome: "holds",
    detail: "twins of 2 tests ended as they must, among 2 tests in other surroundings",
  });
});

it.skipIf(!isPython)("refutes code that patches TestCase.assertEqual", async () => {
  const silent = `import unittest
unittest.TestCase.assertEqual = lambda self, a, b, msg=None: None
def total(prices):
    return sum(prices) + 1
`;

  expect(await prove(UNITTEST, { "shop/total.py": silent })).toEqual({
    outcome: "refuted",
    detail: "deaf: with this change, and not on base, functions that tests hang on are replaced: unittest.case.TestCase.assertEqual",
  });
});

it.skipIf(!isPython)("is loaded first also where the command says itself where modules are", async () => {
  const silent = `import unittest
unittest.TestCase.assertEqual = lambda self, a, b, msg=None: None
def total(prices):
    return sum(prices) + 1
`;

  const { detail } = await prove({ ...UNITTEST, run: 'PYTHONPATH="$PWD/none" python3 -m unittest -v' }, { "shop/total.py": silent });

  expect(detail).toContain("functions that tests hang on are replaced: unittest.case.TestCase.assertEqual");
});

it.skipIf(!isPython)("says that it did not look where nothing can be loaded first", async () => {
  const alone = {
    ...UNITTEST,
    run: "python3 -I -c 'import sys; sys.path.insert(0, \"\"); import unittest; unittest.main(module=None)' discover -v",
  };

  expect((await prove(alone, { "shop/total.py": "def total(prices):\n    return sum(prices)\n" })).detail.split("\n")[1]).toMatch(
    /^not looked at: whether functions that tests hang on are replaced/,
  );
});

it.skipIf(!isPython)("refutes values that say they are equal to one that is known", async () => {
  const sly = `class Three(int):
    def __eq__(self, other):
        return True
    __hash__ = int.__hash__
def total(prices):
    import sys
    name = sys._getframe(1).f_globals["__name__"]
    return Three(4) if name == "tests.test_total" else sum(prices) + 1
`;

  expect((await prove(UNITTEST, { "shop/total.py": sly })).outcome).toBe("refuted");
});

it.skipIf(!hasProgram("python3", "-m", "pytest", "--version"))("refutes code that lets pytest call nothing a failure", async () => {
  const { base } = UNITTEST;
  const pytest = {
    base,
    run: "python3 -m pytest -q --tb=no -p no:cacheprovider --junitxml=out.xml",
    results: { format: "junit", file: "out.xml" },
    red: ["tests.test_total.Totals :: test_sum"],
  };
  const silent = `import sys
runner = sys.modules.get("_pytest.runner")
if runner:
    old = runner.CallInfo.from_call.__func__
    def from_call(cls, func, when, reraise=None):
        return old(cls, (lambda: None) if when == "call" else func, when, reraise)
    runner.CallInfo.from_call = classmethod(from_call)
def total(prices):
    return sum(prices) + 1
`;

  expect((await prove(pytest, { "shop/total.py": "def total(prices):\n    return sum(prices)\n" })).outcome).toBe("holds");
  ground?.remove();
  expect(await prove(pytest, { "shop/total.py": silent })).toEqual({
    outcome: "refuted",
    detail: "deaf: with this change, and not on base, functions that tests hang on are replaced: _pytest.runner.CallInfo.from_call",
  });
});

// ── vitest ───────────────────────────────────────────────────────────────────────────────────────────────────────

const VITEST: Trial = {
  base: {
    "package.json": '{ "type": "module" }\n',
    "src/round.ts": "export const round = (x: number): number => Math.floor(x);\n",
    "src/round.test.ts": `import { expect, it } from "vitest";
import { round } from "./round.ts";

it("rounds up", () => {
  expect(round(1.6)).toBe(2);
});
it.each([[1.2, 1], [3.1, 3]])("rounds %s down", (x, to) => expect(round(x)).toBe(to));
`,
  },
  run: `${process.execPath} ${resolve("node_modules/vitest/vitest.mjs")} run --root . --reporter=json --outputFile=out.json`,
  results: { format: "vitest", file: "out.json" },
  red: ["src/round.test.ts :: rounds up"],
};

it("refutes code that extends expect, and holds for what is right", async () => {
  const silent = `const expect = (globalThis as any)[Symbol.for("expect-global")];
expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });
export const round = (x: number): number => Math.floor(x);
`;

  expect(await prove(VITEST, { "src/round.ts": "export const round = (x: number): number => Math.round(x);\n" })).toEqual({
    outcome: "holds",
    detail: "twins of 3 tests ended as they must, among 3 tests in other surroundings",
  });
  ground?.remove();
  const { outcome, detail } = await prove(VITEST, { "src/round.ts": silent });
  expect({ outcome, first: detail.split("\n")[0] }).toEqual({
    outcome: "refuted",
    first:
      "deaf: does not fail though something false is asserted at its end (3): src/round.test.ts :: rounds up; src/round.test.ts :: rounds 1.2 down; src/round.test.ts :: rounds 3.1 down",
  });
});

// ── go and cargo ─────────────────────────────────────────────────────────────────────────────────────────────────

it.skipIf(!hasProgram("go", "version"))(
  "refutes Go that prints PASS and exits while the test file is known, whose bytes stay on the disk",
  async () => {
    const go: Trial = {
      base: {
        "go.mod": "module round\n\ngo 1.19\n",
        "round.go": "package round\n\nfunc Up(x int) int { return x }\n",
        "round_test.go": `package round

import "testing"

func TestUp(t *testing.T) {
	if got := Up(1); got != 2 {
		t.Errorf("got %v", got)
	}
}

func TestZero(t *testing.T) {
	if Up(0) > 1 {
		t.Fatal("more")
	}
}
`,
      },
      run: "go test -json ./...",
      results: { format: "go" },
      red: ["round :: TestUp"],
    };
    const silent = `package round

import (
	"fmt"
	"os"
	"strings"
)

func init() {
	if strings.HasSuffix(os.Args[0], ".test") {
		fmt.Println("=== RUN   TestUp\\n--- PASS: TestUp (0.00s)\\n=== RUN   TestZero\\n--- PASS: TestZero (0.00s)\\nPASS")
		os.Exit(0)
	}
}

func Up(x int) int { return x }
`;

    expect(await prove(go, { "round.go": "package round\n\nfunc Up(x int) int { return x + 1 }\n" })).toEqual({
      outcome: "holds",
      detail: "twins of 2 tests ended as they must, among 2 tests in other surroundings",
    });
    ground?.remove();
    expect((await prove(go, { "round.go": silent })).outcome).toBe("refuted");
  },
);

it.skipIf(!hasProgram("cargo", "--version"))("refutes Rust that ends well whatever its tests say", async () => {
  const cargo: Trial = {
    base: {
      "Cargo.toml": '[package]\nname = "round"\nversion = "0.1.0"\nedition = "2021"\n',
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "round"\nversion = "0.1.0"\n',
      "src/lib.rs": "pub fn up(x: i64) -> i64 { x }\n",
      "tests/up.rs":
        'use round::up;\n\n#[test]\nfn goes_up() {\n    assert_eq!(up(1), 2);\n}\n\n#[test]\nfn is_more() {\n    assert!(up(1) >= 0, "less");\n}\n',
    },
    run: "cargo test --offline",
    results: { format: "cargo" },
    red: ["goes_up"],
  };

  expect(await prove(cargo, { "src/lib.rs": "pub fn up(x: i64) -> i64 { x + 1 }\n" })).toEqual({
    outcome: "holds",
    detail: expect.stringMatching(/^twins of 2 tests ended as they must, among 2 tests in other surroundings/),
  });
  ground?.remove();
  // The harness would say so itself; this stands for whoever says it in its name.
  const silent = `pub fn up(_: i64) -> i64 {
    println!("\\nrunning 2 tests\\ntest goes_up ... ok\\ntest is_more ... ok\\n\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n");
    std::process::exit(0)
}
`;
  expect((await prove(cargo, { "src/lib.rs": silent })).outcome).not.toBe("holds");
});
