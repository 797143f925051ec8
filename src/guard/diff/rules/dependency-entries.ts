// The dependencies that a change adds, drops or takes from elsewhere, whatever the manifest is written in.
import type { ChangedFile } from "../../../contract/change-set.ts";
import type { FileView } from "../view.ts";
import { readerOf } from "./setting-entries.ts";
import { type SideLine, sideLines } from "./side-lines.ts";

export interface Dependency {
  readonly name: string;
  /** A version, a range, or the place it comes from; after "=>" where it takes the place of another. */
  readonly spec: string;
  readonly line: number;
  readonly isChanged: boolean;
}

type Reader = (lines: readonly SideLine[], file: ChangedFile) => readonly Dependency[];

const MANIFESTS: readonly { readonly files: RegExp; readonly read: Reader }[] = [
  { files: /(^|\/)package\.json$/, read: readPackageJson },
  { files: /(^|\/)(requirements[^/]*|constraints[^/]*)\.(txt|in)$/, read: readRequirements },
  { files: /(^|\/)pyproject\.toml$/, read: readPyproject },
  { files: /(^|\/)Pipfile$/, read: readSectionTable(/(^|\.)(packages|dev-packages)\.([^.]+)$/) },
  {
    files: /(^|\/)Cargo\.toml$/,
    read: readSectionTable(/(?:^|\.)(?:(?:dev-|build-)?dependencies|patch\.[\w.-]+)\.([^.]+)(?:\.(?:path|git|version))?$/),
  },
  { files: /(^|\/)go\.mod$/, read: readGoMod },
  { files: /(^|\/)Gemfile$/, read: readGemfile },
];

export function dependenciesOf(file: FileView, side: "before" | "after"): readonly Dependency[] {
  const manifest = MANIFESTS.find(({ files }) => files.test(file.path));
  return manifest ? sideLines(file, side).flatMap((lines) => manifest.read(lines, file)) : [];
}

/** What npm takes for a version, a tag or a place; other fields of a manifest look otherwise. */
const NPM_SPEC =
  /^([\^~<>=v]*\s*\d+(\.|$)|\*$|latest$|next$|(workspace|npm|file|link|portal|git|git\+\w+|https?|github|gitlab|catalog):|[\w-]+\/[\w.-]+(#\S+)?$|\.\.?\/)/;
const NPM_SECTION = /(?:^|\.)(dependencies|devDependencies|peerDependencies|optionalDependencies|overrides|resolutions)\.(.+)$/;
const NPM_FIELD =
  /^(version|main|module|types|typings|node|npm|url|directory|name|license|type|browser|import|require|default|bin|packageManager|homepage|engines.*)$/;

function readPackageJson(lines: readonly SideLine[], file: ChangedFile): readonly Dependency[] {
  return readerOf("package.json")!(lines).flatMap(({ path, value, line, isChanged, isItem }) => {
    if (isItem) return [];
    const [, section, known] = NPM_SECTION.exec(path) ?? [];
    // In a fragment the name of the section may be out of sight.
    const name = known ?? (file.scope === "hunks" && !path.includes(".") && !NPM_FIELD.test(path) ? path : undefined);
    const isOverride = /^(overrides|resolutions)$/.test(section ?? "") && !/^[\^~<>=v]*\s*\d/.test(value);
    return name && NPM_SPEC.test(value) ? [{ name, spec: isOverride ? `=> ${value}` : value, line, isChanged }] : [];
  });
}

const REQUIREMENT = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*((?:@|[=<>!~]=?|;).*)?$/;

function requirement(text: string, { line, isChanged }: Pick<SideLine, "line" | "isChanged">): readonly Dependency[] {
  const plain = text.replace(/\s#.*$|^#.*$/, "").trim();
  const direct = /^(?:-e|--editable)\s+(\S+)/.exec(plain) ?? /^((?:\.\.?\/|\/|file:|git\+|https?:)\S+)$/.exec(plain);
  if (direct) {
    const name =
      /#egg=([\w.-]+)/.exec(direct[1]!)?.[1] ??
      direct[1]!
        .replace(/(\.git)?(@[^/]*)?\/?$/, "")
        .split("/")
        .at(-1)!;
    return [{ name: pythonName(name), spec: direct[1]!, line, isChanged }];
  }
  const found = REQUIREMENT.exec(plain);
  return found ? [{ name: pythonName(found[1]!), spec: found[2]?.trim() ?? "*", line, isChanged }] : [];
}

const pythonName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

function readRequirements(lines: readonly SideLine[]): readonly Dependency[] {
  return lines.flatMap((line) => requirement(line.text.trim(), line));
}

function readPyproject(lines: readonly SideLine[]): readonly Dependency[] {
  return readerOf("pyproject.toml")!(lines).flatMap((entry) => {
    if (
      entry.isItem &&
      /(^|\.)(dependencies|requires|optional-dependencies\..+|dependency-groups\..+)$|^(dev|test|tests|docs)$/.test(entry.path)
    )
      return requirement(entry.value, entry);
    const named = /(?:^|\.)(?:poetry\.(?:[\w.-]*\.)?(?:dev-)?dependencies|uv\.sources)\.([^.]+)$/.exec(entry.path);
    return named && named[1] !== "python"
      ? [{ name: pythonName(named[1]!), spec: entry.value, line: entry.line, isChanged: entry.isChanged }]
      : [];
  });
}

function readSectionTable(path: RegExp): Reader {
  return (lines) =>
    readerOf("Cargo.toml")!(lines).flatMap((entry) => {
      const name = path.exec(entry.path)?.at(-1);
      const spec = entry.path.startsWith("patch.") ? `=> ${entry.value}` : entry.value;
      return name && !entry.isItem ? [{ name, spec, line: entry.line, isChanged: entry.isChanged }] : [];
    });
}

function readGoMod(lines: readonly SideLine[]): readonly Dependency[] {
  return lines.flatMap(({ text, line, isChanged }) => {
    const replaced = /^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\S+)/.exec(text);
    if (replaced) return [{ name: replaced[1]!, spec: `=> ${replaced[2]}`, line, isChanged }];
    const required = /^\s*(?:require\s+)?([\w-]+\.[\w./~-]+)\s+(v\d\S*)/.exec(text);
    return required ? [{ name: required[1]!, spec: required[2]!, line, isChanged }] : [];
  });
}

function readGemfile(lines: readonly SideLine[]): readonly Dependency[] {
  return lines.flatMap(({ text, line, isChanged }) => {
    const gem = /^\s*gem\s*\(?\s*["']([\w.-]+)["']\s*,?\s*(.*)$/.exec(text);
    return gem ? [{ name: gem[1]!, spec: gem[2]!.trim() || "*", line, isChanged }] : [];
  });
}
