// Which files of base are product source, as its own toolchain tells: everything else that checks read decides how work is checked. Pure.
import { isTestFile } from "./diff/test-files.ts";

/** What is known of base: the paths of its files, and what some of them say. */
export interface BaseTree {
  readonly paths: readonly string[];
  /** Manifests, and source that names other files. */
  readonly texts: ReadonlyMap<string, string>;
}

/** `unknown` where nothing of base tells what is product there: then names decide. */
export type Standing = "product" | "other" | "unknown";

/** Files that say what a package is made of, or lead to it; what they say must be in the texts. */
export const isManifest = (path: string): boolean =>
  /(^|\/)(package\.json|tsconfig(\.build)?\.json|pyproject\.toml|setup\.(py|cfg)|Cargo\.toml|go\.mod)$/.test(path) && !isAside(path);

export function productSource(base: BaseTree): (path: string) => Standing {
  const there = new Set(base.paths);
  const areas = [...javascriptAreas(base, there), ...pythonAreas(base, there), ...goAreas(base), ...rustAreas(base, there)];
  const named = closure(base, there, areas);
  return (path) => {
    const area = nearest(areas, path);
    if (named.has(path) || (area && holds(area, path))) return "product";
    if (isCode(path)) return area?.family.test(path) ? "other" : "unknown";
    return areas.length > 0 ? "other" : "unknown";
  };
}

/** One package: where it lies, which files it can speak of, and what of them is its product. */
interface Area {
  readonly at: string;
  readonly family: RegExp;
  /** Folders, which end with a slash, and files. */
  readonly product: readonly string[];
}

const CODE = /\.([cm]?[jt]sx?|pyi?|go|rs|rb|java|kts?|php|cs|swift|c|cc|cpp|h|hpp|exs?|scala|lua|pl)$/;
const isCode = (path: string): boolean => CODE.test(path);

/** What lies with tests, or was installed, leads nowhere. */
const isAside = (path: string): boolean =>
  /(^|\/)(node_modules|fixtures?|__fixtures__|testdata|vendor|examples?)\//.test(path) || isTestFile(path);

const holds = ({ product }: Area, path: string): boolean =>
  product.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one));

/** The innermost package that can speak of it. */
const nearest = (areas: readonly Area[], path: string): Area | undefined =>
  areas
    .filter(({ at, family }) => path.startsWith(at) && (family.test(path) || !isCode(path)))
    .sort((one, other) => other.at.length - one.at.length)[0];

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

// ── packages of JavaScript ──────────────────────────────────────────────────────────────────────────────────────

const JAVASCRIPT = /\.([cm]?[jt]sx?|json|vue|svelte)$/;
const SOURCE_FOLDERS = ["src/", "lib/", "app/"];
const ENTRIES = /^(index|main|app|server|cli)\.([cm]?[jt]sx?|py)$/;
const CHECKING = /test|lint|check|verify|coverage|bench|prepare|install|format/i;

