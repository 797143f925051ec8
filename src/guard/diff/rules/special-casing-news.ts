// What a change newly writes: lines that were nowhere in it before, as code without its comments, and as trees.
import type { SyntaxNode } from "../../../contract/syntax.ts";
import type { Role } from "../roles.ts";
import { textOf, walk } from "../syntax-walk.ts";
import type { ChangeView, FileView, ParsedPiece } from "../view.ts";

/** A longer line was not written by hand; only its beginning is looked at. */
const MOST_CHARS = 1_000;

/** One file of the change, with a way to ask what in it is new. */
export interface News {
  readonly file: FileView;
  /** New lines of code, comments and docstrings left out. */
  readonly code: readonly NewLine[];
  /** New comments, a run of lines as one. */
  readonly comments: readonly NewLine[];
  readonly pieces: readonly ParsedPiece[];
  /** The line of a node in the file. */
  readonly lineOf: (piece: ParsedPiece, node: SyntaxNode) => number;
  readonly hasLine: (line: number) => boolean;
  /** Whether the line that the node begins on is new. */
  readonly isNew: (piece: ParsedPiece, node: SyntaxNode) => boolean;
}

export interface NewLine {
  readonly line: number;
  readonly text: string;
}

/** Every rule asks for the same news: they are worked out once for each change. */
const known = new WeakMap<ChangeView, readonly News[]>();

/** Each file of these roles that gained lines. Moved lines are not news. */
export function newsOf(view: ChangeView, ...roles: readonly Role[]): readonly News[] {
  const all = known.get(view) ?? allNews(view);
  known.set(view, all);
  return all.filter(({ file }) => roles.includes(file.role));
}

function allNews(view: ChangeView): readonly News[] {
  const gone = new Set(view.files.flatMap(({ removed }) => removed.map(({ text }) => text.trim())));
  return view.files
    .filter(
      ({ role, added, after }) => (role === "source" || role === "test" || role === "harness") && after !== undefined && added.length > 0,
    )
    .map((file) => newsIn(file, gone));
}

function newsIn(file: FileView, gone: ReadonlySet<string>): News {
  const lines = new Map(
    file.added.filter(({ text }) => !gone.has(text.trim())).map(({ after, text }) => [after, text.slice(0, MOST_CHARS)]),
  );
  const pieces = file.trees("after");
  const lineOf = (piece: ParsedPiece, node: SyntaxNode): number => piece.line + node.line - 1;
  const { code, comments } = pieces.length > 0 ? splitByTree(pieces, lines) : splitByMarks(lines);
  return {
    file,
    code,
    comments,
    pieces,
    lineOf,
    hasLine: (line) => lines.has(line),
    isNew: (piece, node) => lines.has(lineOf(piece, node)),
  };
}

/** The nodes around a text on a line, the outermost first; none where there is no tree. */
export function pathTo(
  news: News,
  line: number,
  text: string,
): { readonly piece: ParsedPiece; readonly path: readonly SyntaxNode[] } | undefined {
  for (const piece of news.pieces) {
    const start = lineStarts(piece)[line - piece.line];
    const within = start === undefined ? -1 : piece.text.slice(start, start + MOST_CHARS * 2).indexOf(text);
    if (start === undefined || within === -1) continue;
    const at = start + within;
    const path: SyntaxNode[] = [piece.tree.root];
    for (;;) {
      const next = childAt(path.at(-1)!.children, at);
      if (!next) return { piece, path };
      path.push(next);
    }
  }
  return undefined;
}

/** Children stand in order, so the one around a place is found by halving. */
function childAt(children: readonly SyntaxNode[], at: number): SyntaxNode | undefined {
  let low = 0;
  let high = children.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const child = children[middle]!;
    if (at < child.start) high = middle - 1;
    else if (at >= child.end) low = middle + 1;
    else return child;
  }
  return undefined;
}

const startsOf = new WeakMap<ParsedPiece, readonly number[]>();

function lineStarts(piece: ParsedPiece): readonly number[] {
  const known = startsOf.get(piece);
  if (known) return known;
  const starts = [0];
  for (let at = piece.text.indexOf("\n"); at !== -1; at = piece.text.indexOf("\n", at + 1)) starts.push(at + 1);
  startsOf.set(piece, starts);
  return starts;
}

/** Code that is there for tests, by its name: what it knows about test runs is its job. */
const SUPPORT =
  /(^|[/_.@-])(tests?|testing|testutils?|spec|mocks?|fakes?|stubs?|fixtures?|bench(marks?)?|examples?|jest|vitest|pytest\w*|playwright|cypress|karma|mocha|chai|unittest|assert(ions?)?|expect|harness|e2e|storybook|stories)([/_.-]|$)/i;
/** Programs around the product: they build it, set it up or run it. */
const TOOLING =
  /(^|\/)(scripts?|tools?|build|ci|dev|docs?|config|configs|settings|environments?|migrations|gulpfile|gruntfile|tasks)(\/|[._-])|(config|settings|environment|env|setup|manage|webpack\.\w+)\.\w+$/i;

export const isTestSupport = (path: string): boolean => SUPPORT.test(path);
export const isTooling = (path: string): boolean => TOOLING.test(path);

type Split = { readonly code: readonly NewLine[]; readonly comments: readonly NewLine[] };

function splitByTree(pieces: readonly ParsedPiece[], lines: ReadonlyMap<number, string>): Split {
  const prose = new Map<number, string>();
  const silent = new Set<number>();
  for (const piece of pieces) {
    walk(piece.tree.root, (node, parents) => {
      const isDocstring = node.type === "string" && parents.at(-1)?.type === "expression_statement";
      if (!/comment/.test(node.type) && !isDocstring) return undefined;
      const text = textOf(piece, node)
        .slice(0, MOST_CHARS * 10)
        .split("\n");
      for (const [index, part] of text.entries()) {
        const line = piece.line + node.line - 1 + index;
        if (!isDocstring) prose.set(line, part);
        // A comment that ends a line of code leaves that code.
        const before =
          index === 0
            ? (
                piece.text
                  .slice(Math.max(0, node.start - MOST_CHARS), node.start)
                  .split("\n")
                  .at(-1) ?? ""
              ).trim()
            : "";
        if (before === "") silent.add(line);
      }
      return false;
    });
  }
  const code: NewLine[] = [];
  const comments: NewLine[] = [];
  for (const [line, text] of lines) {
    const comment = prose.get(line);
    if (comment !== undefined) comments.push({ line, text: comment.slice(0, MOST_CHARS) });
    if (silent.has(line)) continue;
    const at = comment === undefined ? -1 : text.indexOf(comment.trimEnd());
    code.push({ line, text: at > 0 ? text.slice(0, at) : text });
  }
  return { code, comments };
}

function splitByMarks(lines: ReadonlyMap<number, string>): Split {
  const all = [...lines].map(([line, text]) => ({ line, text }));
  const isComment = ({ text }: NewLine): boolean => /^\s*(#|\/\/|\/?\*|--|;;|%)/.test(text);
  return { code: all.filter((line) => !isComment(line)), comments: all.filter(isComment) };
}
