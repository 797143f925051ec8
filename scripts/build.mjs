// Bundles the command line and the library: one small start-up file, everything else in chunks loaded when needed.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
rmSync("dist", { recursive: true, force: true });

/**
 * The model client's libraries use all of zod, and we use a little of it. With a copy of their own they do not make ours larger,
 * which every command loads.
 */
const ownZod = {
  name: "own-zod",
  setup(build) {
    const own = { namespace: "own-zod", sideEffects: false };
    build.onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, kind }) => {
      if (!importer.includes("node_modules/@ai-sdk/")) return undefined;
      return { path: (await build.resolve(path, { resolveDir, kind })).path, ...own };
    });
    build.onResolve({ filter: /^\./, namespace: "own-zod" }, ({ path, importer }) => ({ path: join(dirname(importer), path), ...own }));
    build.onLoad({ filter: /./, namespace: "own-zod" }, ({ path }) => ({ contents: readFileSync(path), loader: "js" }));
  },
};

const { metafile } = await build({
  entryPoints: {
    lw: "src/cli/lw.ts",
    cli: "src/cli/run-cli.ts",
    index: "src/index.ts",
    guard: "src/guard.ts",
    "read-policy": "src/spec/read-policy.ts",
  },
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
await buildHook();
chmodSync("dist/lw.js", 0o755);
chmodSync("dist/lw.cjs", 0o755);
writeFileSync("dist/THIRD-PARTY.txt", licencesOf(metafile));
if (!process.argv.includes("--no-types")) emitTypes();

/** One small file for `lw hook run`, without the module loader's graph; the policy reader stays outside until there is a policy. */
async function buildHook() {
  const outside = {
    name: "policy-reader-outside",
    setup(build) {
      build.onResolve({ filter: /\/read-policy\.ts$/ }, () => ({ path: "./read-policy.js", external: true }));
    },
  };
  await build({
    entryPoints: ["src/cli/hook-main.ts"],
    outfile: "dist/hook.cjs",
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    minify: true,
    legalComments: "none",
    plugins: [outside],
    logLevel: "warning",
  });
  writeFileSync(
    "dist/lw.cjs",
    '#!/usr/bin/env node\n"use strict";\nif (process.argv[2] === "hook" && process.argv[3] === "run" && !process.argv.includes("--referee")) require("./hook.cjs");\nelse import("./lw.js");\n',
  );
}

/** The licences of the packages whose code is inside the bundle. */
function licencesOf({ inputs }) {
  const names = Object.keys(inputs).flatMap((input) => input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
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
