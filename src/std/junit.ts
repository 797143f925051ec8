// JUnit XML, as written by pytest, vitest, node:test, Maven, Gradle and most others.
import { type Reading, type Seen, type TestOutcome, WHOLE } from "./test-results.ts";
import { readXmlTags, type XmlEvent } from "./xml-tags.ts";

const BEGIN = /<\?xml\b|<!DOCTYPE\b|<testsuites?[\s>/]/g;
const MOST_DOCUMENTS = 10_000;

/** One document or several; whatever else stands around them is not looked at. */
export function readJunit(text: string): Reading {
  const found: Found = { seen: [], problems: [], dates: [] };
  const { seen, problems, dates } = found;
  let from: number | undefined = beginAfter(text, 0);
  if (from === undefined) problems.push("there is no <testsuite> in it");
  for (let documents = 0; from !== undefined && problems.length === 0; documents++) {
    if (documents === MOST_DOCUMENTS) problems.push(`it has more than ${MOST_DOCUMENTS} documents`);
    const end = readDocument(text, from, found);
    from = end === undefined ? undefined : beginAfter(text, end);
  }
  return { seen, problems, ...(dates.length === 0 ? {} : { datedMs: Math.max(...dates.slice(0, MOST_DOCUMENTS)) }) };
}

interface Found {
  readonly seen: Seen[];
  readonly problems: string[];
  readonly dates: number[];
}

/** Some runners write the first day of an era for none. */
const NO_DATE_MS = Date.UTC(1980, 0);

/** Without a zone it is taken as universal: whoever compares must leave a day for that. */
function dateIn(attributes: Attributes): readonly number[] {
  const text = attributes.get("timestamp") ?? "";
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return ms > NO_DATE_MS ? [ms] : [];
}

function beginAfter(text: string, at: number): number | undefined {
  BEGIN.lastIndex = at;
  return BEGIN.exec(text)?.index;
}

type Attributes = Extract<XmlEvent, { kind: "open" }>["attributes"];

interface Suite {
  readonly name: string;
  readonly tests: number;
  readonly bad: number;
  /** What was found in it, suites counted too: some runners count them as tests. */
  found: number;
  foundBad: number;
}

interface Case {
  readonly attributes: Attributes;
  isBad: boolean;
  isCollection: boolean;
  skipped: "skipped" | "todo" | undefined;
}

/** Adds what one document holds; gives back where it ends, if it does. */
function readDocument(text: string, from: number, { seen, problems, dates }: Found): number | undefined {
  const suites: Suite[] = [];
  const path: string[] = [];
  let test: Case | undefined;
  for (const event of readXmlTags(text, from)) {
    if (event.kind === "broken") problems.push(event.why);
    if (event.kind === "end") return event.at;
    if (event.kind === "open") {
      if (path.length === 0 && !isSuite(event.name)) problems.push(`its root is <${event.name}> and not <testsuites>`);
      if (isSuite(event.name)) {
        problems.push(...impossibleIn(event.attributes));
        suites.push(suiteOf(event.attributes));
        dates.push(...dateIn(event.attributes));
      } else if (event.name === "testcase")
        test = { attributes: event.attributes, isBad: false, isCollection: false, skipped: skippedBy(event.attributes) };
      else if (test && path.at(-1) === "testcase") note(test, event.name, event.attributes);
      path.push(event.name);
    }
    if (event.kind === "close") {
      path.pop();
      const suite = suites.at(-1);
      if (event.name === "testcase" && test) {
        if (suite) suite.found += 1;
        if (suite && test.isBad) suite.foundBad += 1;
        seen.push(seenOf(test, suites));
        test = undefined;
      }
      if (isSuite(event.name) && suite) {
        suites.pop();
        problems.push(...missingIn(suite));
        const outer = suites.at(-1);
        if (outer) outer.found += suite.found + 1;
        if (outer) outer.foundBad += suite.foundBad;
      }
    }
  }
  return undefined;
}

const isSuite = (name: string): boolean => name === "testsuite" || name === "testsuites";

const suiteOf = (attributes: Attributes): Suite => ({
  name: asMeant(attributes.get("name") ?? ""),
  // pytest counts a test twice that passes and then fails to clean up.
  tests: attributes.get("name") === "pytest" ? 0 : countIn(attributes, "tests"),
  bad: countIn(attributes, "failures") + countIn(attributes, "errors"),
  found: 0,
  foundBad: 0,
});

const countIn = (attributes: Attributes, name: string): number => {
  const count = Number(attributes.get(name) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
};

const COUNTS = ["tests", "failures", "errors", "skipped", "disabled"];

/** A total that no run can have was not counted by a runner. */
const impossibleIn = (attributes: Attributes): readonly string[] =>
  COUNTS.flatMap((name) => {
    const count = attributes.get(name);
    return count === undefined || /^\s*\d{0,9}\s*$/.test(count)
      ? []
      : [`a suite says ${JSON.stringify(count.slice(0, 40))} ${name}, which no run can have`];
  });

/** A suite that says it holds more than can be found in it was cut, or says more than it shows. */
function missingIn({ name, tests, bad, found, foundBad }: Suite): readonly string[] {
  return [
    ...(tests > found ? [`the suite ${JSON.stringify(name.slice(0, 100))} says ${tests} tests, and ${found} are there`] : []),
    ...(bad > foundBad ? [`the suite ${JSON.stringify(name.slice(0, 100))} says ${bad} failures, and ${foundBad} are there`] : []),
  ];
}

function note(test: Case, element: string, attributes: Attributes): void {
  if (element === "failure" || element === "error") test.isBad = true;
  if (element === "error" && attributes.get("message") === "collection failure") test.isCollection = true;
  if (element === "skipped") test.skipped = /^(?:todo|pytest\.xfail)$/.test(attributes.get("type") ?? "") ? "todo" : "skipped";
}

const NOT_RUN = /^(?:notrun|skipped|suppressed|disabled)$/i;
const skippedBy = (attributes: Attributes): Case["skipped"] =>
  NOT_RUN.test(attributes.get("status") ?? "") || NOT_RUN.test(attributes.get("result") ?? "") ? "skipped" : undefined;

/** What failed counts as failed, unless it was expected to. */
const outcomeOf = ({ isBad, skipped }: Case): TestOutcome => (isBad && skipped !== "todo" ? "failed" : (skipped ?? "passed"));

function seenOf(test: Case, suites: readonly Suite[]): Seen {
  const { attributes } = test;
  const name = asMeant(attributes.get("name") ?? "");
  const outer = suites.map((suite) => suite.name).filter((suite) => !GENERIC.has(suite));
  const suite = distinct([attributes.get("file") ?? "", ...outer, classOf(attributes)]);
  if (test.isCollection) return { suite: [name], name: WHOLE, outcome: "failed" };
  const isFile = test.isBad && name !== "" && name === suites.at(-1)?.name && name === asMeant(attributes.get("classname") ?? "");
  return { suite, name: isFile ? WHOLE : name, outcome: outcomeOf(test) };
}

/** node:test writes a quotation mark as an entity, and then the entity's own sign as one: what is read once is still `&quot;`. */
const asMeant = (name: string): string => name.replaceAll("&quot;", '"');

/** Names that runners give to everything. */
const GENERIC = new Set(["", "pytest", "pytest tests", "vitest tests", "jest tests", "test", "tests"]);
const classOf = (attributes: Attributes): string => {
  const name = asMeant(attributes.get("classname") ?? "");
  return GENERIC.has(name) ? "" : name;
};

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names.filter((name) => name !== ""))];
