// The gate that holds where nothing else is said: a human must say yes.
import * as z from "zod";
import { defineGate } from "../contract/gate.ts";

export const ask = defineGate({
  name: "ask",
  summary: "Somebody must say yes to exactly this tree. The default at every level.",
  options: z.strictObject({}),
  async ask({ approvals }) {
    const [first] = approvals;
    return first ? { kind: "yes", why: `${first.by} said yes` } : { kind: "ask", why: "a human must decide" };
  },
});
