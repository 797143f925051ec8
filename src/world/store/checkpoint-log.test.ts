import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCheckpointLog } from "./checkpoint-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("keeps lines in the order they came, and tells the last one", () => {
  const log = createCheckpointLog(join(folder, "deep", "log"));
  expect([log.last(), log.text()]).toEqual([undefined, undefined]);

  log.append("one\n");
  log.append(`${"x".repeat(5_000)}\n`);
  log.append("three\n");

  expect(log.last()).toBe("three\n");
  expect(log.text()).toBe(`one\n${"x".repeat(5_000)}\nthree\n`);
});

it("joins nothing to a line that was torn: nobody was told of it, so it is dropped", () => {
  const path = join(folder, "log");
  const log = createCheckpointLog(path);
  log.append("one\n");
  appendFileSync(path, "tor");

  expect(log.last()).toBe("one\n");
  log.append("two\n");

  expect(log.text()).toBe("one\ntwo\n");
});

it("says so where there is something else than a file", () => {
  expect(() => createCheckpointLog(folder).last()).toThrow();
});
