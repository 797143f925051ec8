// Code that keeps a failure from being seen: handlers that drop it, and stand-ins that never fail.
import type { Language, SyntaxNode } from "../../../contract/syntax.ts";
import { textOf } from "../syntax-walk.ts";

interface Source {
  readonly text: string;
}

const HANDLERS = new Set(["except_clause", "catch_clause", "rescue", "rescue_modifier"]);

/** Whether what fails inside this node, or around it, goes unnoticed. */
export function isSwallow(node: SyntaxNode, source: Source, language: Language): boolean {
  if (HANDLERS.has(node.type)) return isQuiet(node, source);
  switch (language) {
    case "rust":
      return (node.type === "let_declaration" || node.type === "expression_statement") && dropsPanic(textOf(source, node));
    case "go":
      return node.type === "defer_statement" && dropsRecovered(textOf(source, node));
    case "javascript":
    case "typescript":
    case "tsx":
      return node.type === "call_expression" && EMPTY_CATCH.test(textOf(source, node).slice(-80));
    case "python":
    case "java":
    case "c-sharp":
    case "ruby":
    case "php":
    case "cpp":
      return false;
  }
}

const dropsPanic = (text: string): boolean =>
  /^(?:let _\w* = )?(?:std::panic::|panic::)?catch_unwind\b/.test(text) ||
  (/\bcatch_unwind\(/.test(text.slice(0, 200)) && /\)\s*\.ok\(\);?$/.test(text));

const dropsRecovered = (text: string): boolean => /\brecover\(\)/.test(text) && !/\.(?:Error|Fatal|Fail)|panic\(|assert|require/.test(text);

const EMPTY_CATCH = /\.catch\(\s*(?:\(\s*\w*\s*\)|\w+|function\s*\(\s*\w*\s*\))\s*(?:=>)?\s*(?:\{\s*\}|undefined|null|void 0)?\s*\)$/;

/** One thing after the other that has no effect on the test. */
const QUIET =
  /^(?:pass|\.\.\.|return|continue|;|nil|null|undefined|None|true|false|\{\}|\s|_\s*=\s*\w+|console\.\w+\([^)]*\)|print\([^)]*\)|log(?:ger|ging)?\.\w+\([^)]*\)|done\(\)|e\.printStackTrace\(\)|System\.out\.println\([^)]*\))*$/;
const BODIES = new Set(["block", "compound_statement", "then", "statement_block"]);

/** A handler that does nothing with what it caught, apart from telling about it. */
function isQuiet(handler: SyntaxNode, source: Source): boolean {
  const body = handler.children.find(({ type, field }) => field === "body" || BODIES.has(type));
  if (!body) return true;
  const comments = body.children.filter(({ type }) => type.includes("comment")).map((comment) => textOf(source, comment));
  const text = comments.reduce((rest, comment) => rest.replace(comment, " "), textOf(source, body).slice(0, 2_000));
  const inner = text
    .trim()
    .replace(/^\{|\}$/g, "")
    .replace(/^then\b|end$/g, "");
  return QUIET.test(inner.trim());
}

const ASSIGNMENTS = new Set(["assignment", "assignment_expression", "variable_declarator", "assignment_statement"]);
const PYTHON_STAND_IN = /^[\w.]+\s*=\s*(?:lambda\b[^:]*:|(?:\w+\.)*(?:Magic|Async)?Mock\()/;
const STAND_IN =
  /^(?:[\w.]+)\s*=\s*(?:(?:jest|vi|sinon|mock)\.(?:fn|stub|fake)\b)|^\w+(?:\.\w+)+\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>|func\s*\()/;

/** `real.thing = lambda …`: an attribute or an imported name is given something else. */
export function isReplacement(node: SyntaxNode, source: Source, language: Language): boolean {
  if (!ASSIGNMENTS.has(node.type)) return false;
  const text = textOf(source, node).slice(0, 300);
  return language === "python" ? PYTHON_STAND_IN.test(text) : STAND_IN.test(text);
}