function javascriptAreas({ texts, paths }: BaseTree, there: ReadonlySet<string>): readonly Area[] {
  return manifests(texts, "package.json").flatMap(([path, text]) => {
    const at = folderOf(path);
    const manifest = jsonOf(text);
    if (manifest === undefined) return [];
    const { main, module, browser, types, bin, exports, files, scripts } = manifest;
    const run = Object.entries(isRecord(scripts) ? scripts : {}).flatMap(([name, line]) =>
      typeof line === "string" && !CHECKING.test(name) ? line.split(/[\s;&|"']+/) : [],
    );
    const compiled = ["tsconfig.json", "tsconfig.build.json"].flatMap((name) => roots(texts.get(`${at}${name}`)));
    const told = [main, module, browser, types, bin, exports, files].flatMap(stringsIn);
    const product = [
      ...[...told, ...compiled].flatMap((word) => folderOrFile(at, word, there, paths)),
      ...run.filter((word) => there.has(at + withoutDot(word))).map((word) => at + withoutDot(word)),
      ...SOURCE_FOLDERS.map((folder) => at + folder).filter((folder) => paths.some((one) => one.startsWith(folder) && isCode(one))),
      ...entriesAt(at, paths),
    ].filter((one) => !isAside(one) && !isCheck(one));
    return product.length === 0 ? [] : [{ at, family: JAVASCRIPT, product }];
  });
}

/** Folders that a manifest also lists for who installs it. */
const isCheck = (path: string): boolean => /(^|\/)(tests?|__tests__|specs?|e2e|scripts?|tools?|docs?)\/$/.test(path);

const entriesAt = (at: string, paths: readonly string[]): readonly string[] =>
  paths.filter((path) => folderOf(path) === at && ENTRIES.test(path.slice(at.length)));

const withoutDot = (word: string): string => word.replace(/^\.\//, "");

/** The folder that a word leads into, or the file at the package's own root. A package is never all that lies in its folder. */
function folderOrFile(at: string, word: string, there: ReadonlySet<string>, paths: readonly string[]): readonly string[] {
  const plain = withoutDot(word).replace(/[*{[].*$/, "");
  if (plain === "" || plain.startsWith("..") || plain.startsWith("/")) return [];
  const first = plain.split("/")[0]!;
  const folder = `${at}${first}/`;
  if (plain.includes("/") || !there.has(at + plain)) return paths.some((path) => path.startsWith(folder)) ? [folder] : [];
  return [at + plain];
}

function roots(text: string | undefined): readonly string[] {
  const settings = text === undefined ? undefined : jsonOf(text);
  if (!settings) return [];
  const { compilerOptions, include } = settings;
  return [isRecord(compilerOptions) ? compilerOptions.rootDir : undefined, include].flatMap(stringsIn).filter((word) => /\w/.test(word));
}

/** All texts in a value, however deep. */
const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return Array.isArray(value) || isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
};

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Longer ones are read as they stand: what looks for comments must not take long over a hostile file. */
const MOST_COMMENTED = 20_000;

/** Settings of compilers may have comments and commas too many. */
function jsonOf(text: string): { readonly [key: string]: unknown } | undefined {
  const plain = text.length > MOST_COMMENTED ? text : text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, "").replace(/,(\s*[\]}])/g, "$1");
  for (const one of [text, plain]) {
    try {
      const value: unknown = JSON.parse(one);
      return isRecord(value) ? value : undefined;
    } catch {
      // The other way, or not at all.
    }
  }
  return undefined;
}

const manifests = (texts: BaseTree["texts"], name: string): readonly (readonly [path: string, text: string])[] =>
  [...texts].filter(([path]) => (path === name || path.endsWith(`/${name}`)) && isManifest(path));

// ── packages of Python ──────────────────────────────────────────────────────────────────────────────────────────

const PYTHON = /\.pyi?$/;
/** Modules at the root that no package is ever made of. */
const ASIDE =
  /^(setup|conftest|noxfile|toxfile|tasks|fabfile|manage|dodo|wscript|tests?|test_.*|.*_test|docs?|examples?|bench.*|build|release|sitecustomize|usercustomize)\.py$/;

function pythonAreas({ texts, paths }: BaseTree, there: ReadonlySet<string>): readonly Area[] {
  const told = ["pyproject.toml", "setup.cfg", "setup.py"].flatMap((name) => texts.get(name) ?? []);
  const packages = paths.flatMap((path) => {
    const [, folder] = /^((?:src\/)?[^/]+\/)__init__\.pyi?$/.exec(path) ?? [];
    return folder !== undefined && !isTestFile(`${folder}x.py`) && !/^(docs?|examples?|bench[^/]*|scripts?|tools?)\/$/.test(folder)
      ? [folder]
      : [];
  });
  const hasSource = paths.some((path) => path.startsWith("src/") && PYTHON.test(path));
  const modules = paths.filter((path) => PYTHON.test(path) && !path.includes("/") && !ASIDE.test(path));
  const isNamed = (module: string): boolean =>
    told.some((text) => new RegExp(`\\b${module.replace(/\.pyi?$/, "").replace(/\W/g, "\\$&")}\\b`).test(text));
  // Where there is no package, the modules are the product; else those that a manifest names, and those that start it.
  const own =
    packages.length === 0 && !hasSource ? (told.length === 0 ? [] : modules) : modules.filter((one) => isNamed(one) || ENTRIES.test(one));
  const product = [...packages, ...(hasSource ? ["src/"] : []), ...own].filter((one) => one.endsWith("/") || there.has(one));
  return product.length === 0 ? [] : [{ at: "", family: PYTHON, product }];
}

// ── Go and Rust ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Every file that is no test belongs to a package, which is what its toolchain lists. */
const goAreas = ({ texts, paths }: BaseTree): readonly Area[] =>
  manifests(texts, "go.mod").map(([path]) => {
    const at = folderOf(path);
    return { at, family: /\.go$/, product: paths.filter((one) => one.startsWith(at) && one.endsWith(".go") && !isAside(one)) };
  });

function rustAreas({ texts, paths }: BaseTree, there: ReadonlySet<string>): readonly Area[] {
  return manifests(texts, "Cargo.toml").map(([path, text]) => {
    const at = folderOf(path);
    const named = [...text.matchAll(/\bpath\s*=\s*"([^"\n]+\.rs)"/g)]
      .map(([, word]) => at + word)
      .filter((one) => there.has(one) && !isAside(one));
    return { at, family: /\.rs$/, product: [...(paths.some((one) => one.startsWith(`${at}src/`)) ? [`${at}src/`] : []), ...named] };
  });
}

// ── what product source names ───────────────────────────────────────────────────────────────────────────────────

/** Files that product source asks for by a path from where it lies, and what those ask for. */
function closure({ texts }: BaseTree, there: ReadonlySet<string>, areas: readonly Area[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...texts.keys()].filter((path) => areas.some((area) => holds(area, path)));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const one of namedIn(path, texts.get(path) ?? "", there)) {
      if (found.has(one) || isTestFile(one)) continue;
      found.add(one);
      waiting.push(one);
    }
  }
  return found;
}

