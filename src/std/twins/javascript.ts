// Twins of test files in JavaScript and TypeScript: node:test, vitest, jest, mocha and whoever spells tests like them.
import {
  drawWord,
  fieldOf,
  NO_TWIN,
  namedOf,
  type Span,
  shiftLines,
  type Turn,
  type Twin,
  type TwinOrder,
  type TwinTest,
  textOf,
  turned,
  visit,
} from "./twin.ts";

const TEST = /^(?:\w+\.)?(?:it|test|specify)(?:\.(?:only|concurrent|sequential|serial))*$/;
const TABLE = /^(?:it|test)(?:\.(?:only|concurrent|sequential))*\.(?:each|for)$/;
const IDLE = /^(?:x(?:it|test|specify)|(?:\w+\.)?(?:it|test|specify)\.(?:skip|todo|fails|failing|fixme|skipIf|runIf))/;
const FUNCTIONS = new Set(["arrow_function", "function_expression", "function"]);
/** Tests whose number of assertions is counted, or whose results lie in a file beside them. */
const COUNTED = /\.(?:plan|assertions|hasAssertions)\s*\(|Snapshot\s*\(|\bexpect\.soft\b/;

/** `word` may not stand in the text. Nothing is turned in a file that names its tests in a way that is not understood. */
export function twinJavascript(order: TwinOrder): Twin {
  const { text, root, kind } = order;
  const found = findTests(root, text);
  if (found === undefined || found.length === 0) return NO_TWIN;
  const known = namesAtTop(root, text);
  const all = matchersIn(root, text, known);
  const turns: Turn[] = [...shiftLines(order, "//")];
  const tests: TwinTest[] = [];
  for (const test of found) {
    turns.push(renamed(test.title, order));
    if (test.isNested || test.body === undefined || COUNTED.test(textOf(text, test.body))) continue;
    const name = titleOf(test.title, text);
    if (kind === "same") {
      tests.push({ name, isSure: true });
      continue;
    }
    const turn = kind === "tail" ? tailOf(test.body, order, { known, all }) : negOf(test.body, order, known);
    if (turn === undefined) continue;
    turns.push(...turn.turns);
    tests.push({ name, isSure: turn.isSure });
  }
  return tests.length === 0 ? NO_TWIN : { ...turned(text, turns), tests };
}

// ── finding tests ────────────────────────────────────────────────────────────────────────────────────────────────

interface Test {
  readonly title: Span;
  /** The function, if it runs. */
  readonly body: Span | undefined;
  /** A test inside a test: it runs only if that one does. */
  readonly isNested: boolean;
}

/** Undefined where a test has no title that could be told apart. */
function findTests(root: Span, text: string): readonly Test[] | undefined {
  const tests: Test[] = [];
  const inside: Span[] = [];
  let isUnclear = false;
  visit(root, (node) => {
    if (node.type !== "call_expression") return;
    const callee = fieldOf(node, "function");
    const args = fieldOf(node, "arguments");
    if (!callee || !args || args.type !== "arguments") return;
    const [spelled, isTable] = calleeOf(callee, text);
    const isIdle = IDLE.test(spelled);
    if (!(isTable ? TABLE : TEST).test(spelled) && !isIdle) return;
    const given = namedOf(args);
    const body = given.findLast(({ type }) => FUNCTIONS.has(type));
    // A regular expression is asked with `test` as well.
    if (!body && !isIdle) return;
    const [title] = given;
    if (!title || title === body) {
      isUnclear = true;
      return;
    }
    const isNested = inside.some(({ start, end }) => start <= node.start && node.end <= end);
    tests.push({ title, body: isIdle ? undefined : body, isNested });
    if (body) inside.push(body);
  });
  return isUnclear ? undefined : tests;
}

/** What stands before the brackets; of `test.each(table)("…")` the part before the table. */
function calleeOf(callee: Span, text: string): readonly [spelled: string, isTable: boolean] {
  if (callee.type !== "call_expression") return [textOf(text, callee), false];
  const table = fieldOf(callee, "function");
  return [table ? textOf(text, table) : "", true];
}

const titleOf = (title: Span, text: string): string => (isQuoted(title) ? text.slice(title.start + 1, title.end - 1) : textOf(text, title));

const isQuoted = ({ type }: Span): boolean => type === "string" || type === "template_string";

function renamed(title: Span, { word }: TwinOrder): Turn {
  return isQuoted(title)
    ? { start: title.end - 1, end: title.end - 1, text: ` ${word}` }
    : { start: title.end, end: title.end, text: ` + " ${word}"` };
}

// ── where a test begins and ends ─────────────────────────────────────────────────────────────────────────────────

interface Turned {
  readonly turns: readonly Turn[];
  readonly isSure: boolean;
}

/** The test with something before and after all that it does, and some of it replaced. */
function around(test: Span, text: string, before: string, after: string, replaced: readonly Turn[]): Turned | undefined {
  const body = fieldOf(test, "body");
  if (!body || /^\s*(?:async\s+)?function\s*\*/.test(textOf(text, test))) return undefined;
  const isAsync = test.children.some(({ type }) => type === "async");
  const async: Turn = { start: test.start, end: test.start, text: "async " };
  if (body.type !== "statement_block")
    return {
      isSure: true,
      turns: [
        ...(isAsync ? [] : [async]),
        { start: body.start, end: body.start, text: `{ ${before} await (` },
        ...replaced,
        { start: body.end, end: body.end, text: `); ${after} }` },
      ],
    };
  const last = namedOf(body).at(-1);
  const returned = last?.type === "return_statement" ? namedOf(last)[0] : undefined;
  const isReplaced = replaced.some(({ start }) => last !== undefined && last.start <= start && start < last.end);
  const awaited: readonly Turn[] =
    last && returned && !isReplaced
      ? [
          { start: last.start, end: returned.start, text: "await (" },
          { start: returned.end, end: last.end, text: ");" },
        ]
      : [];
  return {
    isSure: !leavesEarly(body, awaited.length > 0 ? last : undefined),
    turns: [
      ...(awaited.length > 0 && !isAsync ? [async] : []),
      ...(before === "" ? [] : [{ start: body.start + 1, end: body.start + 1, text: ` ${before}` }]),
      ...replaced,
      ...awaited,
      { start: body.end - 1, end: body.end - 1, text: `; ${after} ` },
    ],
  };
}

/** Whether something in it may return from the test itself. */
function leavesEarly(body: Span, but: Span | undefined): boolean {
  let does = false;
  visit(body, (node) => {
    if (node === but || FUNCTIONS.has(node.type) || /^(?:function_declaration|method_definition)$/.test(node.type)) return false;
    if (node.type === "return_statement") does = true;
    return undefined;
  });
  return does;
}

// ── tail ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Names that mean the same at the end of a test as where they were used: imports, constants at the top, and the usual globals. */
function namesAtTop(root: Span, text: string): ReadonlySet<string> {
  const names = new Set(["expect", "assert", "chai"]);
  for (const statement of root.children) {
    if (!/^(?:import_statement|lexical_declaration|variable_declaration)$/.test(statement.type)) continue;
    visit(statement, (node) => {
      if (/^(?:identifier|shorthand_property_identifier_pattern)$/.test(node.type)) names.add(textOf(text, node));
      return /^(?:arguments|statement_block|arrow_function)$/.test(node.type) ? false : undefined;
    });
  }
  return names;
}

/** By its last word: a call of it that must throw. */
const FAILING: { readonly [name: string]: (a: string, b: string) => string } = {
  ...Object.fromEntries(
    ["equal", "equals", "strictEqual", "deepEqual", "deepStrictEqual", "looseEqual", "is", "same", "strictSame"].map((name) => [
      name,
      (a: string, b: string) => `("${a}", "${b}")`,
    ]),
  ),
  ok: (a, b) => `("${a}" === "${b}")`,
  assert: (a, b) => `("${a}" === "${b}")`,
  notEqual: (a) => `("${a}", "${a}")`,
  notStrictEqual: (a) => `("${a}", "${a}")`,
  notDeepEqual: (a) => `("${a}", "${a}")`,
  notDeepStrictEqual: (a) => `("${a}", "${a}")`,
  match: (a, b) => `("${a}", /${b}/)`,
  throws: () => "(() => {})",
};

const FAILING_EXPECTATION: { readonly [name: string]: (a: string, b: string) => readonly [subject: string, rest: string] } = {
  ...Object.fromEntries(
    [
      "toBe",
      "toEqual",
      "toStrictEqual",
      "toMatch",
      "toContain",
      "to.equal",
      "to.eql",
      "to.deep.equal",
      "to.be.equal",
      "to.include",
      "to.contain",
    ].map((name) => [name, (a: string, b: string): readonly [string, string] => [`"${a}"`, `("${b}")`]]),
  ),
  toMatchObject: (a, b) => [`{ a: "${a}" }`, `({ a: "${b}" })`],
  toHaveLength: (a) => [`"${a}"`, "(3)"],
  toBeTruthy: () => ["false", "()"],
  toBeFalsy: () => ["true", "()"],
  toBeNull: (a) => [`"${a}"`, "()"],
  toBeUndefined: (a) => [`"${a}"`, "()"],
  toBeDefined: () => ["undefined", "()"],
  toThrow: () => ["() => {}", "()"],
  toThrowError: () => ["() => {}", "()"],
  toBeGreaterThan: () => ["1", "(2)"],
  toBeLessThan: () => ["2", "(1)"],
  toBeGreaterThanOrEqual: () => ["1", "(2)"],
  toBeLessThanOrEqual: () => ["2", "(1)"],
  toBeCloseTo: () => ["1", "(2)"],
};

const EXPECTATION = /^expect(?:<[^<>]*>)?$/;

interface Expectation {
  readonly subject: Span;
  readonly isNot: boolean;
  readonly matcher: string;
}

/** `expect(a).not.toBe(…)`, of the callee of its last call. */
function expectationOf(callee: Span, text: string): Expectation | undefined {
  const words: string[] = [];
  let at: Span | undefined = callee;
  while (at?.type === "member_expression") {
    const property = fieldOf(at, "property");
    if (!property) return undefined;
    words.unshift(textOf(text, property));
    at = fieldOf(at, "object");
  }
  const [asks, args] = at?.type === "call_expression" ? [fieldOf(at, "function"), fieldOf(at, "arguments")] : [];
  if (!asks || !args || !EXPECTATION.test(textOf(text, asks))) return undefined;
  const [subject, more] = namedOf(args);
  if (!subject || more?.type === "spread_element" || subject.type === "spread_element") return undefined;
  return { subject, isNot: words.includes("not"), matcher: words.filter((word) => word !== "not").join(".") };
}

/** What this part of the file asserts with: each a pair of what to call, and a call of it that must throw. */
function matchersIn(part: Span, text: string, known: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  visit(part, (node) => {
    const callee = node.type === "call_expression" ? fieldOf(node, "function") : undefined;
    if (!callee) return undefined;
    const expectation = expectationOf(callee, text);
    if (expectation && !expectation.isNot && Object.hasOwn(FAILING_EXPECTATION, expectation.matcher))
      found.add(`expect ${expectation.matcher}`);
    const spelled = textOf(text, callee);
    const [, object, name] = /^(?:([\w$]+)\.)?([\w$]+)$/.exec(spelled) ?? [];
    if (name !== undefined && known.has(object ?? name) && Object.hasOwn(FAILING, name) && !(object === "expect")) found.add(spelled);
    return undefined;
  });
  return [...found].sort();
}

const failingCall = (matcher: string, a: string, b: string): string => {
  const expected = /^expect (.+)$/.exec(matcher)?.[1];
  if (expected === undefined) return `${matcher}${FAILING[matcher.split(".").at(-1)!]!(a, b)}`;
  const [subject, rest] = FAILING_EXPECTATION[expected]!(a, b);
  return `expect(${subject}).${expected}${rest}`;
};

interface Spelling {
  readonly known: ReadonlySet<string>;
  /** Those of the whole file, for a test that leaves asserting to others. */
  readonly all: readonly string[];
}

/** Ends well only if one of the assertions that it asserts with, or the runner, does not hear what is wrong. */
function tailOf(test: Span, { text, word, seed }: TwinOrder, { known, all }: Spelling): Turned | undefined {
  const own = matchersIn(test, text, known);
  const matchers = own.length > 0 ? own : all;
  const say = (index: number): string => drawWord(seed, word, test.start, index);
  const tried = matchers.map(
    (matcher, index) =>
      `try { ${failingCall(matcher, say(index), say(index + 100))}; } catch (${word}Is) { if (!(${word}Is instanceof ReferenceError || ${word}Is instanceof TypeError)) ${word} += 1; }`,
  );
  return around(
    test,
    text,
    "",
    `let ${word} = 0; ${tried.join(" ")} if (${word} === ${matchers.length}) throw new Error("${say(999)}");`,
    [],
  );
}

// ── neg ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** By the last word of a call, or by the words after `expect(…)`: what it says, in operators. `a` and `b` are in brackets already. */
const SAYS: { readonly [name: string]: (a: string, b: string) => string } = {
  ...say(["equal", "equals", "looseEqual"], (a, b) => `((x, y) => x == y || (x !== x && y !== y))(${a}, ${b})`),
  ...say(["strictEqual", "is", "toBe", "to.equal", "to.be.equal"], (a, b) => `((x, y) => x === y || (x !== x && y !== y))(${a}, ${b})`),
  ...say(["notEqual"], (a, b) => `${a} != ${b}`),
  ...say(["notStrictEqual"], (a, b) => `${a} !== ${b}`),
  ...say(["toBeGreaterThan"], (a, b) => `${a} > ${b}`),
  ...say(["toBeLessThan"], (a, b) => `${a} < ${b}`),
  ...say(["toBeGreaterThanOrEqual"], (a, b) => `${a} >= ${b}`),
  ...say(["toBeLessThanOrEqual"], (a, b) => `${a} <= ${b}`),
  ...say(["toHaveLength"], (a, b) => `${a}.length === ${b}`),
};
const SAYS_ALONE: { readonly [name: string]: (a: string) => string } = {
  ...say(["ok", "assert", "toBeTruthy"], (a) => `!!${a}`),
  ...say(["toBeFalsy"], (a) => `!${a}`),
  ...say(["toBeNull"], (a) => `${a} === null`),
  ...say(["toBeUndefined"], (a) => `${a} === undefined`),
  ...say(["toBeDefined"], (a) => `${a} !== undefined`),
};
const DEEP = new Set(["deepEqual", "deepStrictEqual", "same", "strictSame", "toEqual", "toStrictEqual", "to.eql", "to.deep.equal"]);

function say<T>(names: readonly string[], how: T): { readonly [name: string]: T } {
  return Object.fromEntries(names.map((name) => [name, how]));
}

interface Said {
  readonly turn: Turn;
  readonly isDeep: boolean;
}

/** Ends well only if, by the language's own operators, one of the assertions does not hold. */
function negOf(test: Span, order: TwinOrder, known: ReadonlySet<string>): Turned | undefined {
  const { text, word, seed } = order;
  const body = fieldOf(test, "body");
  if (!body) return undefined;
  const said: Said[] = [];
  visit(body, (node, parents) => {
    if (node.type !== "call_expression") return undefined;
    const parent = parents.at(-1);
    const isAlone =
      parent === undefined || parent.type === "expression_statement" || (parent.type === "arrow_function" && node.field === "body");
    const spoken = isAlone ? inOperators(node, order, known) : undefined;
    if (spoken === undefined) return undefined;
    said.push(spoken);
    return false;
  });
  if (said.length === 0) return undefined;
  const deep = said.some(({ isDeep }) => isDeep) ? deepText(word) : "";
  const before = `let ${word}All = true; const ${word} = (holds) => { if (!holds) ${word}All = false; };${deep}`;
  const turn = around(
    test,
    text,
    before,
    `if (${word}All) throw new Error("${drawWord(seed, word, test.start)}");`,
    said.map(({ turn }) => turn),
  );
  return turn && { ...turn, isSure: turn.isSure && !said.some(({ isDeep }) => isDeep) };
}

function inOperators(call: Span, { text, word }: TwinOrder, known: ReadonlySet<string>): Said | undefined {
  const [callee, args] = [fieldOf(call, "function"), fieldOf(call, "arguments")];
  if (!callee || !args || args.type !== "arguments") return undefined;
  const given = namedOf(args);
  if (given.some(({ type }) => type === "spread_element")) return undefined;
  const expectation = expectationOf(callee, text);
  const spelled = /^(?:([\w$]+)\.)?([\w$]+)$/.exec(textOf(text, callee));
  if (!expectation && !(spelled && known.has(spelled[1] ?? spelled[2]!))) return undefined;
  const name = expectation ? expectation.matcher : spelled![2]!;
  const bracketed = (node: Span | undefined): string | undefined => node && `(${textOf(text, node)})`;
  const [a, b] = (expectation ? [expectation.subject, given[0]] : given).map(bracketed);
  if (a === undefined) return undefined;
  const isDeep = DEEP.has(name);
  const condition = conditionOf(name, a, b, word);
  if (condition === undefined) return undefined;
  return { isDeep, turn: { start: call.start, end: call.end, text: `${word}(${expectation?.isNot ? `!(${condition})` : condition})` } };
}

function conditionOf(name: string, a: string, b: string | undefined, word: string): string | undefined {
  if (Object.hasOwn(SAYS_ALONE, name)) return SAYS_ALONE[name]!(a);
  if (b === undefined) return undefined;
  if (DEEP.has(name)) return `${word}Deep(${a}, ${b})`;
  return Object.hasOwn(SAYS, name) ? SAYS[name]!(a, b) : undefined;
}

/** What cannot be said in a few operators is taken to hold. */
const deepText = (word: string): string =>
  ` const ${word}Deep = (x, y) => { if (x === y || (x !== x && y !== y)) return true; if (x === null || y === null || typeof x !== "object" || typeof y !== "object") return x == y; if (typeof y.asymmetricMatch === "function" || y instanceof Map || y instanceof Set || y instanceof Error || y instanceof RegExp || y instanceof WeakMap) return true; if (y instanceof Date) return +x === +y; for (const k in y) if (!(y[k] === undefined && !(k in x)) && !${word}Deep(x[k], y[k])) return false; for (const k in x) if (x[k] !== undefined && !(k in y)) return false; return true; };`;
