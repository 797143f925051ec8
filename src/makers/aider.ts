// aider with a message from a file, written from its documentation (aider.chat/docs/scripting.html, …/config/options.html). It prints text.
// Not tried: it is a Python program.
import * as z from "zod";
import { defineMaker } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import { untrustedText } from "../contract/text.ts";
import { type ReadLine, textEvent, troubleEvents, usageEvent } from "./agent-events.ts";
import { AGENT_OPTIONS, PROVIDER_HOSTS, runAgent } from "./run-agent.ts";

export const aider = defineMaker({
  name: "aider",
  summary: "Lets aider work in the maker's copy; it runs no shell commands. Written from its documentation and not tried.",
  program: {
    name: "aider",
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"],
    files: [".aider.conf.yml", ".aider/oauth-keys.env"],
    keeps: ["~/.aider"],
    hosts: PROVIDER_HOSTS,
    login: "set the key of a provider",
  },
  options: z.strictObject(AGENT_OPTIONS),
  edit: (order, options, world) =>
    runAgent(order, options, world, () => ({
      words: [
        ...["aider", "--message-file", order.workspace.brief, "--yes-always", "--no-auto-commits", "--no-gitignore"],
        ...["--no-suggest-shell-commands", "--no-check-update", "--no-analytics", "--no-pretty", "--no-stream", "--no-fancy-input"],
        ...["--chat-history-file", "/dev/null", "--input-history-file", "/dev/null"],
        ...(options.model ? ["--model", options.model] : []),
        ...options.args,
      ],
      input: "",
      read: readAider,
    })),
});

const USED = /^Tokens: ([\d.]+)(k|M)? sent, (?:.*?, )?([\d.]+)(k|M)? received\.(?: Cost: \$([\d.]+) message, \$([\d.]+) session\.)?/;
const THOUSANDS: { readonly [unit: string]: number } = { k: 1000, M: 1_000_000 };

/** Its own words about tokens and files; every other line is something that it says. */
export const readAider: ReadLine = (line, nowMs) => {
  const used = USED.exec(line);
  if (used) {
    const [, sent, sentUnit = "", received, receivedUnit = "", message] = used;
    const tokens = Math.round(Number(sent) * (THOUSANDS[sentUnit] ?? 1) + Number(received) * (THOUSANDS[receivedUnit] ?? 1));
    const usd = Number(message);
    return [usageEvent("part", { tokens: tokens > 0 ? tokens : undefined, usd: usd > 0 ? usd : undefined })];
  }
  const applied = /^Applied edit to (.+)$/.exec(line)?.[1];
  if (applied !== undefined) return [{ kind: "file-change", path: untrustedText(applied) } satisfies MakerEvent];
  if (/^litellm\.\w*(?:Error|Exception)|^The API provider/.test(line)) return troubleEvents(line, nowMs);
  return textEvent(line === "" ? undefined : `${line}\n`);
};
