// Tools that ask the guard: about a command, a diff, a text. It answers, and nothing runs.
import * as z from "zod";
import { askWithPolicy } from "../../app/hooks/ask-with-policy.ts";
import { scanText } from "../../guard/text/scan-text.ts";
import { echoed, fitting, marked } from "../marked.ts";
import { type Tool, tool } from "../tool.ts";

const MOST_COMMAND = 100_000;
const MOST_TEXT = 1_000_000;
const MOST_DIFF = 2_000_000;

export const guardTools: readonly Tool[] = [
  tool({
    name: "guard_command",
    title: "Ask the guard about a command",
    about:
      "Whether a shell command may run in this project: allow, ask (a person must say) or deny, with the reason and what to do instead. Nothing is run. An allow is no order to run it.",
    doing: "asks",
    asks: z.strictObject({ command: z.string().max(MOST_COMMAND) }),
    async answer({ folder, policy }, { command }) {
      const { decision, findings } = askWithPolicy(command, { workspace: folder }, await policy());
      const told = findings.map(({ rule, severity, where, why, instead, from }) => {
        // Rules of ours speak for themselves; what a policy says, somebody else wrote.
        const words = from === undefined ? { why, instead } : { why: marked(why), instead: marked(instead) };
        return { rule, severity, where: echoed(where, 200), ...words };
      });
      const { items, left } = fitting(told);
      return { decision, findings: items, leftOut: left };
    },
  }),
  tool({
    name: "guard_diff",
    title: "Ask the guard about a diff",
    about:
      "Whether a unified diff fakes its own success: weakened tests, special cases for tests, switched-off checks. clean is no proof that it is right.",
    doing: "asks",
    asks: z.strictObject({ diff: z.string().max(MOST_DIFF) }),
    async answer({ scanDiff }, { diff }) {
      const { verdict, findings, files } = await scanDiff(diff);
      const told = findings.map(({ rule, severity, confidence, file, line, why }) => ({
        rule,
        severity,
        confidence,
        file: marked(file, 200),
        line: line ?? null,
        why: marked(why),
      }));
      const { items, left } = fitting(told);
      return { verdict, files, findings: items, leftOut: left };
    },
  }),
  tool({
    name: "guard_text",
    title: "Ask the guard about a text",
    about: "Whether a text from outside tries to give orders to an AI: none, low, medium or high, with the signals that were seen.",
    doing: "asks",
    asks: z.strictObject({ text: z.string().max(MOST_TEXT) }),
    async answer(_desk, { text }) {
      const { severity, score, signals, isWhole } = scanText(text);
      const told = fitting(signals.map(({ id, weight, where, line, how }) => ({ id, weight, where: marked(where, 120), line, how })));
      // Calm is only calm when all was seen.
      const isCalm = severity === "none" || severity === "low";
      return { severity: isWhole || !isCalm ? severity : "unknown", score, signals: told.items, leftOut: told.left };
    },
  }),
];
