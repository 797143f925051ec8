// Caches that are understood: one file and one line for each tool chain.
import type { CacheKind } from "./cache-kind.ts";
import { cargo } from "./cargo.ts";
import { ccache } from "./ccache.ts";
import { go } from "./go.ts";
import { tsc } from "./tsc.ts";

/** What is not among them stays cold: mypy, make, `__pycache__` go by times, pytest's chooses tests. */
export const cacheKinds: readonly CacheKind[] = [go, cargo, tsc, ccache];
