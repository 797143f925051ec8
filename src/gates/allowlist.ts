// Lets a change pass without a human where every path it touches is on a list, and none is on the list that is always in force.
import { Allowlist } from "../contract/allowlist.ts";
import { defineGate } from "../contract/gate.ts";

const MOST_NAMED = 5;

export const allowlist = defineGate({
  name: "allowlist",
  summary: "Passes what touches only allowed paths, within its caps, on evidence beyond doubt; anything else needs a human's yes.",
  options: Allowlist,
  async ask({ approvals }, list, world) {
    const { verdict, files, lines, objections } = await world.allowlist(list);
    if (verdict === "inside") return { kind: "yes", why: `${files} file(s) and ${lines} line(s), all inside the allowlist` };
    const named = objections.slice(0, MOST_NAMED).map(({ path, why, rule }) => (path === undefined ? why : `${path} (${rule}: ${why})`));
    const more = objections.length > MOST_NAMED ? ` and ${objections.length - MOST_NAMED} more` : "";
    const why = `outside the allowlist: ${named.join("; ")}${more}`;
    const [first] = approvals;
    return first ? { kind: "yes", why: `${first.by} said yes to what is ${why}` } : { kind: "ask", why };
  },
});
