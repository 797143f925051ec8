// Settings files read tolerantly, whole or in fragments: every value with the trail of names that leads to it.
import { endingOf } from "../languages.ts";
import { readBraces } from "./setting-entries-braces.ts";
import { readMarkup, readSections, readYaml } from "./setting-entries-lines.ts";
import type { Entry } from "./setting-entry.ts";
import type { SideLine } from "./side-lines.ts";

type Reader = (lines: readonly SideLine[]) => readonly Entry[];

const BRACES = /^(jsonc?|json5|[cm]?[jt]sx?|gradle|kts|neon|groovy|rc)$/;

/** Undefined for files whose form is not a list of names and values. */
export function readerOf(path: string): Reader | undefined {
  const ending = endingOf(path);
  if (/^(xml|dist|csproj|fsproj|vbproj|props|targets|runsettings)$/.test(ending) && !/neon/.test(path)) return readMarkup;
  if (BRACES.test(ending) && !/\.neon$/.test(path)) return readBraces;
  if (/^(ya?ml|neon)$/.test(ending) || /\.neon(\.dist)?$/.test(path)) return readYaml;
  if (/^(toml|ini|cfg|properties|conf)$/.test(ending)) return readSections;
  const name = path.split("/").at(-1)!;
  if (/^\.(babelrc|eslintrc|mocharc|nycrc|c8rc|prettierrc|stylelintrc|swcrc|taprc)$/.test(name)) return readBraces;
  return /^(\.coveragerc|\.flake8|\.?pylintrc|Pipfile|\.npmrc|config)$/.test(name) ? readSections : undefined;
}
