// How each language and its frameworks spell tests, assertions, skips and stand-ins: tables that the reader goes by.
import type { Language } from "../../../contract/syntax.ts";

/** Patterns are matched against the words before a call's brackets (the callee), against attributes, or against a name. */
export interface Dialect {
  readonly calls: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  /** A call that holds a test, and one that holds a group of tests. */
  readonly testCall?: RegExp;
  readonly groupCall?: RegExp;
  /** A function is a test by its name or by its attributes. */
  readonly testName?: RegExp;
  readonly testAttribute?: RegExp;
  readonly groupTypes?: ReadonlySet<string>;
  /** A whole call chain that is one assertion when it starts like this. */
  readonly assertionStart?: RegExp;
  /** A call that is an assertion when its last word is this. */
  readonly assertionCall: RegExp;
  /** Not assertions, although they look like it. */
  readonly notAssertion?: RegExp;
  readonly skipCall?: RegExp;
  readonly sometimesCall?: RegExp;
  readonly skipAttribute?: RegExp;
  readonly sometimesAttribute?: RegExp;
  readonly mockCall?: RegExp;
}

const set = (...names: readonly string[]): ReadonlySet<string> => new Set(names);

const SCRIPT: Dialect = {
  calls: set("call_expression"),
  functions: set("function_declaration", "method_definition", "generator_function_declaration"),
  testCall:
    /^(?:Deno\.|QUnit\.|[tT]\.|bun\.)?(?:[xf]?it|[xf]?test|[xf]?specify|fdescribe_it|property|bench)(?:\.(?:only|skip|todo|concurrent|sequential|serial|failing|fails|each|for|prop|if|skipIf|runIf|extend|step|slow|fixme))*(?:\((?:[^()]|\([^()]*\))*\)|`[^`]*`)?$/,
  groupCall:
    /^[xf]?(?:describe|context|suite|feature)(?:\.(?:only|skip|todo|concurrent|sequential|serial|parallel|each|for|if|skipIf|runIf|shuffle|configure))*(?:\((?:[^()]|\([^()]*\))*\)|`[^`]*`)?$/,
  assertionStart: /^(?:expect|expectTypeOf|expectType|assertType|assert|should|chai\.\w+|sinon\.assert|tap\.\w+|QUnit\.assert)\b/,
  assertionCall:
    /(?:^|\.)(?:(?:assert|check|verify|ensure|should|expect)[A-Z_]\w*|expect|should|fail)$|^t\.(?:is|not|deepEqual|notDeepEqual|true|false|truthy|falsy|throws|notThrows|throwsAsync|regex|like|snapshot|equal|equals|same|strictSame|ok|notOk|strictEqual|match|rejects|pass|fail|plan|error|ifError)$|\.should\b/,
  skipCall:
    /(?:^|\.)(?:x(?:it|describe|test|specify|context))\b|\.(?:skip|todo|fixme|failing|fails)(?:\.each|$|\b(?=\())|^pending$|^this\.skip$/,
  sometimesCall: /\.(?:skipIf|runIf|if)\b|^(?:jest\.retryTimes|this\.retries)$/,
  mockCall:
    /^(?:(?:jest|vi|vitest)\.(?:mock|doMock|unstable_mockModule|spyOn|fn)|sinon\.(?:stub|replace|mock|fake)|proxyquire|td\.replace|rewiremock|mock(?:\.module|\.method|\.fn)|rewire)\b|\.(?:mockReturnValue|mockReturnValueOnce|mockImplementation|mockImplementationOnce|mockResolvedValue)$/,
};

const DIALECTS: { readonly [language in Language]: Dialect } = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  python: {
    calls: set("call"),
    functions: set("function_definition"),
    testName: /^test|^Test|^it_|^should_/,
    groupTypes: set("class_definition"),
    assertionCall:
      /(?:^|\.)(?:assert\w*|fail(?:If|Unless|UnlessEqual|UnlessRaises)?|raises|warns|deprecated_call|_?assert_\w+)$|^(?:self\.|cls\.)?_?(?:check|verify|ensure|expect|validate)_\w+$/,
    notAssertion: /check_(?:call|output)$|ensure_(?:dir|ascii|future|str|text|bytes)$/,
    skipCall: /^(?:pytest|unittest|nose|self)\.(?:skip|skipTest|SkipTest|xfail)$|^SkipTest$|^pytest\.exit$/,
    sometimesCall: /^pytest\.importorskip$/,
    skipAttribute: /\b(?:skip|xfail|expectedFailure|expected_failure|nottest)\b(?!if)/i,
    sometimesAttribute: /\bskip_?(?:if|unless)\b|\bflaky\b|\bxfail\((?!\s*(?:reason|raises|strict|"|'))/i,
    mockCall: /(?:^|\.)(?:patch(?:\.(?:object|dict|multiple))?|MagicMock|AsyncMock|Mock|create_autospec|setattr|setitem)$/,
  },
  go: {
    calls: set("call_expression"),
    functions: set("function_declaration", "method_declaration"),
    testName: /^(?:Test|Benchmark|Fuzz|Example)(?![a-z])/,
    testCall: /^\w+\.Run$|^(?:It|Specify|Entry)$|^(?:FIt|XIt|PIt|FSpecify)$/,
    groupCall: /^[FXP]?(?:Describe|Context|When|DescribeTable)$/,
    assertionStart: /^(?:Expect|Ω|Eventually|Consistently)\b/,
    assertionCall:
      /^(?:assert|require|is|qt|suite|s|c|check)\.[A-Z]\w*$|(?:^|\.)(?:assert|check|expect|require|verify|ensure|must|compare)[A-Z]\w*$|^(?:t|b|tb|f|c|s|tt|ts|st|T)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$|^(?:assert|check)$/,
    notAssertion: /^(?:errors|fmt|log|os|strings|bytes|flag|cmd|reflect|http)\.|\.Error\(\)/,
    skipCall: /^\w{1,3}\.(?:Skip|SkipNow|Skipf)$|^[XP](?:It|Describe|Context)$|^Skip$/,
    mockCall: /^(?:monkey\.Patch|gomonkey\.\w+|mock\.\w+|gomock\.\w+)$/,
  },
  rust: {
    calls: set("call_expression", "macro_invocation"),
    functions: set("function_item"),
    testAttribute:
      /#\[\s*(?:(?:\w+::)*(?:test|rstest|test_case|bench|quickcheck|wasm_bindgen_test|test_log|proptest|traced_test)\b|cfg_attr\([^\]]*\btest\b\s*\))/,
    assertionCall: /(?:^|::|\.)(?:\w*assert\w*|panic|unreachable|(?:check|verify|ensure|expect)_\w+|compare_output\w*)!?$/,
    notAssertion: /\.expect$|\.expect_err$|debug_assert_app$/,
    skipAttribute: /#\[\s*ignore\b/,
    sometimesAttribute: /#\[\s*cfg\(\s*(?!.*\btest\b)|#\[\s*cfg_attr\([^\]]*\b(?:ignore|test)\b/,
    mockCall: /(?:^|::)(?:mock|automock)\b/,
  },
  java: {
    calls: set("method_invocation"),
    functions: set("method_declaration"),
    testName: /^test[A-Z_0-9]?/,
    testAttribute: /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory|ArchTest|Example)\b/,
    groupTypes: set("class_declaration"),
    assertionStart: /^(?:Assertions?\.)?(?:assertThat\w*|then|expectThat|expect)\(/,
    assertionCall: /(?:^|\.)(?:assert\w*|fail|(?:verify|check|expect|ensure)\w*|andExpect|should\w*)$/,
    skipCall: /(?:^|\.)(?:skip|abort)$/,
    sometimesCall: /(?:^|\.)(?:assume\w*)$/,
    skipAttribute: /@(?:Disabled|Ignore|Ignored)\b(?!On|If|For)/,
    sometimesAttribute: /@(?:Disabled(?:On|If|For)|Enabled(?:On|If|For))\w*/,
    mockCall: /(?:^|\.)(?:mock|mockStatic|spy|mockConstruction|doReturn|doNothing|thenReturn|thenAnswer|whenNew|suppress)$/,
  },
  "c-sharp": {
    calls: set("invocation_expression"),
    functions: set("method_declaration", "local_function_statement"),
    testAttribute: /\[\s*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod|TestCaseSource|InlineData|Scenario)\b/,
    groupTypes: set("class_declaration"),
    assertionCall:
      /^(?:Assert|StringAssert|CollectionAssert|ClassicAssert|FileAssert)\.\w+(?:<[^>]*>)?$|(?:^|\.)(?:Should\w*|Verify\w*|Be\w*|Throw\w*|Contain\w*|Have\w*|NotBe\w*|Equal)$/,
    skipCall: /^Assert\.(?:Ignore|Inconclusive|Pass|Skip)$|^Skip\.\w+$/,
    sometimesCall: /^Assume\.\w+$/,
    skipAttribute: /\[[^\]]*\b(?:Ignore|Explicit)\b|\bSkip\s*=/,
    mockCall: /^new Mock|^Substitute\.For|(?:^|\.)(?:Setup|Returns|ReturnsAsync)$/,
  },
  ruby: {
    calls: set("call"),
    functions: set("method"),
    testName: /^test_/,
    testCall: /^[xf]?(?:it|specify|example|test|scenario|should|its)\b/,
    groupCall: /^(?:RSpec\.)?[xf]?(?:describe|context|feature|shared_examples|shared_examples_for)\b/,
    groupTypes: set("class"),
    assertionCall: /^(?:assert|refute|flunk)\w*$|\.(?:to|not_to|to_not|should|should_not|must_\w+|wont_\w+)$/,
    skipCall: /^(?:skip|pending|omit|xit|xdescribe|xcontext|xspecify|xscenario)$/,
    mockCall: /^(?:allow|allow_any_instance_of|stub_const|stub)\b|\.(?:stub|stubs|and_return|returns)$/,
  },
  php: {
    calls: set("function_call_expression", "member_call_expression", "scoped_call_expression", "nullsafe_member_call_expression"),
    functions: set("method_declaration", "function_definition"),
    testName: /^test/i,
    testAttribute: /#\[\s*Test\b|@test\b/,
    testCall: /^(?:it|test)$/,
    groupCall: /^describe$/,
    groupTypes: set("class_declaration"),
    assertionStart: /^expect\(/,
    assertionCall: /(?:->|::)(?:assert\w+|expect\w*|fail|should\w*)$|^(?:expect|assert)$/,
    skipCall: /(?:->|::)(?:markTestSkipped|markTestIncomplete|skip|todo)$/,
    skipAttribute: /@(?:requires|doesNotPerformAssertions)\b/,
    mockCall: /(?:->|::)(?:createMock|getMockBuilder|mock|willReturn|shouldReceive|createStub|partialMock)$/,
  },
  cpp: {
    calls: set("call_expression"),
    functions: set("function_definition"),
    testAttribute:
      /^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|TEST_CASE|TEST_CASE_METHOD|SCENARIO|BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE|TEMPLATE_TEST_CASE|DOCTEST_TEST_CASE)\s*\(/,
    testName: /^test_/,
    assertionCall:
      /^(?:EXPECT|ASSERT|REQUIRE|CHECK|BOOST_(?:CHECK|REQUIRE|TEST|WARN)|CPPUNIT_ASSERT|TEST_ASSERT|CU_ASSERT|ck_assert|FAIL|ADD_FAILURE|assert|static_assert|QVERIFY|QCOMPARE)\w*$/,
    skipCall: /^(?:GTEST_SKIP|SKIP|QSKIP|TEST_IGNORE\w*)$/,
    mockCall: /^(?:ON_CALL|EXPECT_CALL)$/,
  },
};

export const dialectOf = (language: Language): Dialect => DIALECTS[language];
