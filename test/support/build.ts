// Packs the built package once for all end-to-end tests, so that they run what would be published, whatever happens to dist/ meanwhile.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

export interface Build {
  /** The file that npm would publish. */
  readonly tarball: string;
  /** The same, unpacked, beside the repository's own node_modules. */
  readonly folder: string;
  readonly program: string;
  /** The module that has the command line as a function. */
  readonly cli: string;
  readonly version: string;
}

declare module "vitest" {
  interface ProvidedContext {
    build: Build;
  }
}

const ROOT = resolve(import.meta.dirname, "../..");

export default function setUp(project: TestProject): () => void {
  if (isStale()) execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT, stdio: "inherit" });
  const place = realpathSync(mkdtempSync(join(tmpdir(), "lw-build-")));
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", place], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const tarball = join(place, packed.trim().split("\n").at(-1)!);
  execFileSync("tar", ["-xzf", tarball, "-C", place]);
  const folder = join(place, "package");
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  project.provide("build", { tarball, folder, program: join(folder, "dist/lw.cjs"), cli: join(folder, "dist/cli.js"), version });
  return () => rmSync(place, { recursive: true, force: true });
}

/** Whether anything the build is made from is newer than what was built last. */
function isStale(): boolean {
  const built = join(ROOT, "dist/types/index.d.ts");
  if (!existsSync(built) || !existsSync(join(ROOT, "dist/lw.js"))) return true;
  const sources = ["src", "web"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(ROOT, folder, name)),
  );
  const inputs = [
    ...sources,
    ...["package.json", "scripts/build.mjs", "tsconfig.json", "tsconfig.types.json"].map((name) => join(ROOT, name)),
  ];
  return inputs.some((input) => statSync(input).mtimeMs > statSync(built).mtimeMs);
}
