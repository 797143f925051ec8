// The file that stops everything as long as it is there.
import { rm } from "node:fs/promises";
import type { KillSwitch } from "../../contract/clock.ts";
import { isFile } from "./is-file.ts";

export const createKillSwitch = (path: string): KillSwitch => ({
  path,
  isOn: () => isFile(path),
  // Writing takes more than looking, and looking is what nearly everybody does.
  turnOn: async (why) => (await import("./files.ts")).createFiles().writeText(path, why),
  turnOff: () => rm(path, { force: true }),
});
