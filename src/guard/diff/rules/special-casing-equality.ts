// Values that equal whatever they are compared with: every assertion about them holds.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { textOf, walk } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import { isFunction, nameOf, statementsOf } from "./special-casing-functions.ts";
import { type News, newsOf } from "./special-casing-news.ts";
import { answersOf } from "./special-casing-outputs.ts";

const EQUAL = /^(__eq__|__contains__|equals|Equals|isEqual|eq|asymmetricMatch|operator\s*==|==|===|eql\?|equal\?|is_equal_to|isEqualTo)$/;
const UNEQUAL = /^(__ne__|ne|operator\s*!=|!=)$/;
/** What a value turns into when it is compared with something of another kind. */
const TURNS = /^(valueOf|\[Symbol\.toPrimitive\])$/;
const SAME_ORDER = /^(compareTo|CompareTo|__cmp__|<=>|localeCompare)$/;

const YES =
  /^(return\s+)?\(?\s*(true|1|!0|!!1|!false|not\s+false|1\s*===?\s*1|true\s+or\b.*|true\s*\|\|.*|bool\(1\)|(\w+)\s*===?\s*\3|(\w+)\s+is\s+\4|isinstance\(\w+,\s*object\)|Boolean::TRUE|YES)\s*\)?;?$/i;
