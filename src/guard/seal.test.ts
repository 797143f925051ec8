import { describe, expect, it } from "vitest";
import type { Change } from "../contract/proposal.ts";
import { isSealedBy, isUntouched, NOTHING_SEEN, planSeal, whySealed } from "./seal.ts";

const DEFAULTS = { seal: [], unseal: [] };
const file = (mode = "100644") => ({ mode, blob: "b10b" });
const changed = (path: string): Change => ({ path, before: file(), after: file() });
const added = (path: string, mode?: string): Change => ({ path, before: undefined, after: file(mode) });
const deleted = (path: string): Change => ({ path, before: file(), after: undefined });

describe("sealed by default", () => {
  it.each([
    "test/a.test.js",
    "tests/test_a.py",
    "conftest.py",
    "src/__snapshots__/a.snap",
    "fixtures/a.json",
    "package.json",
    "pyproject.toml",
    "vitest.config.ts",
    ".github/workflows/ci.yml",
    "package-lock.json",
    "Makefile",
    "scripts/run-tests.sh",
    ".npmrc",
    ".gitattributes",
    // What was seen to be unsealed.
    ...[
      "test.js",
      "test.ts",
      "test.mjs",
      "test.cjs",
      "test.rb",
      "test.php",
      "tests.js",
      "tests.py",
      "spec.js",
      "test-total.js",
      "shop/tests.py",
    ],
    ...["types/total.test-d.ts", "testing/total.go", ".pytest.ini", "pytest.toml", "tox.toml", "vitest.workspace.ts", "jest.preset.js"],
    ...["go.work", "go.work.sum", ".pnp.cjs", ".yarn/releases/yarn-4.1.0.cjs", "gradlew", "mvnw", ".mvn/wrapper/maven-wrapper.properties"],
    ...["rust-toolchain", "rust-toolchain.toml", "Justfile", "manage.py", "node_modules/assert/index.js", "test/node_modules/x/index.js"],
  ])("%s", (path) => expect(isSealedBy(DEFAULTS)(path)).toBe(true));

  it.each([
    "src/testing.py",
    "src/contest.js",
    "src/latest.js",
    "src/a.ts",
    "README.md",
    "docs/testing.md",
    ".gitignore",
    "src/latest/a.py",
  ])("not %s", (path) => expect(isSealedBy(DEFAULTS)(path)).toBe(false));
});

it("leaves open what a spec opens, and adds what it names", () => {
  const isSealed = isSealedBy({ seal: ["src/generated/**"], unseal: ["package.json"] });

  expect([isSealed("package.json"), isSealed("src/generated/a.ts"), isSealed("pyproject.toml")]).toEqual([false, true, true]);
});

it("puts changed and deleted ones back, keeps new tests, and drops new files that decide how things are checked", () => {
  const plan = planSeal(
    [changed("tests/test_a.py"), deleted("tests/test_b.py"), added("tests/test_c.py"), added("conftest.py"), changed("src/a.py")],
    DEFAULTS,
    NOTHING_SEEN,
  );

  expect({
    restored: plan.restored.map(({ path }) => path),
    dropped: plan.dropped.map(({ path }) => path),
    added: plan.added.map(({ path }) => path),
    isUntouched: isUntouched(plan),
  }).toEqual({
    restored: ["tests/test_a.py", "tests/test_b.py"],
    dropped: ["conftest.py"],
    added: ["tests/test_c.py"],
    isUntouched: false,
  });
});

it("takes packages that are installed beside tests, or among fixtures, for no tests", () => {
  const plan = planSeal(
    [added("test/node_modules/util/index.js"), added("tests/fixtures/site-packages/x/__init__.py")],
    DEFAULTS,
    NOTHING_SEEN,
  );

  expect([plan.added, plan.dropped.length]).toEqual([[], 2]);
});

it("takes no link for a test", () => {
  expect(planSeal([added("tests/test_c.py", "120000")], DEFAULTS, NOTHING_SEEN).dropped).toHaveLength(1);
});

it("leaves a proposal alone that adds tests and changes only product code", () => {
  expect(isUntouched(planSeal([added("tests/test_c.py"), changed("src/a.py")], DEFAULTS, NOTHING_SEEN))).toBe(true);
});

it("does not let a proposal add to what a spec has sealed by name", () => {
  expect(planSeal([added("tests/test_c.py")], { seal: ["tests/**"], unseal: ["tests/**"] }, NOTHING_SEEN).dropped).toHaveLength(1);
});

it("puts back what checks read on base, whatever it is called, and drops what they found by its name, unless the spec leaves it open", () => {
  const seen = { read: new Set(["support/expect.js", "cases.json", "open.json"]), found: new Set(["decimal.py", "tests/util"]) };

  const plan = planSeal(
    [
      changed("support/expect.js"),
      deleted("cases.json"),
      changed("open.json"),
      changed("src/a.js"),
      added("decimal.py"),
      added("tests/util"),
    ],
    { seal: [], unseal: ["open.json"] },
    seen,
  );

  expect({ ...plan, restored: plan.restored.map(({ path }) => path), dropped: plan.dropped.map(({ path }) => path) }).toEqual({
    restored: ["support/expect.js", "cases.json"],
    dropped: ["decimal.py", "tests/util"],
    added: [],
    byReading: ["support/expect.js", "cases.json"],
  });
});

describe("what a tool may change", () => {
  const why = whySealed({ seal: ["src/generated/**", "test/named.test.js"], unseal: ["Makefile"] });

  it.each([
    ["test/a.test.js", "there"],
    ["package.json", "there"],
    ["package.json", "absent"],
    ["vitest.config.ts", "absent"],
    ["src/generated/a.ts", "absent"],
    ["test/named.test.js", "absent"],
    [".github/workflows/x.yml", "absent"],
    [".loopwright/policy.yaml", "absent"],
    ["sub/.Loopwright/policy.yaml", "there"],
  ] as const)("is not %s, which is %s, and the reason is told", (path, before) => expect(why(path, before)).toMatch(/./));

  it.each([
    ["src/a.ts", "there"],
    ["src/a.ts", "absent"],
    ["test/new.test.js", "absent"],
    ["Makefile", "there"],
  ] as const)("is %s, which is %s", (path, before) => expect(why(path, before)).toBeUndefined());
});
