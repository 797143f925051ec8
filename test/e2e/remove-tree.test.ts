import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";

/** A user to whom permissions mean something: another one when we are root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

it("removes what a build left read-only, as Go's module cache is, and names that are no text", () => {
  const folder = mkdtempSync(join(tmpdir(), "lw-remove-"));
  chmodSync(folder, 0o777);
  const script = join(folder, "remove.mjs");
  buildSync({
    entryPoints: ["src/world/files/remove-tree.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
    logLevel: "error",
  });
  writeFileSync(join(folder, "run.mjs"), `import { removeTree } from ${JSON.stringify(script)}; await removeTree(process.argv[2]);`);
  const tree = join(folder, "tree");
  mkdirSync(tree, { mode: 0o777 });
  chmodSync(tree, 0o777);
  execFileSync(
    "/bin/sh",
    [
      "-ec",
      "mkdir -p mod/deep none; echo x > mod/deep/f; echo x > \"mod/$(printf '\\377')\"; chmod 444 mod/deep/f; chmod 555 mod/deep mod; chmod 000 none",
    ],
    { cwd: tree, ...NOBODY },
  );
  chmodSync(folder, 0o777);

  execFileSync(process.execPath, [join(folder, "run.mjs"), join(tree, "mod")], NOBODY);
  execFileSync(process.execPath, [join(folder, "run.mjs"), join(tree, "none")], NOBODY);

  expect([existsSync(join(tree, "mod")), existsSync(join(tree, "none"))]).toEqual([false, false]);
  rmSync(folder, { recursive: true, force: true });
});
