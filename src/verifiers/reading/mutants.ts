// Small changes of meaning, one at a time, to lines of code: what a test that looks at those lines should notice. A scan of lines, no parser.
import { linesOf } from "./changed-lines.ts";
import { BLANK, type Language, languageOf, maskCode } from "./mask-code.ts";

export interface Mutant {
  readonly path: string;
  readonly line: number;
  /** What was done, e.g. "=== becomes !==". */
  readonly what: string;
  /** The line with the change in it, without its end. */
  readonly result: string;
}

/** The whole file with the change in it. */
export const withMutant = (text: string, { line, result }: Mutant): string =>
  linesOf(text)
    .map((old, index) => (index === line - 1 ? `${result}${old.slice(stripEnd(old).length)}` : old))
    .join("");

/** All mutants of these lines of a file, in order; none where the language is not known. */
export function mutantsOf(path: string, text: string, lines: readonly number[]): readonly Mutant[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const all = linesOf(text);
  const masked = linesOf(maskCode(text, language));
  return lines.flatMap((line) => {
    const [code, mask] = [stripEnd(all[line - 1] ?? ""), stripEnd(masked[line - 1] ?? "")];
    if (mask.length > LONGEST_LINE || isNoCode(mask)) return [];
    return editsOf(mask, code, language).map(({ what, result }) => ({ path, line, what, result }));
  });
}

const PROBES: { readonly [language in Language]?: string } = {
  script: "throw new Error();",
  python: "raise RuntimeError",
  go: "panic(0)",
  rust: "panic!();",
  ruby: "raise",
  php: "throw new \\Exception();",
};

/** The same line behind one that ends everything: whoever does not notice that never comes here. Undefined where nothing can stand before it. */
export function probeOf(path: string, text: string, line: number): Mutant | undefined {
  const language = languageOf(path);
  const probe = language && PROBES[language];
  if (language === undefined || probe === undefined) return undefined;
  const masked = linesOf(maskCode(text, language)).map(stripEnd);
  const own = stripEnd(linesOf(text)[line - 1] ?? "");
  const open = [...masked.slice(0, line - 1).join("\n")].reduce(
    (all, char) => all + ("([".includes(char) ? 1 : ")]".includes(char) ? -1 : 0),
    0,
  );
  if (open !== 0 || /^\s*(?:\}|else\b|elif\b|except\b|finally\b|case\b|default\b|elsif\b|when\b|$)/.test(masked[line - 1] ?? ""))
    return undefined;
  const indent = /^\s*/.exec(own)![0];
  return { path, line, what: "nothing beyond this line is done", result: `${indent}${probe}\n${own}` };
}

const LONGEST_LINE = 500;
const stripEnd = (line: string): string => line.replace(/\r?\n$/, "");

