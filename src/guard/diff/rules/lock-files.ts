// Lock files whose packages come from elsewhere, or hold something else under the same version.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import { LONGEST_LINE, type SideLine, sideLines } from "./side-lines.ts";

const KNOWN_HOSTS =
  /^(registry\.npmjs\.org|registry\.yarnpkg\.com|registry\.npmmirror\.com|npm\.pkg\.github\.com|codeload\.github\.com|github\.com|api\.github\.com|gitlab\.com|bitbucket\.org|pypi\.org|files\.pythonhosted\.org|download\.pytorch\.org|static\.crates\.io|crates\.io|index\.crates\.io|rubygems\.org|proxy\.golang\.org|packagist\.org|repo\.packagist\.org|api\.nuget\.org|jsr\.io|npm\.jsr\.io|opencollective\.com|www\.patreon\.com|tidelift\.com|paulmillr\.com|feross\.org|ko-fi\.com|.*\.gnu\.org)$/;
/** Fields whose address is fetched; others are homepages and funding. */
const SOURCE =
  /(?:"resolved"\s*:|^\s+resolved\s|"?tarball"?\s*:|"url"\s*:|^\s*url\s*=|source\s*=|^\s+remote:|registry\s*=|resolution:|"dist")/;
const HOST = /(https?):\/\/(?:[^@/\s"']*@)?([\w.-]+)/;

function foreignHosts(view: ChangeView): readonly Sighting[] {
  return locks(view).flatMap((file) => {
    const before = new Set(sideLines(file, "before").flatMap((lines) => lines.flatMap(({ text }) => hostIn(text) ?? [])));
    const seen = new Set<string>();
    return file.added.flatMap(({ text, after }): readonly Sighting[] => {
      const host = SOURCE.test(text.slice(0, LONGEST_LINE)) ? hostIn(text) : undefined;
      if (!host || KNOWN_HOSTS.test(host) || before.has(host) || seen.has(host) || !file.before) return [];
      seen.add(host);
      return [{ file: file.path, line: after, confidence: "high", what: `packages are fetched from ${host} now`, after: text }];
    });
  });
}

const hostIn = (text: string): string | undefined => HOST.exec(text.slice(0, LONGEST_LINE))?.[2]?.toLowerCase();

const locks = (view: ChangeView): readonly FileView[] => view.files.filter(({ role }) => role === "lock");

const HASH = /(?:"?integrity"?\s*[:\s]\s*|checksum\s*=\s*|"shasum"\s*:\s*)"?(?:\{integrity:\s*)?((?:sha\d+-)?[\w+/=-]{20,})/;
const VERSION =
  /(?:"version"\s*:|^\s*version[\s:=]|"resolved"\s*:|^\s+resolved\s|^\s{2,}(?:["'/]?@?[\w./-]+@[\w.()@-]+["']?|\/[\w./@-]+):\s*$|^"?@?[\w./-]+@.*:$|^\s*name\s*=)/;

/** How far from a hash its version may stand. */
const NEAR = 6;

/** The same version with another hash is another content under the same name. */
function otherContent(view: ChangeView): readonly Sighting[] {
  return locks(view).flatMap((file) => {
    if (/go\.sum$/.test(file.path)) return otherSums(file);
    const removed = new Map(file.removed.flatMap(({ text, after }) => hashIn(text).map((hash) => [after, hash] as const)));
    if (removed.size === 0 || !file.before) return [];
    const lost = new Set(removed.values());
    return sideLines(file, "after").flatMap((piece) =>
      piece.flatMap((line, index): readonly Sighting[] => {
        const hash = line.isChanged ? hashIn(line.text)[0] : undefined;
        if (hash === undefined || lost.has(hash)) return [];
        // What took the place of a removed line stands where that line points to, or beside it.
        const old = [line.line, line.line - 1, line.line + 1].map((at) => removed.get(at)).find((other) => other !== undefined);
        if (old === undefined || algorithmOf(old) !== algorithmOf(hash) || !isSameVersion(piece, index)) return [];
        return [
          { file: file.path, line: line.line, confidence: "medium", what: "the same version has another hash", before: old, after: hash },
        ];
      }),
    );
  });
}

const hashIn = (text: string): readonly string[] => {
  const hash = HASH.exec(text.slice(0, LONGEST_LINE))?.[1];
  return hash === undefined ? [] : [hash];
};

const algorithmOf = (hash: string): string => /^(sha\d+)-/.exec(hash)?.[1] ?? String(hash.length);

/** Every sign of the version near the hash is unchanged, and there is one. */
function isSameVersion(lines: readonly SideLine[], index: number): boolean {
  const near = lines.slice(Math.max(0, index - NEAR), index).reverse();
  const end = near.findIndex(({ text }) => /^\s*[{}]?\s*},?\s*$|^\s*$|^\[\[package\]\]/.test(text));
  const signs = (end < 0 ? near : near.slice(0, end)).filter(({ text }) => VERSION.test(text));
  return signs.length > 0 && signs.every(({ isChanged }) => !isChanged) && !lines[index]!.text.includes("resolved");
}

function otherSums(file: FileView): readonly Sighting[] {
  const keyOf = (text: string): string => text.trim().split(/\s+/).slice(0, 2).join(" ");
  const lost = new Map(file.removed.map(({ text }) => [keyOf(text), text]));
  return file.added.flatMap(({ text, after }): readonly Sighting[] => {
    const old = lost.get(keyOf(text));
    return old && old.trim() !== text.trim()
      ? [{ file: file.path, line: after, confidence: "high", what: `${keyOf(text)} has another hash`, before: old, after: text }]
      : [];
  });
}

const entry = (host: string, hash: string, version = "1.0.0"): string =>
  `{\n  "packages": {\n    "node_modules/a": {\n      "version": "${version}",\n      "resolved": "https://${host}/a/-/a-${version}.tgz",\n      "integrity": "sha512-${hash.repeat(40)}=="\n    }\n  }\n}\n`;

export const lockRules: readonly DiffRule[] = [
  {
    id: "lock-host-changed",
    severity: "medium",
    why: "The lock file fetches packages from a place it did not know. Make it anew from the registry.",
    find: foreignHosts,
    examples: {
      flags: [{ "package-lock.json": [entry("registry.npmjs.org", "a"), entry("npm.example.com", "b")] }],
      passes: [
        { "package-lock.json": [entry("registry.npmjs.org", "a"), entry("registry.npmjs.org", "b", "1.1.0")] },
        { "package-lock.json": [undefined, entry("npm.example.com", "a")] },
      ],
    },
  },
  {
    id: "lock-content-changed",
    severity: "medium",
    why: "The lock file has another content for the same version of a package. Make it anew from the registry and compare.",
    find: otherContent,
    examples: {
      flags: [
        { "package-lock.json": [entry("registry.npmjs.org", "a"), entry("registry.npmjs.org", "b")] },
        { "go.sum": ["github.com/a/b v1.0.0 h1:aaaa=\n", "github.com/a/b v1.0.0 h1:bbbb=\n"] },
        {
          "Cargo.lock": [
            `[[package]]\nname = "a"\nversion = "1.0.0"\nchecksum = "${"a".repeat(64)}"\n`,
            `[[package]]\nname = "a"\nversion = "1.0.0"\nchecksum = "${"b".repeat(64)}"\n`,
          ],
        },
      ],
      passes: [
        { "package-lock.json": [entry("registry.npmjs.org", "a"), entry("registry.npmjs.org", "b", "2.0.0")] },
        { "go.sum": ["github.com/a/b v1.0.0 h1:aaaa=\n", "github.com/a/b v1.0.1 h1:bbbb=\n"] },
      ],
    },
  },
];
