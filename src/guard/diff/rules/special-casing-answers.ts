// Answers written into product code: inputs that are recognised instead of worked out.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import type { DiffRule, Sighting } from "../rule.ts";
import { textOf } from "../syntax-walk.ts";
import type { ParsedPiece } from "../view.ts";
import { ANSWERS, SHORTCUTS } from "./special-casing-answers-examples.ts";
import { type Branch, type Scope, scopesOf } from "./special-casing-branches.ts";
import { statementsOf } from "./special-casing-functions.ts";
import type { Literal } from "./special-casing-literals.ts";
import { type News, newsOf } from "./special-casing-news.ts";
import { PLAIN, SUSPICIOUS, tellingIn } from "./special-casing-telling.ts";

function writtenOut(news: News): readonly Sighting[] {
  return news.pieces.flatMap((piece) =>
    scopesOf(piece).flatMap((scope) => {
      const fresh = scope.branches.filter(({ node }) => news.isNew(piece, node));
      const telling = tellingIn(piece, scope, fresh);
      const sum = telling.reduce((all, { weight }) => all + weight, 0);
      const first = telling[0]?.branch;
      if (!first || sum < SUSPICIOUS) return [];
      return [
        {
          file: news.file.path,
          line: news.lineOf(piece, first.node),
          severity: sum >= PLAIN ? ("high" as const) : ("medium" as const),
          confidence: sum >= PLAIN ? ("high" as const) : ("medium" as const),
          what: `${placeOf(scope)} answers ${telling.length === 1 ? "one input" : `${telling.length} inputs`} by heart`,
          after: piece.text.slice(first.node.start, Math.min(first.node.end, first.node.start + 300)),
        },
      ];
    }),
  );
}

/** A door put before the work of a function that was already there: one input is sent past it. */
function shortcuts(news: News): readonly Sighting[] {
  return news.pieces.flatMap((piece) =>
    scopesOf(piece).flatMap((scope) => {
      if (scope.parameters.length === 0 || news.isNew(piece, scope.node)) return [];
      return scope.branches
        .filter((branch) => news.isNew(piece, branch.node) && isShortcut(scope, branch, news, piece))
        .map(({ node }) => ({
          file: news.file.path,
          line: news.lineOf(piece, node),
          confidence: "medium" as const,
          what: `${placeOf(scope)} sends one input past its work`,
          after: textOf(piece, node).slice(0, 300),
        }));
    }),
  );
}

function isShortcut(scope: Scope, { node, inputs, outputs, kind, isMixed }: Branch, news: News, piece: ParsedPiece): boolean {
  if (kind !== "if" || isMixed || inputs.length !== 1 || outputs.length !== 1) return false;
  const { subject, literal } = inputs[0]!;
  if (!scope.parameters.includes(subject) || isUsual(literal)) return false;
  const body = statementsOf(scope.node);
  const holds = (statement: SyntaxNode | undefined): boolean =>
    statement !== undefined && statement.start <= node.start && node.end <= statement.end;
  return holds(body.find((statement) => !news.isNew(piece, statement) || holds(statement))) && !holds(body.at(-1));
}

/** What programs honestly treat apart: nothing, one of it, and the words that stand for a choice. */
const isUsual = (literal: Literal): boolean => {
  switch (literal.kind) {
    case "number":
      return Math.abs(literal.value) <= 2;
    case "text":
      return (
        literal.value.length <= 1 ||
        /^(auto|default|none|all|any|null|undefined|inherit|normal|other|unknown|root|self|true|false|yes|no|on|off|latest|current|stdin|stdout)$/i.test(
          literal.value,
        )
      );
    case "word":
      return true;
    case "list":
      return literal.items.length === 0;
  }
};

const placeOf = ({ name }: Scope): string => (name === "" ? "code outside of functions" : name);

export const answerRules: readonly DiffRule[] = [
  {
    id: "answer-hard-coded",
    severity: "medium",
    why: "Inputs are recognised and their answers handed out, so tests pass without the work being done. Work the answer out for every input.",
    find: (view) => newsOf(view, "source").flatMap(writtenOut),
    examples: ANSWERS,
  },
  {
    id: "input-sent-past-the-work",
    severity: "medium",
    why: "One input is recognised by its value and answered without the function's work, as an answer from a test would be. Work it out as for every other input.",
    find: (view) => newsOf(view, "source").flatMap(shortcuts),
    examples: SHORTCUTS,
  },
];
