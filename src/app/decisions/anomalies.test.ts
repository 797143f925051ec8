import { describe, expect, it } from "vitest";
import type { CommitProposal } from "../../contract/proposal.ts";
import type { LoopRecord } from "../../contract/record.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Rest, Verdict } from "../../contract/verdict.ts";
import { createMemoryJournal } from "../../journal/memory-journal.ts";
import { findAnomaly } from "./anomalies.ts";
import { itemsOf } from "./inbox.ts";
import { haltIfNeeded, loopStanding } from "./standing.ts";

const NOW = new Date("2026-01-05T12:00:00.000Z");
const ACCEPT: Verdict & Rest = { kind: "accept", action: "propose" };
const REPORT = { sha256: "0".repeat(64), bytes: 0, truncated: false };
const killSwitch = { path: "/STOP", isOn: async () => false, turnOn: async () => {}, turnOff: async () => {} };

const changing = (from: string, to: string): CommitProposal => ({
  kind: "commit",
  commit: to,
  tree: `tree-${to}`,
  changes: [{ path: "a.txt", before: { mode: "100644", blob: from }, after: { mode: "100644", blob: to } }],
  diff: REPORT,
  talk: { ended: "finished", summary: untrustedText("") },
});

function loopWith() {
  const journal = createMemoryJournal({ now: () => NOW });
  let count = 0;
  const write = (run: string, ...records: readonly LoopRecord[]) => journal.append(records.map((record) => ({ loop: "fix", run, record })));
  return {
    house: { journal, killSwitch, clock: { now: () => NOW, monotonicMs: () => 0 } },
    rests: (rest: Rest) => write(`fix-${++count}`, { kind: "run-rested", rest, report: REPORT }),
    proposes: async (from: string, to: string) => {
      const run = `fix-${++count}`;
      const evidence = { proposal: changing(from, to), findings: [], proofs: [] };
      await write(
        run,
        { kind: "round-closed", roundId: `${run}.1`, evidence, verdict: ACCEPT },
        { kind: "run-rested", rest: ACCEPT, report: REPORT },
      );
      return run;
    },
    rejects: (run: string) => write(run, { kind: "decided", decision: "reject", tree: "", by: "ada", why: "no" }),
    frees: () => write("fix-standing", { kind: "loop-resumed", by: "ada", why: "" }),
  };
}

const IDLE: Rest = { kind: "nothing-to-do", reason: "green" };
const FAILED: Rest = { kind: "escalate", because: "check-failed", reason: "1 test failed" };

describe("anomalies over the runs of a loop", () => {
  it("are found in changes that undo one another, and halt the loop with what to do, in the inbox", async () => {
    const { house, proposes } = loopWith();
    for (const [from, to] of [
      ["x", "y"],
      ["y", "x"],
      ["x", "y"],
    ] as const)
      await proposes(from, to);
    await haltIfNeeded(house, "fix");
    const before = await loopStanding(house, "fix");
    await proposes("y", "x");
    await haltIfNeeded(house, "fix");

    const items = await itemsOf(house, "fix");
    expect([before.state, (await loopStanding(house, "fix")).state]).toEqual(["free", "halted"]);
    expect(items.find(({ kind }) => kind === "halted")).toMatchObject({
      why: expect.stringMatching(/^the loop is halted \(anomaly\): its last 4 proposals were two changes in turn.*`lw resume fix` lets it/),
      next: "lw resume fix",
    });
  });

  it("are not there in changes that go on from one another", async () => {
    const { house, proposes } = loopWith();
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef"].map((pair) => [pair[0]!, pair[1]!] as const)) await proposes(from, to);

    expect(await findAnomaly(house.journal, "fix", 0)).toBeUndefined();
  });

  it("are found in a change that people refuse again and again", async () => {
    const { house, proposes, rejects } = loopWith();
    for (let turn = 0; turn < 3; turn++) await rejects(await proposes("x", "y"));
    await proposes("x", "y");

    expect(await findAnomaly(house.journal, "fix", 0)).toMatch(/^it proposes a change that people refused 3 times already\./);
  });

  it("are found between idle runs, and judged anew after somebody let the loop go on", async () => {
    const { house, rests, frees } = loopWith();
    for (let turn = 0; turn < 4; turn++) {
      await rests(FAILED);
      await rests(IDLE);
    }
    await rests(FAILED);
    const found = await findAnomaly(house.journal, "fix", 0);
    const [freed] = await frees();
    await rests(FAILED);

    expect(found).toMatch(/^5 runs ended the same way/);
    expect(await findAnomaly(house.journal, "fix", freed!.seq)).toBeUndefined();
  });

  it("leave runs out that somebody stopped", async () => {
    const { house, rests } = loopWith();
    for (let turn = 0; turn < 12; turn++) await rests({ kind: "halt", because: "stopped", reason: "stopped by ada" });

    expect(await findAnomaly(house.journal, "fix", 0)).toBeUndefined();
  });
});
