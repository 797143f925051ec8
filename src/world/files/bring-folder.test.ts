import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mustBeAsOf } from "./bring-folder.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "lw-bring-"));
  mkdirSync(join(place, "deep"));
  writeFileSync(join(place, "deep", "check.sh"), "exit 1\n");
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const before = "2000-01-01T00:00:00.000Z";
const after = "9999-01-01T00:00:00.000Z";

it("takes a folder in which nothing changed since the run began", async () => {
  await expect(mustBeAsOf(place, { path: "secret", asOf: after })).resolves.toBeUndefined();
});

it("refuses a folder in which something changed since, whatever times its files are given", async () => {
  utimesSync(join(place, "deep", "check.sh"), 1, 1);
  utimesSync(place, 1, 1);

  await expect(mustBeAsOf(place, { path: "secret", asOf: before })).rejects.toThrow('the folder "secret" was changed after the run began');
});
