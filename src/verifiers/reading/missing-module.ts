// Which package a program could not load, from what it printed, and whether a manifest asks for it.
import { dependenciesIn } from "./manifests.ts";

/** Where packages are asked for, at the root of a repository. */
export const MANIFESTS = ["package.json", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "Pipfile"] as const;

const MOST_READ = 64 * 1024;
const MISSING = [
  /\bCannot find (?:module|package) '([^'\n]{1,200})'/g,
  /\bFailed to resolve import "([^"\n]{1,200})"/g,
  /\bModuleNotFoundError: No module named '([^'\n]{1,200})'/g,
  /\bImportError: No module named '?([\w.]{1,200})/g,
];

/** The packages that could not be loaded. A path inside the repository is none: that one, somebody may have to write. */
export function missingPackages(printed: string): readonly string[] {
  const text = printed.slice(-MOST_READ);
  const names = MISSING.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!));
  return [...new Set(names.filter((name) => !/^(?:[./#~\\]|[A-Za-z]:|file:|node:)/.test(name)).map(packageOf))];
}

/** `@scope/name/file` belongs to `@scope/name`, `name/file` to `name`, and `name.part` of Python to `name`. */
function packageOf(name: string): string {
  if (!name.includes("/")) return /^[\w.]+$/.test(name) && !name.endsWith(".js") ? name.split(".")[0]! : name;
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Whether a manifest asks for a package. Python takes `-`, `_` and `.` for the same. */
export function isAskedFor(name: string, path: string, text: string): boolean {
  const asked = plain(dependenciesIn(path, text) ?? "");
  const wanted = plain(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w@/-])${wanted}(?![\\w/-])`).test(asked);
}

const plain = (text: string): string => text.toLowerCase().replace(/[_.]/g, "-");
