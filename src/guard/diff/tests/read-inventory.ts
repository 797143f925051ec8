// Reads the inventory of tests from syntax trees, whole ones or torn ones.
import type { Language, SyntaxNode } from "../../../contract/syntax.ts";
import { CUT } from "../fragment.ts";
import { childByField, textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import { type Dialect, dialectOf } from "./dialects.ts";
import { type Disabling, type Fact, type Inventory, normalised, type Test } from "./inventory.ts";
import { isReplacement, isSwallow } from "./quieting.ts";
import { readTornLines } from "./read-torn-lines.ts";

type Growing = { [list in keyof Inventory]: Inventory[list][number][] };

interface Reading {
  readonly piece: ParsedPiece;
  readonly language: Language;
  readonly dialect: Dialect;
  readonly found: Growing;
}

export function readInventory(pieces: readonly ParsedPiece[], language: Language): Inventory {
  const found: Growing = { tests: [], assertions: [], disablings: [], swallows: [], mocks: [], helpers: [] };
  const dialect = dialectOf(language);
  for (const [index, piece] of pieces.entries()) {
    visit(piece.tree.root, `#${index}`, { piece, language, dialect, found });
    if (piece.tree.errors > 0) readTornLines(piece, `#${index}`, language, found);
  }
  return { ...found, tests: found.tests.map((test) => ({ ...test, assertions: countIn(found.assertions, test) })) };
}

const countIn = (assertions: readonly Fact[], { text, line, lastLine }: Test): number =>
  text === "" ? 0 : assertions.filter((assertion) => assertion.line >= line && assertion.line <= lastLine).length;

function visit(node: SyntaxNode, test: string, reading: Reading): void {
  const inside = enter(node, test, reading);
  if (inside === undefined) return;
  const { children } = node;
  noteUnreachable(node, inside, reading);
  for (const [index, child] of children.entries()) {
    if (reading.dialect.functions.has(child.type)) visitFunction(child, attributesOf(node, index, reading), inside, reading);
    else visit(child, inside, reading);
  }
}

/** Notes what the node is; gives the test that its children stand in, or undefined when they need no look. */
function enter(node: SyntaxNode, test: string, reading: Reading): string | undefined {
  const { dialect, language } = reading;
  if (/comment/.test(node.type)) return undefined;
  if (isSwallow(node, reading.piece, language)) note("swallows", node, test, reading);
  if (node.type === "assert_statement") return void note("assertions", node, test, reading);
  if (language === "go" && node.type === "if_statement") return enterGoIf(node, test, reading);
  if (language === "python" && node.type === "with_item") noteRaises(node, test, reading);
  if (dialect.assertionStart && isChain(node) && dialect.assertionStart.test(textOf(reading.piece, node))) {
    return void note("assertions", node, test, reading);
  }
  if (dialect.groupTypes?.has(node.type)) return enterClass(node, test, reading);
  if (node.type === "decorated_definition") noteClassMarks(node, test, reading);
  if (isReplacement(node, reading.piece, language)) note("mocks", node, test, reading);
  noteEarlyEnd(node, test, reading);
  return dialect.calls.has(node.type) ? enterCall(node, test, reading) : noteBareWord(node, test, reading);
}

/** In languages where an assertion may be a chain that ends without a call. */
const isChain = ({ type }: SyntaxNode): boolean =>
  type === "call_expression" ||
  type === "member_expression" ||
  type === "method_invocation" ||
  type === "member_call_expression" ||
  type === "new_expression";

function enterCall(node: SyntaxNode, test: string, reading: Reading): string | undefined {
  const { dialect, piece } = reading;
  const { callee, args, argumentsStart } = callOf(node, piece);
  noteStandIn(callee, node, test, reading);
  if (dialect.testCall?.test(callee) && holdsBlock(node, reading)) return enterTestCall("test", callee, args, node, reading);
  if (dialect.groupCall?.test(callee)) return enterTestCall("group", callee, args, node, reading);
  if (dialect.skipCall?.test(callee)) noteDisabling("skip", node, test, reading);
  else if (dialect.sometimesCall?.test(callee)) noteDisabling("sometimes", node, test, reading);
  if (dialect.assertionCall.test(callee) && !dialect.notAssertion?.test(callee)) {
    if (reading.language !== "java" && /.\.expect$/.test(callee)) {
      // One link of a chain that asks several things of one answer.
      noteText("assertions", piece.text.slice(argumentsStart - ".expect".length, node.end), node, test, reading);
      return test;
    }
    note("assertions", node, test, reading);
    return /\(\s*(?:async\s*)?(?:\(|function|\|\||lambda|\w+\s*=>|func\b)/.test(piece.text.slice(argumentsStart, argumentsStart + 60))
      ? test
      : undefined;
  }
  return test;
}

function noteStandIn(callee: string, node: SyntaxNode, test: string, reading: Reading): void {
  if (reading.dialect.mockCall?.test(callee)) note("mocks", node, test, reading);
}

/** A test has a body; `it` and `test` are also words of other libraries. */
function holdsBlock(node: SyntaxNode, { piece }: Reading): boolean {
  const text = textOf(piece, node);
  return /["'`]/.test(text.slice(0, 400)) || /\b(?:function|do|func)\b|=>|\{/.test(text.slice(0, 600));
}

function enterTestCall(kind: Test["kind"], callee: string, args: readonly SyntaxNode[], node: SyntaxNode, reading: Reading): string {
  const { piece, dialect } = reading;
  const name = args[0]
    ? textOf(piece, args[0])
        .slice(0, 300)
        .replace(/^["'`]|["'`]$/g, "")
    : callee;
  noteTest(kind, name, node, true, reading);
  if (/\.only\b|^f(?:it|describe|test|specify|context)\b|^F(?:It|Describe|Context)$/.test(callee))
    noteDisabling("focus", node, name, reading);
  else if (dialect.skipCall?.test(callee) || /\.(?:skip|todo|fixme|failing|fails)\b/.test(callee))
    noteDisabling("skip", node, name, reading);
  else if (dialect.sometimesCall?.test(callee)) noteDisabling("sometimes", node, name, reading);
  const options = args.find(({ type }) => type === "object");
  const option = options && /\b(skip|todo|only)\s*:\s*(?!false|undefined|null)([^,}\s]+)/.exec(textOf(piece, options));
  if (option) noteDisabling(option[1] === "only" ? "focus" : /^(?:true|["'])/.test(option[2]!) ? "skip" : "sometimes", node, name, reading);
  return name;
}

function visitFunction(node: SyntaxNode, attributes: string, test: string, reading: Reading): void {
  const { dialect, piece, language } = reading;
  const name = nameOf(node, reading);
  if (name === CUT) {
    noteAttributes(attributes, node, test, reading);
    return;
  }
  const isTest = dialect.testAttribute?.test(attributes) === true || (name !== "" && dialect.testName?.test(name) === true);
  if (!isTest) {
    noteText("helpers", name, node, test, reading, textOf(piece, node));
    // A function inside a test still belongs to it.
    visitChildren(node, test.startsWith("#") && name !== "" ? `${test}/${name}` : test, reading);
    return;
  }
  noteTest("test", name, node, dialect.testAttribute?.test(attributes) === true, reading);
  noteAttributes(attributes, node, name, reading);
  if (language === "rust" && /should_panic/.test(attributes))
    noteText("assertions", /#\[\s*should_panic[^\]]*\]/.exec(attributes)?.[0] ?? "should_panic", node, name, reading);
  if (language === "java" && /@Test\s*\([^)]*expected/.test(attributes))
    noteText("assertions", /expected\s*=\s*[\w.]+/.exec(attributes)![0], node, name, reading);
  if (language === "cpp" && /\bDISABLED_/.test(attributes)) noteDisabling("skip", node, name, reading);
  visitChildren(node, name, reading);
}

function visitChildren(node: SyntaxNode, test: string, reading: Reading): void {
  noteUnreachable(node, test, reading);
  for (const [index, child] of node.children.entries()) {
    if (reading.dialect.functions.has(child.type)) visitFunction(child, attributesOf(node, index, reading), test, reading);
    else visit(child, test, reading);
  }
}

function noteAttributes(attributes: string, node: SyntaxNode, name: string, reading: Reading): void {
  const { skipAttribute, sometimesAttribute } = reading.dialect;
  for (const attribute of splitAttributes(attributes)) {
    const kind = sometimesAttribute?.test(attribute) ? "sometimes" : skipAttribute?.test(attribute) ? "skip" : undefined;
    if (kind) noteText("disablings", attribute, node, name, reading, attribute, kind);
  }
}

const splitAttributes = (attributes: string): readonly string[] => attributes.split("\u0000").filter((one) => one !== "");

/** What stands before a function and says how it is run: decorators, annotations, attributes. */
function attributesOf(parent: SyntaxNode, index: number, { piece, language }: Reading): string {
  const node = parent.children[index]!;
  if (language === "cpp") return textOf(piece, node).slice(0, 200);
  const own = node.children.flatMap((child) =>
    child.type === "modifiers"
      ? child.children.filter(({ type }) => type.includes("annotation"))
      : child.type.startsWith("attribute")
        ? [child]
        : [],
  );
  const before: SyntaxNode[] = [];
  for (let at = index - 1; at >= 0; at -= 1) {
    const { type } = parent.children[at]!;
    if (type !== "attribute_item" && type !== "decorator" && !type.includes("comment")) break;
    if (type !== "comment" || language === "php") before.unshift(parent.children[at]!);
  }
  return [...before.filter(({ type }) => language !== "rust" || type === "attribute_item"), ...own]
    .map((one) => textOf(piece, one))
    .join("\u0000");
}

/** A mark on a class is a mark on every test in it. */
function noteClassMarks(node: SyntaxNode, test: string, reading: Reading): void {
  const { dialect, piece } = reading;
  if (!node.children.some(({ type }) => type === "class_definition")) return;
  for (const mark of node.children.filter(({ type }) => type === "decorator")) {
    const text = textOf(piece, mark);
    const kind = dialect.sometimesAttribute?.test(text) ? "sometimes" : dialect.skipAttribute?.test(text) ? "skip" : undefined;
    if (kind) noteText("disablings", text, mark, test, reading, text, kind);
  }
}

function enterClass(node: SyntaxNode, test: string, reading: Reading): string {
  const name = nameOf(node, reading);
  if (reading.language === "python" && !/TestCase\b/.test(textOf(reading.piece, node).slice(0, 300).split(":")[0]!)) {
    if (/^Test/.test(name)) noteTest("group", name, node, false, reading);
    else noteText("helpers", name, node, test, reading, textOf(reading.piece, node));
  }
  const head = textOf(reading.piece, node).slice(0, 400).split("{")[0]!;
  if (/@(?:Disabled|Ignore)\b(?!On|If)|\[\s*(?:Ignore|Explicit)\b/.test(head)) noteDisabling("skip", node, name, reading);
  return test;
}

/** `if got != want { t.Error… }`: what is asserted is the condition. */
function enterGoIf(node: SyntaxNode, test: string, reading: Reading): string | undefined {
  const { piece } = reading;
  const body = childByField(node, "consequence");
  const calls = body
    ? statementsOf(body).filter((call) => /^\w{1,4}\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(/.test(textOf(piece, call)))
    : [];
  if (calls.length === 0) return test;
  noteText("assertions", textOf(piece, node).slice(0, body!.start - node.start), node, test, reading);
  const otherwise = childByField(node, "alternative");
  if (otherwise) visit(otherwise, test, reading);
  for (const child of statementsOf(body!)) if (!calls.includes(child)) visit(child, test, reading);
  return undefined;
}

const statementsOf = (body: SyntaxNode): readonly SyntaxNode[] =>
  body.children.flatMap((child) => (child.type === "statement_list" ? child.children : [child]));

const noteRaises = (node: SyntaxNode, test: string, reading: Reading): void => {
  if (/\bsuppress\s*\(/.test(textOf(reading.piece, node))) note("swallows", node, test, reading);
};

/** Ruby's `skip` and `pending` need no brackets, and so are no calls. */
function noteBareWord(node: SyntaxNode, test: string, reading: Reading): string {
  if (reading.language === "ruby" && node.type === "identifier" && /^(?:skip|pending)$/.test(textOf(reading.piece, node)))
    noteDisabling("skip", node, test, reading);
  if (reading.language === "python" && node.type === "assignment") {
    const text = textOf(reading.piece, node).slice(0, 300);
    if (/^pytestmark\s*=.*\b(?:skip|xfail)/s.test(text) || /^__test__\s*=\s*False/.test(text))
      noteDisabling(/skipif/i.test(text) ? "sometimes" : "skip", node, test, reading);
  }
  if (reading.language === "python" && node.type === "raise_statement" && /\bSkipTest\b/.test(textOf(reading.piece, node)))
    noteDisabling("skip", node, test, reading);
  return test;
}

const BLOCKS = new Set(["block", "statement_block", "statement_list", "compound_statement", "body_statement"]);

/** Statements after a `return` are never reached. */
function noteUnreachable(node: SyntaxNode, test: string, reading: Reading): void {
  if (!BLOCKS.has(node.type)) return;
  const steps = node.children.filter(({ isNamed, type }) => isNamed && !type.includes("comment"));
  const at = steps.findIndex(
    (step) =>
      step.type === "return_statement" || step.type === "return" || /^return\b[^=]{0,3};?$/.test(textOf(reading.piece, step).slice(0, 12)),
  );
  const next = at === -1 ? undefined : steps[at + 1];
  if (next && !/function|method|class|def/.test(next.type))
    noteText("disablings", `return before ${textOf(reading.piece, next).split("\n")[0]!.slice(0, 100)}`, steps[at]!, test, reading);
}

const FALSE_CONDITION = /^\(?\s*(?:false|False|0|!true|not True)\s*\)?$/;

/** A body under a condition that never holds. */
function noteEarlyEnd(node: SyntaxNode, test: string, reading: Reading): void {
  if (node.type !== "if_statement" && node.type !== "if_expression") return;
  const condition = childByField(node, "condition");
  if (condition && FALSE_CONDITION.test(textOf(reading.piece, condition))) noteDisabling("skip", node, test, reading);
}

interface Called {
  readonly callee: string;
  readonly argumentsStart: number;
  readonly args: readonly SyntaxNode[];
}

const ARGUMENTS = new Set(["arguments", "argument_list", "token_tree", "template_string"]);

/** The words before a call's brackets, without blanks at the end, and what stands in them. */
function callOf(node: SyntaxNode, piece: ParsedPiece): Called {
  const list = node.children.findLast(({ type, field }) => field === "arguments" || ARGUMENTS.has(type));
  const block = node.children.find(({ type }) => type === "do_block" || type === "block");
  const end = list?.start ?? block?.start ?? node.end;
  return {
    argumentsStart: end,
    callee: withoutArguments(piece.text.slice(node.start, Math.min(end, node.start + 2_000))).trim(),
    args: list?.children.filter(({ isNamed }) => isNamed) ?? [],
  };
}

/** `it.each([…])` is `it.each()`: what stands in brackets is not part of the words. */
function withoutArguments(callee: string): string {
  if (!callee.includes("(")) return callee;
  let depth = 0;
  let words = "";
  for (const sign of callee) {
    if (sign === ")") depth -= 1;
    if (depth <= 0) words += sign;
    if (sign === "(") depth += 1;
  }
  return words;
}

function nameOf(node: SyntaxNode, { piece, language }: Reading): string {
  if (language === "cpp") return /\(\s*([^)]*)\)/.exec(textOf(piece, node).slice(0, 200))?.[1]?.replace(/\s+/g, " ") ?? "";
  const name = childByField(node, "name");
  return name ? textOf(piece, name) : "";
}

function noteTest(kind: Test["kind"], name: string, node: SyntaxNode, isMarked: boolean, { piece, found }: Reading): void {
  const raw = textOf(piece, node);
  const line = piece.line + node.line - 1;
  found.tests.push({
    kind,
    text: normalised(raw),
    raw: raw.slice(0, 2_000),
    line,
    lastLine: line + raw.split("\n").length - 1,
    test: name,
    isMarked,
    assertions: 0,
  });
}

function noteDisabling(kind: Disabling["kind"], node: SyntaxNode, test: string, reading: Reading): void {
  noteText("disablings", textOf(reading.piece, node).split("\n")[0]!.slice(0, 300), node, test, reading, undefined, kind);
}

const note = (list: "assertions" | "swallows" | "mocks", node: SyntaxNode, test: string, reading: Reading): void =>
  noteText(list, textOf(reading.piece, node), node, test, reading);

function noteText(
  list: "assertions" | "swallows" | "mocks" | "helpers" | "disablings",
  text: string,
  node: SyntaxNode,
  test: string,
  { piece, found }: Reading,
  raw = text,
  kind: Disabling["kind"] = "skip",
): void {
  const fact: Fact = { text: normalised(text), raw: raw.slice(0, 2_000), line: piece.line + node.line - 1, test };
  if (list === "disablings") found.disablings.push({ ...fact, kind });
  else found[list].push(fact);
}