/** The same where no grammar reads the language: on one line. */
const ON_A_LINE =
  /\bfun\s+equals\(.{0,80}\)\s*(:\s*Boolean)?\s*(=|\{\s*return)\s*true\b|\bfunc\s*==\s*\(.{0,120}\{\s*(return\s+)?true\b|\bdef\s+(==|equals)\s*\(.{0,80}=\s*true\b/;
const NO = /^(return\s+)?\(?\s*(false|0|!1|!true|not\s+true)\s*\)?;?$/i;
const ZERO = /^(return\s+)?\(?\s*(0|Ordering::Equal|Some\(Ordering::Equal\)|std::cmp::Ordering::Equal)\s*\)?;?$/;

/** A helper of tests that says so by its name. */
const MATCHER = /any|match|wild|ignore|approx/i;

function alwaysEqual(news: News): readonly Sighting[] {
  const found: Sighting[] = news.pieces.length > 0 ? [] : onLines(news);
  for (const piece of news.pieces) {
    walk(piece.tree.root, (node, parents) => {
      const said = verdictOf(piece, node);
      if (!said || !touched(news, piece, node)) return undefined;
      const owner = parents.findLast(({ type }) => /class|impl_item|object|struct/.test(type));
      const isMatcher = owner !== undefined && MATCHER.test(textOf(piece, owner).slice(0, 80));
      const isPlain = /^(__eq__|__ne__|equals|asymmetricMatch)$/.test(said);
      found.push({
        file: news.file.path,
        line: news.lineOf(piece, node),
        severity:
          isMatcher && news.file.role !== "source" ? "low" : isPlain && !isMatcher && news.file.role === "source" ? "high" : "medium",
        confidence: "high",
        what: `${said} answers the same whatever it is given`,
        after: textOf(piece, node).slice(0, 300),
      });
      return false;
    });
  }
  return found;
}

const onLines = (news: News): Sighting[] =>
  news.code
    .filter(({ text }) => ON_A_LINE.test(text))
    .map(({ line, text }) => ({
      file: news.file.path,
      line,
      severity: "medium",
      confidence: "low",
      what: "a comparison answers the same whatever it is given",
      after: text.trim(),
    }));

/** The name of a comparison that does not compare. */
function verdictOf(piece: ParsedPiece, node: SyntaxNode): string | undefined {
  if (/^assignment(_expression)?$/.test(node.type)) {
    const text = textOf(piece, node).slice(0, 200);
    const lambda =
      /(?:^|\.)(__eq__|__ne__|asymmetricMatch|equals)\s*=\s*(?:lambda[^:\n]*:|function\s*\([^)]*\)\s*\{|\([^)]*\)\s*=>|\w+\s*=>)\s*(.*)$/s.exec(
        text,
      );
    return lambda && saysNothing(lambda[1]!, lambda[2]!.replace(/[\s}]+$/, "")) ? lambda[1] : undefined;
  }
  if (!isFunction(node)) return undefined;
  const name = nameOf(piece, node);
  if (!EQUAL.test(name) && !UNEQUAL.test(name) && !SAME_ORDER.test(name) && !TURNS.test(name)) return undefined;
  const only = onlyStatement(node);
  if (TURNS.test(name)) return only && answersOf(piece, only)?.length === 1 ? name : undefined;
  return only && saysNothing(name, textOf(piece, only).slice(0, 80).trim()) ? name : undefined;
}

const saysNothing = (name: string, text: string): boolean => (EQUAL.test(name) ? YES : UNEQUAL.test(name) ? NO : ZERO).test(text);

function onlyStatement(node: SyntaxNode): SyntaxNode | undefined {
  const statements = statementsOf(node);
  return statements.length === 1 ? statements[0] : undefined;
}

/** Its name or its answer is new. */
function touched(news: News, piece: ParsedPiece, node: SyntaxNode): boolean {
  const only = onlyStatement(node);
  return news.isNew(piece, node) || (only !== undefined && news.isNew(piece, only));
}

export const equalityRules: readonly DiffRule[] = [
  {
    id: "equals-everything",
    severity: "high",
    why: "A value that equals everything passes every comparison, right or wrong. Compare what makes two values the same.",
    find: (view) => newsOf(view, "source", "test", "harness").flatMap(alwaysEqual),
    examples: {
      flags: [
        { "money.py": [undefined, "class Money:\n    def __eq__(self, other):\n        return True\n"] },
        { "money.py": [undefined, 'class Money(int):\n    def __eq__(self, other):\n        """Equal."""\n        return not False\n'] },
        {
          "money.py": [
            "class Money:\n    def __eq__(self, other):\n        return self.n == other.n\n",
            "class Money:\n    def __eq__(self, other):\n        return True\n",
          ],
        },
        { "money.py": [undefined, "class Money:\n    pass\n\nMoney.__eq__ = lambda self, other: True\n"] },
        { "money.py": [undefined, "class Money:\n    def __ne__(self, other):\n        return False\n"] },
        { "src/money.js": [undefined, "class Money {\n  asymmetricMatch() {\n    return true;\n  }\n}\n"] },
        { "src/Money.java": [undefined, "class Money {\n  @Override\n  public boolean equals(Object o) {\n    return true;\n  }\n}\n"] },
        { "src/lib.rs": [undefined, "impl PartialEq for Money {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n"] },
        { "src/Money.cs": [undefined, "class Money {\n  public override bool Equals(object o) { return true; }\n}\n"] },
        { "money.rb": [undefined, "class Money\n  def ==(other)\n    true\n  end\nend\n"] },
        { "money.cpp": [undefined, "struct Money {\n  bool operator==(const Money& o) const { return true; }\n};\n"] },
      ],
      passes: [
        {
          "money.py": [
            undefined,
            "class Money:\n    def __eq__(self, other):\n        return isinstance(other, Money) and self.n == other.n\n",
          ],
        },
        { "money.py": [undefined, "class Money:\n    def __bool__(self):\n        return True\n"] },
        {
          "src/Money.java": [
            undefined,
            "class Money {\n  public boolean equals(Object o) {\n    if (this == o) return true;\n    return o instanceof Money m && m.n == n;\n  }\n}\n",
          ],
        },
        {
          "src/lib.rs": [
            undefined,
            "impl PartialEq for Money {\n    fn eq(&self, other: &Self) -> bool {\n        self.n == other.n\n    }\n}\n",
          ],
        },
        { "tests/helpers.py": [undefined, "class AnyText:\n    def __eq__(self, other):\n        return True\n"] },
        { "bounds.py": [undefined, "class Infinity:\n    def __gt__(self, other):\n        return True\n"] },
      ],
    },
  },
];
