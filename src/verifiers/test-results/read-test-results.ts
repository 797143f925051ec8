// Reads what a test runner wrote, in whichever of the known formats it is.

import { readJunit } from "../../std/junit.ts";
import { type Reading, type TestResults, toResults, unreadable } from "../../std/test-results.ts";
import { readCargo } from "./cargo.ts";
import { readGo } from "./go.ts";
import { readJest } from "./jest.ts";
import { readPytest } from "./pytest.ts";
import { readTap } from "./tap.ts";
import { readUnittest } from "./unittest.ts";

/** What a spec may ask for. */
export const RESULT_FORMATS = ["auto", "junit", "tap", "vitest", "jest", "node", "pytest", "unittest", "go", "cargo"] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

const MOST_CHARS = 40 * 1024 * 1024;

/** A pattern that goes back over more signs than this may have no stack left for it; no runner writes such a line. */
const MOST_IN_A_LINE = 1024 * 1024;

/** Never throws, and takes a time in proportion to the text, whatever is in it. `root` is the checkout that the tests ran in, `since` when they began: what says that it is older is not of this run. */
export function readTestResults(format: ResultFormat, text: string, root = "", since?: Date): TestResults {
  if (text.length > MOST_CHARS) return unreadable(`it is longer than ${MOST_CHARS} characters`);
  const candidates = FORMS.filter(({ of }) => of.includes(format));
  if (candidates.length === 1) return readAs(candidates[0]!, text, root, since);
  const fitting = candidates.filter(({ looksLike }) => looksLike(text));
  if (fitting.length === 0)
    return unreadable(format === "auto" ? "it has none of the known forms" : `it has no form that ${format} writes`);
  if (fitting.length > 1)
    return unreadable(
      `it looks like ${fitting.map(({ name }) => name).join(" and like ")} at once; name the format, and read it from a file`,
    );
  return readAs(fitting[0]!, text, root, since);
}

/** Runners that name no zone may be this far off. */
const LEEWAY_MS = 25 * 60 * 60 * 1000;

function readAs({ isInLines, read }: Form, text: string, root: string, since: Date | undefined): TestResults {
  if (isInLines && hasLongLine(text)) return unreadable(`one of its lines is longer than ${MOST_IN_A_LINE} characters`);
  const reading = read(text);
  const { datedMs } = reading;
  const isOld = since !== undefined && datedMs !== undefined && datedMs < since.getTime() - LEEWAY_MS;
  if (!isOld) return toResults(reading, root);
  const old = `they are dated ${new Date(datedMs).toISOString()}, before this run began`;
  return toResults({ ...reading, problems: [...reading.problems, old] }, root);
}

function hasLongLine(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    if ((end < 0 ? text.length : end) - at > MOST_IN_A_LINE) return true;
    if (end < 0) return false;
    at = end + 1;
  }
  return false;
}

interface Form {
  readonly name: string;
  readonly of: readonly ResultFormat[];
  /** Its patterns go back over no more than a bounded number of signs. */
  readonly looksLike: (text: string) => boolean;
  readonly isInLines: boolean;
  readonly read: (text: string) => Reading;
}

const FORMS: readonly Form[] = [
  {
    name: "JUnit XML",
    of: ["auto", "junit", "node", "pytest"],
    looksLike: (text) => /<testsuites?[\s>/]/.test(text),
    isInLines: false,
    read: readJunit,
  },
  {
    name: "TAP",
    of: ["auto", "tap", "node"],
    looksLike: (text) => /^TAP version \d{1,9}\r?$/m.test(text) || (/^1\.\.\d/m.test(text) && /^(?:not )?ok\b/m.test(text)),
    isInLines: true,
    read: readTap,
  },
  {
    name: "jest JSON",
    of: ["auto", "vitest", "jest"],
    looksLike: (text) => text.includes('"numTotalTestSuites"'),
    isInLines: false,
    read: readJest,
  },
  {
    name: "go test -json",
    of: ["auto", "go"],
    looksLike: (text) => /^\{[^\n]{0,500}"Action":"/m.test(text),
    isInLines: true,
    read: readGo,
  },
  {
    name: "cargo test",
    of: ["auto", "cargo"],
    looksLike: (text) => /^running \d{1,9} tests?\r?$/m.test(text) || /^\{ "type": "suite", "event": "started"/m.test(text),
    isInLines: true,
    read: readCargo,
  },
  {
    name: "pytest -rA",
    of: ["auto", "pytest"],
    looksLike: (text) => /^={1,1000} short test summary info ={1,1000}\r?$/m.test(text),
    isInLines: true,
    read: readPytest,
  },
  {
    name: "unittest -v",
    of: ["auto", "unittest"],
    looksLike: (text) => /^Ran \d{1,9} tests? in /m.test(text),
    isInLines: true,
    read: readUnittest,
  },
];
