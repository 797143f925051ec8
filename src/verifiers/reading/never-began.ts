// From what a failed check printed: whether it never came to the point of checking anything, since what it calls is not there. Pure.

interface Sign {
  readonly pattern: RegExp;
  readonly why: (found: RegExpExecArray) => string;
  /** What a change may well be asked to write, unless the command itself names it. */
  readonly mustBeNamed: boolean;
}

const MOST_READ = 64 * 1024;

const SIGNS: readonly Sign[] = [
  // The words of shells; programs that call one give an exit code of their own.
  {
    pattern: /^(?:\/bin\/)?(?:sh|bash|dash|ash|zsh|ksh)(?:: (?:line )?\d+)?: ([^\s:]{1,200}): (?:command )?not found$/m,
    why: ([, name]) => `there is no program ${name}`,
    mustBeNamed: false,
  },
  {
    pattern: /^env: ['‘"]?([^\s:'’"]{1,200})['’"]?: No such file or directory$/m,
    why: ([, name]) => `there is no program ${name}`,
    mustBeNamed: false,
  },
  {
    pattern: /^make(?:\[\d+\])?: ([^\s:]{1,200}): (?:No such file or directory|Command not found)$/m,
    why: ([, name]) => `there is no program ${name}`,
    mustBeNamed: false,
  },
  {
    pattern: /^make(?:\[\d+\])?: \*\*\* No rule to make target '([^'\n]{1,200})'\. {2}Stop\.$/m,
    why: ([, name]) => `make has no target ${name}`,
    mustBeNamed: true,
  },
  {
    pattern: /^(?:npm (?:ERR!|error) )?Missing script: "?([^"\s]{1,200})"?$/im,
    why: ([, name]) => `there is no script ${name}`,
    mustBeNamed: true,
  },
  { pattern: /\bCommand "([^"\n]{1,200})" not found\b/, why: ([, name]) => `there is no script or program ${name}`, mustBeNamed: true },
  { pattern: /: No module named '?([\w.]{1,200})'?$/m, why: ([, name]) => `Python has no module ${name}`, mustBeNamed: true },
  { pattern: /^ERROR: file or directory not found: (\S{1,300})$/m, why: ([, name]) => `there is no ${name}`, mustBeNamed: true },
  {
    pattern: /: can't open file '?([^'\n]{1,300}?)'?: \[Errno 2\]/,
    why: ([, name]) => `there is no ${name!.slice(name!.lastIndexOf("/") + 1)}`,
    mustBeNamed: true,
  },
  {
    pattern: /\bCould not find '([^'\n]{1,300})'$/m,
    why: ([, name]) => `there is no ${name!.slice(name!.lastIndexOf("/") + 1)}`,
    mustBeNamed: true,
  },
  { pattern: /^error: could not find `Cargo\.toml`/m, why: () => "there is no Cargo.toml", mustBeNamed: false },
  { pattern: /^go: go\.mod file not found\b/m, why: () => "there is no go.mod", mustBeNamed: false },
  {
    pattern: /\b(?:unrecognized arguments|unknown option|bad option|unknown flag|flag provided but not defined):? (-\S{1,100})/,
    why: ([, name]) => `the program knows no ${name}`,
    mustBeNamed: true,
  },
];

/** Why it never began; undefined where it may have. What ran a single test began. */
export function neverBegan(command: string, printed: string): string | undefined {
  const text = printed.slice(-MOST_READ);
  for (const { pattern, why, mustBeNamed } of SIGNS) {
    const found = pattern.exec(text);
    if (found && (!mustBeNamed || isNamed(command, found[1] ?? ""))) return why(found);
  }
  return undefined;
}

/** By its whole name, or the end of its path. */
function isNamed(command: string, name: string): boolean {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return command
    .split(/[\s"';&|()]+/)
    .some((word) => word === name || word.split("=")[0] === name || word.slice(word.lastIndexOf("/") + 1) === last);
}
