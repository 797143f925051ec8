// A command as a proof: it holds when the command exits zero in a copy that the maker never touched.
import * as z from "zod";
import { defineCommitVerifier } from "../contract/parts.ts";
import { Duration } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";

const CANNOT_RUN = new Set([126, 127]);

export const command = defineCommitVerifier({
  name: "command",
  kind: "proof",
  summary: "Holds when a command, such as the test suite, exits zero in a clean copy of the proposed commit.",
  options: z.strictObject({
    run: z
      .string()
      .min(1)
      .meta({ description: "The command, given to /bin/sh.", examples: ["npm ci && npm test"] }),
    timeout: Duration.default("10m").meta({ description: "How long it may take before it counts as failed.", examples: ["10m"] }),
    env: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
      .default({})
      .meta({ description: "Variables to set.", examples: [{ NODE_ENV: "test" }] }),
    inherit: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of an environment variable" }))
      .default([])
      .meta({
        description:
          "Variables of your environment it may see besides PATH, locale and time zone. HOME is an empty folder unless named here. Secrets are never given: what is checked was written by the maker.",
        examples: [["JAVA_HOME"]],
      }),
  }),
  async verify({ checkout }, options, world) {
    const { end, tail, output } = await world.proc.run({
      run: options.run,
      cwd: checkout.work,
      timeoutMs: parseDuration(options.timeout)!,
      env: { HOME: checkout.home, CI: "1", ...chosenEnvironment(options.inherit, world.env), ...options.env },
    });
    const said = tail.trim() === "" ? "" : `\n${tail.trim()}`;
    if (end.kind === "timed-out")
      return { outcome: "refuted", detail: `\`${options.run}\` took longer than ${end.afterMs} ms${said}`, output };
    if (end.kind === "killed") return { outcome: "unknown", detail: `\`${options.run}\` was killed by ${end.signal}${said}`, output };
    if (CANNOT_RUN.has(end.code))
      return { outcome: "unknown", detail: `\`${options.run}\` could not be run (exit ${end.code})${said}`, output };
    return { outcome: end.code === 0 ? "holds" : "refuted", detail: `\`${options.run}\` exited ${end.code}${said}`, output };
  },
});
