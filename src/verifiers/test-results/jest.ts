// The JSON of vitest and jest: `--reporter=json` and `--json`.
import { isNestedDeeper } from "../../std/json-depth.ts";
import { type Fields, fieldsOf, textIn } from "../../std/json-record.ts";
import { type Reading, type Seen, type TestOutcome, WHOLE } from "../../std/test-results.ts";
import { isTotal, tellImpossible } from "./totals.ts";

/** As vitest and jest begin it; what a script printed before and after is left out. */
const BEGIN = /\{\s*"num(?:Failed|Total)TestSuites"/;

const MOST_DEEP = 100;

/** Not `numPassedTestSuites`: vitest takes failed and pending files away from all of them, also where one is both. */
const TOTALS = [
  "numTotalTestSuites",
  "numFailedTestSuites",
  "numPendingTestSuites",
  "numTotalTests",
  "numFailedTests",
  "numPassedTests",
  "numPendingTests",
  "numTodoTests",
];

export function readJest(text: string): Reading {
  const report = parseReport(text);
  if (!report) return { seen: [], problems: ["it holds no whole report of vitest or jest"] };
  const files = listIn(report, "testResults").map(fieldsOf);
  const problems: string[] = [];
  const seen = files.flatMap((file) => readFile(file, problems));
  const tests = seen.filter(({ name }) => name !== WHOLE).length;
  const failed = seen.filter(({ outcome }) => outcome === "failed").length;
  if (report.get("numTotalTests") !== tests)
    problems.push(`it says ${tellCount(report.get("numTotalTests"))} tests, and ${tests} are there`);
  for (const name of TOTALS) if (report.has(name) && !isTotal(report.get(name))) problems.push(tellImpossible(report.get(name), name));
  if (report.get("wasInterrupted") === true) problems.push("the run was interrupted");
  if (report.get("success") === true && failed > 0) problems.push("it says success, and tests failed");
  if (report.get("success") !== true && failed === 0) problems.push("it does not say success, and no test failed");
  const began = report.get("startTime");
  return { seen, problems, ...(typeof began === "number" && Number.isFinite(began) ? { datedMs: began } : {}) };
}

function parseReport(text: string): Fields | undefined {
  const from = BEGIN.exec(text)?.index;
  if (from === undefined) return undefined;
  const whole = text.slice(from, text.lastIndexOf("}") + 1);
  if (isNestedDeeper(whole, MOST_DEEP)) return undefined;
  try {
    return fieldsOf(JSON.parse(whole));
  } catch {
    return undefined; // cut off, or more than one: either way it cannot be read as one report
  }
}

function readFile(file: Fields | undefined, problems: string[]): readonly Seen[] {
  const path = textIn(file, "name") ?? "";
  const tests = (file ? listIn(file, "assertionResults") : []).map((test) => readTest(fieldsOf(test), path, problems));
  const isBroken = file?.get("status") === "failed" && !tests.some(({ outcome }) => outcome === "failed");
  return isBroken ? [...tests, { suite: [path], name: WHOLE, outcome: "failed" }] : tests;
}

function readTest(test: Fields | undefined, path: string, problems: string[]): Seen {
  const status = textIn(test, "status") ?? "";
  const outcome = Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status] : undefined;
  if (outcome === undefined) problems.push(`a test has the status ${JSON.stringify(status.slice(0, 40))}, which is not known`);
  const titles = test ? listIn(test, "ancestorTitles").map((title) => String(title)) : [];
  return { suite: [path, ...titles], name: textIn(test, "title") ?? textIn(test, "fullName") ?? "", outcome: outcome ?? "failed" };
}

const OUTCOMES: { readonly [status: string]: TestOutcome } = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  disabled: "skipped",
  todo: "todo",
};

const listIn = (fields: Fields, name: string): readonly unknown[] => {
  const value = fields.get(name);
  return Array.isArray(value) ? value : [];
};

const tellCount = (value: unknown): string => (typeof value === "number" ? String(value) : "no number of");
