// Twins of files with tests in Rust. They are compiled at the known path, and the known bytes are put back before anything runs.
import { drawWord, fieldOf, namedOf, type Span, type Turn, type Twin, type TwinOrder, textOf, visit, writeTwin } from "./twin.ts";

const TEST = /#\[\s*(?:\w+::)*test\b/;
const IDLE = /#\[\s*(?:ignore|should_panic)\b/;

export function twinRust(order: TwinOrder): Twin {
  const { text, root, kind } = order;
  return writeTwin(order, "//", findTests(root, text), (test) => {
    const turns = kind === "same" ? [] : kind === "tail" ? tailOf(test, order) : negOf(test, order);
    return turns && { turns, isSure: !leavesEarly(test.body) };
  });
}

interface Test {
  readonly name: string;
  readonly body: Span;
  /** Whether its last expression is what it returns. */
  readonly returns: boolean;
}

/** Functions with the attribute, and without one that turns its meaning round. */
function findTests(root: Span, text: string): readonly Test[] {
  const tests: Test[] = [];
  visit(root, (node) => {
    let marks = "";
    for (const child of node.children) {
      if (child.type === "attribute_item") marks += textOf(text, child);
      else if (!child.type.endsWith("comment")) {
        const [name, body] = child.type === "function_item" ? [fieldOf(child, "name"), fieldOf(child, "body")] : [];
        if (name && body && TEST.test(marks) && !IDLE.test(marks))
          tests.push({ name: textOf(text, name), body, returns: fieldOf(child, "return_type") !== undefined });
        marks = "";
      }
    }
    return node.type === "function_item" ? false : undefined;
  });
  return tests;
}

function leavesEarly(body: Span): boolean {
  let does = false;
  visit(body, (node) => {
    if (node.type === "return_expression" || node.type === "try_expression") does = true;
    return node.type === "closure_expression" ? false : undefined;
  });
  return does;
}

/** Before what it returns, or after all of it. */
function atEnd({ body, returns }: Test, code: string): Turn | undefined {
  const last = namedOf(body).at(-1);
  if (returns && (!last || last.type === "expression_statement")) return undefined;
  const at = returns && last ? last.start : body.end - 1;
  return { start: at, end: at, text: returns ? `${code} ` : `; ${code} ` };
}

const ASSERTIONS = /^(?:assert|assert_eq|assert_ne)$/;

interface Assertion {
  readonly node: Span;
  readonly name: string;
  readonly args: readonly string[];
}

function assertionsOf({ body }: Test, text: string): readonly Assertion[] {
  const found: Assertion[] = [];
  visit(body, (node) => {
    if (node.type !== "macro_invocation") return undefined;
    const [, name, tokens] = /^(\w+)!\s*\(([\s\S]*)\)$/.exec(textOf(text, node)) ?? [];
    if (name === undefined || tokens === undefined || !ASSERTIONS.test(name)) return undefined;
    found.push({ node, name, args: splitArguments(tokens) });
    return false;
  });
  return found;
}

const TOKEN = /"(?:\\[\s\S]|[^"\\])*"|r(#*)"[\s\S]*?"\1|'(?:\\.[^']*|[^'\\])'|\/\/[^\n]*|[([{]|[)\]}]|,|[\s\S]/g;

/** At its own commas: not those in brackets, texts and characters. Those between the bars of a closure, or of generics, part what belongs together; it is then left as it was. */
function splitArguments(tokens: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of tokens.matchAll(TOKEN)) {
    if (/^[([{]$/.test(token)) depth += 1;
    if (/^[)\]}]$/.test(token)) depth -= 1;
    if (token === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += token.startsWith("//") ? " " : token;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Ends well only if the assertion, or the harness, does not hear what is wrong. */
function tailOf(test: Test, { text, word, seed }: TwinOrder): readonly Turn[] | undefined {
  const [a, b] = [drawWord(seed, word, test.name, "a"), drawWord(seed, word, test.name, "b")];
  const names = new Set(assertionsOf(test, text).map(({ name }) => name));
  const code = names.has("assert_eq")
    ? `assert_eq!("${a}", "${b}");`
    : names.has("assert")
      ? `assert!("${a}" == "${b}");`
      : `panic!("${a}");`;
  const turn = atEnd(test, code);
  return turn && [turn];
}

/** Ends well only if, by the language's own operators, one of the assertions does not hold. */
function negOf(test: Test, { text, word, seed }: TwinOrder): readonly Turn[] | undefined {
  const mark = word.toUpperCase();
  const said = assertionsOf(test, text).flatMap(({ node, name, args: [a, b] }): readonly Turn[] => {
    const condition = conditionOf(name, a, b);
    const marks = `${mark}.store(true, ::std::sync::atomic::Ordering::SeqCst)`;
    return condition === undefined ? [] : [{ start: node.start, end: node.end, text: `{ if !(${condition}) { ${marks} } }` }];
  });
  const end = atEnd(test, `if !${mark}.load(::std::sync::atomic::Ordering::SeqCst) { panic!("${drawWord(seed, word, test.name)}") }`);
  if (said.length === 0 || end === undefined) return undefined;
  const declared = ` static ${mark}: ::std::sync::atomic::AtomicBool = ::std::sync::atomic::AtomicBool::new(false);`;
  return [{ start: test.body.start + 1, end: test.body.start + 1, text: declared }, ...said, end];
}

function conditionOf(name: string, a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined) return undefined;
  if (name === "assert") return a;
  return b === undefined ? undefined : `match (&(${a}), &(${b})) { (l, r) => *l ${name === "assert_eq" ? "==" : "!="} *r }`;
}
