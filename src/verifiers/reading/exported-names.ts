// The names that a source file gives to others, by a scan of its lines: no parser, so it can be told about a file in any state.
import { withoutBetween } from "./without-between.ts";

type Scan = (text: string) => readonly string[];

/** Undefined where the language is not known. */
export function exportedNames(path: string, text: string): ReadonlySet<string> | undefined {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const scan = Object.hasOwn(SCANS, ending) ? SCANS[ending] : undefined;
  return scan && new Set(scan(text.replaceAll("\r\n", "\n")));
}

const withoutSlashComments = (text: string): string => withoutBetween(text, "/*", "*/").replace(/^[ \t]*\/\/.*$/gm, "");

const allOf = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap((match) => match.slice(1).filter((name) => name !== undefined));

const namesInBraces = (list: string): readonly string[] =>
  list
    .split(",")
    .map((item) => /([\w$]+|"[^"]*")\s*$/.exec(item.trim())?.[1])
    .filter((name) => name !== undefined);

const scriptNames: Scan = (source) => {
  const text = withoutSlashComments(source);
  return [
    ...allOf(
      text,
      /^[ \t]*export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|const enum|const|let|var|interface|type|enum|namespace)\s+([\w$]+)/gm,
    ),
    ...allOf(text, /^[ \t]*export\s+(?:type\s+)?\{([^{}]{0,9999})\}/gm).flatMap(namesInBraces),
    ...allOf(text, /^[ \t]*export\s+(?:const|let|var)\s+\{([^{}]{0,9999})\}/gm).flatMap(namesInBraces),
    ...allOf(text, /^[ \t]*export\s+\*\s+as\s+([\w$]+)/gm),
    ...allOf(text, /^[ \t]*export\s+\*\s+from\s+["']([^"']+)["']/gm).map((from) => `* of ${from}`),
    ...(/^[ \t]*export\s+default\b/m.test(text) ? ["default"] : []),
    ...allOf(text, /^[ \t]*(?:module\.)?exports\.([\w$]+)\s*=/gm),
    ...allOf(text, /^[ \t]*module\.exports\s*=\s*\{([^}]{0,1999})\}/gm).flatMap((list) => allOf(list, /(?:^|,)\s*(?:async\s+)?([\w$]+)/g)),
    ...(/^[ \t]*module\.exports\s*=(?!\s*\{)/m.test(text) ? ["module.exports"] : []),
  ];
};

const pythonNames: Scan = (source) => {
  const text = source.replace(/^[ \t]*#.*$/gm, "");
  return [
    ...allOf(text, /^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w*)/gm),
    ...allOf(text, /^__all__\s*\+?=\s*[[(]([^[\]()]{0,9999})[\])]/gm).flatMap((list) => allOf(list, /["']([^"']+)["']/g)),
  ];
};

const goNames: Scan = (source) => {
  const text = withoutSlashComments(source);
  const methods = [...text.matchAll(/^func\s+\(\s*\w*\s*\*?([A-Z]\w*)[^)\n]{0,200}\)\s+([A-Z]\w*)/gm)].map(
    ([, type, name]) => `${type}.${name}`,
  );
  return [...allOf(text, /^(?:func|type|var|const)\s+([A-Z]\w*)/gm), ...namesInGroups(text.split("\n")), ...methods];
};

/** What stands between `const (` and its closing line. */
function namesInGroups(lines: readonly string[]): readonly string[] {
  const names: string[] = [];
  let isInside = false;
  for (const line of lines) {
    if (/^(?:const|var|type)\s*\(/.test(line)) isInside = true;
    else if (line.startsWith(")")) isInside = false;
    else if (isInside) names.push(...allOf(line, /^\t([A-Z]\w*)/g));
  }
  return names;
}

const rustNames: Scan = (source) => {
  const text = withoutSlashComments(source);
  return [
    ...allOf(
      text,
      /^[ \t]*pub\s+(?:(?:default|const|async|unsafe|extern(?:\s+"[^"\n]{0,20}")?)\s+){0,5}(?:fn|struct|enum|trait|type|static(?:\s+mut)?|mod|union)\s+(\w+)/gm,
    ),
    ...allOf(text, /^[ \t]*pub\s+const\s+(\w+)\s*:/gm),
    ...allOf(text, /^[ \t]*pub\s+use\s+([^;]{1,999});/gm).map((path) => `use ${path.replace(/\s+/g, " ")}`),
  ];
};

const javaNames: Scan = (source) => {
  const text = withoutSlashComments(source);
  return [
    ...allOf(text, /^[ \t]*public\s+(?:[\w@]{1,50}[ \t]+){0,6}(?:class|interface|enum|record|@interface)\s+(\w+)/gm),
    ...allOf(text, /^[ \t]*public\s+[^=;(){}\n]{0,300}?\b(\w{1,200})[ \t]*\(/gm).map((name) => `${name}()`),
    ...allOf(text, /^[ \t]*public\s+[^=;(){}\n]{0,300}?\b(\w{1,200})[ \t]*(?:=[^=]|;)/gm),
  ];
};

const SCANS: { readonly [ending: string]: Scan } = {
  ...Object.fromEntries(["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"].map((ending) => [ending, scriptNames])),
  py: pythonNames,
  pyi: pythonNames,
  go: goNames,
  rs: rustNames,
  java: javaNames,
};
