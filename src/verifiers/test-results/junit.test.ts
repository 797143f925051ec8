import { expect, it } from "vitest";
import { readTestResults } from "./read-test-results.ts";

const read = (text: string, root = "") => readTestResults("junit", text, root);
const told = (text: string, root = "") => read(text, root).tests.map(({ id, outcome }) => `${outcome} ${id}`);

it("reads what pytest writes", () => {
  const text = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="2" failures="1" skipped="2" tests="8" time="0.3" hostname="vm"><testcase classname="test_b" name="test_ok" time="0.001" /><testcase classname="test_b.TestX" name="test_p[a &lt; b]" time="0.001" /><testcase classname="test_b" name="test_f" time="0.001"><failure message="assert 1 != 1">x = 1
&gt;   assert x != 1</failure></testcase><testcase classname="test_b" name="test_s" time="0"><skipped type="pytest.skip" message="why">t.py:5: why</skipped></testcase><testcase classname="test_b" name="test_xf" time="0"><skipped type="pytest.xfail" message="" /></testcase><testcase classname="test_b" name="test_td" time="0"><error message="failed on teardown">no</error></testcase><testcase classname="" name="test_c" time="0.000"><error message="collection failure">ImportError</error></testcase></testsuite></testsuites>`;

  expect(told(text)).toEqual([
    "passed test_b :: test_ok",
    "passed test_b.TestX :: test_p[a < b]",
    "failed test_b :: test_f",
    "skipped test_b :: test_s",
    "todo test_b :: test_xf",
    "failed test_b :: test_td",
    "failed test_c :: (as a whole)",
  ]);
  expect(read(text).isComplete).toBe(true);
});

it("reads what vitest writes, and a file that could not be loaded", () => {
  const text = `<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="3" failures="1" errors="0" time="0.09">
    <testsuite name="a.test.ts" tests="2" failures="0" errors="0" skipped="1" time="0.09">
        <testcase classname="a.test.ts" name="outer &gt; inner" time="0.01">
        </testcase>
        <testcase classname="a.test.ts" name="sk" time="0">
            <skipped/>
        </testcase>
    </testsuite>
    <testsuite name="b.test.ts" tests="1" failures="1" errors="0" skipped="0" time="0">
        <testcase classname="b.test.ts" name="b.test.ts" time="0">
            <failure message="broken" type="Error"> ❯ b.test.ts:1:7 </failure>
        </testcase>
    </testsuite>
</testsuites>
`;

  expect(told(text)).toEqual(["passed a.test.ts :: outer > inner", "skipped a.test.ts :: sk", "failed b.test.ts :: (as a whole)"]);
  expect(read(text).isComplete).toBe(true);
});

it("reads what node:test writes: nested suites, one name for all classes, a failure that was expected", () => {
  const text = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testcase name="td" time="0.04" classname="test" file="/co/test/a.mjs" failure="no">
		<skipped type="todo" message="later"/>
		<failure type="testCodeFailure" message="no">[Error: no] { code: 'E' }</failure>
	</testcase>
	<testsuite name="outer" time="0.01" disabled="0" errors="0" tests="2" failures="1" skipped="0" hostname="vm">
		<testcase name="inner" time="0.01" classname="test"/>
		<testsuite name="deep" time="0.01" tests="1" failures="1" skipped="0">
			<testcase name="x" time="0.01" classname="test"><failure message="boo ]]>"><![CDATA[ </testcase> <testcase name="forged"/> ]]></failure></testcase>
		</testsuite>
	</testsuite>
	<!-- tests 6 <testcase name="not a test"/> -->
</testsuites>
`;

  expect(told(text, "/co")).toEqual(["todo test/a.mjs :: td", "passed outer :: inner", "failed outer > deep :: x"]);
  expect(read(text).isComplete).toBe(true);
});

it("reads documents one after another, whatever is printed around them", () => {
  const one = (name: string) => `<testsuite name="s" tests="1"><testcase name="${name}"/></testsuite>`;

  expect(told(`> shop@1.0.0 test\n${one("a")}\nat <anonymous>\n<?xml version="1.0"?>${one("b")}\ndone\n`)).toEqual([
    "passed s :: a",
    "passed s :: b",
  ]);
});

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">]><testsuites><testcase name="&lol2;"/></testsuites>`;

it.each<readonly [string, string, string]>([
  ["no suite", "all is well", "there is no <testsuite> in it"],
  ["an end that is missing", '<testsuites><testsuite name="s"><testcase name="a"/>', "it breaks off inside <testsuite>"],
  ["a tag that is cut off", '<testsuite><testcase name="a', "<testcase> is cut off or no tag"],
  ["a comment that is cut off", "<testsuite><!-- ", "it breaks off in a comment, a text or an instruction"],
  ["tags that do not fit", "<testsuite><testcase></testsuite>", "</testsuite> closes what was not open"],
  ["entities of its own", LAUGHS, "it has a document type or an entity of its own, and such are not read"],
  ["an unknown entity", '<testsuite><testcase name="&lol;"/></testsuite>', "<testcase> uses an entity that XML does not know"],
  ["too much depth", "<testsuite>".repeat(5000), "its elements are nested more than 100 deep"],
  [
    "fewer tests than it says",
    '<testsuite name="s" tests="2"><testcase name="a"/></testsuite>',
    'the suite "s" says 2 tests, and 1 are there',
  ],
  [
    "fewer failures than it says",
    '<testsuite name="s" tests="1" failures="1"><testcase name="a"/></testsuite>',
    'the suite "s" says 1 failures, and 0 are there',
  ],
  ["no tests", '<testsuite name="s" tests="0"></testsuite>', "it names no test"],
])("is not complete with %s", (_, text, problem) => {
  expect(read(text).isComplete).toBe(false);
  expect(read(text).problems).toContain(problem);
});

it("knows the five entities and character numbers, and puts them in only once", () => {
  expect(told('<testsuite><testcase name="&lt;&gt;&amp;&quot;&apos;&#65;&#x42; &amp;lt;"/></testsuite>')).toEqual(["passed <>&\"'AB &lt;"]);
});

it("reads the quotation marks of node:test, which are written as entities twice", () => {
  const name = "says &amp;quot;no&amp;quot; to &lt;b&gt;";
  expect(told(`<testsuites><testsuite name="${name}"><testcase name="${name}" classname="test"/></testsuite></testsuites>`)).toEqual([
    expect.stringMatching(/^passed .*says "no" to <b>$/),
  ]);
});
