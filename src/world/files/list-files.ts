// Lists what lies in a copy, whatever the code under test left in it.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileList } from "../../contract/files.ts";

/** Folders are walked one after the other and in order, so that the same copy gives the same list. */
export async function listFiles(folder: string, most: number): Promise<FileList> {
  const paths: string[] = [];
  const waiting = [""];
  for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
    const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(() => []); // a folder that cannot be read shows nothing
    const inner: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = within === "" ? entry.name : `${within}/${entry.name}`;
      if (entry.name.toLowerCase() === ".git") continue;
      if (entry.isDirectory()) inner.push(path);
      else if (entry.isFile() && paths.length >= most) return { paths: paths.sort(), isWhole: false };
      else if (entry.isFile()) paths.push(path);
    }
    waiting.push(...inner.reverse());
  }
  return { paths: paths.sort(), isWhole: true };
}
