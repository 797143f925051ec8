// Watches folders, one by one: what the system tells is only taken for a reason to look.
import { type FSWatcher, watch } from "node:fs";
import type { Lookout } from "../../contract/lookout.ts";

/** The system has few of them for one user; who is not watched is looked at when its time comes. */
const MOST_FOLDERS = 500;

export const lookout: Lookout = {
  watch(folders, look) {
    const watchers = folders.slice(0, MOST_FOLDERS).flatMap((folder) => watchOne(folder, look));
    return () => {
      for (const watcher of watchers) watcher.close();
    };
  },
};

function watchOne(folder: string, look: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, () => look());
    // A folder that goes away is a change too.
    watcher.on("error", () => {
      watcher.close();
      look();
    });
    return [watcher];
  } catch {
    return [];
  }
}
