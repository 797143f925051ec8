// Windsurf: reads AGENTS.md of the root always; a rule for each loop that it reads when it fits.
//
// Format: docs.windsurf.com/windsurf/cascade/memories (November 2026): `.windsurf/rules/NAME.md` with `trigger` (always_on, glob, model_decision, manual) and
// `description`; 12,000 characters at most in a file.
import { defineAgent } from "../../contract/agents.ts";
import { loopSkill } from "./skills.ts";
import { withFrontMatter } from "./words.ts";

const RULES = ".windsurf/rules";

export const windsurf = defineAgent({
  name: "windsurf",
  title: "Windsurf",
  summary: "Reads AGENTS.md; a rule for each loop in .windsurf/rules that it reads when it fits.",
  notes: ["Rules say `trigger: model_decision`, so that one is read when its description fits (docs.windsurf.com, November 2026)."],
  signs: { paths: [".windsurf", ".windsurfrules"], programs: [] },
  asks: [],
  needs: ["agents-md"],
  pieces: ({ loops }) =>
    loops.map(loopSkill).map(({ name, description, body }) => ({
      kind: "file",
      path: `${RULES}/${name}.md`,
      body: withFrontMatter({ trigger: "model_decision", description }, body),
      marks: "markdown",
    })),
  own: [`${RULES}/loop-*.md`],
});
