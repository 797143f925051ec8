// A command of the user's decides: exit 0 is yes, anything else is no.
import * as z from "zod";
import { defineGate } from "../contract/gate.ts";
import { Duration, VariableName } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";
import { passingFacts } from "./passing-facts.ts";

const Options = z.strictObject({
  run: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .meta({ description: "The shell command; it runs in the spec's folder with the facts as JSON on stdin.", examples: ["./may-merge"] }),
  timeout: Duration.default("60s").meta({ description: "How long it may take; later is no.", examples: ["60s"] }),
  inherit: z
    .array(VariableName)
    .max(50)
    .default([])
    .meta({ description: "Variables of our environment it may see besides PATH, HOME and the language.", examples: [["CHANGE_API_URL"]] }),
});

export const command = defineGate({
  name: "command",
  summary: "Asks a command of yours, which hears the facts as JSON: exit 0 is yes, anything else is no.",
  options: Options,
  async ask(passing, { run, timeout, inherit }, { proc, env }) {
    const { end, tail } = await proc.run({
      run,
      cwd: passing.folder,
      env: { ...chosenEnvironment(["HOME", ...inherit], env), LOOPWRIGHT_LOOP: passing.loop, LOOPWRIGHT_TREE: passing.tree },
      timeoutMs: parseDuration(timeout)!,
      input: `${JSON.stringify(passingFacts(passing))}\n`,
    });
    if (end.kind === "exited" && end.code === 0) return { kind: "yes", why: `\`${run}\` says yes` };
    const how = end.kind === "exited" ? `exited ${end.code}` : end.kind === "killed" ? `was killed by ${end.signal}` : "took too long";
    return { kind: "no", why: `\`${run}\` ${how}${tail.trim() === "" ? "" : `: ${tail.trim().slice(-300)}`}` };
  },
});
