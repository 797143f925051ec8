// Puts into product source what notes the calls that come from outside: at the end of a file, or by text edits at places of its syntax. Pure.
import type { Language, Syntax, SyntaxNode } from "../../contract/syntax.ts";
import { fieldOf, type Turn, textOf, turned } from "../../std/twins/twin.ts";
import { pythonNote } from "./python-programs.ts";

/** TypeScript is noted, and played without its types, as JavaScript is. */
export type Played = "python" | "javascript" | "go";

const FILES: { readonly [language in Played]: RegExp } = { python: /\.py$/, javascript: /(?<!\.d)\.(?:[cm]?js|m?ts)$/, go: /\.go$/ };
const RUNNERS: readonly (readonly [Played, RegExp])[] = [
  ["go", /\bgo\s+test\b/],
  ["python", /\b(?:pytest|python3?|unittest|tox|nox)\b/],
  ["javascript", /\b(?:node|npm|npx|pnpm|yarn|vitest|jest|mocha)\b/],
];

/** The language of which a command runs the tests; undefined where its calls cannot be noted. */
export const languageToPlay = (run: string): Played | undefined => RUNNERS.find(([, named]) => named.test(run))?.[0];

export const isPlayed = (language: Played, path: string): boolean =>
  FILES[language].test(path) && !/(^|\/)(node_modules|vendor|testdata)\//.test(path);

export const isTyped = (path: string): boolean => /\.m?ts$/.test(path);
export const grammarOf = (language: Played, path: string): Language => (isTyped(path) ? "typescript" : language);

export interface Noted {
  readonly text: string;
  /** Those whose calls are noted; of Python they are only known when it runs. */
  readonly functions: readonly string[];
  /** Of Go, the package. */
  readonly packageName: string | undefined;
}

interface NoteOrder {
  readonly path: string;
  readonly text: string;
  readonly word: string;
  /** Of JavaScript and Python, an expression that is the recorder. */
  readonly recorder: string;
  /** What else is put into the text. */
  readonly also: readonly Turn[];
}

/** Undefined where nothing in the file can be noted. */
export function noteCalls(language: Played, order: NoteOrder, syntax: Syntax): Noted | undefined {
  if (language === "python")
    return { text: turned(order.text, order.also).text + pythonNote(order.recorder, order.path), functions: [], packageName: undefined };
  const tree = syntax.parse(grammarOf(language, order.path), order.text);
  if (!tree?.isComplete || tree.errors > 0) return undefined;
  const found = language === "go" ? goFunctions(tree.root, order) : scriptFunctions(tree.root, order);
  const packageName = language === "go" ? /^\s*package\s+(\w+)/m.exec(order.text)?.[1] : undefined;
  if ((found.length === 0 && order.also.length === 0) || packageName === "main") return undefined;
  return {
    text: turned(order.text, [...order.also, ...found.flatMap(({ turns }) => turns)]).text,
    functions: found.map(({ name }) => name),
    packageName,
  };
}

interface Edited {
  readonly name: string;
  readonly turns: readonly Turn[];
}

const put = (at: number, text: string): Turn => ({ start: at, end: at, text });

// ── JavaScript ──────────────────────────────────────────────────────────────────────────────────────────────────

const EXPORTED = /^(?:module\.)?exports(?:\.(\w+))?$/;

function scriptFunctions(root: SyntaxNode, order: NoteOrder): readonly Edited[] {
  return root.children.flatMap((node) => {
    const inner =
      node.type === "export_statement" ? (node.children.find(({ field }) => field === "declaration" || field === "value") ?? node) : node;
    switch (inner.type) {
      case "function_declaration":
      case "function_expression":
      case "arrow_function":
        return edited(fieldText(inner, "name", order) ?? "default", inner, order);
      case "class_declaration":
      case "class":
        return editedClass(fieldText(inner, "name", order), inner, order);
      case "lexical_declaration":
      case "variable_declaration":
        return inner.children.flatMap((declared) => {
          const [name, value] = [fieldOf(declared, "name"), fieldOf(declared, "value")];
          return name?.type === "identifier" && value ? edited(textOf(order.text, name), value as SyntaxNode, order) : [];
        });
      case "expression_statement": {
        const assigned = inner.children.find(({ type }) => type === "assignment_expression");
        const [left, right] = assigned ? [fieldOf(assigned, "left"), fieldOf(assigned, "right")] : [];
        const to = left && EXPORTED.exec(textOf(order.text, left));
        return to && right ? edited(to[1] ?? "default", right as SyntaxNode, order) : [];
      }
      default:
        return [];
    }
  });
}

const fieldText = (node: SyntaxNode, field: string, { text }: NoteOrder): string | undefined => {
  const found = fieldOf(node, field);
  return found && textOf(text, found);
};

/** Of an object, how it was made and what was done to it. One that is made of a class below it is not this class's. */
function editedClass(name: string | undefined, node: SyntaxNode, order: NoteOrder): readonly Edited[] {
  const body = fieldOf(node, "body") as SyntaxNode | undefined;
  if (name === undefined || !body) return [];
  const { path, text, recorder } = order;
  const methods = body.children.filter(({ type }) => type === "method_definition");
  const nameOf = (method: SyntaxNode): string => fieldText(method, "name", order) ?? "";
  const making = methods.find((method) => nameOf(method) === "constructor");
  const made = (args: string): string =>
    ` ${recorder}.made(${JSON.stringify(path)}, ${JSON.stringify(name)}, new.target === ${name}, this, ${args}); `;
  const isBelow = node.children.some(({ type }) => type === "class_heritage");
  const makingBody = making && (fieldOf(making, "body") as SyntaxNode | undefined);
  const turns = methods.filter((method) => method !== making).flatMap((method) => turnedDeed(nameOf(method), method, order));
  const ofMaking = makingBody
    ? put(makingBody.end - 1, made("arguments"))
    : put(body.start + 1, isBelow ? ` constructor(...args) { super(...args);${made("args")}}` : ` constructor() {${made("arguments")}}`);
  return (making && !makingBody) || text.slice(node.start, body.start).includes("abstract") ? [] : [{ name, turns: [ofMaking, ...turns] }];
}

