// Runs the unit and end-to-end tests on a current LTS of Node, taken from the npm registry into a temporary folder.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), ".."));
const major = process.argv[2] ?? "24";
const folder = mkdtempSync(join(tmpdir(), "lw-lts-"));
// Some tests work as another user, who must be able to start it too.
chmodSync(folder, 0o755);
const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const installed = spawnSync("npm", ["install", "--no-save", "--prefix", folder, `${name}@${major}`], { stdio: "inherit" });
const node = join(folder, "node_modules", name, "bin", "node");
if (installed.status !== 0 || !existsSync(node)) {
  console.error(`Node ${major} for ${process.platform}-${process.arch} could not be had from the npm registry`);
  process.exit(75);
}
// First on the PATH, so that the processes the tests start run on it too.
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
const { status } = spawnSync(node, ["scripts/test.mjs"], { stdio: "inherit", env });
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);
