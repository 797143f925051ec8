// Cursor: a rule that is always read and one for each loop that it reads when it fits, and the hook of the guard.
//
// Format: cursor.com/docs/rules (November 2026): `.cursor/rules/NAME.mdc` with `description`, `globs` and `alwaysApply`; with a description alone the
// agent asks for a rule when it needs it. Skills are read from `.agents/skills` too.
import { defineAgent } from "../../contract/agents.ts";
import { aboutLoops } from "./agents-md.ts";
import { loopSkill } from "./skills.ts";
import { withFrontMatter } from "./words.ts";

const RULES = ".cursor/rules";

export const cursor = defineAgent({
  name: "cursor",
  title: "Cursor",
  summary: "Rules in .cursor/rules: what counts as done, and one for each loop; and the hook of the guard.",
  notes: [
    "A rule with `alwaysApply: true` is always read, one with only a description when it fits (cursor.com/docs/rules, November 2026).",
    "Cursor's hooks that are known cannot keep it from stopping, so the referee is in its rules alone.",
  ],
  signs: { paths: [".cursor", ".cursorrules"], programs: ["cursor-agent"] },
  asks: [],
  needs: ["agents-md"],
  pieces: ({ loops }) => [
    {
      kind: "file",
      path: `${RULES}/loopwright.mdc`,
      body: withFrontMatter(
        { description: "The loops of this repository, and what counts as done.", alwaysApply: true },
        aboutLoops({ loops }),
      ),
      marks: "markdown",
    },
    ...loops.map(loopSkill).map(
      ({ name, description, body }) =>
        ({
          kind: "file",
          path: `${RULES}/${name}.mdc`,
          body: withFrontMatter({ description, alwaysApply: false }, body),
          marks: "markdown",
        }) as const,
    ),
    { kind: "hook", adapter: "cursor" },
    { kind: "server", agent: "cursor" },
  ],
  own: [`${RULES}/loopwright.mdc`, `${RULES}/loop-*.mdc`],
});
