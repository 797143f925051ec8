// The files of the built page, read once when it is served: there are few, and none is large.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WebFile, WebFiles } from "../../contract/web.ts";

const TYPES: { readonly [ending: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};
const MOST_FILES = 500;
const MOST_BYTES = 8 * 1024 * 1024;

/** Undefined where no page was built. */
export function readWebFiles(folder: string): WebFiles | undefined {
  const files = new Map(filesBelow(folder, "").map((path) => [path, readOne(folder, path)]));
  return files.has("/index.html") ? { get: (path) => files.get(path === "/" ? "/index.html" : path) } : undefined;
}

/** The page that was built with this program, whichever of its files we are in. */
export function readBuiltPage(): WebFiles | undefined {
  const places = ["./web/", "../web/", "../../dist/web/", "../../../dist/web/"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = places.find((place) => namesIn(place).includes("index.html"));
  return found === undefined ? undefined : readWebFiles(found);
}

function filesBelow(folder: string, at: string): readonly string[] {
  const names = namesIn(join(folder, at)).slice(0, MOST_FILES);
  return names.flatMap((name) => {
    const path = `${at}/${name}`;
    const stats = statSync(join(folder, path));
    if (stats.isDirectory()) return filesBelow(folder, path);
    return TYPES[extname(name)] !== undefined && stats.size <= MOST_BYTES ? [path] : [];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody built it
  }
}

/** What the bundler names has a hash at the end of its name. */
const readOne = (folder: string, path: string): WebFile => ({
  bytes: new Uint8Array(readFileSync(join(folder, path))),
  type: TYPES[extname(path)] ?? "application/octet-stream",
  isImmutable: /^\/assets\/.+-[\w-]{8,}\.\w+$/.test(path),
});
