// Twins of test files in Python: pytest and unittest. Their modules have names of their own, so no test needs another.
import { drawWord, fieldOf, namedOf, type Span, type Turn, type Twin, type TwinOrder, textOf, visit, writeTwin } from "./twin.ts";

const IDLE = /\b(?:skip\w*|xfail|expectedFailure|parametrize_later)\b/;

export function twinPython(order: TwinOrder): Twin {
  const { text, root, kind } = order;
  const all = matchersIn(root, text).filter((matcher) => !matcher.startsWith("self."));
  return writeTwin(order, "#", findTests(root, text), (test) => {
    if (kind === "same") return { turns: [], isSure: true };
    const turns = kind === "tail" ? tailOf(test, order, all) : negOf(test, order);
    return turns && { turns, isSure: !leavesEarly(test.body) };
  });
}

interface Test {
  readonly name: string;
  readonly body: Span;
  /** What stands before every statement of it. */
  readonly margin: string;
}

/** Functions at the left margin and methods of classes that are tests by their names, and run. */
function findTests(root: Span, text: string): readonly Test[] {
  const tests: Test[] = [];
  visit(root, (node, parents) => {
    if (node.type !== "function_definition") return undefined;
    const [name, body] = [fieldOf(node, "name"), fieldOf(node, "body")];
    const around = parents.at(-1);
    const marks = around?.type === "decorated_definition" ? text.slice(around.start, node.start) : "";
    const margin = body && marginOf(body, text);
    if (name && body && margin !== undefined && /^test/.test(textOf(text, name)) && !IDLE.test(marks) && !hasYield(body))
      tests.push({ name: textOf(text, name), body, margin });
    return false;
  });
  return tests;
}

/** Undefined where the body stands in the line of its head. */
function marginOf({ start }: Span, text: string): string | undefined {
  const margin = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return /^[ \t]+$/.test(margin) ? margin : undefined;
}

function holds(body: Span, type: RegExp): boolean {
  let does = false;
  visit(body, (node) => {
    if (/^(?:function_definition|lambda|class_definition)$/.test(node.type)) return false;
    if (type.test(node.type)) does = true;
    return undefined;
  });
  return does;
}

const hasYield = (body: Span): boolean => holds(body, /^yield$/);
const leavesEarly = (body: Span): boolean => holds(body, /^return_statement$/);

/** After its last statement, at its margin. */
const atEnd = ({ body, margin }: Test, lines: readonly string[]): Turn => {
  const end = namedOf(body).at(-1)?.end ?? body.end;
  return { start: end, end, text: lines.map((line) => `\n${margin}${line}`).join("") };
};

// ── tail ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** By the name of the method: the arguments of a call that must fail. */
const FAILING: { readonly [name: string]: (a: string, b: string) => string } = {
  ...Object.fromEntries(
    ["assertEqual", "assertEquals", "assertIs", "assertMultiLineEqual", "assertIn", "assertRegex"].map((name) => [
      name,
      (a: string, b: string) => `("${a}", "${b}")`,
    ]),
  ),
  assertTrue: (a, b) => `("${a}" == "${b}")`,
  assertFalse: (a) => `("${a}" == "${a}")`,
  assertIsNone: (a) => `("${a}")`,
  assertIsNotNone: () => "(None)",
  assertNotEqual: (a) => `("${a}", "${a}")`,
  assertListEqual: (a, b) => `(["${a}"], ["${b}"])`,
  assertDictEqual: (a, b) => `({"a": "${a}"}, {"a": "${b}"})`,
  assertCountEqual: (a, b) => `(["${a}"], ["${b}"])`,
  assertGreater: () => "(1, 2)",
  assertLess: () => "(2, 1)",
  assertAlmostEqual: () => "(1, 2)",
};

/** `assert`, and methods of `self` that assert. */
function matchersIn(part: Span, text: string): readonly string[] {
  const found = new Set<string>();
  visit(part, (node) => {
    if (node.type === "assert_statement") found.add("assert");
    const callee = node.type === "call" ? fieldOf(node, "function") : undefined;
    const name = callee && /^self\.(\w+)$/.exec(textOf(text, callee))?.[1];
    if (name && Object.hasOwn(FAILING, name)) found.add(`self.${name}`);
    return undefined;
  });
  return [...found].sort();
}

const failing = (matcher: string, a: string, b: string): string =>
  matcher === "assert" ? `assert "${a}" == "${b}"` : `${matcher}${FAILING[matcher.slice("self.".length)]!(a, b)}`;

