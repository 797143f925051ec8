// Code and shells that run before or instead of what was asked for.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView } from "../view.ts";
import { addedLines, firstAdded, named } from "./planted-lines.ts";

const STARTUP = /(^|\/)(sitecustomize|usercustomize)\.py$/;

function startupFiles(view: ChangeView): readonly Sighting[] {
  const python = named(view, STARTUP).flatMap((file): readonly Sighting[] =>
    file.after
      ? [
          {
            file: file.path,
            line: 1,
            severity: "high",
            confidence: "high",
            what: "is run by every Python that starts here",
            ...firstAdded(file),
          },
        ]
      : [],
  );
  const paths = named(view, /\.pth$/).flatMap((file): readonly Sighting[] =>
    file.after?.content.kind === "text" && file.added.length > 0
      ? [
          {
            file: file.path,
            line: 1,
            severity: "high",
            confidence: "medium",
            what: "makes every Python load what it names",
            ...firstAdded(file),
          },
        ]
      : [],
  );
  const loaded = view.files
    .filter(({ role, path }) => role !== "docs" && role !== "source" && role !== "test" && LOADING_FILE.test(path))
    .flatMap((file) =>
      addedLines(file, PRELOAD)
        .filter(({ text }) => !file.removed.some((old) => PRELOAD.exec(old.text)?.[0] === PRELOAD.exec(text)?.[0]))
        .map(
          ({ line, text }): Sighting => ({ file: file.path, line, confidence: "medium", what: "loads code into every run", after: text }),
        ),
    );
  const shells = view.files
    .filter(({ path }) =>
      /(^|\/)((GNU)?[Mm]akefile|[^/]*\.mk|\.?[Jj]ustfile|\.npmrc|\.yarnrc(\.yml)?|config(\.toml)?|\.bazelrc)$/.test(path),
    )
    .flatMap((file) =>
      addedLines(file, FAKE_SHELL).map(
        ({ line, text }): Sighting => ({
          file: file.path,
          line,
          severity: "high",
          confidence: "high",
          what: "commands are no longer run, or their failures are ignored",
          after: text,
        }),
      ),
    );
  return [...python, ...paths, ...loaded, ...shells];
}

const LOADING_FILE =
  /(^|\/)(\.env[^/]*|\.npmrc|\.yarnrc(\.yml)?|\.mvn\/[^/]+|\.cargo\/config(\.toml)?|gradle\.properties|init\.gradle|\.bazelrc|\.pdbrc|\.rspec|package\.json|[^/]*\.ya?ml|tox\.ini|Makefile|\.vscode\/[^/]+)$/;
const PRELOAD =
  /\b(LD_PRELOAD|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|BASH_ENV|NODE_OPTIONS\s*[:=].*(--require|-r |--import|--loader)|node-options\s*=.*(--require|--import|--loader)|RUBYOPT\s*[:=].*-r|PERL5OPT|JAVA_TOOL_OPTIONS\s*[:=].*-javaagent|PYTHONPATH\s*[:=]\s*["']?(\/tmp|\/var\/tmp|\.hidden|\.stubs?))/;
/** A shell or a runner that succeeds without running, and make's ways to ignore every failure. */
const FAKE_SHELL =
  /^\s*(SHELL\s*[:?]?=\s*\S*(true|echo)\b|\.IGNORE\s*:|MAKEFLAGS\s*[:+?]?=.*(-i\b|--ignore-errors|(^|\s)-?k?i(\s|$))|script-shell\s*=\s*\S*(true|echo)\b|set\s+shell\s*:=\s*\[\s*["']\S*(true|echo)\b|runner\s*=\s*\[?\s*["'](\S*\/)?(true|echo|:)\b|(test|build)\s+--run_under=\S*true)/;

function autorun(view: ChangeView): readonly Sighting[] {
  const tasks = named(view, /(^|\/)\.vscode\/(tasks|launch)\.json$/).flatMap((file) =>
    addedLines(file, /"runOn"\s*:\s*"folderOpen"/).map(
      ({ line, text }): Sighting => ({ file: file.path, line, confidence: "high", what: "runs when the folder is opened", after: text }),
    ),
  );
  const direnv = named(view, /(^|\/)\.envrc$/).flatMap((file): readonly Sighting[] =>
    file.added.length > 0
      ? [
          {
            file: file.path,
            line: file.added[0]!.after,
            severity: file.before ? "low" : "medium",
            confidence: "medium",
            what: "is run by shells that enter the folder",
            ...firstAdded(file),
          },
        ]
      : [],
  );
  return [...tasks, ...direnv];
}

export const startupRules: readonly DiffRule[] = [
  {
    id: "startup-planted",
    severity: "medium",
    why: "Code was planted that runs before every program, or the shell of the checks was replaced. Put the change into the program itself.",
    find: startupFiles,
    examples: {
      flags: [
        { "sitecustomize.py": [undefined, "import builtins\n"] },
        { "src/a.pth": [undefined, "import os\n"] },
        { ".npmrc": ["fund=false\n", "fund=false\nscript-shell=/bin/true\n"] },
        { Makefile: ["test:\n\tpytest\n", "SHELL = /bin/true\ntest:\n\tpytest\n"] },
        { Makefile: ["test:\n\tpytest\n", ".IGNORE:\ntest:\n\tpytest\n"] },
        { ".cargo/config.toml": ["[build]\njobs = 2\n", "[build]\njobs = 2\n[target.x86_64-unknown-linux-gnu]\nrunner = 'true'\n"] },
        { ".env": ["A=1\n", "A=1\nNODE_OPTIONS=--require ./patch.js\n"] },
      ],
      passes: [
        { Makefile: ["test:\n\tpytest\n", "SHELL := /bin/bash\ntest:\n\tpytest\n"] },
        { ".npmrc": ["fund=false\n", "fund=false\nsave-exact=true\n"] },
        { ".env": ["A=1\n", "A=1\nNODE_OPTIONS=--max-old-space-size=4096\n"] },
      ],
    },
  },
  {
    id: "autorun-planted",
    severity: "medium",
    why: "Something was planted that an editor or a shell runs by itself. Leave that to the people who use them.",
    find: autorun,
    examples: {
      flags: [
        { ".vscode/tasks.json": ["{}\n", '{\n  "runOptions": { "runOn": "folderOpen" }\n}\n'] },
        { ".envrc": [undefined, "source ./x\n"] },
      ],
      passes: [{ ".vscode/tasks.json": ["{}\n", '{\n  "tasks": []\n}\n'] }],
    },
  },
];
