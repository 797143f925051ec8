import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { texts } from "./spec-files.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-texts-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("reads a plain file, and says of everything else what it is instead of waiting for it", async () => {
  writeFileSync(join(folder, "a.yaml"), "name: a\n");
  writeFileSync(join(folder, "long.yaml"), "x".repeat(2000));
  mkdirSync(join(folder, "b.yaml"));
  execFileSync("mkfifo", [join(folder, "c.yaml")]);

  const read = (name: string) => texts.readWhole(join(folder, name), 1000).catch((error: Error) => error.message.replace(`${folder}/`, ""));

  expect(await Promise.all(["a.yaml", "long.yaml", "b.yaml", "c.yaml", "d.yaml"].map(read))).toEqual([
    "name: a\n",
    "long.yaml cannot be read: it is larger than 1000 bytes",
    "b.yaml cannot be read: it is a folder",
    "c.yaml cannot be read: it is not a plain file",
    "d.yaml cannot be read: there is no such file",
  ]);
});

it("refuses a spec with bytes that are no UTF-8, which would be read as other signs than were written", async () => {
  const path = join(folder, "latin.yaml");
  writeFileSync(path, Buffer.from("name: caf\xe9\n", "latin1"));
  await expect(texts.readWhole(path, 1000)).rejects.toThrow("it is not UTF-8 throughout");
  expect(await texts.readBelow(folder, path, 1000)).toEqual({ kind: "refused", why: "it is not UTF-8 throughout" });

  writeFileSync(path, "name: café ✓\n");
  expect(await texts.readWhole(path, 1000)).toBe("name: café ✓\n");
});
