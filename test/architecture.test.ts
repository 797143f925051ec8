import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const LEAVES = ["contract", "std"];
const REGISTRIES = ["makers", "verifiers", "triggers", "gates", "actions", "notifiers", "connectors", "adapters", "improvers", "patterns"];

/** Which rooms a room may import. Nothing else about the layout is written down twice. */
const MAY_IMPORT: { readonly [room: string]: readonly string[] } = {
  contract: [],
  std: [],
  guard: LEAVES,
  scoring: LEAVES,
  dialects: [...LEAVES, "guard", "spec"],
  receipts: LEAVES,
  journal: LEAVES,
  schedule: LEAVES,
  world: LEAVES,
  ...Object.fromEntries(REGISTRIES.map((registry) => [registry, LEAVES])),
  ecosystems: LEAVES,
  anatomy: LEAVES,
  lint: [...LEAVES, "guard", "spec", "dialects", "anatomy"],
  spec: [...LEAVES, "guard", "schedule"],
  engine: [...LEAVES, "guard", "journal"],
  app: [
    ...LEAVES,
    ...REGISTRIES,
    "ecosystems",
    "anatomy",
    "lint",
    "guard",
    "scoring",
    "dialects",
    "receipts",
    "journal",
    "schedule",
    "spec",
    "engine",
    "world",
  ],
  daemon: [...LEAVES, "app", "schedule", "journal"],
  mcp: [...LEAVES, "app", "guard", "journal"],
  cli: [...LEAVES, "app", "anatomy", "lint", "daemon", "mcp", "schedule", "spec", "guard", "scoring", "dialects", "receipts", "journal"],
  "index.ts": [...LEAVES, "app", "spec", "guard", "journal", "lint", "receipts"],
  "guard.ts": ["guard"],
};

/** Packages and Node modules a room may name. What is pure may name what is pure. */
const PURE_NODE = ["node:path", "node:util"];
const MAY_NAME: { readonly [room: string]: readonly string[] } = {
  contract: ["zod"],
  guard: ["unbash"],
  std: ["node:crypto", "canonicalize", "picomatch"],
  app: [...PURE_NODE, "zod"],
  spec: [...PURE_NODE, "zod", "yaml"],
  ecosystems: ["yaml"],
  engine: PURE_NODE,
  dialects: ["yaml", "zod"],
  receipts: ["@sigstore/bundle", "@sigstore/protobuf-specs", "@sigstore/verify"],
  cli: [...PURE_NODE, "commander", "node:fs"],
  mcp: ["zod", "@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio"],
  daemon: [...PURE_NODE, "hono", "hono/http-exception", "@hono/zod-openapi"],
  ...Object.fromEntries(REGISTRIES.map((registry) => [registry, [...PURE_NODE, "zod"]])),
  adapters: [...PURE_NODE, "zod", "yaml"],
  makers: [...PURE_NODE, "zod", "@agentclientprotocol/sdk"],
};

