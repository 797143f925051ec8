// Each source is loaded as a file of its own, so that what Node says of functions that ran names the file.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

/** What is published lies one folder below the package, and the front door looks for the package there. */
const AS_PUBLISHED = { "import.meta.url": JSON.stringify(new URL("../../../dist/lw.js", import.meta.url).href) };

export async function load(url, context, next) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
  const text = await readFile(fileURLToPath(url), "utf8");
  const { code } = await transform(text, {
    loader: "ts",
    target: "node20",
    define: url.endsWith("/src/cli/lw.ts") ? AS_PUBLISHED : {},
  });
  return { format: "module", source: code, shortCircuit: true };
}