const ENDINGS = [
  "",
  ".js",
  ".ts",
  ".mjs",
  ".cjs",
  ".mts",
  ".cts",
  ".tsx",
  ".jsx",
  ".json",
  "/index.js",
  "/index.ts",
  "/index.mjs",
  "/index.cjs",
];

function namedIn(path: string, text: string, there: ReadonlySet<string>): readonly string[] {
  const at = folderOf(path);
  const quoted = [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g)].map(([, word]) => word!);
  const embedded = [...text.matchAll(/^\/\/go:embed (.{1,300})$/gm)].flatMap(([, words]) => words!.split(/\s+/));
  const asked = [...quoted, ...embedded].map((word) => resolved(at, word)).filter((one) => one !== undefined);
  const spelled = asked.flatMap((one) => [
    ...ENDINGS.map((ending) => one + ending),
    one.replace(/\.([cm]?)js$/, ".$1ts"),
    one.replace(/\.js$/, ".tsx"),
  ]);
  return [...spelled, ...(PYTHON.test(path) ? importedIn(at, text) : [])].filter((one) => there.has(one));
}

function importedIn(at: string, text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*(?:from[ \t]+(\.{0,9})([\w.]*)[ \t]+import[ \t]+([\w, (*]+)|import[ \t]+([\w., ]+))/gm)].flatMap(
    ([, dots = "", from = "", names = "", plain]) => {
      if (plain !== undefined) return plain.split(",").flatMap((word) => modulesOf(word.trim().split(" ")[0]!.replaceAll(".", "/")));
      const folder = dots === "" ? "" : [...dots].slice(1).reduce((up) => folderOf(up.slice(0, -1)), at);
      const base = `${folder}${from.replaceAll(".", "/")}`;
      const inner = names.split(/[\s,(]+/).filter((word) => /^\w+$/.test(word));
      return [base, ...inner.map((word) => (base === "" || base.endsWith("/") ? base + word : `${base}/${word}`))].flatMap(modulesOf);
    },
  );
}

const modulesOf = (path: string): readonly string[] => [`${path}.py`, `${path}/__init__.py`, `src/${path}.py`];

/** A path from the root; undefined where it leads out of it. */
function resolved(at: string, word: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${at}${word}`.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
