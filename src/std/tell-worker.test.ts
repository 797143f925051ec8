import { expect, it } from "vitest";
import { tellJoin, tellWorker } from "./tell-worker.ts";

it("says who did what, for how long and how much, and what flowed there", () => {
  const worker = { id: "critic", use: "anthropic", ended: "made", tries: 2, used: { usd: 0.02, tokens: 1500 }, tookMs: 3000 };

  expect(tellWorker({ ...worker, from: ["finder", "inputs.topic"] })).toBe(
    "critic (anthropic): made in try 2; took 3s; used $0.02 and 1.5k tokens; given finder, inputs.topic",
  );
  expect(tellWorker({ id: "mend", use: "loop", ended: "failed", why: "no", child: { run: "a-1.1.mend" } })).toBe(
    "mend (loop a-1.1.mend): failed: no",
  );
});

it("names whoever dissents, also where nothing was chosen", () => {
  expect(tellJoin({ id: "voted", how: "vote", ended: "made", chosen: ["a", "b"], dissent: ["c"] })).toBe("voted: vote, a, b; dissent: c");
  expect(tellJoin({ id: "torn", how: "vote", ended: "failed", chosen: [], dissent: ["a", "c"], why: "no majority" })).toBe(
    "torn: vote, failed, no majority; dissent: a, c",
  );
});
