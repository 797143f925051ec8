import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createFolders } from "../../../test/support/journals.ts";
import { readWebPlace, takeWebToken, tellWebPlace } from "./web-token.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

it("makes one token for a home, which only its owner may read", () => {
  const home = join(folders.make(), "home");

  const token = takeWebToken(home);

  expect(token).toMatch(/^[\w-]{43}$/);
  expect(takeWebToken(home)).toBe(token);
  expect(statSync(join(home, "web.token")).mode & 0o777).toBe(0o600);
});

it("uses no token that others can read, or that is none", () => {
  const home = folders.make();
  takeWebToken(home);
  const path = join(home, "web.token");

  chmodSync(path, 0o644);
  expect(() => takeWebToken(home)).toThrow("can be read by others");
  chmodSync(path, 0o600);
  writeFileSync(path, "short");
  expect(() => takeWebToken(home)).toThrow("is no token of ours");
});

it("tells where it is served as long as whoever serves it lives", () => {
  const home = folders.make();

  expect(readWebPlace(home)).toBe(undefined);
  tellWebPlace(home, { url: "http://127.0.0.1:7423", pid: process.pid });
  expect(readWebPlace(home)).toEqual({ url: "http://127.0.0.1:7423", pid: process.pid });
  tellWebPlace(home, { url: "http://127.0.0.1:7423", pid: 2 ** 22 + 1 });
  expect(readWebPlace(home)).toBe(undefined);
  tellWebPlace(home, undefined);
  tellWebPlace(home, undefined);
  writeFileSync(join(home, "web.json"), "{");
  expect(readWebPlace(home)).toBe(undefined);
});
