import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { referencePages } from "../scripts/reference.ts";
import { COMMANDS } from "../src/cli/table.ts";
import { builtIn, LoopSpec, lintLoop, readSpec } from "../src/index.ts";

const read = (path: string): string => readFileSync(path, "utf8");
const pages = [...readdirSync("."), ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((file) => join("docs", file))].filter(
  (file) => file.endsWith(".md"),
);

it.each([...referencePages()])("%s is what `npm run docs` writes", (path, text) => {
  expect(existsSync(path) ? read(path) : "missing").toBe(text);
});

it("prints the two commands that work on a fresh machine, and CI runs the second", () => {
  const { scripts } = JSON.parse(read("package.json"));

  expect(read("README.md")).toContain("npm ci && npm run demo");
  expect(read("README.md")).toContain("npm ci && npm test");
  expect(read(".ci/run")).toContain("npm ci && npm test");
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["demo", "test"]));
});

it.each(pages)("%s links only to files that exist", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link!);

  expect(links.filter((link) => !existsSync(resolve(dirname(page), link)))).toEqual([]);
});

/** A heading as pages link to it. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

it.each(pages)("%s links only to headings that exist", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, file = "", anchor = ""]) => ({
    file: file === "" ? page : join(dirname(page), file),
    anchor,
  }));
  const slugs = (file: string): readonly string[] => [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slugOf(heading));

  expect(links.filter(({ file, anchor }) => !existsSync(file) || (file.endsWith(".md") && !slugs(file).includes(anchor)))).toEqual([]);
});

it("gives every package that the program contains a decision page", () => {
  const decisions = readdirSync("docs/decisions")
    .map((file) => read(join("docs/decisions", file)))
    .join("\n");
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const packages = new Set(
    sources
      .flatMap((file) =>
        [...read(join("src", file)).matchAll(/^(?:import|export)\b[^;]*?\bfrom "([a-z@][^".]*)"|\brequire\("([a-z][^".]*)"\)/gm)].map(
          ([, name, required]) => (name ?? required)!,
        ),
      )
      .filter((name) => !name.startsWith("node:")),
  );

  expect([...packages].filter((name) => !decisions.includes(name))).toEqual([]);
  expect([...packages].sort()).toEqual([
    "@agentclientprotocol/sdk",
    "@ai-sdk/anthropic",
    "@ai-sdk/openai-compatible",
    "@ai-sdk/provider",
    "@hono/zod-openapi",
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/server",
    "@modelcontextprotocol/server/stdio",
    "@sigstore/bundle",
    "@sigstore/protobuf-specs",
    "@sigstore/verify",
    "@vscode/tree-sitter-wasm",
    "canonicalize",
    "commander",
    "hono",
    "hono/http-exception",
    "libsql",
    "picomatch",
    "unbash",
    "yaml",
    "zod",
  ]);
});

it("promises Node 20.19 and needs no install script", () => {
  const { engines, scripts, dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json"));

  expect(engines).toEqual({ node: ">=20.19" });
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  const versions: readonly string[] = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

it("shows a spec in the README that is sound", () => {
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(read("README.md")) ?? [];

  expect(readSpec("README.md", yaml, builtIn).kind).toBe("read");
});

it("names no machine's folders and no registry's host", () => {
  const texts = [...pages, "package.json", "package-lock.json"].map((file) => [file, read(file)] as const);

  expect(
    texts.filter(([, text]) => /\/(work|root|home\/[a-z]+)\/[a-z]|registry\.npmjs|"resolved":/.test(text)).map(([file]) => file),
  ).toEqual([]);
});

/** What a page leaves out where it shows a piece of a loop. */
const REST = {
  name: "shown",
  intent: "Keep main green.",
  level: "L2",
  maker: { use: "claude-code" },
  verifiers: [{ use: "command", with: { run: "npm test" } }],
};

interface Shown {
  readonly where: string;
  readonly text: string;
  readonly isPiece: boolean;
}

