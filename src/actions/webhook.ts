// Tells a server that something moved, as a CloudEvent. The same event has the same id, so that it may be sent again.
import * as z from "zod";
import { type Deed, defineAction } from "../contract/action.ts";
import { Duration, ServerUrl, VariableName } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";
import { hmacSha256 } from "../std/hash.ts";

const Options = z.strictObject({
  url: ServerUrl.meta({ description: "Where it is sent, by POST.", examples: ["https://hooks.example.com/loops"] }),
  secret: VariableName.optional().meta({
    description: "The variable that holds a secret to sign with (HMAC-SHA256).",
    examples: ["HOOK_SECRET"],
  }),
  timeout: Duration.default("30s").meta({ description: "How long it may take.", examples: ["30s"] }),
});

/** CloudEvents 1.0, structured mode. */
const eventOf = ({ key, loop, run, intent, branch, commit, tree, base }: Deed): string =>
  JSON.stringify({
    specversion: "1.0",
    id: key,
    source: `loopwright/${loop}`,
    type: "dev.loopwright.proposal.released",
    subject: commit,
    datacontenttype: "application/json",
    data: { loop, run, intent, branch, commit, tree, base },
  });

const receiptOf = ({ key }: Deed, url: string) => ({ says: `${new URL(url).host} was told`, facts: { url, id: key } });

export const webhook = defineAction({
  name: "webhook",
  summary: "Sends a CloudEvent (1.0, structured JSON) to a server, signed if you like.",
  options: Options,
  async prepare(_, { url, secret }, { env }) {
    if (secret !== undefined && !env.get(secret))
      return { kind: "refused", why: `the variable ${secret} is not set`, hint: "Set it where `lw` runs." };
    return { kind: "ready", says: `tell ${new URL(url).host}` };
  },
  async execute(deed, { url, secret, timeout }, { http, env }) {
    const body = eventOf(deed);
    const key = secret === undefined ? undefined : env.get(secret);
    const headers = {
      "content-type": "application/cloudevents+json; charset=utf-8",
      "idempotency-key": deed.key,
      ...(key === undefined ? {} : { "x-loopwright-signature-256": `sha256=${hmacSha256(key, body)}` }),
    };
    const { status } = await http.send({ method: "POST", url, headers, body, timeoutMs: parseDuration(timeout)! });
    return status >= 200 && status < 300
      ? { kind: "done", receipt: receiptOf(deed, url) }
      : { kind: "refused", why: `${new URL(url).host} answered ${status}`, hint: "Look at what the server says, then approve again." };
  },
  // Whoever gets it twice knows it by its id: that is what CloudEvents have ids for.
  confirm: async () => ({ kind: "not-done" }),
});
