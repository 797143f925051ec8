// Roo Code: reads AGENTS.md; a rule of ours where it has a folder of rules.
//
// Format: docs.roocode.com/features/custom-instructions (November 2026): every file below `.roo/rules/`, in the order of their names; AGENTS.md of the root.
import { defineAgent } from "../../contract/agents.ts";
import { aboutLoops } from "./agents-md.ts";

const RULE = ".roo/rules/loopwright.md";

export const roo = defineAgent({
  name: "roo",
  title: "Roo Code",
  summary: "Reads AGENTS.md; a rule in .roo/rules.",
  notes: ["Every file below .roo/rules is read, in the order of their names (docs.roocode.com, November 2026)."],
  signs: { paths: [".roo", ".roorules", ".roomodes"], programs: [] },
  asks: [],
  needs: ["agents-md"],
  pieces: ({ loops }) => [{ kind: "file", path: RULE, body: aboutLoops({ loops }), marks: "markdown" }],
  own: [RULE],
});
