// Reading options as programs do: bundled letters, abbreviated long names, values attached or not.
import type { Call } from "./call.ts";
import type { Value } from "./value.ts";

export interface Flags {
  /** Whether the short letter or (an abbreviation of) the long name was given. */
  has(short: string, long?: string): boolean;
  /** Words that are no options, in order. */
  readonly words: readonly Value[];
}

/** `valued` are short letters that take a value, `long` the long names that do. A long name may be cut to three letters or more. */
export function flagsOf({ args }: Pick<Call, "args">, valued = "", long: readonly string[] = []): Flags {
  const letters = new Set<string>();
  const names: string[] = [];
  const words: Value[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    // Dashes that only look like one are meant as one.
    const text = arg.text.replace(/^[\u2010-\u2015\u2212]{1,2}/, (dashes) => "-".repeat(dashes.length));
    if (text === "--") {
      words.push(...args.slice(at + 1));
      break;
    }
    if (text.startsWith("--")) {
      const [name = ""] = text.slice(2).split("=");
      names.push(name);
      if (!text.includes("=") && long.includes(name)) at++;
    } else if (/^-[^-]/.test(text) && text.length > 1) {
      for (const [index, letter] of [...text.slice(1)].entries()) {
        letters.add(letter);
        if (!valued.includes(letter)) continue;
        if (index === text.length - 2) at++;
        break;
      }
    } else words.push(arg);
  }
  return {
    has: (short, longName) =>
      (short !== "" && letters.has(short)) ||
      (longName !== undefined && names.some((name) => name === longName || (name.length >= 3 && longName.startsWith(name)))),
    words,
  };
}
