import type { CommandRule } from "../rule.ts";

export const unknownRules: readonly CommandRule[] = [
  {
    id: "unknown-program",
    family: "unknown",
    severity: "medium",
    why: "Which program runs here cannot be known before it runs.",
    instead: "Write the program's name.",
    programs: ["*"],
    find: ({ program, args, text }) =>
      program === "" && (args.length > 0 ? args.some(({ text: arg }) => /^-|^[/~]|\.\.|\*/.test(arg)) : true) && !/^…$/.test(text),
    examples: { flags: ["$CMD -rf /", "$(cat x) --force", "`which rm` -rf x"], passes: ["X=ls; $X -l", "ls"] },
  },
];
