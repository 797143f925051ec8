// Reads what a test runner wrote, in whichever of the known formats it is.

import { type Reading, type TestResults, toResults, unreadable } from "../../std/test-results.ts";
import { readCargo } from "./cargo.ts";
import { readGo } from "./go.ts";
import { readJest } from "./jest.ts";
import { readJunit } from "./junit.ts";
import { readPytest } from "./pytest.ts";
import { readTap } from "./tap.ts";
import { readUnittest } from "./unittest.ts";

/** What a spec may ask for. */
export const RESULT_FORMATS = ["auto", "junit", "tap", "vitest", "jest", "node", "pytest", "unittest", "go", "cargo"] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

const MOST_CHARS = 40 * 1024 * 1024;

/** Never throws, and takes a time in proportion to the text, whatever is in it. `root` is the checkout that the tests ran in. */
export function readTestResults(format: ResultFormat, text: string, root = ""): TestResults {
  if (text.length > MOST_CHARS) return unreadable(`it is longer than ${MOST_CHARS} characters`);
  try {
    return readAs(format, text, root);
  } catch (error) {
    // A pattern remembers every character of a run that it may have to give back, and has only so much room for that.
    if (error instanceof RangeError) return unreadable("it has a run of characters that is too long to be read");
    throw error;
  }
}

function readAs(format: ResultFormat, text: string, root: string): TestResults {
  const candidates = FORMS.filter(({ of }) => of.includes(format));
  if (candidates.length === 1) return toResults(candidates[0]!.read(text), root);
  const fitting = candidates.filter(({ looksLike }) => looksLike(text));
  if (fitting.length === 0)
    return unreadable(format === "auto" ? "it has none of the known forms" : `it has no form that ${format} writes`);
  if (fitting.length > 1)
    return unreadable(
      `it looks like ${fitting.map(({ name }) => name).join(" and like ")} at once; name the format, and read it from a file`,
    );
  return toResults(fitting[0]!.read(text), root);
}

interface Form {
  readonly name: string;
  readonly of: readonly ResultFormat[];
  readonly looksLike: (text: string) => boolean;
  readonly read: (text: string) => Reading;
}

const FORMS: readonly Form[] = [
  { name: "JUnit XML", of: ["auto", "junit", "node", "pytest"], looksLike: (text) => /<testsuites?[\s>/]/.test(text), read: readJunit },
  {
    name: "TAP",
    of: ["auto", "tap", "node"],
    looksLike: (text) => /^TAP version \d+\r?$/m.test(text) || (/^1\.\.\d/m.test(text) && /^(?:not )?ok\b/m.test(text)),
    read: readTap,
  },
  { name: "jest JSON", of: ["auto", "vitest", "jest"], looksLike: (text) => text.includes('"numTotalTestSuites"'), read: readJest },
  { name: "go test -json", of: ["auto", "go"], looksLike: (text) => /^\{[^\n]{0,500}"Action":"/m.test(text), read: readGo },
  {
    name: "cargo test",
    of: ["auto", "cargo"],
    looksLike: (text) => /^running \d+ tests?\r?$/m.test(text) || /^\{ "type": "suite", "event": "started"/m.test(text),
    read: readCargo,
  },
  {
    name: "pytest -rA",
    of: ["auto", "pytest"],
    looksLike: (text) => /^={1,500} short test summary info ={1,500}\r?$/m.test(text),
    read: readPytest,
  },
  { name: "unittest -v", of: ["auto", "unittest"], looksLike: (text) => /^Ran \d+ tests? in /m.test(text), read: readUnittest },
];
