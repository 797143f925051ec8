// Aider: reads what its settings name, so AGENTS.md is named there.
//
// Format: aider.chat/docs/config/aider_conf.html and /docs/usage/conventions.html (November 2026): `read` in `.aider.conf.yml` is a file or a list of files.
import { defineAgent } from "../../contract/agents.ts";
import { INSTRUCTIONS } from "./agents-md.ts";

const SETTINGS = ".aider.conf.yml";

export const aider = defineAgent({
  name: "aider",
  title: "Aider",
  summary: "AGENTS.md as one of the files that .aider.conf.yml lets it read.",
  notes: [
    "A `read` that is one file, or a list on one line, is left as it is: add AGENTS.md there by hand (aider.chat, November 2026).",
    "Aider has no hooks: run `lw referee` after it, or `lw hook install git --referee` before every push.",
  ],
  signs: { paths: [SETTINGS, "CONVENTIONS.md"], programs: ["aider"] },
  asks: [],
  needs: ["agents-md"],
  pieces: () => [{ kind: "item", path: SETTINGS, key: "read", item: INSTRUCTIONS }],
  own: [],
});
