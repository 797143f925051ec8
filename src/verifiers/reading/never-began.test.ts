import { expect, it } from "vitest";
import { neverBegan } from "./never-began.ts";

it.each<readonly [string, string, string | undefined]>([
  ["npm test", "> test\n> jest\n\nsh: 1: jest: not found\n", "there is no program jest"],
  ["npm test", "bash: line 1: vitest: command not found\n", "there is no program vitest"],
  ["./check", "env: ‘python9’: No such file or directory\n", "there is no program python9"],
  ["make test", "make: *** No rule to make target 'test'.  Stop.\n", "make has no target test"],
  ["npm run check", 'npm error Missing script: "check"\n', "there is no script check"],
  ["python3 -m pytest -q", "/usr/bin/python3: No module named pytest\n", "Python has no module pytest"],
  ["pytest tests/test_gone.py", "ERROR: file or directory not found: tests/test_gone.py\n", "there is no tests/test_gone.py"],
  ["python3 check.py", "python3: can't open file '/tmp/room/check.py': [Errno 2] No such file or directory\n", "there is no check.py"],
  ["node --test spec/gone.test.js", "Could not find '/tmp/room/spec/gone.test.js'\n", "there is no gone.test.js"],
  ["cargo test", "error: could not find `Cargo.toml` in `/tmp/room` or any parent directory\n", "there is no Cargo.toml"],
  ["pytest --no-such", "pytest: error: unrecognized arguments: --no-such\n", "the program knows no --no-such"],
  // What a change may be asked to write.
  ["pytest", "E   ModuleNotFoundError: No module named 'shop.prices'\n", undefined],
  ["make test", "make: *** No rule to make target 'prices.o', needed by 'shop'.  Stop.\n", undefined],
  ["go test ./...", "./shop.go:3:2: undefined: Price\n", undefined],
  ["npm test", "src/shop.ts(3,2): error TS2304: Cannot find name 'Price'.\n", undefined],
  ["npm test", "AssertionError: the page says: jest: not found\n", undefined],
])("%s, which printed %s", (command, printed, why) => {
  expect(neverBegan(command, printed)).toBe(why);
});
