// A loop that wakes when somebody who knows a secret sends something to an address of the daemon.
import * as z from "zod";
import { VariableName } from "../contract/spec.ts";
import { defineTrigger } from "../contract/trigger.ts";

const filter = (description: string, examples: readonly string[]) =>
  z
    .array(z.string().min(1).max(200))
    .max(50)
    .default([])
    .meta({ description: `${description} Default: any.`, examples: [[...examples]] });

const Options = z.strictObject({
  address: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { error: "must be lower-case letters, digits and dashes, 64 at most" })
    .meta({ description: "The last part of the address, behind `/hooks/`.", examples: ["keep-green"] }),
  form: z
    .enum(["github", "gitlab", "generic"])
    .default("generic")
    .meta({
      description:
        "Whose form it has: how it is signed, and where event, branch and labels stand. `generic` wants JSON with the headers `webhook-id`, `webhook-timestamp` (seconds since 1970, five minutes off at most) and `webhook-signature` (`v1,` and the base64 of the HMAC-SHA256 of `ID.TIMESTAMP.BODY` by the secret).",
      examples: ["github"],
    }),
  secret: VariableName.meta({
    description: "The variable of the daemon's environment that holds the secret; never the secret itself.",
    examples: ["WEBHOOK_SECRET"],
  }),
  events: filter("Only these events wake it.", ["push", "pull_request"]),
  branches: filter("Only events on these branches wake it, which may be globs.", ["main", "release/*"]),
  labels: filter("Only events about something with one of these labels wake it.", ["loop"]),
});

export const webhook = defineTrigger({
  name: "webhook",
  summary: "Wakes when something signed is sent to an address of the daemon.",
  options: Options,
  wakes: (options) => ({ hears: [{ kind: "webhook", ...options }] }),
});
