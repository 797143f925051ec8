import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createKillSwitch } from "./kill-switch.ts";

it.each<readonly [string, (path: string) => void]>([
  ["an empty file", (path) => writeFileSync(path, "")],
  ["a folder", (path) => mkdirSync(path)],
  ["a link to nothing", (path) => symlinkSync("nowhere", path)],
])("%s of its name stops everything, until it is turned off", async (_, put) => {
  const home = mkdtempSync(join(tmpdir(), "lw-switch-"));
  const killSwitch = createKillSwitch(join(home, "STOP"));
  const before = await killSwitch.isOn();
  put(killSwitch.path);

  await killSwitch.turnOn("by ada\n");
  const between = await killSwitch.isOn();
  await killSwitch.turnOff();

  expect([before, between, await killSwitch.isOn()]).toEqual([false, true, false]);
  rmSync(home, { recursive: true, force: true });
});

it("leaves what somebody put into a folder of its name, and says so", async () => {
  const home = mkdtempSync(join(tmpdir(), "lw-switch-"));
  const killSwitch = createKillSwitch(join(home, "STOP"));
  mkdirSync(killSwitch.path);
  writeFileSync(join(killSwitch.path, "mine"), "");

  await expect(killSwitch.turnOff()).rejects.toThrow("ENOTEMPTY");

  expect([await killSwitch.isOn(), existsSync(join(killSwitch.path, "mine"))]).toEqual([true, true]);
  rmSync(home, { recursive: true, force: true });
});