function turnedDeed(name: string, method: SyntaxNode, { text, recorder }: NoteOrder): readonly Turn[] {
  const body = fieldOf(method, "body");
  const head = text.slice(method.start, fieldOf(method, "name")?.start ?? method.start);
  if (!body || !/^[A-Za-z_$][\w$]*$/.test(name) || /\bstatic\b|\*|@/.test(head)) return [];
  const way = /\b(get|set)\b/.exec(head)?.[1];
  const deed = JSON.stringify(way === undefined ? name : `${way} ${name}`);
  return [
    put(body.start + 1, ` return ${recorder}.deed(${deed}, this, arguments, ${/\basync\b/.test(head) ? "async " : ""}() => {`),
    put(body.end - 1, "}); "),
  ];
}

function edited(name: string, node: SyntaxNode, order: NoteOrder): readonly Edited[] {
  const { path, text, recorder } = order;
  const about = `${JSON.stringify(path)}, ${JSON.stringify(name)}`;
  if (node.type === "class") return editedClass(fieldText(node, "name", order), node, order);
  if (node.type === "arrow_function") return [{ name, turns: [put(node.start, `${recorder}.wrap(${about}, `), put(node.end, ")")] }];
  const body = fieldOf(node, "body");
  if (!/^function(?:_declaration|_expression)?$/.test(node.type) || !body || node.children.some(({ type }) => type === "*")) return [];
  const isAsync = /^async\b/.test(text.slice(node.start));
  return [
    {
      name,
      turns: [
        put(body.start + 1, ` return ${recorder}.call(${about}, this, arguments, ${isAsync ? "async " : ""}() => {`),
        put(body.end - 1, "}); "),
      ],
    },
  ];
}

// ── Go ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function goFunctions(root: SyntaxNode, order: NoteOrder): readonly Edited[] {
  const { text, path, word } = order;
  return root.children.flatMap((node): readonly Edited[] => {
    const [name, body, parameters] = [fieldOf(node, "name"), fieldOf(node, "body"), fieldOf(node, "parameters")];
    if (!name || !body || !parameters || fieldOf(node, "type_parameters")) return [];
    const receiver = fieldOf(node, "receiver") as SyntaxNode | undefined;
    const [, itself, isPointer, type] = (receiver && RECEIVER.exec(textOf(text, receiver))) ?? [];
    if (node.type !== "function_declaration" && (itself === undefined || itself === "_")) return [];
    const own = textOf(text, name);
    const called = itself === undefined ? own : `(${isPointer ?? ""}${type}).${own}`;
    const given = namesIn(parameters as SyntaxNode, text);
    const result = resultsOf(fieldOf(node, "result") as SyntaxNode | undefined, text, word);
    if (!/^[A-Z]/.test(own) || given === undefined || result === undefined || result.names.length === 0) return [];
    const about = `${JSON.stringify(path)}, ${JSON.stringify(called)}`;
    const noting = [
      ` ${word}A, ${word}B := ${word}Note(${about}, []interface{}{${[...(itself === undefined ? [] : [selfOf(word, itself, isPointer)]), ...given].join(", ")}});`,
      ` defer func() { ${word}P := recover();`,
      ` ${word}Done(${about}, ${word}A, ${word}B, []interface{}{${result.names.map((one) => `&${one}`).join(", ")}}, ${word}P);`,
      ` if ${word}P != nil { panic(${word}P) } }();`,
    ].join("");
    return [{ name: called, turns: [...result.turns, put(body.start + 1, noting)] }];
  });
}

/** Of a type that others can name, without parameters of its own. */
const RECEIVER = /^\(\s*(\w+)\s+(\*?)\s*([A-Z]\w*)\s*\)$/;

/** An object as it was when its method began. */
const selfOf = (word: string, name: string, isPointer: string | undefined): string =>
  `${word}Self(${isPointer === "*" ? name : `&${name}`})`;

/** Undefined where a parameter has no name to be told by. */
function namesIn(list: SyntaxNode, text: string): readonly string[] | undefined {
  const names: string[] = [];
  for (const declared of list.children.filter(({ type }) => /^(?:variadic_)?parameter_declaration$/.test(type))) {
    const own = declared.children.filter(({ field, type }) => field === "name" && type === "identifier").map((one) => textOf(text, one));
    if (own.length === 0 || own.includes("_")) return undefined;
    names.push(...own);
  }
  return names;
}

/** Results get names where they have none, since only then can they be told at the end. */
function resultsOf(
  result: SyntaxNode | undefined,
  text: string,
  word: string,
): { readonly names: readonly string[]; readonly turns: readonly Turn[] } | undefined {
  if (!result) return { names: [], turns: [] };
  if (result.type !== "parameter_list") return { names: [`${word}R0`], turns: [put(result.start, `(${word}R0 `), put(result.end, ")")] };
  const declared = result.children.filter(({ type }) => type === "parameter_declaration");
  const named = namesIn(result, text);
  if (named) return { names: named, turns: [] };
  if (declared.some((one) => one.children.some(({ field }) => field === "name"))) return undefined;
  return {
    names: declared.map((_, at) => `${word}R${at}`),
    turns: declared.map((one, at) => put(one.start, `${word}R${at} `)),
  };
}
