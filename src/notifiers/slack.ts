// Sends the text to a Slack-compatible incoming webhook, whose address is a secret and comes from a variable.
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import { defineNotifier } from "../contract/notifier.ts";
import { VariableName } from "../contract/spec.ts";

const Options = z.strictObject({
  url: VariableName.meta({ description: "The variable that holds the webhook's address.", examples: ["SLACK_WEBHOOK_URL"] }),
});

/** What Slack shows of one message. */
const MOST_CHARS = 3_000;

export const slack = defineNotifier({
  name: "slack",
  summary: "Sends the text to a Slack-compatible incoming webhook.",
  options: Options,
  async tell({ report }, { url: variable }, { http, env }) {
    const url = env.get(variable);
    if (!url || !/^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(url)) throw notTold(`${variable} holds no https address`);
    const { status } = await http.send({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: escaped(report).slice(0, MOST_CHARS) }),
      timeoutMs: 30_000,
    });
    if (status !== 200) throw notTold(`the webhook answered ${status}`);
  },
});

/** So that nothing in it calls somebody, or is a link that says another thing. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const notTold = (why: string): LoopError =>
  new LoopError("notify-failed", `nobody was told: ${why}`, {
    retry: "never",
    hint: "Set the variable to the address of an incoming webhook.",
  });
