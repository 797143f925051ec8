// Whether a check can ever say no: a command that always exits 0 proves nothing, whatever was changed. Pure.
import { type AndOr, type Command, type CommandNode, type CompoundList, type PipelineNode, parse, type Statement } from "unbash";
import { MOST_CHARS } from "./understand.ts";

/** Scripts that a command may stand for, by their names: those of `package.json`, where somebody read it. */
export type Scripts = ReadonlyMap<string, string>;

/** Programs that exit 0 whatever they are given. */
const NEVER_FAIL = new Set([
  "true",
  ":",
  "echo",
  "printf",
  "pwd",
  "sleep",
  "clear",
  "set",
  "export",
  "unset",
  "shift",
  "alias",
  "hash",
  "umask",
]);
const WRAPPERS = new Set(["command", "builtin", "exec", "env", "nohup", "nice", "time"]);
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);
const RUNNERS = new Set(["npm", "pnpm", "yarn", "bun"]);
/** Interpreters, and the option behind which a program itself stands. */
const INLINE: ReadonlyMap<string, RegExp> = new Map([
  ["node", /^(?:-e|--eval|-p|--print|-pe)$/],
  ["bun", /^(?:-e|--eval)$/],
  ["deno", /^eval$/],
  ["python", /^-c$/],
  ["ruby", /^-e$/],
  ["perl", /^-e$/],
  ["php", /^-r$/],
]);
/** Statements that end well or only print what is written there. */
const VAIN =
  /^(?:import (?:sys|os)|(?:process\.exit|sys\.exit|os\._exit|Deno\.exit|exit|quit)\s*(?:\(\s*(?:0|)\s*\)|0)?|(?:console\.\w+|print|puts|echo)\s*\(?\s*(?:"[^"$`{]*"|'[^']*'|\d*)\s*\)?|pass|true|True|\d*)$/;
const isVain = (code: string): boolean => code.split(/[;\n]/).every((statement) => VAIN.test(statement.trim()));
const DEEPEST = 5;

/** True only where it is sure: what cannot be read might fail. */
export function canFail(text: string, scripts: Scripts = new Map(), depth = 0): boolean {
  if (depth > DEEPEST || text.length > MOST_CHARS) return true;
  const script = parse(text);
  if (script.errors && script.errors.length > 0) return true;
  return listCanFail(script.commands, { scripts, depth, isStrict: text.includes("pipefail"), stopsAtFirst: false });
}

interface Reading {
  readonly scripts: Scripts;
  readonly depth: number;
  /** Every part of a pipeline counts, and not only its last. */
  readonly isStrict: boolean;
  /** `set -e` holds: it also holds in every list inside. */
  readonly stopsAtFirst: boolean;
}

/** A list ends as its last command ends, unless the shell was told to stop at the first that fails. */
function listCanFail(statements: readonly Statement[], reading: Reading): boolean {
  let { stopsAtFirst } = reading;
  let last = false;
  for (const { command, background } of statements) {
    const words = wordsIn(command);
    if (words?.[0] === "set" && words.slice(1).some((word) => word === "errexit" || /^-[a-z]*e/.test(word))) stopsAtFirst = true;
    if (words !== undefined && isExcusingTrap(words)) return false;
    // Nobody asks how a command in the background ended.
    const fails = !background && nodeCanFail(command, { ...reading, stopsAtFirst });
    if (fails && stopsAtFirst) return true;
    // `exit 0`, and nothing after it runs.
    if (words?.[0] === "exit") return words[1] === undefined ? last : fails;
    last = fails;
  }
  return last;
}

function nodeCanFail(node: PipelineNode | AndOr | CommandNode | CompoundList, reading: Reading): boolean {
  switch (node.type) {
    case "Command":
      return commandCanFail(node, reading);
    case "Pipeline":
      // What `!` stands before fails where it would have passed.
      if (node.prefixes.some(({ type }) => type === "Negation")) return true;
      return (reading.isStrict ? node.commands : node.commands.slice(-1)).some((command) => nodeCanFail(command, reading));
    case "AndOr":
      return chainCanFail(node, reading);
    case "CompoundList":
      return listCanFail(node.commands, reading);
    case "Subshell":
    case "BraceGroup":
      return listCanFail(node.body.commands, reading);
    case "If":
      // Where no branch is taken it ends well; how its conditions ended is told by nobody.
      return [node.then, ...node.elif.map(({ then }) => then), ...(node.else ? [node.else] : [])].some((branch) =>
        listCanFail(branch.commands, reading),
      );
    case "Function":
      return false;
    default:
      return true;
  }
}

/** `trap "exit 0" EXIT`: whatever fails, the shell ends well. */
const isExcusingTrap = ([name, handler = "", ...signals]: readonly string[]): boolean =>
  name === "trap" && signals.some((signal) => /^(?:SIG)?(?:EXIT|ERR|0)$/i.test(signal)) && /(?:^|[;&\s])exit\s+0\s*;?\s*$/.test(handler);

/** `a || b` fails where both do, `a && b` where either does; both are read from the left. */
function chainCanFail({ commands, operators }: AndOr, reading: Reading): boolean {
  return commands
    .map((command) => nodeCanFail(command, reading))
    .reduce((sofar, fails, index) => (operators[index - 1] === "||" ? sofar && fails : sofar || fails));
}

function commandCanFail(node: Command, reading: Reading): boolean {
  const words = wordsIn(node);
  if (words === undefined) return true;
  // A file that cannot be written to makes any command fail.
  if (
    node.redirects.some(
      (redirect) => redirect.type === "Redirect" && !/^[\d-]|^\/dev\/(null|stdout|stderr)$/.test(redirect.target?.text ?? ""),
    )
  )
    return true;
  return wordsCanFail(words, reading);
}

function wordsCanFail(words: readonly string[], reading: Reading): boolean {
  const [name, ...args] = words;
  if (name === undefined) return false;
  const program = name.replace(/^\/(usr\/)?bin\//, "");
  if (NEVER_FAIL.has(program)) return false;
  if (program === "exit" || program === "return") return args[0] !== undefined && args[0] !== "0";
  if (WRAPPERS.has(program)) return wordsCanFail(args.slice(args.findIndex((arg) => !/^-|=/.test(arg))), reading);
  // Its time is over long after what cannot fail has ended.
  if (program === "timeout") return wordsCanFail(args.slice(args.findIndex((arg) => /^\d/.test(arg)) + 1), reading);
  if (SHELLS.has(program)) {
    const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
    const inner = at < 0 ? undefined : args[at + 1];
    if (inner === undefined) return true;
    const stopsAtFirst = args.slice(0, at + 1).some((arg) => /^-[a-z]*e/.test(arg));
    return canFail(stopsAtFirst ? `set -e\n${inner}` : inner, reading.scripts, reading.depth + 1);
  }
  const inline = INLINE.get(program.replace(/[\d.]+$/, ""));
  const code = inline && args[args.findIndex((arg) => inline.test(arg)) + 1];
  if (inline && args[0] !== undefined && inline.test(args[0]) && code !== undefined) return !isVain(code);
  if (RUNNERS.has(program)) return scriptCanFail(args, reading);
  return true;
}

/** `npm test`, `npm run check`, `yarn lint`: what the script itself says, where it is known. */
function scriptCanFail(args: readonly string[], { scripts, depth }: Reading): boolean {
  const plain = args.filter((arg) => !arg.startsWith("-"));
  const name = plain[0] === "run" || plain[0] === "run-script" ? plain[1] : plain[0] === "t" ? "test" : plain[0];
  const script = name === undefined ? undefined : scripts.get(name);
  return script === undefined || canFail(script, scripts, depth + 1);
}

/** The words of a plain command, as they are written; undefined where one of them is only known when it runs. */
function wordsIn(node: PipelineNode | AndOr | CommandNode | CompoundList): readonly string[] | undefined {
  if (node.type !== "Command") return undefined;
  if (node.prefix.some((part) => part.type === "Assignment" && /[$`]/.test(part.text))) return undefined;
  const words = [...(node.name ? [node.name] : []), ...node.args];
  const isPlain = words.every((word) => word.type === "Word" && (!/[$`]/.test(word.text) || NEVER_FAIL.has(node.name?.value ?? "")));
  return isPlain ? words.map((word) => (word.type === "Word" ? word.value : "")) : undefined;
}
