// The file that stops everything as long as it is there.
import { rm } from "node:fs/promises";
import type { KillSwitch } from "../../contract/clock.ts";
import { createFiles } from "./files.ts";

export function createKillSwitch(path: string): KillSwitch {
  const files = createFiles();
  return {
    path,
    isOn: async () => (await files.readText(path)) !== undefined,
    turnOn: (why) => files.writeText(path, why),
    turnOff: () => rm(path, { force: true }),
  };
}
