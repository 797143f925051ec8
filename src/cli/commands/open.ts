// lw open: prints the link to the dashboard of a home, and opens it.
import { findDashboard, showLink } from "../../app/open-web.ts";
import { LoopError } from "../../contract/errors.ts";
import { type Command, printJson, wantsJson } from "../call.ts";

export const open: Command = async (call) => {
  // As for decisions: the link lets whoever has it decide.
  if (call.env.LOOPWRIGHT_MARK !== undefined)
    throw new LoopError("command-blocked", "a command that a loop runs may not open the dashboard", {
      retry: "never",
      hint: "Open it from a terminal of your own.",
    });
  const found = findDashboard(call.home);
  if (!found)
    throw new LoopError("bad-input", `nothing serves the dashboard of ${call.home.folder}`, {
      retry: "never",
      hint: "Start it with `lw serve`, then open it again.",
    });
  const { url, link } = found;
  const isWanted = call.options.print !== true && !wantsJson(call);
  const isOpened = isWanted && (await showLink(link, call.platform));
  if (wantsJson(call)) printJson(call, { url, link });
  else call.io.out(`${link}\n`);
  if (isWanted && !isOpened) call.io.err("lw: no browser could be started here\n    Open the link in one of your own.\n");
  return "done";
};
