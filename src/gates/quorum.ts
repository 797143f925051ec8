// Several named people must say yes to the same tree.
import * as z from "zod";
import { defineGate } from "../contract/gate.ts";

const Options = z
  .strictObject({
    people: z
      .array(z.string().trim().min(1).max(200))
      .min(1)
      .max(100)
      .refine((names) => new Set(names.map((name) => name.toLowerCase())).size === names.length, { error: "must name each person once" })
      .meta({ description: "Who counts, as they give their name with `--as`.", examples: [["ada", "grace"]] }),
    needs: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .meta({ description: "How many of them must say yes.", examples: [2] }),
  })
  .refine(({ people, needs }) => needs <= people.length, { error: "needs more people than it names", path: ["needs"] });

export const quorum = defineGate({
  name: "quorum",
  summary: "So many of these people must say yes to exactly this tree.",
  options: Options,
  async ask({ approvals }, { people, needs }) {
    const said = new Set(approvals.map(({ by }) => by.toLowerCase()));
    const yes = people.filter((name) => said.has(name.toLowerCase()));
    const missing = people.filter((name) => !yes.includes(name));
    return yes.length >= needs
      ? { kind: "yes", why: `${yes.join(", ")} said yes` }
      : { kind: "ask", why: `${needs - yes.length} more of ${missing.join(", ")} must say yes` };
  },
});
