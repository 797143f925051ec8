// The command that is called by saying nothing.
import type { CommandRow } from "./call.ts";

/** In no list: whoever looks for it has called it. */
export const HERE: CommandRow = {
  name: "here",
  group: "look",
  args: "",
  summary: "where the loops stand, and what to do next",
  about: "Without a command: where every loop stands and what to type next; in a place without loops, the three ways to begin.",
  options: [
    ["--home <dir>", "where loopwright keeps its journal (default: $LOOPWRIGHT_HOME, else your state folder)"],
    ["--json", "print the result as JSON"],
  ],
  examples: [["lw", "where the loops stand, and what to do next"]],
  load: async () => (await import("./commands/here.ts")).here,
};
