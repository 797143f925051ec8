// Finds what the lines of a change do, as far as that can be told without understanding them. Pure.
import type { ChangeSigns, DependencyChange } from "../../contract/change-signs.ts";

interface FilePart {
  readonly path: string;
  readonly isDeleted: boolean;
  readonly minus: readonly string[];
  readonly plus: readonly string[];
}

const MOST_NAMES = 8;
const MOST_DEPENDENCIES = 20;

/** Of one commit's patch without context. What is no patch has no signs. */
export function findSigns(patch: readonly string[], manifests: readonly string[] = []): ChangeSigns {
  const parts = partsOf(patch);
  const sources = parts.filter(({ path }) => kindOf(path) === "source");
  const code = sources.map((part) => ({ ...part, minus: part.minus.filter(isCode), plus: part.plus.filter(isCode) }));
  const { gone, altered, brought } = interfaceOf(code);
  const lines = code.flatMap(({ minus, plus }) => movedOut(minus, plus));
  const dependencies = dependenciesOf([...parts.filter(({ path }) => !IN_SECTIONS.test(path)), ...partsOf(manifests)]);
  const added = sum(code.map(({ plus }) => plus.length));
  const removed = sum(code.map(({ minus }) => minus.length));
  return {
    added,
    removed,
    testLines: sum(parts.filter(({ path }) => kindOf(path) === "test").map(({ minus, plus }) => minus.length + plus.length)),
    isTold: parts.some(({ path, plus }) => CHANGELOG.test(path) && plus.length > 0),
    gone: gone.slice(0, MOST_NAMES),
    altered: altered.slice(0, MOST_NAMES),
    brought: brought.slice(0, MOST_NAMES),
    decisions: lines.filter((line) => DECIDES.test(line)).length,
    delicate: [...new Set(lines.flatMap((line) => DELICATE.exec(line)?.[0].toLowerCase() ?? []))].slice(0, 3),
    dependencies: dependencies.slice(0, MOST_DEPENDENCIES),
    needs: needsOf(parts),
    migration: parts.some(({ path, plus }) => MIGRATION.test(path) || (path.endsWith(".sql") && plus.some((line) => SCHEMA.test(line)))),
    powers: parts.some(({ path, plus }) => WORKFLOW.test(path) && plus.some((line) => POWERS.test(line))),
    isBump: isBump(parts),
    deletedSources: sources.filter(({ isDeleted }) => isDeleted).length,
  };
}

// ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────

const CHANGELOG =
  /(?:^|\/)(?:changes|changelog|history|news|releases?)(?:\.[a-z]+)?$|(?:^|\/)\.changeset\/|(?:^|\/)(?:changes|newsfragments|changelog\.d)\//i;
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures?|e2e|bench(?:marks?)?)\/|(?:^|\/)(?:test_|conftest)|[._-](?:test|spec)s?\.[a-z]+$/i;
const DOCS =
  /(?:^|\/)(?:docs?|site|website|examples?|samples?)\/(?!.*(?:^|\/)src\/)|\.(?:md|mdx|rst|adoc|txt|png|svg|jpe?g|gif)$|(?:^|\/)(?:license|authors|codeowners|copying)/i;
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|pyi|go|rs|rb|php|java|kts?|scala|swift|cs|fs|c|cc|cpp|h|hpp|m|ex|exs|erl|clj|lua|sh|bash|ps1|sql|pl|r|dart|zig|nim)$/i;
const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|cargo\.lock|poetry\.lock|uv\.lock|gemfile\.lock|composer\.lock|pipfile\.lock|flake\.lock|go\.sum)$/i;
const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.(?:txt|in)|go\.mod|cargo\.toml|gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?)$/i;
const WORKFLOW =
  /(?:^|\/)\.(?:github|gitlab|circleci|forgejo|gitea)\/|(?:^|\/)(?:\.gitlab-ci|azure-pipelines|\.travis|\.drone)[^/]*\.ya?ml$|(?:^|\/)jenkinsfile/i;
const MIGRATION = /(?:^|\/)migrations?\//i;
const SCHEMA = /\b(?:alter|drop|create|rename)\s+(?:table|column|index|type|view)\b/i;
/** Manifests of which a line means nothing without the section that it stands in. */
export const standsInSections = (path: string): boolean => IN_SECTIONS.test(path);
const IN_SECTIONS = /(?:^|\/)(?:package\.json|pyproject\.toml|cargo\.toml|setup\.cfg)$/i;

type FileKind = "lock" | "manifest" | "workflow" | "test" | "docs" | "source" | "other";

