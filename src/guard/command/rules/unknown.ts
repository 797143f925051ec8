// Rules about commands that run what nobody can see.
import type { CommandRule } from "../rule.ts";

/** Programs that run what a file says: the file is not read here. */
const RUNS_FILE = new Set([
  "make",
  "gmake",
  "just",
  "task",
  "rake",
  "invoke",
  "ant",
  "gradle",
  "gradlew",
  "mvn",
  "tox",
  "nox",
  "ninja",
  "mage",
  "source",
  ".",
]);
const PACKAGE_MANAGERS = new Set(["npm", "pnpm", "yarn", "bun", "composer", "deno", "poe", "pdm", "hatch"]);

export const unknownRules: readonly CommandRule[] = [
  {
    id: "runs-a-file",
    family: "unknown",
    severity: "low",
    why: "This runs what a file says, and the file is not read here.",
    instead: "Look at the file first, when it is not yours.",
    programs: ["*"],
    find: ({ program, args, text }) => {
      if (RUNS_FILE.has(program)) return true;
      const [first = ""] = args.map((arg) => arg.text);
      if (PACKAGE_MANAGERS.has(program)) return /^(run|run-script|test|start|t|task|exec)$/.test(first);
      if (/^(sh|bash|zsh|dash|ksh|python[\d.]*|node|ruby|perl|php)$/.test(program)) return first !== "" && !first.startsWith("-");
      return /^(\.{0,2}\/)/.test(text) && /\.(sh|bash|py|rb|pl|js|mjs|ts)$/.test(program);
    },
    examples: {
      flags: ["make deploy", "npm run build", "bash setup.sh", "./run.sh", "source env.sh"],
      passes: ["ls", "npm install", "bash -c 'ls'", "python3 -c 'print(1)'"],
    },
  },
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
