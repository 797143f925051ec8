import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const LEAVES = ["contract", "std"];
const REGISTRIES = ["makers", "verifiers", "triggers", "gates", "actions", "notifiers", "connectors", "adapters"];

/** Which rooms a room may import. Nothing else about the layout is written down twice. */
const MAY_IMPORT: { readonly [room: string]: readonly string[] } = {
  contract: [],
  std: [],
  guard: LEAVES,
  scoring: LEAVES,
  dialects: LEAVES,
  receipts: LEAVES,
  journal: LEAVES,
  world: LEAVES,
  ...Object.fromEntries(REGISTRIES.map((registry) => [registry, LEAVES])),
  spec: [...LEAVES, "guard"],
  engine: [...LEAVES, "guard", "journal"],
  app: [...LEAVES, ...REGISTRIES, "guard", "scoring", "dialects", "receipts", "journal", "spec", "engine", "world"],
  cli: [...LEAVES, "app", "spec", "guard", "scoring", "dialects", "receipts", "journal"],
  "index.ts": [...LEAVES, "app", "spec", "guard", "journal", "receipts"],
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
  engine: PURE_NODE,
  receipts: ["@sigstore/bundle", "@sigstore/protobuf-specs", "@sigstore/verify"],
  cli: [...PURE_NODE, "commander", "node:fs"],
  ...Object.fromEntries(REGISTRIES.map((registry) => [registry, [...PURE_NODE, "zod"]])),
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
