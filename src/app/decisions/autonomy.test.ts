import { afterEach, expect, it } from "vitest";
import { createFakeWorld } from "../../../test/support/fake-world.ts";
import { appendOne, createFolders, withJournal } from "../../../test/support/journals.ts";
import type { Evidence } from "../../contract/evidence.ts";
import type { LoopRecord } from "../../contract/record.ts";
import { LoopSpec } from "../../contract/spec.ts";
import { untrustedText } from "../../contract/text.ts";
import type { Verdict } from "../../contract/verdict.ts";
import { driverName } from "../../world/store/sqlite.ts";
import { demoteAfterNo, demoteIfNeeded, fallBackIfNeeded } from "./autonomy.ts";
import { holdLevel, loopStanding } from "./standing.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const AT = { loop: "fix", run: "fix-1" };
const accepted: Verdict = { kind: "accept", action: "propose" };
const boxed = { kind: "bubblewrap", network: "closed", writes: [], hides: [] } as const;
const unboxed = { kind: "none", why: "there is none here" } as const;

const evidenceWith = (maker: typeof boxed | typeof unboxed, check: typeof boxed | typeof unboxed): Evidence => ({
  proposal: {
    kind: "commit",
    commit: "c",
    tree: "t",
    changes: [],
    diff: { sha256: "", bytes: 0, truncated: false },
    talk: { ended: "finished", summary: untrustedText("") },
    box: maker,
  },
  findings: [],
  proofs: [{ verifier: "command", kind: "proof", outcome: "holds", detail: "", output: undefined, box: check }],
});

/** What the loop may do at most after a run with this evidence and verdict, and after what is done then. */
async function heldAfter(
  about: { readonly level?: string; readonly box?: object; readonly evidence?: Evidence; readonly verdict?: Verdict },
  then: typeof demoteIfNeeded = demoteIfNeeded,
): Promise<string> {
  const folder = folders.make();
  const spec = LoopSpec.parse({
    name: "fix",
    intent: "Fix.",
    level: about.level ?? "L3",
    maker: { use: "shell" },
    verifiers: [{ use: "command" }],
    box: about.box ?? {},
  });
  const opened: LoopRecord = {
    kind: "run-opened",
    number: 1,
    spec,
    specHash: "",
    specPath: "/s.yaml",
    folder: "/",
    repo: "/r",
    base: { ref: "main", commit: "b" },
    cursors: {},
    version: "1",
  };
  const { evidence = evidenceWith(boxed, boxed), verdict = accepted } = about;
  return withJournal(folder, driverName(), async (journal) => {
    const { world } = createFakeWorld();
    const house = { journal, world, killSwitch: world.killSwitch };
    await appendOne(journal, AT, opened);
    await appendOne(journal, AT, { kind: "round-closed", roundId: "fix-1.1", evidence, verdict });
    await then(house, "fix", "fix-1");
    return (await loopStanding(house, "fix")).most;
  });
}

const tampering: Verdict = { kind: "escalate", because: "tampering", reason: "it deleted a test" };
const OFF = { maker: { when: "off" }, verifiers: { when: "off" } };

it.each([
  ["stays where nothing speaks against it", {}, "L3"],
  ["falls when its maker tried to fake success", { verdict: tampering }, "L2"],
  ["falls when its maker was to be boxed and was not", { evidence: evidenceWith(unboxed, boxed) }, "L2"],
  ["falls when a check was to be boxed and was not", { evidence: evidenceWith(boxed, unboxed) }, "L2"],
  ["stays when its spec wanted no box", { evidence: evidenceWith(unboxed, unboxed), box: OFF }, "L3"],
  ["is not held any lower below L3", { level: "L2", verdict: tampering }, "L3"],
])("an L3 loop %s", async (_, about, most) => {
  expect(await heldAfter(about)).toBe(most);
});

it("does not fall again for a run after which somebody let it go on", async () => {
  const twice: typeof demoteIfNeeded = async (house, loop, run) => {
    await house.journal.append([
      { ...AT, record: { kind: "run-rested", rest: tampering, report: { sha256: "", bytes: 0, truncated: false } } },
    ]);
    await demoteIfNeeded(house, loop, run);
    expect((await loopStanding(house, loop)).most).toBe("L2");
    await holdLevel(house, loop, { most: "L3", by: "ada", why: "it was my own test" });
    await demoteIfNeeded(house, loop, run);
  };

  expect(await heldAfter({ verdict: tampering }, twice)).toBe("L3");
});

it("falls before it runs again where the process died over the end of the run that showed it", async () => {
  const again: typeof demoteIfNeeded = async (house, loop) => {
    await house.journal.append([
      { ...AT, record: { kind: "run-rested", rest: tampering, report: { sha256: "", bytes: 0, truncated: false } } },
    ]);
    await fallBackIfNeeded(house, loop);
  };

  expect(await heldAfter({ verdict: tampering }, again)).toBe("L2");
});

it("falls after a no to what it proposed at L3, and not at L2, where that is what a human is there for", async () => {
  const no: typeof demoteIfNeeded = (house, loop) => demoteAfterNo(house, loop, "ada");

  expect([await heldAfter({}, no), await heldAfter({ level: "L2" }, no)]).toEqual(["L2", "L3"]);
});
