import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { borrowRedactionKey, takeRedactionKey } from "./redaction-key.ts";

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "lw-key-")), "home");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

it("makes a key once, for its owner only, and leaves nothing else behind", () => {
  const key = takeRedactionKey(folder);

  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(takeRedactionKey(folder)).toBe(key);
  expect(borrowRedactionKey(folder)).toBe(key);
  expect(statSync(join(folder, "redaction.key")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["redaction.key"]);
});

it("borrows without making anything, and then gives a key that is of no use to others", () => {
  expect(borrowRedactionKey(folder)).not.toBe(borrowRedactionKey(folder));
  expect(() => readdirSync(folder)).toThrow("ENOENT");
});

it("does not go on with a key that is not whole", () => {
  takeRedactionKey(folder);
  writeFileSync(join(folder, "redaction.key"), "");

  expect(() => takeRedactionKey(folder)).toThrow("is no key of ours");
  expect(readFileSync(join(folder, "redaction.key"), "utf8")).toBe("");
});
