// Where the program of a package lies that is installed beside a folder, and loads a program by its path.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Undefined where there is no such package, or it does not say what its program is. */
export async function findModule(name: string, folder: string): Promise<string | undefined> {
  try {
    return createRequire(join(folder, "here.js")).resolve(name);
  } catch {
    // One that can only be imported: its own file says where.
    return importedBy(join(folder, "node_modules", name));
  }
}

async function importedBy(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const about: { readonly exports?: unknown; readonly main?: unknown } = JSON.parse(text);
  const entry = entryOf(about.exports) ?? about.main ?? "index.js";
  return typeof entry === "string" ? join(folder, entry) : undefined;
}

function entryOf(exported: unknown): unknown {
  if (typeof exported !== "object" || exported === null) return exported ?? undefined;
  const fields = new Map<string, unknown>(Object.entries(exported));
  return entryOf(fields.get(".") ?? fields.get("import") ?? fields.get("default"));
}

/** Its default export. The name of the file is the hash of its bytes, so that what is loaded once stays the same. */
export async function loadModule(path: string): Promise<unknown> {
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(path).href);
  return loaded.default;
}