/** Clocks, timers, chance, the process and the network: only the world touches them; the front doors also speak to their process. */
const AMBIENT = /\bDate\.now\(|new Date\(\)|\bset(Timeout|Interval|Immediate)\(|\bMath\.random\(|\bperformance\.[a-z]|\bfetch\(/;
const PROCESS = /\bprocess\.[a-z]/;
const DOORS = ["cli/lw.ts", "cli/hook-main.ts"];
/** What differs between two callers in one process. It is handed in, so that they do not see each other. */
const CALLER = /\bprocess\.(env|cwd|argv|stdin|stdout|stderr|chdir|exit|exitCode|on|once)\b|\} = process\b/;
const MAY_KNOW_CALLER = [
  ...DOORS,
  "world/machine/this-process.ts",
  // The text of a program that runs as a process of its own.
  "world/box/egress-way.ts",
];

const src = resolve("src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, room: file.split("/")[0]!, text: readFileSync(resolve(src, file), "utf8") }));

const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(([, whole, lazy]) => (whole ?? lazy)!);

/** Rules carry code as examples; what stands in plain quotes does nothing. */
const withoutStrings = (text: string): string => text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');

it.each(files)("$file imports only rooms it may", ({ file, room, text }) => {
  const rooms = importsOf(text)
    .filter((path) => path.startsWith("."))
    .map((path) => relative(src, resolve(src, dirname(file), path)).split("/")[0]!)
    .filter((other) => other !== room);

  expect(rooms.filter((other) => !MAY_IMPORT[room]?.includes(other))).toEqual([]);
});

it.each(files.filter(({ room }) => room !== "world"))("$file names only packages it may", ({ room, text }) => {
  const names = importsOf(text).filter((path) => !path.startsWith("."));

  expect(names.filter((name) => !MAY_NAME[room]?.includes(name))).toEqual([]);
});

it.each(files.filter(({ room }) => room !== "world"))("$file reaches outside only through the world", ({ file, text }) => {
  const code = withoutStrings(text);

  expect(AMBIENT.exec(code)?.[0]).toBeUndefined();
  if (!DOORS.includes(file)) expect(PROCESS.exec(code)?.[0]).toBeUndefined();
});

it("lets only the front doors, and one file of the world, see who calls", () => {
  const seeing = files.filter(({ text }) => CALLER.test(withoutStrings(text))).map(({ file }) => file);

  expect(seeing.filter((file) => !MAY_KNOW_CALLER.includes(file))).toEqual([]);
});

it("has a rule for every room", () => {
  expect([...new Set(files.map(({ room }) => room))].filter((room) => !MAY_IMPORT[room])).toEqual([]);
});

it("opens every file with a sentence that says what it is for", () => {
  const opening = /^(?:#!.*\n)?(?:\/\/ |\/\*\*(?: |\n \* ))[A-Z`a-z].*/;

  expect(files.filter(({ text }) => !opening.test(text)).map(({ file }) => file)).toEqual([]);
});

it("has no barrels but the registries' lists and the public library", () => {
  const barrels = files
    .filter(({ file, text }) => !["index.ts", "guard.ts"].includes(file) && /^export \* from|^export \{[^}]*\} from/m.test(text))
    .map(({ file }) => file);

  expect(barrels).toEqual([]);
});

it("makes admitted text in one place only", () => {
  const makers = files.filter(({ text }) => /\bas Admitted\b/.test(text)).map(({ file }) => file);

  expect(makers).toEqual(["guard/text/admit.ts"]);
});

/** Where a proposal is told apart by its kind, each time with an answer for every kind. */
const TELL_KINDS_APART = ["app/crew.ts", "cli/print/tell-proposal.ts", "contract/proposal.ts", "engine/render-proposal.ts"];
/** A referee judges changes, and nothing else. */
const WANT_A_CHANGE = ["app/runs/referee.ts", "app/runs/spec-on-base.ts"];
/** These ask for something else that is called so: what is scanned, what a report cites. */
const OTHER_COMMITS = ["app/scans/scan-diff.ts", "verifiers/look-at-citations.ts"];

it("asks what kind a proposal is only where every kind has its answer", () => {
  const asking = files
    .filter(({ text }) =>
      /\b(?:kind|kind\.name|proposes|proves) [!=]== "(?:commit|report)"|\bproposes [!=]== "document"|case "(?:commit|report)":/.test(text),
    )
    .map(({ file }) => file);

  expect(asking.toSorted()).toEqual([...TELL_KINDS_APART, ...WANT_A_CHANGE, ...OTHER_COMMITS].toSorted());
});

/** Of which files a file takes something, types included, as far as they are in its own room. */
const neighboursOf = new Map(
  files.map(({ file, room, text }) => [
    file,
    importsOf(text)
      .filter((path) => path.startsWith("."))
      .map((path) => relative(src, resolve(src, dirname(file), path)))
      .filter((other) => other.split("/")[0] === room),
  ]),
);

it("has no circles inside a room, types included", () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" -> "));
    if (way.includes(file) || done.has(file)) return;
    for (const other of neighboursOf.get(file) ?? []) walk(other, [...way, file]);
    done.add(file);
  };
  for (const { file } of files) walk(file, []);

  expect(circles).toEqual([]);
});

it("lets only composition know the world", () => {
  const knowing = files
    .filter(({ file, room }) => room === "app" && !/^app\/open-[^/]+$/.test(file))
    .filter(({ file, text }) => importsOf(text).some((path) => relative(src, resolve(src, dirname(file), path)).startsWith("world/")))
    .map(({ file }) => file);

  expect(knowing).toEqual([]);
});
