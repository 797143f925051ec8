// Reads a command line as Bash would run it, and lists every program call in it.
import {
  type AndOr,
  type Command,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection as RedirectNode,
  type Statement,
  type TestExpression,
} from "unbash";
import type { Call, CommandLine, Redirection, Stdin, Trait } from "./call.ts";
import { fieldsOf, type Scope, valueIn } from "./fields.ts";
import { outputOf } from "./output.ts";
import { unwrap } from "./unwrap.ts";
import { known, UNKNOWN, unknown, type Value } from "./value.ts";
import { programOf, showWords } from "./words.ts";

export const MOST_CHARS = 65_536;
const DEEPEST = 12;
const MOST_CALLS = 2_000;
const MOST_STEPS = 20_000;
const MOST_OPENINGS = 1_000;
const MOST_SEPARATORS = 2_000;
const MOST_WORDS = 2_000;
const MOST_REPEATS = 8;

interface Reader {
  readonly calls: Call[];
  readonly unclear: Set<string>;
  readonly traits: Set<Trait>;
  /** How many nodes were read, over and over again in loops and functions: a short line can ask for very many. */
  steps: number;
}

/** Where in a line we are: what is set, where it runs, what it reads. Subshells get a copy, so nothing flows out of them. */
interface Place {
  readonly variables: Map<string, Value>;
  readonly functions: Map<string, { readonly body: CommandNode | CompoundList; called: boolean }>;
  folder: Value | undefined;
  readonly stdin: Stdin;
  readonly wrappers: readonly string[];
  readonly depth: number;
}

const START: Place = { variables: new Map(), functions: new Map(), folder: undefined, stdin: { kind: "none" }, wrappers: [], depth: 0 };

export function understand(text: string): CommandLine {
  const reader: Reader = { calls: [], unclear: new Set(), traits: new Set(), steps: 0 };
  if (!text.isWellFormed() || /[\0\ufffd]/.test(text)) reader.unclear.add("it holds bytes that are no text");
  else if (isOverloaded(text)) reader.unclear.add("it is nested too deeply or does too much to be followed");
  else if (text.length > MOST_CHARS) reader.unclear.add(`it is longer than ${MOST_CHARS} characters`);
  else readScript(text, { ...START, variables: new Map(), functions: new Map() }, reader);
  return { text, calls: reader.calls, unclear: [...reader.unclear], traits: [...reader.traits] };
}

/** The parser goes down into every opening and along every separator; more of them than anybody writes are not worth its time. */
function isOverloaded(text: string): boolean {
  let openings = 0;
  let separators = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "`" || char === "(" || char === "{") openings++;
    else if (char === "|" || char === ";" || char === "&" || char === "\n") separators++;
  }
  return openings > MOST_OPENINGS || separators > MOST_SEPARATORS;
}

function readScript(text: string, place: Place, reader: Reader): void {
  if (place.depth > DEEPEST) return void reader.unclear.add("it is nested too deeply");
  readParsed(parse(text), place, reader);
}

function readParsed(script: ParsedScript, place: Place, reader: Reader): void {
  if (script.errors && script.errors.length > 0) reader.unclear.add(`it does not parse: ${script.errors[0]!.message}`);
  readStatements(script.commands, place, reader);
  if (place.depth === 0 || place.wrappers.length > 0) readUncalled(place, reader);
}

/** A function that nobody calls may be called later, by whatever comes next in the same shell. */
function readUncalled(place: Place, reader: Reader): void {
  for (const fn of place.functions.values()) {
    if (fn.called) continue;
    fn.called = true;
    readNode(fn.body, { ...place, variables: new Map(place.variables), depth: place.depth + 1 }, reader);
  }
}

function readStatements(statements: readonly Statement[], place: Place, reader: Reader): void {
  for (const statement of statements) readNode(statement.command, place, reader);
}

const inside = (place: Place): Place => ({ ...place, variables: new Map(place.variables), depth: place.depth + 1 });