/** Ends well only if one of the assertions that it asserts with, or the runner, does not hear what is wrong. */
function tailOf(test: Test, { text, word, seed }: TwinOrder, all: readonly string[]): readonly Turn[] {
  const own = matchersIn(test.body, text);
  const matchers = own.length > 0 ? own : all;
  const say = (index: number): string => drawWord(seed, word, test.body.start, index);
  const tried = matchers.flatMap((matcher, index) => [
    "try:",
    `    ${failing(matcher, say(index), say(index + 100))}`,
    `except BaseException as ${word}_is:`,
    `    ${word} += 0 if isinstance(${word}_is, (NameError, TypeError, AttributeError)) else 1`,
  ]);
  return [atEnd(test, [`${word} = 0`, ...tried, `if ${word} == ${matchers.length}:`, `    raise AssertionError("${say(999)}")`])];
}

// ── neg ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** By the name of the method: what it says, in operators. Arguments are in brackets already. */
const SAYS: { readonly [name: string]: (a: string, b: string) => string } = {
  assertEqual: (a, b) => `${a} == ${b}`,
  assertEquals: (a, b) => `${a} == ${b}`,
  assertMultiLineEqual: (a, b) => `${a} == ${b}`,
  assertListEqual: (a, b) => `${a} == ${b}`,
  assertDictEqual: (a, b) => `${a} == ${b}`,
  assertNotEqual: (a, b) => `${a} != ${b}`,
  assertIs: (a, b) => `${a} is ${b}`,
  assertIsNot: (a, b) => `${a} is not ${b}`,
  assertIn: (a, b) => `${a} in ${b}`,
  assertNotIn: (a, b) => `${a} not in ${b}`,
  assertGreater: (a, b) => `${a} > ${b}`,
  assertGreaterEqual: (a, b) => `${a} >= ${b}`,
  assertLess: (a, b) => `${a} < ${b}`,
  assertLessEqual: (a, b) => `${a} <= ${b}`,
};
const SAYS_ALONE: { readonly [name: string]: (a: string) => string } = {
  assertTrue: (a) => a,
  assertFalse: (a) => `not ${a}`,
  assertIsNone: (a) => `${a} is None`,
  assertIsNotNone: (a) => `${a} is not None`,
};

/** Ends well only if, by the language's own operators, one of the assertions does not hold. */
function negOf(test: Test, order: TwinOrder): readonly Turn[] | undefined {
  const { text, word, seed } = order;
  const said: Turn[] = [];
  visit(test.body, (node) => {
    const condition =
      node.type === "assert_statement" ? assertedBy(node, text) : node.type === "expression_statement" ? saidBy(node, text) : undefined;
    if (condition === undefined) return undefined;
    said.push({ start: node.start, end: node.end, text: `${word}.append(True if (${condition}) else False)` });
    return false;
  });
  if (said.length === 0) return undefined;
  const first = namedOf(test.body)[0]!;
  const begin = { start: first.start, end: first.start, text: `${word} = []\n${test.margin}` };
  const end = atEnd(test, [`if ${word} and False not in ${word}:`, `    raise AssertionError("${drawWord(seed, word, test.body.start)}")`]);
  return [begin, ...said, end];
}

function assertedBy(node: Span, text: string): string | undefined {
  const [condition] = namedOf(node);
  return condition && `(${textOf(text, condition)})`;
}

function saidBy(statement: Span, text: string): string | undefined {
  const [call, more] = namedOf(statement);
  const callee = call?.type === "call" && more === undefined ? fieldOf(call, "function") : undefined;
  const args = call && fieldOf(call, "arguments");
  const name = callee && /^self\.(\w+)$/.exec(textOf(text, callee))?.[1];
  if (!name || !args) return undefined;
  const given = namedOf(args).filter((node) => !(node.type === "keyword_argument" && textOf(text, node).startsWith("msg")));
  if (given.some(({ type }) => /splat|keyword_argument|generator/.test(type))) return undefined;
  const [a, b] = given.map((node) => `(${textOf(text, node)})`);
  if (a !== undefined && Object.hasOwn(SAYS_ALONE, name)) return SAYS_ALONE[name]!(a);
  return a !== undefined && b !== undefined && Object.hasOwn(SAYS, name) ? SAYS[name]!(a, b) : undefined;
}
