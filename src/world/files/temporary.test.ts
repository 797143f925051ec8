import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OWNER_VARIABLE, ownName } from "../process/owner.ts";
import { makeOwnFolder, sweepLeftovers } from "./temporary.ts";

const LONG_AGO = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
/** The same number, and another process: it began at another time. */
const gone = ownName().replace(/\d+$/, "1");
const elsewhere = ownName().replace(/^[a-z0-9]+/, "0other0");

it("sweeps what killed processes of ours left among temporary files, and nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lw-sweep-"));
  const make = (name: string): void => {
    mkdirSync(join(folder, name, "room"), { recursive: true });
    writeFileSync(join(folder, name, "room", "mark"), "");
  };
  const names = ["box", "way", "io", "index", "journal"].flatMap((kind) => [
    `lw-${kind}-${gone}-abcdef`,
    `lw-${kind}-${elsewhere}-abcdef`,
    `lw-${kind}-aBcD12`,
    `lw-${kind}-oldest`,
  ]);
  for (const name of [...names, "lw-place-abcdef", `lw-else-${gone}-abcdef`]) make(name);
  for (const kind of ["box", "way", "io", "index", "journal"]) utimesSync(join(folder, `lw-${kind}-oldest`), LONG_AGO, LONG_AGO);
  symlinkSync(join(folder, "lw-place-abcdef"), join(folder, `lw-box-${gone}-linked`));
  const ours = await makeOwnFolder("way", folder);
  const orphan = spawn("sleep", ["300"], { env: { ...process.env, [OWNER_VARIABLE]: gone }, stdio: "ignore", detached: true });
  const child = spawn("sleep", ["300"], { env: { ...process.env, [OWNER_VARIABLE]: ownName() }, stdio: "ignore", detached: true });
  const ended = new Promise((resolve) => orphan.once("exit", (_, signal) => resolve(signal)));

  await sweepLeftovers({ get: (name) => (name === "TMPDIR" ? folder : undefined) });

  expect(await ended).toBe("SIGKILL");
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  expect(readdirSync(folder).toSorted()).toEqual(
    [
      ...["box", "way", "io", "index", "journal"].flatMap((kind) => [`lw-${kind}-${elsewhere}-abcdef`, `lw-${kind}-aBcD12`]),
      "lw-place-abcdef",
      `lw-else-${gone}-abcdef`,
      `lw-box-${gone}-linked`,
      ours.slice(folder.length + 1),
    ].toSorted(),
  );
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