function readNode(node: PipelineNode | AndOr | CompoundList, place: Place, reader: Reader): readonly Call[] {
  if (reader.calls.length > MOST_CALLS || reader.steps++ > MOST_STEPS) {
    reader.unclear.add("it does too much to be followed");
    return [];
  }
  switch (node.type) {
    case "Command":
      return readCommand(node, place, reader);
    case "Pipeline":
      return readPipeline(node.commands, place, reader);
    case "AndOr":
      for (const command of node.commands) readNode(command, place, reader);
      return [];
    case "CompoundList":
      return collected(reader, () => readStatements(node.commands, place, reader));
    case "Subshell":
      return collected(reader, () => readStatements(node.body.commands, inside(place), reader));
    case "BraceGroup":
      return collected(reader, () => readStatements(node.body.commands, place, reader));
    case "Redirected":
      return readRedirected(node.command, node.redirects, place, reader);
    case "If":
      return collected(reader, () => {
        const branches = [
          node.clause,
          node.then,
          ...node.elif.flatMap(({ clause, then }) => [clause, then]),
          ...(node.else ? [node.else] : []),
        ];
        for (const branch of branches) readNode(branch, place, reader);
      });
    case "While":
      return collected(reader, () => {
        readNode(node.clause, place, reader);
        readNode(node.body, place, reader);
      });
    case "For":
    case "Select":
      return collected(reader, () =>
        readFor(
          node.name.value,
          node.wordlist?.flatMap((word) => fieldsOf(word, scopeOf(place, reader))),
          node.body,
          place,
          reader,
        ),
      );
    case "ArithmeticFor":
      return collected(reader, () => readNode(node.body, place, reader));
    case "Case":
      return collected(reader, () => {
        valueIn(node.word, scopeOf(place, reader));
        for (const item of node.items) readNode(item.body, place, reader);
      });
    case "Function":
      place.functions.set(node.name.value, { body: node.body, called: false });
      if (isForkBomb(node.name.value, node.body)) reader.traits.add("fork-bomb");
      return [];
    case "Coproc":
      return readNode(node.body, inside(place), reader);
    case "TestCommand":
      readTest(node.expression, place, reader);
      return [];
    case "ArithmeticCommand":
      return [];
  }
}

/** The calls that some reading adds. */
function collected(reader: Reader, read: () => void): readonly Call[] {
  const before = reader.calls.length;
  read();
  return reader.calls.slice(before);
}

function readTest(expression: TestExpression, place: Place, reader: Reader): void {
  const scope = scopeOf(place, reader);
  switch (expression.type) {
    case "TestUnary":
      valueIn(expression.operand, scope);
      break;
    case "TestBinary":
      valueIn(expression.left, scope);
      valueIn(expression.right, scope);
      break;
    case "TestLogical":
      for (const operand of expression.operands) readTest(operand, place, reader);
      break;
    case "TestNot":
      readTest(expression.operand, place, reader);
      break;
    case "TestGroup":
      readTest(expression.expression, place, reader);
  }
}

/** A loop over a few known words is read once for each; over anything else once, with the variable unknown. */
function readFor(name: string, words: readonly Value[] | undefined, body: CompoundList, place: Place, reader: Reader): void {
  const turns =
    words && words.length <= MOST_REPEATS && words.every(({ glob }) => !glob)
      ? words
      : [{ ...unknown, glob: words?.some(({ glob }) => glob) ?? false }];
  for (const value of turns) {
    place.variables.set(name, value);
    readNode(body, place, reader);
  }
}

function readPipeline(commands: readonly CommandNode[], place: Place, reader: Reader): readonly Call[] {
  let stdin = place.stdin;
  let last: readonly Call[] = [];
  for (const command of commands) {
    // Each part of a pipeline runs in a shell of its own.
    last = readNode(command, { ...inside(place), depth: place.depth, stdin }, reader);
    const text = last.length === 1 ? outputOf(last[0]!) : undefined;
    stdin = text === undefined ? { kind: "piped", from: last } : { kind: "text", text };
  }
  return last;
}

function readRedirected(command: CommandNode, redirects: readonly RedirectNode[], place: Place, reader: Reader): readonly Call[] {
  const { stdin, targets } = readRedirects(redirects, place, reader);
  const calls = readNode(command, stdin ? { ...place, stdin } : place, reader);
  if (targets.length > 0)
    reader.calls.push({
      program: ":",
      args: [],
      wrappers: place.wrappers,
      assigned: [],
      redirects: targets,
      stdin: place.stdin,
      folder: place.folder,
      text: ":",
    });
  return calls;
}

function readRedirects(
  redirects: readonly RedirectNode[],
  place: Place,
  reader: Reader,
): { readonly stdin: Stdin | undefined; readonly targets: readonly Redirection[] } {
  const scope = scopeOf(place, reader);
  let stdin: Stdin | undefined;
  const targets: Redirection[] = [];
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      const body = redirect.body.parts
        ? redirect.body.parts.map((part) => ("value" in part && typeof part.value === "string" ? part.value : UNKNOWN)).join("")
        : redirect.body.text;
      if (redirect.body.parts) fieldsOf({ type: "Word", text: "", value: "", pos: 0, end: 0, parts: redirect.body.parts }, scope);
      stdin = { kind: "text", text: body };
    } else if (redirect.type === "HereString") {
      if (redirect.target) stdin = { kind: "text", text: valueIn(redirect.target, scope).text };
    } else if (redirect.target) {
      targets.push({ operator: redirect.operator, target: valueIn(redirect.target, scope) });
      if (redirect.operator === "<") stdin = { kind: "piped", from: [] };
    }
  }
  return { stdin, targets };
}

