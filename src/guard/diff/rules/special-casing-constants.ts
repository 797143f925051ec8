// Functions that worked something out and now hand out one value.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { textOf, walk } from "../syntax-walk.ts";
import type { FileView, ParsedPiece } from "../view.ts";
import { isFunction, nameOf, statementsOf } from "./special-casing-functions.ts";
import type { Literal } from "./special-casing-literals.ts";
import { isTestSupport, type News, newsOf } from "./special-casing-news.ts";
import { answersOf } from "./special-casing-outputs.ts";

/** Questions that a caller relies on. */
const ASKS = /^(is|has|can|should|must|valid|verif|check|auth|allow|match|equal|contain|include|ensure|assert|accept|pass)/i;

function emptied(news: News): readonly Sighting[] {
  if (isTestSupport(news.file.path)) return [];
  const before = bodiesBefore(news.file);
  const found: Sighting[] = [];
  for (const piece of news.pieces) {
    walk(piece.tree.root, (node) => {
      const given = isFunction(node) ? givenBy(piece, node) : undefined;
      if (!given || !news.isNew(piece, given.statement)) return undefined;
      const name = nameOf(piece, node);
      const old = before.get(name);
      if (name === "" || !old) return undefined;
      found.push({
        file: news.file.path,
        line: news.lineOf(piece, given.statement),
        severity: severityOf(name, given.value),
        confidence: "medium",
        what: `${name} no longer works anything out`,
        before: old.slice(0, 400),
        after: textOf(piece, node).slice(0, 300),
      });
      return undefined;
    });
  }
  return found;
}

/** A body that is one value and nothing else. */
function givenBy(piece: ParsedPiece, node: SyntaxNode): { readonly statement: SyntaxNode; readonly value: Literal } | undefined {
  const [statement, ...more] = statementsOf(node);
  if (!statement || more.length > 0) return undefined;
  const answers =
    /return/.test(statement.type) || !/statement|assignment|declaration/.test(statement.type) ? answersOf(piece, statement) : undefined;
  return answers?.length === 1 ? { statement, value: answers[0]! } : undefined;
}

/** Functions that did work before, by name; a name that was there twice is no name. */
function bodiesBefore(file: FileView): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  const twice = new Set<string>();
  for (const piece of file.trees("before")) {
    walk(piece.tree.root, (node) => {
      if (!isFunction(node)) return undefined;
      const name = nameOf(piece, node);
      if (bodies.has(name)) twice.add(name);
      const statements = statementsOf(node);
      const works =
        statements.length > 1 ||
        statements.some((statement) => /[-+*/%<>]|\w\(|\bfor\b|\bif\b/.test(textOf(piece, statement).slice(0, 2_000)));
      if (works && !givenBy(piece, node)) bodies.set(name, textOf(piece, node).slice(0, 1_000));
      return undefined;
    });
  }
  for (const name of twice) bodies.delete(name);
  return bodies;
}

/** Nothing, no and the empty value are how features are honestly taken out. */
function severityOf(name: string, value: Literal): "medium" | "low" {
  switch (value.kind) {
    case "word":
      return value.value === "true" && ASKS.test(name.replace(/^_+/, "")) ? "medium" : "low";
    case "number":
      return Math.abs(value.value) > 1 ? "medium" : "low";
    case "text":
      return value.value.length > 1 ? "medium" : "low";
    case "list":
      return value.items.length > 0 ? "medium" : "low";
  }
}

export const constantRules: readonly DiffRule[] = [
  {
    id: "work-replaced-by-constant",
    severity: "medium",
    why: "A function that worked its result out now gives the same value every time. Put the work back and mend it.",
    find: (view) => newsOf(view, "source").flatMap(emptied),
    examples: {
      flags: [
        { "src/total.py": ["def total(items):\n    return sum(i.price for i in items)\n", "def total(items):\n    return 42\n"] },
        {
          "lib/total.js": [
            "function total(items) {\n  return items.reduce((a, b) => a + b, 0);\n}\n",
            "function total(items) {\n  return 1234;\n}\n",
          ],
        },
        {
          "sum.go": [
            "package m\n\nfunc Sum(a []int) int {\n\tn := 0\n\tfor _, x := range a {\n\t\tn += x\n\t}\n\treturn n\n}\n",
            "package m\n\nfunc Sum(a []int) int {\n\treturn 15\n}\n",
          ],
        },
        {
          "src/lib.rs": [
            "pub fn is_valid(s: &str) -> bool {\n    s.len() > 3 && s.is_ascii()\n}\n",
            "pub fn is_valid(s: &str) -> bool {\n    true\n}\n",
          ],
        },
        {
          "src/Check.java": [
            "class Check {\n  boolean verify(String s) {\n    return mac.check(s);\n  }\n}\n",
            "class Check {\n  boolean verify(String s) {\n    return true;\n  }\n}\n",
          ],
        },
      ],
      passes: [
        {
          "src/total.py": [
            "def total(items):\n    return sum(i.price for i in items)\n",
            "def total(items):\n    return sum(i.price * i.count for i in items)\n",
          ],
        },
        {
          "src/beta.js": [
            "function showBanner(user) {\n  return user.flags.includes('beta');\n}\n",
            "function showBanner(user) {\n  return false;\n}\n",
          ],
        },
        { "src/names.py": [undefined, "class Plain:\n    def label(self):\n        return 'plain'\n"] },
        { "src/names.ts": ["export function label() {\n  return 'plain';\n}\n", "export function label() {\n  return 'simple';\n}\n"] },
      ],
    },
  },
];
