// What git was told to hide, not to see, or to fetch from elsewhere.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView } from "../view.ts";
import { addedLines, named } from "./planted-lines.ts";

const CODE_PATTERN =
  /^["']?(\*|\*\*|\/?\*\*\/\*|\.|\*\.\*)$|\.([cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|cc|cpp|h|hpp|swift|scala|exs?|sh|ya?ml|toml)["']?$|(^|\/)(tests?|specs?|__tests__|src|app)(\/|$)|test|spec|conftest/i;
const NOT_OWN =
  /lock|\.min\.|vendor|third|generated|\bgen\b|_pb2|\.pb\.|snap|dist|docs?\/|fixture|testdata|\.svg|\.pnp|\.yarn|__generated__|golden|migrations/i;

function plantedAttributes(view: ChangeView): readonly Sighting[] {
  return named(view, /(^|\/)\.gitattributes$|(^|\/)info\/attributes$/).flatMap((file) =>
    addedLines(file, /^\s*[^#\s]/).flatMap(({ line, text }): readonly Sighting[] => {
      const [pattern, ...attributes] = text.trim().split(/\s+/);
      if (file.removed.some(({ text: old }) => old.trim() === text.trim())) return [];
      const hides = attributes.find((attribute) =>
        /^(-diff|binary|-text -diff|filter=(?!lfs$)\S+|diff=(?!python|java|golang|rust|ruby|css|html|cpp|csharp|php|kotlin|elixir|markdown|lfs|astextplain|perl|bash)\S+)$/.test(
          attribute,
        ),
      );
      const blurs = attributes.find((attribute) =>
        /^(linguist-(generated|vendored)(=true)?|merge=(ours|union|binary)|export-ignore|export-subst|-merge)$/.test(attribute),
      );
      const found = hides ?? blurs;
      if (!found) return [];
      const isOwn = CODE_PATTERN.test(pattern!) && !NOT_OWN.test(pattern!);
      const severity = !isOwn || /export|union/.test(found) ? ("low" as const) : hides ? ("high" as const) : ("medium" as const);
      return [{ file: file.path, line, severity, confidence: "high", what: `${pattern} is hidden from review by ${found}`, after: text }];
    }),
  );
}

const TEST_PATTERN =
  /^\/?(\*\*\/)?((tests?|specs?|__tests__|src|app)\/?(\*\*?)?|[\w*/.-]*(test_\*|\*_test|\*[._]test[._]\S*|\*[._]spec[._]\S*|\*Tests?)\.?[\w*]*|[\w/.-]*\/?(test_\w+|\w+_test|[\w-]+\.(test|spec))\.\w+|conftest\.py|sitecustomize\.py|usercustomize\.py|pytest\.ini|(jest|vitest)\.(config|setup)\S*|\*\.(py|[cm]?[jt]sx?|go|rs|java|rb|cs|php))$/;
const OWN_IGNORE = /\.(log|out|tmp|bak|swp|test|prof|cover|db|sqlite3?|snap\.new)$|results?|output|report|tmp|cache|coverage/i;

function plantedIgnores(view: ChangeView): readonly Sighting[] {
  return named(view, /(^|\/)\.gitignore$|(^|\/)info\/exclude$/).flatMap((file) => {
    if (file.before === undefined && /\//.test(file.path)) return [];
    return addedLines(file, TEST_PATTERN)
      .filter(
        ({ text }) =>
          !OWN_IGNORE.test(text.trim()) &&
          !file.removed.some((old) => old.text.trim().replace(/^\/|\/$/g, "") === text.trim().replace(/^\/|\/$/g, "")),
      )
      .map(
        ({ line, text }): Sighting => ({
          file: file.path,
          line,
          confidence: "medium",
          what: `git no longer sees ${text.trim()}`,
          after: text,
        }),
      );
  });
}

function movedSubmodules(view: ChangeView): readonly Sighting[] {
  return named(view, /(^|\/)\.gitmodules$/).flatMap((file) => {
    const urlOf = (text: string): string | undefined => /^\s*url\s*=\s*(\S+)/.exec(text)?.[1];
    const came = file.added.flatMap((line) => (urlOf(line.text) ? [{ line: line.after, url: urlOf(line.text)! }] : []));
    const lost = file.removed.flatMap(({ text }) => urlOf(text) ?? []);
    return came
      .filter(({ url }) => lost.length > 0 && !lost.some((old) => sameRepository(old, url)))
      .map(
        ({ line, url }): Sighting => ({
          file: file.path,
          line,
          confidence: "high",
          what: `a submodule comes from ${url} now`,
          before: lost.join(" "),
          after: url,
        }),
      );
  });
}

const sameRepository = (a: string, b: string): boolean => plainUrl(a) === plainUrl(b);
const plainUrl = (url: string): string =>
  url
    .replace(/^\w+:\/\/([^@/]*@)?|^[^@/]*@/, "")
    .replace(":", "/")
    .replace(/(\.git)?\/?$/, "")
    .toLowerCase();

export const gitRules: readonly DiffRule[] = [
  {
    id: "attributes-planted",
    severity: "medium",
    why: "Git was told to hide changes of code or tests from review. Leave them visible.",
    find: plantedAttributes,
    examples: {
      flags: [
        { ".gitattributes": [undefined, "*.py -diff\n"] },
        { ".gitattributes": ["* text=auto\n", "* text=auto\ntests/** linguist-generated\n"] },
        { ".gitattributes": ["* text=auto\n", "* text=auto\n*.test.ts binary\n"] },
        { ".gitattributes": ["* text=auto\n", "* text=auto\nsrc/** filter=clean\n"] },
      ],
      passes: [
        { ".gitattributes": [undefined, "* text=auto eol=lf\n*.png binary\n"] },
        { ".gitattributes": [undefined, "package-lock.json -diff linguist-generated\n*.sh text eol=lf\n"] },
        { ".gitattributes": [undefined, "tests/ export-ignore\n"] },
      ],
    },
  },
  {
    id: "ignore-planted",
    severity: "medium",
    why: "Git was told not to see tests, code or files that runners load. What is not seen is not reviewed: take the pattern out.",
    find: plantedIgnores,
    examples: {
      flags: [
        { ".gitignore": ["node_modules\n", "node_modules\ntests/\n"] },
        { ".gitignore": ["node_modules\n", "node_modules\nconftest.py\n"] },
        { ".gitignore": ["node_modules\n", "node_modules\n*.test.ts\n"] },
        { ".gitignore": ["node_modules\n", "node_modules\ntests/test_sum.py\n"] },
      ],
      passes: [
        { ".gitignore": ["node_modules\n", "node_modules\ntest-results/\ncoverage/\n.env\n"] },
        { ".gitignore": ["node_modules\n", "node_modules\n/tests/output/\n*.log\n*.test\n"] },
        { ".gitignore": ["/tests/\n", "tests\n"] },
      ],
    },
  },
  {
    id: "submodule-source-changed",
    severity: "medium",
    why: "A submodule comes from another place. Keep its address, or let a human change it.",
    find: movedSubmodules,
    examples: {
      flags: [
        {
          ".gitmodules": [
            '[submodule "a"]\n  url = https://github.com/org/a.git\n',
            '[submodule "a"]\n  url = https://github.com/other/a.git\n',
          ],
        },
      ],
      passes: [
        { ".gitmodules": ['[submodule "a"]\n  url = git@github.com:org/a.git\n', '[submodule "a"]\n  url = https://github.com/org/a\n'] },
      ],
    },
  },
];
