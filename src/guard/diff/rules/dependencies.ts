// Dependencies that come from elsewhere than before, or from a name made to be mistaken for another.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import { type Dependency, dependenciesOf } from "./dependency-entries.ts";
import { isOneEditAway, JUDGES_TESTS, knownPackages } from "./known-packages.ts";
import { lockRules } from "./lock-files.ts";
import { LONGEST_LINE } from "./side-lines.ts";

/** Specs that name a place instead of a version of the registry's. */
const LOCAL = /(^|[\s"'@={,])(file:|link:|portal:|\.\.?\/|\/(?!\/)|~\/|[a-z]:\\)|\bpath\s*[:=]|^=>\s*(\.|\/)|^(-e\s+)?\.\.?$/i;
const REMOTE =
  /(^|[\s"'@={,])(git\+|git:|git@|https?:|github:|gitlab:|bitbucket:)|\b(git|url|github)\s*[:=]\s*["']?\w|^[\w-]+\/[\w.-]+(#\S+)?$|^=>\s*\w|^npm:/i;

const placeOf = ({ spec }: Dependency): "registry" | "local" | "remote" =>
  LOCAL.test(spec) ? "local" : REMOTE.test(spec) ? "remote" : "registry";

const isMoved = (a: "registry" | "local" | "remote", b: "registry" | "local" | "remote"): boolean => a === "registry" && b !== "registry";

function swapped(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap((file) => {
    if (!file.after || file.role === "fixture") return [];
    const olds = byName(dependenciesOf(file, "before"));
    return dependenciesOf(file, "after")
      .filter(({ isChanged }) => isChanged)
      .flatMap((dependency): readonly Sighting[] => {
        const place = placeOf(dependency);
        if (place === "registry") return [];
        const old = olds.get(dependency.name)?.find(({ isChanged }) => isChanged || dependency.spec.startsWith("=>"));
        const isJudge = JUDGES_TESTS.test(dependency.name);
        const isOverride = /^=>/.test(dependency.spec);
        if (!old && !isJudge && !isOverride) return [];
        if (old && placeOf(old) !== "registry" && !isMoved(placeOf(old), place)) return [];
        // Members of one workspace name each other by path, and keep a version for those outside.
        const isSibling = /version\s*=/.test(dependency.spec) || dependency.spec.startsWith("workspace:");
        const severity = isJudge ? ("high" as const) : isSibling || (place === "remote" && !old) ? ("low" as const) : ("medium" as const);
        return [
          {
            file: file.path,
            line: dependency.line,
            severity,
            confidence: "high",
            what: `${dependency.name} comes from ${place === "local" ? "a local path" : "another place than the registry"} now`,
            ...(old && { before: `${old.name} ${old.spec}` }),
            after: `${dependency.name} ${dependency.spec}`,
          },
        ];
      });
  });
}

function byName(dependencies: readonly Dependency[]): ReadonlyMap<string, readonly Dependency[]> {
  const groups = new Map<string, Dependency[]>();
  for (const dependency of dependencies) {
    const group = groups.get(dependency.name);
    if (group) group.push(dependency);
    else groups.set(dependency.name, [dependency]);
  }
  return groups;
}

function lookAlikes(view: ChangeView): readonly Sighting[] {
  return view.files.flatMap((file) => {
    if (!file.after || file.role === "fixture") return [];
    const before = dependenciesOf(file, "before");
    const after = dependenciesOf(file, "after");
    const [had, has] = [new Set(before.map(({ name }) => name)), new Set(after.map(({ name }) => name))];
    const lost = before.filter(({ name, isChanged }) => isChanged && !has.has(name)).map(({ name }) => name);
    const known = knownPackages(file.path);
    const compared = [...known, ...lost.slice(0, MOST_LOST)].filter(({ length }) => length >= 5);
    const unscoped = new Map(lost.filter((name) => name.startsWith("@")).map((name) => [name.split("/")[1], name]));
    return after
      .filter(({ name, isChanged }) => isChanged && !had.has(name) && !known.includes(name))
      .flatMap((dependency): readonly Sighting[] => {
        const { name, line } = dependency;
        const near = compared.find((other) => isOneEditAway(name, other));
        if (near) return [sighting(file, line, `${name} is almost the name of ${near}`, dependency)];
        const scoped = unscoped.get(name);
        return scoped ? [sighting(file, line, `${name} took the place of ${scoped}`, dependency)] : [];
      });
  });
}

/** A change that drops more dependencies than this is a new manifest, in which nothing takes the place of anything. */
const MOST_LOST = 100;

const sighting = (file: FileView, line: number, what: string, { name, spec }: Dependency): Sighting => ({
  file: file.path,
  line,
  confidence: "medium",
  what,
  after: `${name} ${spec}`,
});

const REGISTRY_FILE =
  /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|bunfig\.toml|pip\.(conf|ini)|\.pypirc|nuget\.config|\.cargo\/config(\.toml)?|requirements[^/]*\.(txt|in)|pyproject\.toml|Pipfile|uv\.toml|\.bundle\/config|Gemfile|\.mvn\/[^/]+|settings\.xml|settings\.gradle(\.kts)?|\.?go\.env)$/i;
const REGISTRY_LINE =
  /^\s*(?:(?:@[\w-]+:)?registry\s*[=:]|npmRegistryServer\s*:|(?:--)?(?:extra-)?index-url\s*[= ]|--find-links\s*[= ]|-i\s+http|--trusted-host|trusted-host\s*=|index\s*=\s*["']?http|registry\s*=\s*["']|replace-with\s*=|source\s+["']http|repository\s*[:=]\s*["']?http|GOPROXY\s*=|GONOSUMDB\s*=|GOFLAGS\s*=.*-mod=mod|GONOSUMCHECK|GOSUMDB\s*=\s*off|strict-ssl\s*=\s*false|url\s*=\s*["']https?:)/i;
const KNOWN_HOST =
  /https?:\/\/([\w.-]+\.)?(registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|pypi\.org|test\.pypi\.org|download\.pytorch\.org|rubygems\.org|index\.crates\.io|crates\.io|repo1?\.maven(\.apache)?\.org|plugins\.gradle\.org|proxy\.golang\.org|api\.nuget\.org|jsr\.io|npm\.jsr\.io|github\.com)(\/|["'\s]|$)/i;

function registries(view: ChangeView): readonly Sighting[] {
  return view.files
    .filter(({ path, role }) => REGISTRY_FILE.test(path) && role !== "fixture")
    .flatMap((file) =>
      file.added
        .filter(
          ({ text }) =>
            REGISTRY_LINE.test(text.slice(0, LONGEST_LINE)) &&
            !KNOWN_HOST.test(text) &&
            !file.removed.some((old) => old.text.trim() === text.trim()),
        )
        .filter(
          ({ text }) => !/pyproject|Pipfile/.test(file.path) || /index|\burl\s*=\s*["']https?:\/\/[^"']*(simple|pypi|index)/i.test(text),
        )
        .map(
          ({ after, text }): Sighting => ({
            file: file.path,
            line: after,
            confidence: "medium",
            what: "packages come from another registry now",
            after: text,
          }),
        ),
    );
}

const manifest = (dependencies: { readonly [name: string]: string }): string =>
  `${JSON.stringify({ name: "a", devDependencies: dependencies }, undefined, 2)}\n`;

export const dependencyRules: readonly DiffRule[] = [
  {
    id: "dependency-swapped",
    severity: "medium",
    why: "A dependency no longer comes from the registry it came from. Take the published package, or let a human decide about another.",
    find: swapped,
    examples: {
      flags: [
        { "package.json": [manifest({ jest: "^29.0.0" }), manifest({ jest: "file:./tools/jest" })] },
        { "package.json": [manifest({ left: "^1.0.0" }), manifest({ left: "git+https://example.com/left.git" })] },
        { "package.json": [manifest({ left: "^1.0.0" }), manifest({ left: "https://example.com/left.tgz" })] },
        { "package.json": [manifest({ left: "^1.0.0" }), manifest({ left: "npm:right@1.0.0" })] },
        { "requirements.txt": ["pytest==8.0\n", "pytest @ file:///tmp/pytest\n"] },
        {
          "go.mod": [
            "module a\n\nrequire github.com/stretchr/testify v1.9.0\n",
            "module a\n\nrequire github.com/stretchr/testify v1.9.0\n\nreplace github.com/stretchr/testify => ./testify\n",
          ],
        },
        { "Cargo.toml": ['[dependencies]\nserde = "1"\n', '[dependencies]\nserde = { path = "../serde" }\n'] },
        {
          "Cargo.toml": [
            '[dependencies]\nserde = "1"\n',
            '[dependencies]\nserde = "1"\n\n[patch.crates-io]\nserde = { path = "vendor/serde" }\n',
          ],
        },
        { Gemfile: ["gem 'rspec', '~> 3'\n", "gem 'rspec', path: './rspec'\n"] },
      ],
      passes: [
        { "package.json": [manifest({ jest: "^29.0.0" }), manifest({ jest: "^30.0.0" })] },
        { "package.json": [manifest({ jest: "^29.0.0" }), manifest({ jest: "^29.0.0", zod: "^4.0.0" })] },
        { "package.json": [manifest({ "@a/b": "1.0.0" }), manifest({ "@a/b": "workspace:*" })] },
        { "Cargo.toml": ['[dependencies]\nb = "1"\n', '[dependencies]\nb = { path = "../b", version = "1" }\n'] },
        { "Cargo.toml": ['[dependencies]\nb = "1"\n', '[dependencies]\nb = { version = "1", features = ["c"] }\n'] },
        { "go.mod": ["require github.com/a/b v1.0.0\n", "require github.com/a/b v1.1.0\n"] },
        { "requirements.txt": ["pytest==8.0\n", "pytest==8.1\nrequests>=2\n"] },
      ],
    },
  },
  {
    id: "dependency-look-alike",
    severity: "medium",
    why: "A new dependency is named almost like another. Check that it is the one that was meant.",
    find: lookAlikes,
    examples: {
      flags: [
        { "package.json": [manifest({ a: "1.0.0" }), manifest({ a: "1.0.0", lodahs: "^4.0.0" })] },
        { "requirements.txt": ["flask\n", "flask\nreqeusts==2.0\n"] },
        { "package.json": [manifest({ "@org/parser": "1.0.0" }), manifest({ parser: "1.0.0" })] },
        { "Cargo.toml": ['[dependencies]\na = "1"\n', '[dependencies]\na = "1"\nserde_jsom = "1"\n'] },
      ],
      passes: [
        { "package.json": [manifest({ a: "1.0.0" }), manifest({ a: "1.0.0", preact: "^10.0.0", "@types/react": "^18.0.0" })] },
        { "requirements.txt": ["flask\n", "Flask\nrequests\n"] },
        { "package.json": [manifest({ "babel-core": "6.0.0" }), manifest({ "@babel/core": "^7.0.0" })] },
      ],
    },
  },
  {
    id: "registry-changed",
    severity: "medium",
    why: "Packages now come from another registry, which can give anything under any name. Leave the registry as it is.",
    find: registries,
    examples: {
      flags: [
        { ".npmrc": ["fund=false\n", "fund=false\nregistry=https://npm.example.com/\n"] },
        { "requirements.txt": ["flask\n", "--index-url https://pypi.example.com/simple\nflask\n"] },
        { "pip.conf": [undefined, "[global]\nindex-url = https://pypi.example.com/simple\n"] },
      ],
      passes: [
        { ".npmrc": [undefined, "registry=https://registry.npmjs.org/\n"] },
        { ".npmrc": ["fund=false\n", "fund=false\nengine-strict=true\n"] },
      ],
    },
  },
  ...lockRules,
];
