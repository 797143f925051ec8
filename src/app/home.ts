// Where Loopwright keeps its things on this machine: never inside a target repository.
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../contract/clock.ts";

export interface Home {
  readonly folder: string;
  readonly artifacts: string;
  readonly rounds: string;
  readonly prepared: string;
  /** Bases as they are checked out, to lie under rooms. */
  readonly layers: string;
  /** What tool chains left when base was looked at. */
  readonly caches: string;
  /** Pages of forges as they were sent last. */
  readonly pages: string;
  /** A repository for each loop that makes documents. */
  readonly documents: string;
  readonly receipts: string;
  /** Every checkpoint of the journal, one a line. */
  readonly checkpoints: string;
  /** As long as this file is there, no loop runs and nothing moves. */
  readonly killSwitch: string;
}

/** `--home`, else LOOPWRIGHT_HOME, else the platform's folder for state. */
export function findHome(asked: string | undefined, env: Environment, platform: string, cwd: string): Home {
  // Empty means not set: an empty path would be the folder we stand in, and so perhaps a target.
  const folder = asked || env.get("LOOPWRIGHT_HOME") || join(stateFolder(env, platform), "loopwright");
  const absolute = isAbsolute(folder) ? folder : resolve(cwd, folder);
  return {
    folder: absolute,
    artifacts: join(absolute, "artifacts"),
    rounds: join(absolute, "rounds"),
    prepared: join(absolute, "prepared"),
    layers: join(absolute, "layers"),
    caches: join(absolute, "caches"),
    pages: join(absolute, "pages"),
    documents: join(absolute, "documents"),
    receipts: join(absolute, "receipts"),
    checkpoints: join(absolute, "checkpoints.jsonl"),
    killSwitch: join(absolute, "STOP"),
  };
}

function stateFolder(env: Environment, platform: string): string {
  const home = env.get("HOME") ?? env.get("USERPROFILE") ?? ".";
  if (platform === "win32") return env.get("LOCALAPPDATA") ?? join(home, "AppData", "Local");
  const xdg = env.get("XDG_STATE_HOME");
  return xdg && isAbsolute(xdg) ? xdg : join(home, ".local", "state");
}

/** Where the user's own settings lie: their policy, above all. */
export function userFolder(env: Environment): string | undefined {
  const asked = env.get("LOOPWRIGHT_CONFIG");
  if (asked) return asked;
  const xdg = env.get("XDG_CONFIG_HOME");
  const home = env.get("HOME") ?? env.get("USERPROFILE");
  const folder = xdg && isAbsolute(xdg) ? xdg : home && join(home, ".config");
  return folder ? join(folder, "loopwright") : undefined;
}
