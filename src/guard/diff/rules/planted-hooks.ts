// Git hooks that were planted, weakened or taken away.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import { purposeOf } from "./commands.ts";
import { commandSightings } from "./compare-commands.ts";
import { addedLines, firstAdded, named } from "./planted-lines.ts";

const HOOK = /(^|\/)(\.husky\/(?!_\/|\.gitignore)[^/]+|\.githooks\/[^/]+|\.git-hooks\/[^/]+|git-?hooks\/[^/.]+)$/;
const HOOK_LIST =
  /(^|\/)(\.?lefthook(-local)?\.ya?ml|\.pre-commit-config\.ya?ml|\.overcommit\.yml|\.lintstagedrc[^/]*|lint-staged\.config\.[^/]+)$/;

function plantedHooks(view: ChangeView): readonly Sighting[] {
  const inGit = named(view, /(^|\/)\.git\//).map(
    (file): Sighting => ({ file: file.path, line: 1, severity: "high", confidence: "high", what: "is inside git's own folder" }),
  );
  const hooks = named(view, HOOK).flatMap((file): readonly Sighting[] => {
    if (file.before === undefined) {
      const commands = file.added.filter(({ text }) => !/^\s*(#|$)/.test(text));
      const isCheck = commands.length > 0 && commands.every(({ text }) => runs(text) === "tests");
      return [
        {
          file: file.path,
          line: 1,
          severity: isCheck ? "low" : "medium",
          confidence: "medium",
          what: "is a new hook that git runs by itself",
          ...firstAdded(file),
        },
      ];
    }
    return weakenedHook(file);
  });
  const lists = named(view, HOOK_LIST).flatMap(weakenedList);
  const paths = view.files.flatMap((file) =>
    file.role === "docs"
      ? []
      : addedLines(file, HOOKS_PATH).map(
          ({ line, text }): Sighting => ({ file: file.path, line, confidence: "medium", what: "points git to other hooks", after: text }),
        ),
  );
  return [...inGit, ...hooks, ...lists, ...paths];
}

/** As a command or a setting. `/dev/null` switches hooks off, which is how programs keep clear of other people's. */
const HOOKS_PATH = /\bgit\s[^"'`]{0,60}core\.hooksPath(?!\s*[= ]\s*\/dev\/null)|^\s*hooksPath\s*=/i;

function weakenedHook(file: FileView): readonly Sighting[] {
  const commands = (lines: FileView["added"], side: "before" | "after") =>
    lines
      .filter(({ text }) => !/^\s*(#|$)/.test(text))
      .map((line) => ({ command: line.text.trim(), line: line[side], purpose: runs(line.text) }));
  const fetched = addedLines(file, /\b(curl|wget|nc|Invoke-WebRequest)\b|--no-verify|\beval\b/).map(
    ({ line, text }): Sighting => ({
      file: file.path,
      line,
      confidence: "medium",
      what: "the hook now runs something from outside",
      after: text,
    }),
  );
  const ended = addedLines(file, /^\s*exit\s+0\s*$/)
    .slice(0, 1)
    .map(
      ({ line, text }): Sighting => ({ file: file.path, line, confidence: "medium", what: "the hook now ends in success", after: text }),
    );
  return [
    ...commandSightings(file.path, { removed: commands(file.removed, "before"), added: commands(file.added, "after"), elsewhere: [] }),
    ...fetched,
    ...ended,
  ];
}

/** A program that a hook runs is a check, whatever its name. */
const runs = (command: string): ReturnType<typeof purposeOf> => {
  const purpose = purposeOf(command.trim());
  return purpose === "checks" || (purpose === "other" && /\b(npx|npm|yarn|pnpm|bun|lint-staged|make|poetry|uv)\b/.test(command))
    ? "tests"
    : purpose;
};

/** Hooks that left a list for good: one that came back under its id, in another version or place, is not gone. */
function weakenedList(file: FileView): readonly Sighting[] {
  if (!file.after)
    return [{ file: file.path, line: 1, severity: "low", confidence: "medium", what: "is gone, and the hooks it named with it" }];
  const idOf = (text: string): string | undefined => /^\s*-\s*id:\s*(\S+)/.exec(text)?.[1];
  const [lost, came] = [file.removed.flatMap(({ text }) => idOf(text) ?? []), file.added.flatMap(({ text }) => idOf(text) ?? [])];
  const gone = came.length > 0 ? [] : lost.filter((id) => /test|mypy|pyright|tsc|types?$|clippy|vet/.test(id));
  const broad = addedLines(
    file,
    /^\s*exclude:\s*["']?(\^?\.\*|\^|\.|\^tests?\/?|\^src\/?)["']?\s*$|^\s*stages:\s*\[\s*manual\s*\]|^\s*skip:\s*true/,
  );
  return [
    ...gone.map(
      (id): Sighting => ({
        file: file.path,
        line: file.removed.find(({ text }) => idOf(text) === id)!.after,
        confidence: "medium",
        what: `the hook ${id} is gone`,
      }),
    ),
    ...broad.map(
      ({ line, text }): Sighting => ({
        file: file.path,
        line,
        confidence: "medium",
        what: "hooks no longer look at the code",
        after: text,
      }),
    ),
  ];
}

export const hookRules: readonly DiffRule[] = [
  {
    id: "hook-planted",
    severity: "medium",
    why: "A git hook was planted, weakened or taken away. Hooks run unasked: leave them to the people of this repository.",
    find: plantedHooks,
    examples: {
      flags: [
        { ".husky/post-checkout": [undefined, "sh ./x.sh\n"] },
        { ".git/hooks/pre-commit": [undefined, "exit 0\n"] },
        { ".husky/pre-commit": ["npm test\n", "exit 0\n"] },
        { ".husky/pre-commit": ["npx lint-staged\n", "npx lint-staged || true\n"] },
        { ".pre-commit-config.yaml": ["repos:\n- hooks:\n  - id: black\n  - id: mypy\n", "repos:\n- hooks:\n  - id: black\n"] },
        { "setup.sh": ["echo\n", "echo\ngit config core.hooksPath /tmp/h\n"] },
      ],
      passes: [
        {
          ".pre-commit-config.yaml": [
            "repos:\n- repo: a\n  rev: v1\n  hooks:\n  - id: mypy\n",
            "repos:\n- repo: a\n  rev: v2\n  hooks:\n  - id: mypy\n",
          ],
        },
        { ".pre-commit-config.yaml": ["  - id: flake8\n", "  - id: ruff\n"] },
        { ".husky/pre-commit": ["npx lint-staged\n", "npx lint-staged\nnpm test\n"] },
        { "src/git.ts": ["const a = 1;\n", 'const args = ["-c", "core.hooksPath=/dev/null"];\n'] },
        { ".husky/pre-commit": [undefined, "npx lint-staged\n"] },
      ],
    },
  },
];