const isNoCode = (mask: string): boolean =>
  mask.replaceAll(BLANK, "").trim() === "" ||
  /^\s*(?:import|from|package|use|using|require|include|namespace|module)\b|^\s*export\s[^=]*\bfrom\b|\brequire\(/.test(mask);

interface Edit {
  readonly what: string;
  readonly result: string;
}

function editsOf(mask: string, code: string, language: Language): readonly Edit[] {
  const swapped = swapsFor(language).flatMap(([pattern, become]) =>
    [...mask.matchAll(pattern)].map((match) => {
      const [found] = match;
      const after = become(found);
      return {
        what: `${found.trim()} becomes ${after.trim()}`,
        result: code.slice(0, match.index) + after + code.slice(match.index + found.length),
      };
    }),
  );
  return [...swapped, ...negated(mask, code, language), ...emptied(mask, code, language), ...removed(mask, language)].filter(
    ({ result }) => result !== code,
  );
}

type Swap = readonly [pattern: RegExp, become: (found: string) => string];

const table = (pattern: RegExp, pairs: { readonly [from: string]: string }): Swap => [
  pattern,
  (found) => found.replace(found.trim(), () => pairs[found.trim()] ?? found.trim()),
];

/** Spaces around them tell operators from generics, arrows, pointers and signs. */
const SWAPS: readonly Swap[] = [
  table(/[!=]==?(?![=>])/g, { "===": "!==", "!==": "===", "==": "!=", "!=": "==" }),
  table(/ (?:<=?|>=?) /g, { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }),
  table(/&&|\|\|/g, { "&&": "||", "||": "&&" }),
  table(/\b(?:true|false)\b/g, { true: "false", false: "true" }),
  table(/ [-+*/%] /g, { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" }),
  table(/ [-+]= /g, { "+=": "-=", "-=": "+=" }),
  // Not the end of a range such as 0-9, which another digit would only write in another way.
  [/(?<![\w.$]|\w-)\d{1,9}(?![\w.])/g, (found) => String(Number(found) + 1)],
];
const PYTHON_SWAPS: readonly Swap[] = [
  table(/\b(?:True|False)\b/g, { True: "False", False: "True" }),
  table(/ (?:and|or) /g, { and: "or", or: "and" }),
];

const swapsFor = (language: Language): readonly Swap[] => (language === "python" ? [...SWAPS, ...PYTHON_SWAPS] : SWAPS);

function negated(mask: string, code: string, language: Language): readonly Edit[] {
  const what = "the condition is negated";
  if (language === "python") {
    const [, head, condition] = /^(\s*(?:if|elif) )(.+):\s*$/.exec(mask) ?? [];
    if (head === undefined || condition === undefined || !isBalanced(condition)) return [];
    const end = head.length + condition.length;
    return [{ what, result: `${head}not (${code.slice(head.length, end)})${code.slice(end)}` }];
  }
  const head = /\bif \(/.exec(mask);
  const end = head ? closingOf(mask, head.index + 3) : undefined;
  if (!head || end === undefined) return [];
  const start = head.index + 4;
  return [{ what, result: `${code.slice(0, start)}!(${code.slice(start, end)})${code.slice(end)}` }];
}

/** Only where a value of any kind may be given back: elsewhere it would be the compiler that notices. */
function emptied(mask: string, code: string, language: Language): readonly Edit[] {
  const nothing = { script: "undefined", python: "None", ruby: "nil", php: "null" } as const;
  if (language !== "script" && language !== "python" && language !== "ruby" && language !== "php") return [];
  const [, head, value, tail] = /^(\s*return )(.+?)(;?\s*)$/.exec(mask) ?? [];
  if (head === undefined || value === undefined || !isBalanced(value)) return [];
  if (code.slice(head.length, head.length + value.length) === nothing[language]) return [];
  return [{ what: `nothing is returned`, result: `${head}${nothing[language]}${tail}` }];
}

function removed(mask: string, language: Language): readonly Edit[] {
  if (language !== "script" && language !== "python") return [];
  const statement =
    language === "script"
      ? /^(\s*)(?!return\b|throw\b|const\b|let\b|var\b|if\b|for\b|while\b|switch\b)[\w$.[\]]+\s*(?:\(.*\)|[-+*/]?=(?![=>]).*);\s*$/
      : /^(\s+)(?!return\b|raise\b|if\b|for\b|while\b|with\b|def\b|class\b)[\w.[\]]+\s*(?:\(.*\)|[-+*/]?=(?!=).*)\s*$/;
  const indent = statement.exec(mask)?.[1];
  return indent === undefined || !isBalanced(mask)
    ? []
    : [{ what: "the statement is left out", result: `${indent}${language === "script" ? ";" : "pass"}` }];
}

const PAIRS: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };

const isBalanced = (mask: string): boolean => {
  const open: string[] = [];
  for (const char of mask) {
    if (Object.hasOwn(PAIRS, char)) open.push(PAIRS[char]!);
    else if (")]}".includes(char) && open.pop() !== char) return false;
  }
  return open.length === 0;
};

/** Where the bracket at this place is closed on the same line. */
function closingOf(mask: string, at: number): number | undefined {
  let depth = 0;
  for (let index = at; index < mask.length; index++) {
    if (mask[index] === "(") depth += 1;
    if (mask[index] === ")") depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}
