import { expect, it } from "vitest";
import { tellTrigger } from "./tell-trigger.ts";

it.each([
  ["every 1h", { use: "every", with: { interval: "1h" } }],
  ["manual", { use: "manual" }],
  [
    "webhook fix github HOOK_SECRET push",
    { use: "webhook", with: { address: "fix", form: "github", secret: "HOOK_SECRET", events: ["push"] } },
  ],
  ["webhook fix", { use: "webhook", with: { address: "fix", events: [], branches: [] } }],
  [
    "daily 02:30 or git main",
    {
      use: "any",
      with: {
        of: [
          { use: "daily", with: { at: "02:30" } },
          { use: "git", with: { ref: "main" } },
        ],
      },
    },
  ],
])("tells %s", (words, trigger) => {
  expect(tellTrigger(trigger)).toBe(words);
});
