// ccache: what was compiled, by the content of the source and of all headers.
import { join } from "node:path";
import type { CacheKind } from "./cache-kind.ts";
import { isFolderIn, keepOnly } from "./plain-files.ts";

const PATH = ".cache/ccache";

export const ccache: CacheKind = {
  name: "ccache",
  async prepare({ home }) {
    if (!isFolderIn(home, PATH)) return undefined;
    // Settings of base's are not for others, and locks and temporary files are nobody's.
    const shelves = await keepOnly(join(home, PATH), (name) => /^[0-9a-f]$/.test(name));
    return shelves === 0 ? undefined : { under: "home", paths: [PATH] };
  },
};
