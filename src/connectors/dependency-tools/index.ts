// The ecosystems whose dependencies can be looked at, one line each.
import { cargo } from "./cargo.ts";
import { go } from "./go.ts";
import { npm } from "./npm.ts";
import { pip } from "./pip.ts";
import { pnpm } from "./pnpm.ts";
import type { DependencyTool } from "./tool.ts";

export const dependencyTools = { npm, pnpm, pip, cargo, go } as const satisfies { readonly [ecosystem: string]: DependencyTool };
