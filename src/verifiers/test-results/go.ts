// The lines of `go test -json`.
import { type Fields, textIn } from "../../std/json-record.ts";
import { type Reading, type Seen, type TestOutcome, WHOLE } from "../../std/test-results.ts";
import { readJsonLine } from "./json-line.ts";

const ENDS: { readonly [action: string]: TestOutcome } = { pass: "passed", fail: "failed", skip: "skipped" };

interface Package {
  readonly running: Map<string, number>;
  failed: number;
  ended: TestOutcome | undefined;
}

export function readGo(text: string): Reading {
  const packages = new Map<string, Package>();
  const seen: Seen[] = [];
  const problems: string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    const event = readJsonLine(line);
    if (event) take(event, packages, seen, problems);
    else problems.push("a line is cut off or no JSON");
  }
  for (const [name, one] of packages) problems.push(...whyOpen(name, one));
  return { seen, problems };
}

function take(event: Fields, packages: Map<string, Package>, seen: Seen[], problems: string[]): void {
  const action = textIn(event, "Action");
  const name = textIn(event, "Package");
  if (action === undefined || name === undefined || action.startsWith("build-")) return;
  const found: Package = packages.get(name) ?? { running: new Map(), failed: 0, ended: undefined };
  packages.set(name, found);
  const test = textIn(event, "Test");
  const outcome = Object.hasOwn(ENDS, action) ? ENDS[action] : undefined;
  if (test !== undefined && action === "run") found.running.set(test, (found.running.get(test) ?? 0) + 1);
  if (outcome === undefined) return;
  if (test !== undefined) {
    found.running.set(test, (found.running.get(test) ?? 0) - 1);
    found.failed += outcome === "failed" ? 1 : 0;
    seen.push({ suite: [name], name: test, outcome });
    return;
  }
  if (found.ended !== undefined) problems.push(`the package ${JSON.stringify(name.slice(0, 100))} ended twice`);
  found.ended = outcome;
  // It did not compile, panicked, or left in the middle.
  if (outcome === "failed" && found.failed === 0) seen.push({ suite: [name], name: WHOLE, outcome });
  if (outcome === "passed" && found.failed > 0)
    problems.push(`the package ${JSON.stringify(name.slice(0, 100))} says pass, and a test in it failed`);
}

function whyOpen(name: string, { running, ended }: Package): readonly string[] {
  const open = [...running].filter(([, count]) => count > 0).map(([test]) => test);
  const at = JSON.stringify(name.slice(0, 100));
  return [
    ...(ended === undefined ? [`the package ${at} did not come to an end`] : []),
    // A panic fails its package and leaves the tests that were running without an end of their own.
    ...(open.length > 0 && ended !== "failed" ? [`${open.length} tests of ${at} did not come to an end`] : []),
  ];
}
