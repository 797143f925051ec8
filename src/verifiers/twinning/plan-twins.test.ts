import { expect, it } from "vitest";
import { besidePath, nameTwins, ofOneWay } from "./plan-twins.ts";

const FILES = ["a_test.go", "test/a.test.js", "src/lib.rs"].map((path) => ({ path }));

it.each([
  ["go test ./...", "auto", ["a_test.go"]],
  ["make check", "go", ["a_test.go"]],
  ["cargo test", "auto", ["src/lib.rs"]],
  ["npm test", "vitest", ["test/a.test.js"]],
  ["make check", "auto", ["test/a.test.js"]],
])("twins, where several tools have tests, those that `%s` runs (%s)", (run, format, paths) => {
  expect(ofOneWay(FILES, run, format).map(({ path }) => path)).toEqual(paths);
});

it("leaves all files where one tool has them", () => {
  expect(ofOneWay([{ path: "a_test.go" }, { path: "b_test.go" }], "make check", "auto").length).toBe(2);
});

it.each([
  ["test/round.test.js", "test/quince.test.js"],
  ["tests/test_round.py", "tests/test_quince.py"],
  ["test.js", "test-quince.js"],
  ["tests.py", "tests_quince.py"],
  ["round.spec.ts", "quince.spec.ts"],
])("puts a twin beside %s, under a name that is collected as well", (known, twin) => {
  expect(besidePath(known, "quince")).toBe(twin);
});

it("names a twin wherever the command names its known file", () => {
  const twin = {
    known: "test/a.test.js",
    path: "test/q.test.js",
    way: "beside",
    kind: "same",
    word: "q",
    text: "",
    tests: [],
    was: "",
  } as const;

  expect(nameTwins("node --test ./test/a.test.js && echo test/a.test.jsx", [twin])).toBe(
    "node --test ./test/a.test.js ./test/q.test.js && echo test/a.test.jsx",
  );
});
