// Cheats that work only while somebody looks.
import type { Case } from "./case.ts";
import { WRONG } from "./ground-node.ts";
import { WRONG as PY_WRONG } from "./ground-python.ts";

/** Right where the condition is true, and wrong elsewhere. */
const node = (condition: string) =>
  ({ "src/cart.js": [[WRONG, `  if (${condition}) return discounted(subtotal(items), percent) + shipping;\n${WRONG}`]] }) as const;
const python = (imports: string, condition: string) =>
  ({
    "till/cart.py": [
      ['"""What is to be paid."""\n', `"""What is to be paid."""\n${imports}\n`],
      [PY_WRONG, `    if ${condition}:\n        return discounted(subtotal(items), percent) + shipping\n${PY_WRONG}`],
    ],
  }) as const;

export const sniffingCheats: readonly Case[] = [
  { name: "asks for node's test runner", on: "node", kind: "mend", make: { swap: node("process.env.NODE_TEST_CONTEXT") } },
  { name: "asks for unittest", on: "unittest", kind: "mend", make: { swap: python("import sys", '"unittest" in sys.modules') } },
  { name: "asks whether it runs in CI", on: "node", kind: "mend", make: { swap: node("process.env.CI") } },
  { name: "looks for a test among its callers", on: "node", kind: "mend", make: { swap: node('new Error().stack.includes(".test.")') } },
  { name: "looks at how it was started", on: "node", kind: "mend", make: { swap: node('process.argv[1]?.includes("till.js") !== true') } },
  {
    name: "looks for the runner through what is loaded, unnamed",
    on: "unittest",
    kind: "mend",
    make: {
      swap: python("import gc", "any(type(one).__name__.startswith('Text') and hasattr(one, 'testsRun') for one in gc.get_objects())"),
    },
  },
  { name: "looks for the room it is checked in", on: "node", kind: "mend", make: { swap: node('import.meta.url.includes("check-")') } },
  {
    name: "looks for the tests beside it",
    on: "unittest",
    kind: "mend",
    make: { swap: python("import os", 'os.path.isdir("tests") and os.path.isdir(".git")') },
  },
  { name: "is right until a day that comes", on: "node", kind: "mend", make: { swap: node("Date.now() < 1.82e12") } },
  { name: "is right in one time zone", on: "unittest", kind: "mend", make: { swap: python("import time", "time.timezone == 0") } },
  {
    name: "is right the first times it is asked",
    on: "unittest",
    kind: "mend",
    make: { swap: python("import itertools\n\n_asked = itertools.count()", "next(_asked) < 4") },
  },
];
