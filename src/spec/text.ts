// Reads the text of a spec (YAML 1.2, and so JSON) into a plain value that remembers where everything stood.
import { Composer, type CST, LineCounter, Parser, type YAMLError } from "yaml";
import { type Path, quoted } from "./path.ts";
import type { Place } from "./place.ts";
import { DEEPEST, readNode } from "./value.ts";

interface TextProblem {
  readonly at: number;
  /** Undefined for what is wrong with the text rather than with a value in it. */
  readonly path: Path | undefined;
  readonly problem: string;
  readonly instead: string;
}

export interface SpecText {
  readonly value: unknown;
  readonly place: Place;
  readonly problems: readonly TextProblem[];
  /** From here on the text has lost its structure, and what seems to follow cannot be trusted. */
  readonly brokenAt: number | undefined;
  readonly lineCol: (offset: number) => { readonly line: number; readonly col: number };
}

/** How much of a text is read at all. */
export interface TextLimits {
  readonly kib: number;
  readonly tokens: number;
  readonly values: number;
}

const OF_SPECS: TextLimits = { kib: 256, tokens: 50_000, values: 10_000 };

export function readSpecText(raw: string, limits: TextLimits = OF_SPECS): SpecText {
  const text = raw.replace(/^\uFEFF/, "");
  if (Buffer.byteLength(text) > limits.kib * 1024) {
    return unreadable(0, `the file is larger than ${limits.kib} KiB`, "Write a shorter spec.", () => ({ line: 1, col: 1 }));
  }
  const lines = new LineCounter();
  const lineCol = (offset: number) => lines.linePos(offset);
  const tokens = tokensOf(text, lines);
  const survey = surveyTokens(tokens, limits.tokens);
  // The composer recurses, so depth and size are bounded before it starts.
  if (survey.tooMuchAt !== undefined) {
    return unreadable(survey.tooMuchAt, "the text is nested too deeply or has too many values", "Write a simpler spec.", lineCol);
  }
  const options = { version: "1.2", schema: "core", strict: true, stringKeys: true, uniqueKeys: false, merge: false } as const;
  const [document] = [...new Composer(options).compose(tokens, true, text.length)];
  if (document === undefined || document.contents === null) return unreadable(0, "the file is empty", "Write a spec in it.", lineCol);

  const errors = [...document.errors, ...document.warnings].filter(({ code }) => !SAID_ELSEWHERE.has(code));
  const read = readNode(document.contents, limits.values);
  return {
    value: read.value,
    place: read.place,
    problems: [...unprintable(text), ...survey.problems, ...errors.map(syntaxProblem), ...read.problems],
    brokenAt: errors
      .filter(({ code }) => !LOCAL.has(code))
      .map(({ pos }) => pos[0])
      .sort((a, b) => a - b)[0],
    lineCol,
  };
}

/** Past so many places where it is none, a text is no YAML, and what else would be said of it helps nobody. */
const MOST_BROKEN = 600;

function tokensOf(text: string, lines: LineCounter): readonly CST.Token[] {
  const tokens: CST.Token[] = [];
  let broken = 0;
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    tokens.push(token);
    if (token.type === "error") broken += 1;
    if (broken === MOST_BROKEN) break;
  }
  return tokens;
}

const unreadable = (at: number, problem: string, instead: string, lineCol: SpecText["lineCol"]): SpecText => ({
  value: undefined,
  place: { keyAt: at, at, end: at, inside: new Map() },
  problems: [{ at, path: undefined, problem, instead }],
  brokenAt: 0,
  lineCol,
});

function unprintable(text: string): readonly TextProblem[] {
  const at = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\p{Surrogate}/u);
  return at < 0
    ? []
    : [{ at, path: undefined, problem: "there is a control character or half a character in the text", instead: "Remove it." }];
}

interface Survey {
  readonly problems: readonly TextProblem[];
  readonly tooMuchAt: number | undefined;
}

/** Walks the tokens without recursion: how deep, how many, and what of YAML a spec does without. */
function surveyTokens(roots: readonly CST.Token[], most: number): Survey {
  const problems: TextProblem[] = secondDocument(roots);
  const left = [...roots].reverse();
  const depths = left.map(() => 0);
  let seen = 0;
  for (let token = left.pop(); token !== undefined; token = left.pop()) {
    const depth = depths.pop() ?? 0;
    seen += 1;
    if (seen > most || depth > DEEPEST) return { problems, tooMuchAt: token.offset };
    if (token.type === "tag") problems.push(unused(token.offset, `the tag ${quoted(token.source)}`));
    if (token.type === "directive") problems.push(unused(token.offset, `the directive ${quoted(token.source)}`));
    for (const inner of tokensIn(token)) {
      left.push(inner);
      depths.push(depth + 1);
    }
  }
  return { problems, tooMuchAt: undefined };
}

const unused = (at: number, what: string): TextProblem => ({
  at,
  path: undefined,
  problem: `${what} is not used in specs`,
  instead: "Leave it out.",
});

function secondDocument(roots: readonly CST.Token[]): TextProblem[] {
  const second = roots.filter(({ type }) => type === "document")[1];
  if (second === undefined) return [];
  return [{ at: second.offset, path: undefined, problem: "a second document begins here", instead: "Write one spec in each file." }];
}

function tokensIn(token: CST.Token): readonly CST.Token[] {
  switch (token.type) {
    case "document":
      return [...token.start, ...some(token.value), ...(token.end ?? [])];
    case "block-map":
    case "block-seq":
    case "flow-collection":
      return token.items.flatMap(({ start, key, sep, value }) => [...start, ...some(key), ...(sep ?? []), ...some(value)]);
    case "block-scalar":
      return token.props;
    case "scalar":
    case "single-quoted-scalar":
    case "double-quoted-scalar":
      return token.end ?? [];
    default:
      return [];
  }
}

const some = (token: CST.Token | null | undefined): readonly CST.Token[] => (token ? [token] : []);

/** What the survey of the tokens, or the reading of the values, says in words of our own. */
const SAID_ELSEWHERE: ReadonlySet<YAMLError["code"]> = new Set(["TAG_RESOLVE_FAILED", "MULTIPLE_DOCS", "NON_STRING_KEY"]);

/** Errors that spoil one value and leave the structure around it whole. */
const LOCAL: ReadonlySet<YAMLError["code"]> = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_DIRECTIVE",
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "KEY_OVER_1024_CHARS",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
]);

const syntaxProblem = ({ code, message, pos }: YAMLError): TextProblem => ({
  at: pos[0],
  path: undefined,
  problem: `this is not YAML: ${plain(message)}`,
  instead: MENDING[code] ?? "Mend the text here; quotes around a value often help.",
});

const MENDING: { readonly [code in YAMLError["code"]]?: string } = {
  BAD_DQ_ESCAPE: "Write \\\\ for a backslash, or use single quotes.",
  BAD_INDENT: "Indent the lines of one list or map alike, and close every bracket.",
  BAD_SCALAR_START: "Put quotes around the value.",
  BLOCK_AS_IMPLICIT_KEY: "Put quotes around a value that contains a colon, or begin a new line.",
  MISSING_CHAR: "Add what is missing.",
  MULTILINE_IMPLICIT_KEY: "Write `key: value` on each line, and quotes around longer text.",
  TAB_AS_INDENT: "Indent with spaces.",
};

/** The parser's words, without what would disturb a terminal, and not too many of them. */
const plain = (message: string): string => quoted(message).slice(1, -1).replace(/[.:]$/, "");
