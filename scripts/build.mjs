// Bundles the command line and the library: a few single files that start quickly, everything else in chunks loaded when needed.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { build as buildPage } from "vite";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
rmSync("dist", { recursive: true, force: true });

/**
 * The libraries of the model client, the dashboard and the Model Context Protocol use all of zod, and we use a little of it. With a copy of their own they do
 * not make ours larger, which every command loads.
 */
const USES_ALL_OF_ZOD = /node_modules\/(@ai-sdk|@hono|@asteasolutions|@modelcontextprotocol)\//;
const ownZod = {
  name: "own-zod",
  setup(build) {
    const own = { namespace: "own-zod", sideEffects: false };
    build.onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, kind }) => {
      if (!USES_ALL_OF_ZOD.test(importer)) return undefined;
      return { path: (await build.resolve(path, { resolveDir, kind })).path, ...own };
    });
    build.onResolve({ filter: /^\./, namespace: "own-zod" }, ({ path, importer }) => ({ path: join(dirname(importer), path), ...own }));
    build.onLoad({ filter: /./, namespace: "own-zod" }, ({ path }) => ({ contents: readFileSync(path), loader: "js" }));
  },
};

/** What a single file imports only when it comes to it stays outside: in another single file, or in the rest. */
const outsideUntilNeeded = {
  name: "outside-until-needed",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
      if (kind !== "dynamic-import" || PART_OF_THE_DOOR.includes(path)) return undefined;
      const source = join(resolveDir, path);
      const file = singleFileOf(source);
      if (file) return { path: file, namespace: "single-file" };
      const name = relative("src", source).replace(/\.ts$/, "");
      later.set(name, source);
      return { path: `./${name}.js`, external: true };
    });
    build.onLoad({ filter: /./, namespace: "single-file" }, ({ path }) => ({
      contents: `module.exports = require("${path}");`,
      resolveDir: resolve("dist"),
    }));
    build.onResolve({ filter: /\.cjs$/, namespace: "single-file" }, ({ path }) => ({ path, external: true }));
  },
};

/** The redactor knows many patterns, and most commands say nothing that it must read: the door loads it with the first word. */
const REDACTOR = { "src/app/open-redactor.ts": ["borrowRedactor"], "src/guard/secrets/redact.ts": ["redacted"] };
const onFirstUse = {
  name: "on-first-use",
  setup(build) {
    build.onLoad({ filter: /\/(open-redactor|redact)\.ts$/ }, ({ path }) => {
      const names = REDACTOR[relative(".", path)];
      const contents = names?.map((name) => `export const ${name} = (...given) => require("./redactor.cjs").${name}(...given);`);
      return contents && { contents: contents.join("\n"), loader: "js" };
    });
    build.onResolve({ filter: /^\.\/redactor\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

function singleFileOf(source) {
  if (READING.some((name) => source === join(COMMANDS, `${name}.ts`))) return "./records.cjs";
  return source === join(COMMANDS, "guard.ts") ? "./guard-command.cjs" : undefined;
}

/** Commands that only read: what they need together is one file, which loads nothing else. */
const READING = ["status", "show", "inbox", "notes", "flakes"];
const COMMANDS = resolve("src/cli/commands");
/** Modules that a single file imports only when it comes to it; they are built as entries of the rest. */
const later = new Map();
/** Needed by every command, though later than the table. */
const PART_OF_THE_DOOR = ["./program.ts", "./redact-io.ts"];

// Single files start quickest: Node's loader of modules has nothing to resolve. Each is a door of its own.
const single = [
  await buildSingle("hook", { entryPoints: ["src/cli/hook-main.ts"] }),
  await buildSingle("door", { entryPoints: ["src/cli/lw.ts"], plugins: [onFirstUse] }),
  await buildSingle("redactor", {
    stdin: allOf(
      Object.keys(REDACTOR).map((path) => `./${path}`),
      ".",
    ),
  }),
  await buildSingle("records", {
    stdin: allOf(
      READING.map((name) => `./${name}.ts`),
      COMMANDS,
    ),
  }),
  await buildSingle("guard-command", { entryPoints: ["src/cli/commands/guard.ts"] }),
];
const { metafile } = await build({
  // The command line as a function is for whoever calls it in a process of their own.
  entryPoints: { cli: "src/cli/run-cli.ts", index: "src/index.ts", guard: "src/guard.ts", ...Object.fromEntries(later) },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: ["libsql"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  chunkNames: "chunks/[name]-[hash]",
  // Bundled CommonJS packages ask for `require`.
  banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
  metafile: true,
  plugins: [ownZod],
  logLevel: "warning",
});
writeFileSync(
  "dist/lw.cjs",
  '#!/usr/bin/env node\n"use strict";\nconst [, , name, action] = process.argv;\nif (name === "hook" && action === "run" && !process.argv.includes("--referee")) require("./hook.cjs");\nelse require("./door.cjs");\n',
);
// The same program, for who imports it.
writeFileSync("dist/lw.js", '#!/usr/bin/env node\nimport "./lw.cjs";\n');
chmodSync("dist/lw.js", 0o755);
chmodSync("dist/lw.cjs", 0o755);
const page = await buildWeb();
writeFileSync("dist/THIRD-PARTY.txt", licencesOf([metafile, ...single, page]));
if (!process.argv.includes("--no-types")) emitTypes();

function allOf(paths, resolveDir) {
  return { contents: paths.map((path) => `export * from "${path}";`).join("\n"), resolveDir, loader: "ts" };
}

/** One file without the module loader's graph. */
async function buildSingle(name, { plugins = [], ...input }) {
  const { metafile } = await build({
    ...input,
    outfile: `dist/${name}.cjs`,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    external: ["libsql"],
    minify: true,
    legalComments: "none",
    define: { "import.meta.url": "__file" },
    banner: { js: 'const __file=require("node:url").pathToFileURL(__filename).href;' },
    metafile: true,
    plugins: [...plugins, outsideUntilNeeded],
    logLevel: "warning",
  });
  return metafile;
}

/** The page of the dashboard: plain files that the server hands out as they are. Tells which modules are in it, as esbuild does. */
async function buildWeb() {
  const { output } = await buildPage({ configFile: "web/vite.config.ts", logLevel: "warn" });
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  return { inputs: Object.fromEntries(modules.map((module) => [module, {}])) };
}

/** The licences of the packages whose code is inside the bundle. */
function licencesOf(metafiles) {
  const names = metafiles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((input) => input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
  return [...new Set(names)]
    .sort()
    .map((name) => {
      const folder = join("node_modules", name);
      const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = ["LICENSE", "LICENSE.md", "license", "LICENSE.txt", "LICENCE"].map((file) => join(folder, file)).find(existsSync);
      return `${name} ${version} (${license})\n\n${file ? readFileSync(file, "utf8").trim() : "No licence file in the package."}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

function emitTypes() {
  const { status } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
