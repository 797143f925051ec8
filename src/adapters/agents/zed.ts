// Zed: reads the first of several files for instructions, so a block goes into that one where it is not AGENTS.md.
//
// Format: zed.dev/docs/ai/instructions (November 2026): .rules, .cursorrules, .windsurfrules, .clinerules, .github/copilot-instructions.md, AGENT.md, AGENTS.md, CLAUDE.md, GEMINI.md;
// the first that is there is the only one. Skills are read from `.agents/skills`.
import { defineAgent } from "../../contract/agents.ts";
import { aboutLoops } from "./agents-md.ts";

const BEFORE_AGENTS_MD = [".rules", ".cursorrules", ".windsurfrules", ".clinerules", ".github/copilot-instructions.md", "AGENT.md"];

export const zed = defineAgent({
  name: "zed",
  title: "Zed",
  summary: "A block in the one file of instructions that Zed reads here: .rules, or another that comes before AGENTS.md, or AGENTS.md.",
  notes: ["Zed reads the first file of its list and no other, so that none of them is made here (zed.dev, November 2026)."],
  signs: { paths: [".zed"], programs: ["zed"] },
  asks: BEFORE_AGENTS_MD,
  needs: ["agents-md"],
  pieces({ loops, kindAt }) {
    const first = BEFORE_AGENTS_MD.find((path) => kindAt(path) === "file");
    return first === undefined ? [] : [{ kind: "block", path: first, name: "loops", body: aboutLoops({ loops }), marks: "markdown" }];
  },
  own: [],
});