function kindOf(path: string): FileKind {
  if (LOCK.test(path)) return "lock";
  if (MANIFEST.test(path)) return "manifest";
  if (WORKFLOW.test(path)) return "workflow";
  if (TEST.test(path) || /_test\.go$/.test(path)) return "test";
  // A folder called docs can hold programs: only what it is written in tells.
  if (DOCS.test(path) && !(/(?:^|\/)docs?\//i.test(path) && SOURCE.test(path) && !/\/conf\.py$/.test(path))) return "docs";
  return SOURCE.test(path) ? "source" : "other";
}

const HEADER = /^diff --git /;

/** Lines of a patch by file; a line of the content always begins with a sign of its own, so that none can pass for a header. */
function partsOf(patch: readonly string[]): readonly FilePart[] {
  const parts: { path: string; isDeleted: boolean; minus: string[]; plus: string[] }[] = [];
  let isInside = false;
  for (const line of patch) {
    const current = parts.at(-1);
    if (HEADER.test(line)) {
      parts.push({ path: "", isDeleted: false, minus: [], plus: [] });
      isInside = false;
    } else if (current && !isInside && /^(?:---|\+\+\+) /.test(line)) {
      const path = line
        .slice(4)
        .replace(/^"?[ab]\//, "")
        .replace(/["\t]+$/, "");
      if (path !== "/dev/null" && !path.endsWith("dev/null")) current.path = path;
      else if (line.startsWith("+")) current.isDeleted = true;
    } else if (line.startsWith("@@")) isInside = true;
    else if (current && isInside && line.startsWith("+")) current.plus.push(line.slice(1));
    else if (current && isInside && line.startsWith("-")) current.minus.push(line.slice(1));
    else if (current && isInside && line.startsWith(" ")) {
      // Only manifests come with what stands around a change.
      current.plus.push(`\0${line.slice(1)}`);
      current.minus.push(`\0${line.slice(1)}`);
    }
  }
  return parts.filter(({ path }) => path !== "");
}

/** Neither blank nor a comment, in what most languages write. */
const isCode = (line: string): boolean => !/^\s*(?:$|\/\/|#(?!include|define|if|!\[|\[)|\*|\/\*|--\s|"""|'''|\.\. |:param|;)/.test(line);

/** What was only moved or indented says nothing. */
function movedOut(minus: readonly string[], plus: readonly string[]): readonly string[] {
  const before = new Set(minus.map((line) => line.trim()));
  const after = new Set(plus.map((line) => line.trim()));
  return [...minus.filter((line) => !after.has(line.trim())), ...plus.filter((line) => !before.has(line.trim()))];
}

// ── what others can call ────────────────────────────────────────────────────────────────────────────────────────

/** Each gives the name in its first group; what follows the name on the line is the form in which it is called. */
const OFFERED: readonly { readonly in: RegExp; readonly as: readonly RegExp[] }[] = [
  {
    in: /\.[cm]?[jt]sx?$/,
    as: [
      /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum)\s+([\w$]+)/,
      /^(?:module\.)?exports\.([\w$]+)\s*=/,
      /^(?:[\w$]+\.prototype|[\w$]*(?:app|req|res|proto|api)[\w$]*)\.([a-zA-Z$][\w$]*)\s*=\s*(?:async\s+)?function/,
      /^ {2}(?!if|for|while|switch|catch|return|constructor)(?:static\s+)?(?:async\s+)?([a-z$][\w$]*)\([^;]*\)\s*(?::[^;{]+)?[;{]$/,
    ],
  },
  {
    in: /\.pyi?$/,
    as: [/^(?: {4})?(?:async )?def ([a-z]\w*)\(/, /^class ([A-Z]\w*)/, /^from \.\S* import (\w+) as \1$/, /^([A-Z]\w+) ?[:=]/],
  },
  {
    in: /\.go$/,
    as: [
      /^func (?:\([^)]*\*?[A-Z]\w*\) )?([A-Z]\w*)/,
      /^type ([A-Z]\w*)/,
      /^(?:const|var) ([A-Z]\w*)/,
      /^\t([A-Z]\w*)\s+(?:\*|\[\]|map|func|string|bool|int|[A-Z]|[a-z]+\.[A-Z])/,
    ],
  },
  { in: /\.rs$/, as: [/^\s*pub (?:async )?(?:unsafe )?(?:const )?(?:fn|struct|enum|trait|type|const|static|mod) (\w+)/] },
  { in: /\.(?:java|kts?|cs|scala|swift)$/, as: [/^\s*(?:@\w+ )*(?:public|open)\b[^=({]*?\b(\w+)\s*[({:=]/] },
  { in: /\.php$/, as: [/^\s*(?:final |abstract )?(?:public|class|interface) (?:static )?(?:function )?(\w+)/] },
  { in: /\.rb$/, as: [/^\s{0,4}def (?:self\.)?([a-z]\w*[?!]?)/, /^\s{0,2}(?:class|module) ([A-Z]\w*)/] },
];

interface Interface {
  readonly gone: readonly string[];
  readonly altered: readonly string[];
  readonly brought: readonly string[];
}

/** Over all files at once: what went from one to another is still there. */
function interfaceOf(parts: readonly FilePart[]): Interface {
  const before = offeredIn(parts, "minus");
  const after = offeredIn(parts, "plus");
  const names = [...before.keys()];
  return {
    gone: names.filter((name) => !after.has(name)),
    altered: names.filter((name) => after.has(name) && before.get(name) !== after.get(name)),
    brought: [...after.keys()].filter((name) => !before.has(name)),
  };
}

function offeredIn(parts: readonly FilePart[], side: "minus" | "plus"): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of parts) {
    // What lies in a folder of inner things, or begins with an underscore, is nobody else's.
    if (/(?:^|\/)(?:internal|_[^/]*|private)(?:\/|\.\w+$)/.test(part.path)) continue;
    const as = OFFERED.find((language) => language.in.test(part.path))?.as ?? [];
    for (const line of part[side]) {
      const name = as.map((pattern) => pattern.exec(line)?.[1]).find((one) => one !== undefined);
      if (name !== undefined && !name.startsWith("_")) found.set(name, line.replace(/\s+/g, " ").trim());
    }
  }
  return found;
}

// ── what decides, and what is delicate ──────────────────────────────────────────────────────────────────────────

const DECIDES =
  /^\s*(?:\}?\s*(?:else\s+)?if\b|elif\b|else\b|unless\b|case\b|match\b|switch\b|throw\b|raise\b|panic\b|return\s+(?:err|false|null|None|nil|undefined)\b|assert\b)|&&|\|\||\?\?|\bdeprecat|\bwarn(?:ings)?[.(]/i;
const DELICATE =
  /\b(?:auth(?:enticate|orize|orization)?|passwords?|permissions?|csrf|cors|cookies?|sessions?|tokens?|secrets?|credentials?|escape\w*|quote|sanitiz\w*|decodeURI\w*|encodeURI\w*|encodeUrl|proto(?:type)?s?|allowPrototypes|plainObjects|trust|crypto|hmac|verify|subprocess|popen|execFile|spawn|eval|innerHTML|dangerously\w*|unsafe\w*|chmod|umask|redirect|deserialize|pickle|yaml\.load|shell=True)\b/i;
const POWERS =
  /^\s*(?:-\s*)?(?:permissions:|(?:contents|packages|id-token|actions|pull-requests|deployments|checks|statuses|attestations|security-events):\s*write|pull_request_target|write-all)|secrets\.|curl[^|]*\|\s*(?:ba)?sh/;

// ── what it brings in ───────────────────────────────────────────────────────────────────────────────────────────

const VERSION_WORD = /v?\d+(?:\.\d+|\.x)*[\w.+-]*/g;
const USES = /^\s*(?:-\s*)?uses:\s*\S+/;

/** All changed lines are the same but for versions, hashes and their comments. */
function isBump(parts: readonly FilePart[]): boolean {
  const asked = parts.filter(({ path }) => kindOf(path) !== "lock");
  if (parts.length === 0 || (asked.length === 0 && parts.length > 0)) return parts.length > 0;
  return asked.every(({ path, minus, plus }) => {
    const kind = kindOf(path);
    if (kind !== "manifest" && kind !== "workflow" && !/(?:^|\/)(?:\.pre-commit-config|dockerfile|renovate|\.tool-versions)/i.test(path))
      return false;
    const [before, after] = [minus, plus].map((lines) => lines.filter((line) => line.trim() !== "" && !line.startsWith("\0")));
    if (!before || !after || before.length === 0 || before.length !== after.length) return false;
    if (before.some((line) => OWN_VERSION.test(line) || RUNTIME.test(line))) return false;
    return before.every((line, index) => shapeOf(line) === shapeOf(after[index] ?? ""));
  });
}

const shapeOf = (line: string): string =>
  line
    .replace(USES, (uses) => uses.replace(/@\S+$/, "@"))
    .replace(/#.*$/, "")
    .replace(/\b[0-9a-f]{40,64}\b/g, "")
    .replace(VERSION_WORD, "")
    .replace(/\s+/g, "");

const OWN_VERSION = /^\s*"?version"?\s*[:=]/;
const RUNTIME =
  /"(?:node|npm|yarn|vscode)"\s*:|requires-python|python_requires|^go \d|^toolchain |rust-version|<(?:maven\.compiler|java\.version)|sourceCompatibility|required_ruby_version/;

const needsOf = (parts: readonly FilePart[]): readonly string[] =>
  parts
    .filter(({ path }) => kindOf(path) === "manifest")
    .flatMap(({ plus, minus }) => [...plus, ...minus.filter(() => plus.length === 0)])
    .filter((line) => !line.startsWith("\0") && RUNTIME.test(line))
    .map((line) => line.trim().replace(/[",]/g, "").slice(0, 80))
    .slice(0, 3);

/** A dependency as it stands on a line of a manifest: its name, and what of it is wanted. */
const WANTED: readonly { readonly in: RegExp; readonly as: RegExp }[] = [
  { in: /package\.json$/, as: /^\s+"(@?[\w./-]+)":\s*"([~^<>=v]*\d[^"]*|\*|workspace:[^"]*|npm:[^"]*|github:[^"]*)",?\s*$/ },
  { in: /go\.mod$/, as: /^(?:require )?\s*([\w.-]+\.[\w./-]+) (v\S+)(?! \/\/ indirect)$/ },
  {
    in: /(?:pyproject\.toml|setup\.py|setup\.cfg|requirements[^/]*)$/,
    as: /^\s*["']?([A-Za-z][\w.[\]-]*)\s*((?:[<>~!]=?|==|;)[^"]*?)?["']?,?\s*$/,
  },
  { in: /cargo\.toml$/i, as: /^([\w-]+)\s*=\s*(?:"([^"]+)"|\{.*version\s*=\s*"([^"]+)".*\})/ },
  { in: /gemfile$/i, as: /^\s*gem ["']([\w-]+)["'](?:,\s*["']([^"']+)["'])?/ },
];
const SECTION = /^\0?\s*(?:"(\w+)":\s*\{|\[([\w.-]+)\]|([\w-]+)\s*=\s*\[)/;
const NOT_RUN = /dev|test|lint|build|peer|optional|docs|typing|tool\./i;
const RUN_PYTHON = /^(?:dependencies|install_requires|project)$/;

function dependenciesOf(parts: readonly FilePart[]): readonly DependencyChange[] {
  return parts.flatMap((part) => {
    const as = WANTED.find((one) => one.in.test(part.path))?.as;
    if (as === undefined || kindOf(part.path) !== "manifest") return [];
    const [before, after] = [wantedIn(part.minus, as, part.path), wantedIn(part.plus, as, part.path)];
    const names = [...new Set([...before.keys(), ...after.keys()])];
    return names.flatMap((name): readonly DependencyChange[] => {
      const [from, to] = [before.get(name), after.get(name)];
      if (from?.wanted === to?.wanted && from !== undefined && to !== undefined) return [];
      return [
        {
          name: name.slice(0, 100),
          ...(from === undefined ? {} : { from: from.wanted }),
          ...(to === undefined ? {} : { to: to.wanted }),
          ...((to ?? from)?.runs ? { runs: true as const } : {}),
        },
      ];
    });
  });
}

function wantedIn(
  lines: readonly string[],
  as: RegExp,
  path: string,
): ReadonlyMap<string, { readonly wanted: string; readonly runs: boolean }> {
  const found = new Map<string, { readonly wanted: string; readonly runs: boolean }>();
  let section = "";
  for (const line of lines) {
    const opened = SECTION.exec(line);
    if (opened) section = opened[1] ?? opened[2] ?? opened[3] ?? "";
    if (line.startsWith("\0")) continue;
    const [, name, ...wanted] = as.exec(line) ?? [];
    if (name === undefined || /^(?:version|name|description|main|type|node|npm|python)$/.test(name)) continue;
    const isPython = /(?:pyproject|setup|requirements)/.test(path);
    if (/(?:package\.json|cargo\.toml)$/i.test(path) && !/dependenc/i.test(section)) continue;
    if (isPython && !/["']|[<>=~!]/.test(line)) continue;
    const runs = isPython ? RUN_PYTHON.test(section) || /requirements\.txt$/.test(path) : !NOT_RUN.test(section);
    found.set(name, { wanted: (wanted.find((one) => one !== undefined) ?? "any").slice(0, 60), runs });
  }
  return found;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