const scopeOf = (place: Place, reader: Reader): Scope => ({
  variables: place.variables,
  substitute(script) {
    const calls = collected(reader, () => readParsed(script, { ...inside(place), stdin: { kind: "none" } }, reader));
    return calls.length === 1 ? outputOf(calls[0]!) : undefined;
  },
});

function readCommand(node: Command, place: Place, reader: Reader): readonly Call[] {
  const scope = scopeOf(place, reader);
  const assigned = node.prefix.flatMap((part) =>
    part.type === "Assignment"
      ? [
          {
            name: part.name,
            value: part.value.type === "Word" && !part.append && !part.index ? valueIn(part.value, scope) : readArray(part.value, scope),
          },
        ]
      : [],
  );
  const { stdin, targets } = readRedirects(node.redirects, place, reader);
  const words = [
    ...(node.name ? fieldsOf(node.name, scope) : []),
    ...node.args.flatMap((arg) => (arg.type === "Word" ? fieldsOf(arg, scope) : assignmentFields(arg, scope))),
  ];
  if (words.length === 0) {
    for (const { name, value } of assigned) place.variables.set(name, value);
    if (targets.length === 0) return [];
  }
  if (words.length > MOST_WORDS) reader.unclear.add("it has too many words");
  const [head = known(":"), ...args] = words.slice(0, MOST_WORDS);
  return readCall(
    {
      program: programOf(head),
      args,
      wrappers: place.wrappers,
      assigned,
      redirects: targets,
      stdin: stdin ?? place.stdin,
      folder: place.folder,
      text: showWords([head, ...args]),
    },
    place,
    reader,
  );
}

function readArray(
  value: Command["prefix"][number] extends infer P ? (P extends { type: "Assignment"; value: infer V } ? V : never) : never,
  scope: Scope,
): Value {
  if (value.type === "ArrayValue") for (const element of value.elements) fieldsOf(element, scope);
  else valueIn(value, scope);
  return unknown;
}

/** `export X=y`, `dd if=/dev/zero`: an argument that has the shape of an assignment. */
function assignmentFields(arg: Extract<Command["args"][number], { type: "Assignment" }>, scope: Scope): readonly Value[] {
  if (arg.value.type !== "Word") return [{ ...readArray(arg.value, scope), text: `${arg.name}=${UNKNOWN}` }];
  const value = valueIn(arg.value, scope);
  return [{ ...value, text: `${arg.name}${arg.append ? "+" : ""}=${value.text}` }];
}

/** Lists the call, and what it in turn runs. */
function readCall(call: Call, place: Place, reader: Reader): readonly Call[] {
  const fn = place.functions.get(call.program);
  if (fn && place.depth < DEEPEST) {
    fn.called = true;
    const variables = new Map(place.variables);
    for (let number = 1; number <= 9; number++) variables.set(String(number), call.args[number - 1] ?? known(""));
    const all = call.args.map(({ text }) => text).join(" ");
    for (const name of ["@", "*"]) variables.set(name, { text: all, known: call.args.every((arg) => arg.known), glob: false });
    return collected(reader, () => readNode(fn.body, { ...place, variables, depth: place.depth + 1 }, reader));
  }
  remember(call, place);
  const inner = unwrap(call);
  if (inner.kind === "call" && place.depth < DEEPEST) {
    reader.calls.push(call);
    return readCall(inner.call, { ...place, wrappers: inner.call.wrappers, depth: place.depth + 1 }, reader);
  }
  reader.calls.push(call);
  if (inner.kind === "script") {
    readScript(
      inner.text,
      {
        ...inside(place),
        wrappers: [...call.wrappers, call.program],
        stdin: call.stdin.kind === "text" && inner.isStdin ? { kind: "none" } : call.stdin,
      },
      reader,
    );
  }
  return [call];
}

/** What the shell itself keeps: variables and the folder. */
function remember(call: Call, place: Place): void {
  if (call.program === "cd" || call.program === "pushd")
    place.folder = call.args.findLast(({ text }) => !text.startsWith("-")) ?? known("~");
  if (["export", "declare", "typeset", "local", "readonly"].includes(call.program)) {
    for (const { text, known: isKnown } of call.args) {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
      if (name !== undefined && value !== undefined) place.variables.set(name, { text: value, known: isKnown, glob: false });
    }
  }
  if (call.program === "read" || call.program === "unset") for (const { text } of call.args) place.variables.delete(text);
}

/** `f() { f | f & }`: its body calls itself, piped or in the background. */
function isForkBomb(name: string, body: CommandNode | CompoundList): boolean {
  const text = JSON.stringify(body);
  const calls = text.split(`"name":{"type":"Word","text":${JSON.stringify(name)}`).length - 1;
  return calls >= 2 || (calls === 1 && text.includes('"background":true'));
}
