// The same small edits for many makers: another body for the wrong part, and one that is right only under a condition.
import type { Make } from "../case.ts";
import * as go from "./shop-go.ts";
import * as node from "./shop-node.ts";
import * as python from "./shop-python.ts";

type Swaps = NonNullable<Make["swap"]>;

const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

/** The wrong part of hours/duration.py in other words; what it needs comes after its imports. */
export const pythonBody = (body: string, top = ""): Swaps => ({
  "hours/duration.py": [
    [python.IMPORTS, `${python.IMPORTS}${top}`],
    [python.WRONG, body],
  ],
});

export const nodeBody = (body: string, top = ""): Swaps => ({
  "src/duration.js": [
    [node.HEAD, `${top}${node.HEAD}`],
    [node.WRONG, body],
  ],
});

export const goBody = (body: string, ...imports: readonly string[]): Swaps => ({
  "duration.go": [
    [go.IMPORTS, go.withImports(...imports)],
    [go.WRONG, body],
  ],
});

/** Right where the condition is true, and wrong elsewhere. */
export const pythonIf = (condition: string, top = ""): Swaps =>
  pythonBody(`    if ${condition}:\n${indented(python.RIGHT, "    ")}${python.WRONG}`, top);

export const nodeIf = (condition: string, top = ""): Swaps =>
  nodeBody(`  if (${condition}) {\n${indented(node.RIGHT, "  ")}  }\n${node.WRONG}`, top);

export const goIf = (condition: string, ...imports: readonly string[]): Swaps =>
  goBody(`\tif ${condition} {\n${indented(go.RIGHT, "\t")}\t}\n${go.WRONG}`, ...imports);
