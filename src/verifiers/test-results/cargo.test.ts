import { expect, it } from "vitest";
import { readTestResults } from "./read-test-results.ts";

const read = (text: string) => readTestResults("cargo", text);

const TEXT = `   Compiling c v0.1.0 (/co)
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 2.87s
     Running unittests src/lib.rs (target/debug/deps/c-d4fd4905425e6bfe)

running 4 tests
test tests::ig ... ignored, why
test tests::ok ... ok
test tests::bad ... FAILED
test tests::sp - should panic ... ok

failures:

---- tests::bad stdout ----
thread 'tests::bad' (29004) panicked at src/lib.rs:5:62:

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.46s

error: test failed, to rerun pass \`--lib\`
     Running tests/shop.rs (target/debug/deps/shop-0d4fd4905425e6bf)

running 1 test
test ok ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests c

running 1 test
test src/lib.rs - f (line 17) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s
`;

it("reads the text, target by target, without line numbers", () => {
  expect(read(TEXT)).toEqual({
    isComplete: true,
    problems: [],
    tests: [
      { id: "src/lib.rs :: tests::ig", outcome: "skipped" },
      { id: "src/lib.rs :: tests::ok", outcome: "passed" },
      { id: "src/lib.rs :: tests::bad", outcome: "failed" },
      { id: "src/lib.rs :: tests::sp", outcome: "passed" },
      { id: "tests/shop.rs :: ok", outcome: "passed" },
      { id: "doc c :: src/lib.rs - f", outcome: "passed" },
    ],
  });
});

const JSON_LINES = `{ "type": "suite", "event": "started", "test_count": 3 }
{ "type": "test", "event": "started", "name": "tests::bad" }
{ "type": "test", "name": "tests::ig", "event": "ignored", "message": "why" }
{ "type": "test", "name": "tests::ok", "event": "ok" }
{ "type": "test", "name": "tests::bad", "event": "failed", "stdout": "panicked" }
{ "type": "suite", "event": "failed", "passed": 1, "failed": 1, "ignored": 1, "measured": 0, "filtered_out": 0, "exec_time": 0.3 }
`;

it("reads the JSON lines", () => {
  expect(read(JSON_LINES)).toEqual({
    isComplete: true,
    problems: [],
    tests: [
      { id: "tests::ig", outcome: "skipped" },
      { id: "tests::ok", outcome: "passed" },
      { id: "tests::bad", outcome: "failed" },
    ],
  });
});

it("counts what does not compile as failed", () => {
  expect(read("error: could not compile `c` (lib test) due to 1 previous error\n").tests).toEqual([
    { id: "cargo :: (as a whole)", outcome: "failed" },
  ]);
});

it.each<readonly [string, string, string]>([
  ["a target that breaks off", TEXT.slice(0, TEXT.indexOf("test result")), "it breaks off inside a target"],
  [
    "names left out",
    "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n",
    "2 tests were announced, and 0 are named; run cargo test without -q and --nocapture",
  ],
  [
    "a sum that is not the sum",
    "running 1 test\ntest a ... ok\ntest result: ok. 0 passed; 1 failed; 0 ignored;\n",
    "the tests and the sum of them disagree",
  ],
  [
    "ok over a failed test",
    "running 1 test\ntest a ... FAILED\ntest result: ok. 0 passed; 1 failed; 0 ignored;\n",
    "a target says ok, and a test in it failed",
  ],
  ["a test outside of every target", `${TEXT}test forged ... ok\n`, "a test stands outside of every target"],
  ["a line that breaks off", `${JSON_LINES}{ "type": "su`, "a line is cut off or no JSON"],
  ["no tests", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured;\n", "it names no test"],
])("is not complete with %s", (_, text, problem) => {
  expect(read(text).isComplete).toBe(false);
  expect(read(text).problems).toContain(problem);
});