/** The loops of a page: written out, or piece by piece, where each goes with those before it until one is shown in another way. */
function loopsIn(page: string): readonly Shown[] {
  let shown: { readonly [key: string]: unknown } = {};
  return [...read(page).matchAll(/```yaml\n([\s\S]*?)```/g)].flatMap(([, text = ""], index): readonly Shown[] => {
    const where = `${page} (${index + 1})`;
    const value: { readonly [key: string]: unknown } = parse(text, { uniqueKeys: false }) ?? { nothing: true };
    if ("name" in value || "loop_name" in value) return [{ where, text, isPiece: false }];
    if (!Object.keys(value).every((key) => key in LoopSpec.shape)) return [];
    shown = Object.keys(value).some((key) => key in shown) ? value : { ...shown, ...value };
    const { maker, verifiers, ...rest } = REST;
    const proven = Array.isArray(shown.verifiers) ? [...verifiers, ...shown.verifiers] : verifiers;
    return [
      { where, text: JSON.stringify({ ...rest, ...("team" in shown ? {} : { maker }), ...shown, verifiers: proven }), isPiece: true },
    ];
  });
}

/** And those among the examples. */
const loops: readonly Shown[] = [
  ...readdirSync("examples")
    .filter((file) => file.endsWith(".loop.yaml"))
    .map((file) => ({ where: join("examples", file), text: read(join("examples", file)), isPiece: false })),
  ...pages.flatMap(loopsIn),
];

it("writes out loops in its pages", () => expect(loops.length).toBeGreaterThan(10));

/** What a piece names may stand where the page does not show it. */
const NAMED = /this text was read by itself/;
const ELSEWHERE = /there is no|has a meaning in a team only/;

it.each(loops)("shows a loop in $where with which nothing is wrong", ({ where, text, isPiece }) => {
  const { findings } = lintLoop(where, text, builtIn);

  expect(
    findings.filter(({ weight, problem }) => weight !== "note" && !(isPiece && ELSEWHERE.test(problem)) && !NAMED.test(problem)),
  ).toEqual([]);
});

it("keeps the README a front door", () => expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120));

interface Typed {
  readonly where: string;
  readonly line: string;
}

/** Whatever a page tells somebody to type: what stands in a block for shells after `lw`, and in its own code within a sentence. */
const typed: readonly Typed[] = pages
  .filter((page) => !page.startsWith(join("docs", "decisions")) && page !== "CHANGELOG.md")
  .flatMap((page) => {
    const blocks = [...read(page).matchAll(/```(?:sh|bash|console|text)?\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
      block.split("\n").flatMap((line) => /(?:^|[$|&;]\s*)lw (.*)$/.exec(line.trim())?.[1] ?? []),
    );
    const inline = [
      ...read(page)
        .replaceAll(/```[\s\S]*?```/g, "")
        .matchAll(/`lw ([^`\n]+)`/g),
    ].map(([, line = ""]) => line);
    return [...blocks, ...inline].map((line) => ({ where: page, line }));
  });

it("tells people of many commands", () => expect(typed.length).toBeGreaterThan(300));

/** `lw schedule` or `lw a|b`, and the options behind it, as long as it is the same command. */
function wrongIn({ where, line }: Typed): readonly string[] {
  const [name = "", ...words] = line
    .replace(/\s#.*$/, "")
    .split(/\s*(?:&&|\|\||[|;<>])\s*/)[0]!
    .trim()
    .split(/\s+/);
  if (!/^[a-z][a-z-]*$/.test(name) || name === "help") return [];
  const row = COMMANDS.find((one) => one.name === name || one.aliases?.includes(name));
  if (row === undefined) return [`${where}: there is no \`lw ${name}\``];
  // What stands behind it is a command of others.
  if (name === "guard") return [];
  const known = ["--help", ...row.options.map(([flags]) => flags.split(" ")[0])];
  const until = words.indexOf("--");
  return words
    .slice(0, until < 0 ? undefined : until)
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.replace(/[=.,:;)'"].*$/, ""))
    .filter((option) => !known.includes(option))
    .map((option) => `${where}: \`lw ${name}\` has no ${option}`);
}

it("names no command and no option that does not exist", () => expect(typed.flatMap(wrongIn)).toEqual([]));

it.each([
  ["lw frobnicate", "there is no `lw frobnicate`"],
  ["lw run fix --frob", "`lw run` has no --frob"],
])("would notice %s", (line, wrong) => expect(wrongIn({ where: "x.md", line: line.slice(3) })).toEqual([`x.md: ${wrong}`]));
