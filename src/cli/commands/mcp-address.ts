// lw mcp address: where an agent asks a daemon over HTTP, and with what key of its own.
import { findAgentAddress } from "../../app/open-web.ts";
import { isAgentName } from "../../app/page/agent-key.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { type Call, printJson, wantsJson } from "../call.ts";

export function tellAddress(call: Call, [name = "", ...more]: readonly string[]): ExitName {
  // The key begins loops: whoever is in one gets none.
  if (call.env.LOOPWRIGHT_MARK !== undefined)
    throw new LoopError("command-blocked", "a command that a loop runs is given no key", {
      retry: "never",
      hint: "Ask for it in a terminal of your own.",
    });
  if (more.length > 0 || !isAgentName(name))
    throw new LoopError("bad-input", "a key is for one agent, whose calls stand under its name", {
      retry: "never",
      hint: "Write e.g. lw mcp address claude: small letters, digits and dashes.",
    });
  const found = findAgentAddress(call.home, name);
  if (!found)
    throw new LoopError("bad-input", `nothing serves ${call.home.folder}`, {
      retry: "never",
      hint: "Start it with `lw serve`, then ask again.",
    });
  const { url, authorization } = found;
  if (wantsJson(call)) printJson(call, { url, headers: { authorization } });
  else call.io.out(`${url}\nAuthorization: ${authorization}\n`);
  return "done";
}
