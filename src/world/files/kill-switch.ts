// What stops everything as long as it is there: a file, or whatever else has its name.
import { lstat, rm, rmdir } from "node:fs/promises";
import type { KillSwitch } from "../../contract/clock.ts";

export const createKillSwitch = (path: string): KillSwitch => ({
  path,
  isOn: async () => (await whatIs(path)) !== "nothing",
  // Writing takes more than looking, and looking is what nearly everybody does.
  turnOn: async (why) => {
    if ((await whatIs(path)) !== "folder") await (await import("./files.ts")).createFiles().writeText(path, why);
  },
  // What somebody put into a folder of that name is theirs.
  turnOff: async () => ((await whatIs(path)) === "folder" ? rmdir(path) : rm(path, { force: true })),
});

/** What keeps us from knowing is told: nothing runs while nobody knows whether it may. */
async function whatIs(path: string): Promise<"nothing" | "file" | "folder"> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return "nothing";
    throw error;
  }
}
