// Builds, then runs every benchmark, or those whose names are given; what follows a flag goes to the benchmark. Results are ratios within one run.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), ".."));
run(["scripts/build.mjs", "--no-types"]);
const all = readdirSync("bench").filter((file) => file.endsWith(".ts") && !["measure.ts", "counting.ts", "frames.ts"].includes(file));
const flags = process.argv.findIndex((word, index) => index > 1 && word.startsWith("--"));
const asked = process.argv.slice(2, flags === -1 ? undefined : flags);
const passed = flags === -1 ? [] : process.argv.slice(flags);
const names = all.map((file) => file.slice(0, -3)).filter((name) => asked.length === 0 || asked.includes(name));
if (names.length === 0) {
  console.error(`no benchmark is called ${asked.join(", ")}; there are: ${all.map((file) => file.slice(0, -3)).join(", ")}`);
  process.exit(64);
}
await build({
  entryPoints: names.map((name) => `bench/${name}.ts`),
  outdir: "build/bench",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: ["libsql", "playwright-core"],
  banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
  logLevel: "warning",
});
for (const name of names) run([`build/bench/${name}.js`, ...passed]);

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
