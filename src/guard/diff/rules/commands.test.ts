import { describe, expect, it } from "vitest";
import { forgivenessOf, weakeningOf } from "./command-weakening.ts";
import { purposeOf } from "./commands.ts";

describe("purposeOf", () => {
  it.each([
    ["npm test", "tests"],
    ["CI=1 yarn run test:unit --watch=false", "tests"],
    ["cd api && go test ./...", "tests"],
    ["python -m pytest -q", "tests"],
    ["mvn -B package", "tests"],
    ["./gradlew build", "tests"],
    ["eslint . && tsc --noEmit", "checks"],
    ["pip install pytest", "setup"],
    ["npm ci", "setup"],
    ["git checkout tests", "setup"],
    ["echo running tests", "nothing"],
    ['node -e "process.exit(0)"', "nothing"],
    ["echo ok # npm test", "nothing"],
    ["exit 0", "nothing"],
    ['echo "Error: no test specified" && exit 1', "other"],
    ["./build", "other"],
  ])("says what %s is for", (command, purpose) => {
    expect(purposeOf(command)).toBe(purpose);
  });
});

describe("forgivenessOf", () => {
  it.each(["a || true", "a || :", "a || exit 0", "a; exit 0", "a || echo failed", "bash -c 'a || true'", "set +e", "a &", "a | cat"])(
    "sees it in %s",
    (command) => {
      expect(forgivenessOf(command)).toBeDefined();
    },
  );

  it.each(["a && b", "a || exit 1", "a || { echo failed; exit 1; }", "a || b", "a # || true", "a 2>&1", "a > log"])(
    "does not see it in %s",
    (command) => {
      expect(forgivenessOf(command)).toBeUndefined();
    },
  );
});

describe("weakeningOf", () => {
  it.each([
    ["pytest", "pytest -n auto"],
    ["pytest tests", "pytest tests --cov"],
    ["npm test", "npm run test:all"],
    ["cargo test --no-run", "cargo test --no-run --locked"],
    ["pytest --cov-fail-under=80", "pytest --cov-fail-under=90"],
  ])("lets %s become %s", (before, after) => {
    expect(weakeningOf(before, after, "tests")).toBeUndefined();
  });

  it.each([
    ["pytest", "pytest --collect-only", "high"],
    ["npm test", "true", "high"],
    ["pytest --cov-fail-under=80", "pytest --cov-fail-under=10", "medium"],
    ["go test ./...", "go test ./util", "medium"],
    ["pytest", "pytest tests/test_a.py", "medium"],
    ["jest", "jest --updateSnapshot", "medium"],
  ])("does not let %s become %s", (before, after, severity) => {
    expect(weakeningOf(before, after, "tests")?.severity).toBe(severity);
  });
});
