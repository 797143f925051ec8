// What `python -m unittest -v` prints.
import { type Reading, type Seen, type TestOutcome, WHOLE } from "../../std/test-results.ts";
import { isImpossible, tellImpossible } from "./totals.ts";

const MOST_LINE = 4000;
const ENDS: readonly (readonly [RegExp, TestOutcome])[] = [
  [/^ok$/, "passed"],
  [/^(?:FAIL|ERROR)$/, "failed"],
  [/^skipped\b/, "skipped"],
  [/^expected failure$/, "todo"],
  [/^unexpected success$/, "failed"],
];
/** Not a test, but what comes before and after tests. */
const AROUND = /^(?:setUp|tearDown)(?:Class|Module)$/;

interface Named {
  readonly suite: string;
  readonly name: string;
}

export function readUnittest(text: string): Reading {
  const tests: (Named & { readonly outcome: TestOutcome })[] = [];
  const failed = new Set<string>();
  const problems: string[] = [];
  const around: Seen[] = [];
  let open: (Named & { hasFailedPart: boolean }) | undefined;
  let ran: number | undefined;
  let end: string | undefined;

  const close = (outcome: TestOutcome): void => {
    if (open) tests.push({ suite: open.suite, name: open.name, outcome: open.hasFailedPart ? "failed" : outcome });
    open = undefined;
  };
  const leave = (): void => {
    // A test of which only a part failed says nothing more about itself.
    if (open?.hasFailedPart) close("failed");
    else if (open) problems.push(`${JSON.stringify(open.name.slice(0, 100))} did not come to an end`);
    open = undefined;
  };

  for (const raw of text.split("\n")) {
    const line = (raw.endsWith("\r") ? raw.slice(0, -1) : raw).slice(0, MOST_LINE);
    const sum = /^Ran (\d{1,9}) tests? in /.exec(line);
    if (sum) {
      if (ran !== undefined) problems.push("it holds more than one run");
      ran = Number(sum[1]);
    }
    const [, strange] = /^Ran (\S{1,40}) tests? in /.exec(line) ?? [];
    if (strange !== undefined && isImpossible(strange)) problems.push(tellImpossible(strange, "tests"));
    const closing = ran === undefined ? null : /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(line);
    if (closing) {
      end = line;
      problems.push(...impossibleIn(closing[1] ?? ""));
    }
    const detail = /^(?:ERROR|FAIL): (\S+) \(([^()\s]+)\)/.exec(line);
    if (detail) failed.add(keyOf(named(detail[1]!, detail[2]!)));
    if (ran !== undefined || detail) continue;

    const head = /^( {2})?(\w+) \(([\w.<>]+)\)( .*)?$/.exec(line);
    if (head?.[1] && open && head[2] === open.name && / \.\.\. (?:FAIL|ERROR)$/.test(line)) {
      open.hasFailedPart = true;
      continue;
    }
    if (head && !head[1]) {
      leave();
      open = { ...named(head[2]!, head[3]!), hasFailedPart: false };
    }
    const said = line.includes(" ... ") ? line.slice(line.lastIndexOf(" ... ") + 5) : line;
    const outcome = ENDS.find(([pattern]) => pattern.test(said))?.[1];
    if (outcome) close(outcome);
  }
  leave();

  if (ran === undefined || end === undefined) problems.push("it breaks off before the sum of its tests");
  const proper = tests.filter(({ name }) => !AROUND.test(name));
  if (ran !== undefined && ran !== proper.length) problems.push(`it counts ${ran} tests, and names ${proper.length}; run unittest with -v`);
  const known = new Set(tests.filter(({ outcome }) => outcome === "failed").map(keyOf));
  for (const key of failed) if (!known.has(key)) around.push(...unnamed(key, proper));
  const seen = [...tests.map(asSeen), ...around];
  if (end?.startsWith("FAILED") && !seen.some(({ outcome }) => outcome === "failed")) problems.push("it says FAILED, and no test failed");
  if (end?.startsWith("OK") && seen.some(({ outcome }) => outcome === "failed")) problems.push("it says OK, and a test failed");
  return { seen, problems };
}

/** Of `failures=1, skipped=2`. */
const impossibleIn = (sums: string): readonly string[] =>
  sums.split(", ").flatMap((sum) => {
    const [of = "", count = "0"] = sum.split("=");
    return isImpossible(count) ? [tellImpossible(count, of.slice(0, 40))] : [];
  });

/** Newer versions put the test's name behind its class once more. */
const named = (name: string, place: string): Named => ({
  name,
  suite: place.endsWith(`.${name}`) ? place.slice(0, -name.length - 1) : place,
});

const keyOf = ({ suite, name }: Named): string => `${suite}\n${name}`;

/** What is only told of among the details: a class or a file that failed before its tests could. */
function unnamed(key: string, tests: readonly Named[]): readonly Seen[] {
  const [suite = "", name = ""] = key.split("\n");
  if (tests.some((test) => keyOf(test) === key)) return [{ suite: [suite], name, outcome: "failed" }];
  return [{ suite: [suite, name], name: WHOLE, outcome: "failed" }];
}

/** A file that could not be loaded is shown as a test of the loader's own. */
const asSeen = ({ suite, name, outcome }: Named & { readonly outcome: TestOutcome }): Seen =>
  suite.endsWith("_FailedTest") || AROUND.test(name) ? { suite: [suite, name], name: WHOLE, outcome } : { suite: [suite], name, outcome };
