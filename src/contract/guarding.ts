// What a spec wants to be looked for besides what is always looked for, where, and what then: as a spec says it.
import * as z from "zod";
import { PartId } from "./measuring.ts";

/** Where a text passes. */
export const GUARDED_PLACES = ["brief", "result", "proposal", "note", "desk"] as const;

const then = z.enum(["halt", "withhold", "escalate", "redact", "finding"]).meta({
  description:
    "What then: the run is halted; it goes no further, and the round is refused; the run is handed to a person; it is taken out of the text; or it is only put on record. Nothing here is milder than what is always done.",
  examples: ["withhold"],
});

const Guard = z.strictObject({
  id: PartId.meta({ description: "Its name, on every finding.", examples: ["no-personal-data"] }),
  rule: z.enum(["injection", "secrets", "personal", "size", "schema"]).meta({
    description:
      "What is looked for: words that read like orders, secrets, personal data (mail addresses, phone, card, account and social security numbers), more than `most`, or another shape than the worker's `gives.schema`. Tools, hosts and calls are bounded elsewhere: `team.workers.ID.tools`, `box.maker.network`, `budget.perRound.calls`.",
    examples: ["personal"],
  }),
  at: z.enum(GUARDED_PLACES).meta({
    description:
      "Where: in what a worker is told, in what it hands over, in what is proposed, in a note that is to be kept, or in what a judging model is shown.",
    examples: ["result"],
  }),
  of: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: "Of a brief, a result or a note: of which workers. Default: all.", examples: [["writer"]] }),
  then,
  most: z
    .union([z.number().min(0).max(1_000_000_000), z.string().regex(/^(?=.*[1-9])\d+(\.\d+)?(kB|MB)$/, { error: "is not a size" })])
    .optional()
    .meta({
      description:
        "Of injection: how much it may read like one, from 0 to 1; 1 is what is refused of anybody. Of size: how many bytes, or a size.",
      examples: [0.5, "16kB"],
    }),
});

const exampleThat = (then: string) => ({ id: "no-personal-data", rule: "personal", at: "result", then });

export const Guards = z
  .array(Guard)
  .min(1)
  .max(40)
  .meta({
    description: "What is looked for besides what is always looked for. One that could not be kept to is refused when the spec is read.",
    examples: [[exampleThat("redact")]],
  });
export type Guard = Readonly<z.infer<typeof Guard>>;
export type Guards = Readonly<z.infer<typeof Guards>>;

/** What can be done about what, and where: everything else would be a promise that nobody keeps. */
export const GUARD_MATRIX: { readonly [at in Guard["at"]]: { readonly [rule in Guard["rule"]]?: readonly Guard["then"][] } } = {
  brief: {
    injection: ["withhold", "halt", "escalate", "finding"],
    secrets: ["withhold", "redact", "halt", "escalate", "finding"],
    personal: ["withhold", "redact", "halt", "escalate", "finding"],
    size: ["withhold", "halt", "escalate", "finding"],
  },
  result: {
    injection: ["withhold", "halt", "escalate", "finding"],
    secrets: ["withhold", "redact", "halt", "escalate", "finding"],
    personal: ["withhold", "redact", "halt", "escalate", "finding"],
    size: ["withhold", "halt", "escalate", "finding"],
    schema: ["withhold", "halt", "escalate"],
  },
  proposal: {
    injection: ["withhold", "halt", "escalate", "finding"],
    secrets: ["withhold", "halt", "escalate", "finding"],
    personal: ["withhold", "halt", "escalate", "finding"],
    size: ["withhold", "halt", "escalate", "finding"],
  },
  note: { injection: ["withhold"], secrets: ["withhold", "redact"], personal: ["withhold", "redact"], size: ["withhold"] },
  desk: { injection: ["withhold"], secrets: ["withhold", "redact"], personal: ["withhold", "redact"], size: ["withhold"] },
};
