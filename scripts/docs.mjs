// Writes the generated pages.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), ".."));
await build({
  entryPoints: ["scripts/reference.ts"],
  outfile: "build/reference.js",
  bundle: true,
  format: "esm",
  platform: "node",
  external: ["libsql"],
  banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
  logLevel: "warning",
});
const { referencePages } = await import(new URL("../build/reference.js", import.meta.url));
for (const [path, text] of referencePages()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}
