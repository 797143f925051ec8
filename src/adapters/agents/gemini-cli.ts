// Gemini CLI: GEMINI.md that brings AGENTS.md in, commands, and the hooks.
//
// Format: geminicli.com/docs/cli/gemini-md and /cli/custom-commands, google-gemini/gemini-cli docs/hooks (0.6x, November 2026): `@./AGENTS.md` brings a file in;
// `.gemini/commands/FOLDER/NAME.toml` is `/FOLDER:NAME`, with `prompt` and `description`; `{{args}}`, `!{…}` and `@{…}` in a prompt are acted upon.
import { defineAgent, type TaughtLoop } from "../../contract/agents.ts";
import { INSTRUCTIONS } from "./agents-md.ts";
import { loopSkill, type Skill, skills } from "./skills.ts";
import { tomlText } from "./words.ts";

const COMMANDS = ".gemini/commands/lw";

const fileOf = ({ name }: Skill): string => `${COMMANDS}/${name}.toml`;

export const geminiCli = defineAgent({
  name: "gemini-cli",
  title: "Gemini CLI",
  summary: "GEMINI.md brings AGENTS.md in; commands for the loops, and hooks for the guard and the referee.",
  notes: [
    "A `context.fileName` in settings that leaves GEMINI.md out leaves ours out too: name AGENTS.md there.",
    "Commands are `/lw:loopwright-inbox` and the like (geminicli.com, November 2026).",
  ],
  signs: { paths: ["GEMINI.md", ".gemini"], programs: ["gemini"] },
  asks: [],
  needs: ["agents-md"],
  pieces: ({ loops }) => [
    {
      kind: "block",
      path: "GEMINI.md",
      name: "import",
      body: `@./${INSTRUCTIONS}\n`,
      marks: "markdown",
      isNeedless: (theirs) => /^[ \t]*@(?:\.\/)?AGENTS\.md[ \t]*\r?$/m.test(theirs) || theirs.includes("<!-- loopwright:begin loops "),
    },
    ...commandsFor(loops),
    { kind: "hook", adapter: "gemini-cli" },
    { kind: "server", agent: "gemini-cli" },
  ],
  own: [...skills.map(fileOf), `${COMMANDS}/loop-*.toml`],
});

const commandsFor = (loops: readonly TaughtLoop[]) =>
  [...skills, ...loops.map(loopSkill)].map(
    (skill) =>
      ({
        kind: "file",
        path: fileOf(skill),
        body: `description = ${tomlText(skill.description)}\nprompt = ${tomlText(skill.body)}\n`,
        marks: "hashes",
      }) as const,
  );
