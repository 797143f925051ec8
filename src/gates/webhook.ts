// A server of the user's decides. Both sides sign what they say, so that nobody on the way can say yes.
import * as z from "zod";
import { defineGate } from "../contract/gate.ts";
import { Duration, ServerUrl, VariableName } from "../contract/spec.ts";
import { parseDuration } from "../std/duration.ts";
import { hmacSha256, sameDigest } from "../std/hash.ts";
import { passingFacts } from "./passing-facts.ts";

const Options = z.strictObject({
  url: ServerUrl.meta({ description: "Where it is asked, by POST.", examples: ["https://gate.example.com/loopwright"] }),
  secret: VariableName.meta({ description: "The variable that holds the shared secret.", examples: ["GATE_SECRET"] }),
  timeout: Duration.default("30s").meta({ description: "How long it may take; later is no.", examples: ["30s"] }),
});

const Reply = z.object({ allow: z.boolean(), tree: z.string(), nonce: z.string(), why: z.string().max(500).default("") });

/** HMAC-SHA256 of the body, in hexadecimal, as many webhooks have it. */
const SIGNATURE = "x-loopwright-signature-256";

export const webhook = defineGate({
  name: "webhook",
  summary: "Asks a server of yours; question and answer are signed with a shared secret, and the answer must name the same tree.",
  options: Options,
  async ask(passing, { url, secret, timeout }, { http, env }) {
    const key = env.get(secret);
    if (!key) return { kind: "no", why: `the variable ${secret} is not set, so the gate cannot be asked` };
    // An answer that was heard before is of no use to whoever kept it.
    const nonce = hmacSha256(key, `${passing.tree} ${passing.now.toISOString()}`).slice(0, 32);
    const body = JSON.stringify({ nonce, ...passingFacts(passing) });
    const headers = { "content-type": "application/json", [SIGNATURE]: `sha256=${hmacSha256(key, body)}` };
    const reply = await http.send({ method: "POST", url, headers, body, timeoutMs: parseDuration(timeout)! });
    if (reply.status !== 200) return { kind: "no", why: `the gate at ${hostOf(url)} answered ${reply.status}` };
    if (!sameDigest(reply.headers[SIGNATURE] ?? "", `sha256=${hmacSha256(key, reply.body)}`))
      return { kind: "no", why: `the answer of ${hostOf(url)} is not signed with ${secret}` };
    const said = Reply.safeParse(jsonOf(reply.body)).data;
    if (!said) return { kind: "no", why: `the answer of ${hostOf(url)} is not of the form {allow, tree, nonce}` };
    if (said.tree !== passing.tree || said.nonce !== nonce)
      return { kind: "no", why: `the answer of ${hostOf(url)} is about something else` };
    return said.allow ? { kind: "yes", why: said.why || "the webhook says yes" } : { kind: "no", why: said.why || "the webhook says no" };
  },
});

const hostOf = (url: string): string => new URL(url).host;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no answer.
    return undefined;
  }
}
