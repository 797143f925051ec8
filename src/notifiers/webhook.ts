// Sends the text to a server as JSON, signed if you like.
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import { defineNotifier } from "../contract/notifier.ts";
import { ServerUrl, VariableName } from "../contract/spec.ts";
import { hmacSha256 } from "../std/hash.ts";

const Options = z.strictObject({
  url: ServerUrl.meta({ description: "Where it is sent, by POST.", examples: ["https://hooks.example.com/loops"] }),
  secret: VariableName.optional().meta({
    description: "The variable that holds a secret to sign with (HMAC-SHA256).",
    examples: ["HOOK_SECRET"],
  }),
});

export const webhook = defineNotifier({
  name: "webhook",
  summary: "Sends the text to a server as JSON, signed if you like.",
  options: Options,
  async tell({ loop, run, report }, { url, secret }, { http, env }) {
    const body = JSON.stringify({ loop, run, text: report });
    const key = secret === undefined ? undefined : env.get(secret);
    if (secret !== undefined && !key) throw notTold(`the variable ${secret} is not set`);
    const headers = {
      "content-type": "application/json",
      ...(key === undefined ? {} : { "x-loopwright-signature-256": `sha256=${hmacSha256(key, body)}` }),
    };
    const { status } = await http.send({ method: "POST", url, headers, body, timeoutMs: 30_000 });
    if (status < 200 || status >= 300) throw notTold(`${new URL(url).host} answered ${status}`);
  },
});

const notTold = (why: string): LoopError =>
  new LoopError("notify-failed", `nobody was told: ${why}`, { retry: "never", hint: "Correct the `webhook` notifier in the spec." });
