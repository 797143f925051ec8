// Go's build cache: what was compiled, by the content of all that it was compiled from. What tests came to lies there as well, and is taken out.
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../../files/remove-tree.ts";
import type { CacheKind } from "./cache-kind.ts";
import { headOf, isFolder, isFolderIn, keepOnly } from "./plain-files.ts";

const PATH = ".cache/go-build";
const ENTRY = /^[0-9a-f]{64}-[ad]$/;
/** What a test opened and asked: without it Go finds no earlier result of the test. */
const TEST_LOG = Buffer.from("# test log\n");
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export const go: CacheKind = {
  name: "go",
  async prepare({ home }) {
    const folder = join(home, PATH);
    if (!isFolderIn(home, PATH)) return undefined;
    await keepOnly(folder, (name) => /^[0-9a-f]{2}$/.test(name) && isFolder(join(folder, name)));
    let kept = 0;
    const later = new Date(Date.now() + YEAR_MS);
    for (const name of readdirSync(folder)) {
      const shelf = join(folder, name);
      await keepOnly(shelf, (entry) => ENTRY.test(entry));
      for (const entry of readdirSync(shelf)) {
        const path = join(shelf, entry);
        const head = headOf(path, TEST_LOG.length);
        if (head === undefined || head.equals(TEST_LOG)) await removeTree(path);
        // Go notes the use of an entry that is older than an hour in its time, which would copy it into every room.
        else utimesSync(path, later, later);
        kept++;
      }
    }
    if (kept === 0) return undefined;
    // As `go clean -testcache` says it: no result from before counts.
    writeFileSync(join(folder, "testexpire.txt"), `${BigInt(Date.now()) * 1_000_000n}\n`);
    return { under: "home", paths: [PATH] };
  },
};
