// What manifests and lock files say of dependencies and licences, as one text that can be compared. A scan of lines where JSON ends.
import { canonicalJson } from "../../std/hash.ts";
import { withoutBetween } from "./without-between.ts";

/** The dependencies that a file declares or pins; "" when none, undefined when it is no such file. */
export function dependenciesIn(path: string, text: string): string | undefined {
  const name = nameOf(path);
  if (LOCKS.test(name)) return text;
  if (REQUIREMENTS.test(name)) return withoutComments(text, "#");
  return Object.hasOwn(DEPENDENCIES, name) ? DEPENDENCIES[name]?.(text) : undefined;
}

/** The licence that a manifest names, and every SPDX mark in the file. */
export function licencesIn(path: string, text: string): string {
  const name = nameOf(path);
  const declared = Object.hasOwn(LICENCES, name) ? (LICENCES[name]?.(text) ?? "") : "";
  const marks = [...text.matchAll(/SPDX-License-Identifier:\s*([^\s*/-][^\n*]*)/g)].map(([, mark]) => mark!.trim());
  return [declared, ...marks].filter(Boolean).join("\n");
}

/** Whether the file is itself the text of a licence or a notice. */
export const isLicenceFile = (path: string): boolean =>
  /^(?:licen[cs]e|copying|notice|unlicense|copyright)(?:-[\w.-]+)?(?:\.(?:md|txt|rst|html|adoc))?$/i.test(nameOf(path)) ||
  /(?:^|\/)licen[cs]es\//i.test(path);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const LOCKS =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|pylock\.toml|Pipfile(?:\.lock)?|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock|gradle\.lockfile)$/;
const REQUIREMENTS = /^(?:.*requirements.*|constraints.*)\.(?:txt|in)$/;

type Read = (text: string) => string;

const withoutComments = (text: string, mark: "#" | "//"): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(mark === "#" ? /(?:^|\s)#.*$/ : /(?:^|\s)\/\/.*$/, "").trim())
    .filter((line) => line !== "")
    .join("\n");

/** A file that is no JSON is compared whole. */
const jsonFields =
  (fields: readonly string[]): Read =>
  (text) => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== "object" || value === null) return text;
      const picked = Object.entries(value).filter(([name, field]) => fields.includes(name) && !isEmpty(field));
      return picked.length === 0 ? "" : canonicalJson(Object.fromEntries(picked));
    } catch {
      // What cannot be read might declare anything.
      return text;
    }
  };

const isEmpty = (field: unknown): boolean => typeof field === "object" && field !== null && Object.keys(field).length === 0;

/** The sections of a TOML file whose names match, and from other sections the keys that match, with their values over several lines. */
const tomlParts =
  (sections: RegExp, keys: RegExp): Read =>
  (text) => {
    const kept: string[] = [];
    let section = "";
    let open = 0;
    for (const line of withoutComments(text, "#").split("\n")) {
      const head = open === 0 ? /^\[\[?([^\]]+)\]\]?$/.exec(line)?.[1] : undefined;
      if (head !== undefined) {
        section = head.replace(/["'\s]/g, "").slice(0, 200);
        if (sections.test(section)) kept.push(`[${section}]`);
        continue;
      }
      const isWanted = open > 0 || sections.test(section) || keys.test(`${section}.${line}`);
      if (isWanted) kept.push(line);
      if (isWanted && !sections.test(section)) open = Math.max(0, open + depthOf(line));
    }
    return kept.join("\n");
  };

const depthOf = (line: string): number => (line.match(/[[{]/g)?.length ?? 0) - (line.match(/[\]}]/g)?.length ?? 0);

/** Elements by their names, wherever they stand; one that is not closed goes to the end. */
const elements =
  (names: readonly string[]): Read =>
  (text) => {
    const plain = withoutBetween(text, "<!--", "-->");
    return names.flatMap((name) => elementsCalled(name, plain)).join("\n");
  };

function elementsCalled(name: string, text: string): readonly string[] {
  const found: string[] = [];
  for (let at = text.indexOf(`<${name}>`); at >= 0; ) {
    const end = text.indexOf(`</${name}>`, at);
    found.push(text.slice(at, end < 0 ? undefined : end).replace(/\s+/g, " "));
    at = end < 0 ? -1 : text.indexOf(`<${name}>`, end);
  }
  return found;
}

const NODE_FIELDS = [
  ...["dependencies", "devDependencies", "peerDependencies", "peerDependenciesMeta", "optionalDependencies"],
  ...["bundledDependencies", "bundleDependencies", "overrides", "resolutions", "pnpm", "packageManager", "workspaces"],
];

const DEPENDENCIES: { readonly [file: string]: Read } = {
  "package.json": jsonFields(NODE_FIELDS),
  "composer.json": jsonFields(["require", "require-dev", "repositories", "replace", "conflict", "provide"]),
  "pyproject.toml": tomlParts(
    /dependencies|dependency-groups|^build-system$|^tool\.uv/,
    /^(?:project\.(?:dependencies|optional-dependencies|requires-python|dynamic)|tool\.poetry\.dependencies)\b/,
  ),
  "Cargo.toml": tomlParts(/dependencies|^patch|^replace/, /^\.(?:dependencies|dev-dependencies|build-dependencies)\b/),
  "go.mod": (text) => withoutComments(text, "//").replace(/^module\s.*\n?/m, ""),
  "pom.xml": elements(["dependencies", "dependencyManagement", "parent", "plugins", "repositories", "properties"]),
  Gemfile: (text) => withoutComments(text, "#"),
};

const LICENCES: { readonly [file: string]: Read } = {
  "package.json": jsonFields(["license", "licenses"]),
  "composer.json": jsonFields(["license"]),
  "pyproject.toml": tomlParts(/^project\.license$/, /^(?:project|tool\.poetry)\.license/),
  "Cargo.toml": tomlParts(/^$(?!)/, /^(?:workspace\.)?package\.license/),
  "pom.xml": elements(["licenses"]),
};
