import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fileStates } from "./file-states.ts";
import { lookout } from "./lookout.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-states-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};

it("sees what is wanted, by what is in it, and follows no link", async () => {
  write("docs/a.md", "one");
  write("docs/deep/b.md", "two");
  write("docs/c.txt", "three");
  write("node_modules/d.md", "four");
  symlinkSync("a.md", join(folder, "docs", "link.md"));

  const seen = await fileStates.look(folder, (path) => path.endsWith(".md"), undefined);

  expect([...seen.hashes.keys()]).toEqual(["docs/a.md", "docs/deep/b.md"]);
  expect(seen.folders).toEqual([folder, join(folder, "docs"), join(folder, "docs/deep")]);
});

it("gives the same for the same, and another for what changed, also right after it was seen", async () => {
  write("a", "one");
  const first = await fileStates.look(folder, () => true, undefined);
  const same = await fileStates.look(folder, () => true, first);
  write("a", "two");
  const changed = await fileStates.look(folder, () => true, same);

  expect([...same.hashes]).toEqual([...first.hashes]);
  expect([...changed.hashes]).not.toEqual([...first.hashes]);
});

it("sees nothing in a folder that is not there", async () => {
  expect((await fileStates.look(join(folder, "none"), () => true, undefined)).hashes.size).toBe(0);
});

it("is told to look where something changes, and of folders that are not there nothing", async () => {
  const looked = new Promise<void>((resolve) => {
    const end = lookout.watch([join(folder, "none"), folder], () => {
      end();
      resolve();
    });
  });
  write("a", "one");

  await looked;
});
