import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createFolders } from "../../../test/support/journals.ts";
import { readWebFiles } from "./web-files.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

it("has the files of the built page by their paths, and nothing besides", () => {
  const folder = folders.make();
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "assets/app-B1x2_3-4.js"), "1");
  writeFileSync(join(folder, "assets/secret.pem"), "2");

  const files = readWebFiles(folder);
  const told = (path: string) => {
    const file = files?.get(path);
    return file && [file.type, file.isImmutable, Buffer.from(file.bytes).toString()];
  };

  expect(told("/")).toEqual(["text/html; charset=utf-8", false, "<!doctype html>"]);
  expect(told("/assets/app-B1x2_3-4.js")).toEqual(["text/javascript; charset=utf-8", true, "1"]);
  expect([told("/assets/secret.pem"), told("/../index.html"), told("/assets"), told("")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(readWebFiles(join(folder, "none"))).toBe(undefined);
});
