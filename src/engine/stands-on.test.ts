import { expect, it } from "vitest";
import type { Proof } from "../contract/evidence.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import { entryHash } from "../std/chain.ts";
import { canonicalJson } from "../std/hash.ts";
import type { Proposed } from "./proposed.ts";
import { type Now, standsOn, unlessChanged } from "./stands-on.ts";

const AT = "2026-05-01T10:00:00.000Z";
const boxed = { kind: "bubblewrap", network: "closed", writes: [], hides: [] } as const;
const proof: Proof = { verifier: "command", kind: "proof", outcome: "holds", detail: "", evidence: [], box: boxed } as unknown as Proof;
const verdict = { kind: "accept", action: "propose", reason: "proven" };

interface Changed {
  readonly spec?: object;
  readonly opened?: object;
  readonly evidence?: object;
  readonly state?: object;
  readonly more?: object;
  readonly records?: readonly object[];
  readonly now?: Partial<Now>;
  readonly machine?: { readonly changed: Date | undefined };
  readonly spoil?: (entries: readonly Entry[]) => readonly Entry[];
}

/** All is as it was when it was proven, but for what is said. */
function ask({ spec, opened, evidence, state, more, records = [], now, machine, spoil = (entries) => entries }: Changed = {}) {
  const proposal = { kind: "commit", commit: "c1", tree: "t1" };
  const seen = { proposal, findings: [], proofs: [proof], surroundings: "here", ...evidence };
  const round = { id: "fix-1-abcde.1", run: "fix-1-abcde", loop: "fix", base: "b1", openedAt: "2026-05-01T09:59:00.000Z" };
  const proposed = {
    opened: {
      policyHash: "rules",
      spec: { level: "L2", box: { verifiers: { reads: [] } }, verifiers: [{ use: "command" }], ...spec },
      ...opened,
    },
    round,
    evidence: seen,
    proposal,
    state: { commit: "c1", tree: "t1", amendedBy: undefined, ...state },
    ...more,
  } as unknown as Proposed;
  const closed = { kind: "round-closed", roundId: round.id, evidence: seen, verdict };
  const entries = [...records, closed].map((record, index): Entry => {
    const entry = { seq: index + 1, at: AT, loop: "fix", run: round.run, prev: "0", record: record as LoopRecord };
    return { ...entry, hash: entryHash(entry, canonicalJson(record)) };
  });
  const at = new Date("2026-05-01T10:05:00.000Z");
  const stands = standsOn(proposed, spoil(entries), { at, surroundings: "here", rules: "rules", ...now });
  const { changed } = machine ?? { changed: new Date("2026-05-01T08:00:00.000Z") };
  return stands.kind === "again" ? stands : unlessChanged(stands, round, changed);
}

it("what was proven a moment ago stands, by its record, where nothing that the proof went by has changed", () => {
  expect(ask()).toEqual({ kind: "stands", seq: 1, at: AT, verdict });
  expect(
    ask({ records: [{ kind: "baseline-taken", baseline: { checks: [{ state: "red", flaky: [], quarantined: [] }] } }] }),
  ).toMatchObject({
    kind: "stands",
    seq: 2,
  });
});

const looked = (check: object) => ({
  records: [{ kind: "baseline-taken", baseline: { checks: [{ state: "green", flaky: [], quarantined: [], ...check }] } }],
});
const proofs = (change: object) => ({ evidence: { proofs: [proof, { ...proof, ...change }] } });

it.each<readonly [string, Changed, string]>([
  ["the spec says so", { spec: { recheck: "always" } }, "the spec asks for it"],
  ["the loop is of level L3", { spec: { level: "L3" } }, "L3"],
  ["a reviewer amended it", { state: { amendedBy: "ada", tree: "t2", commit: "c2" } }, "amended"],
  ["its commit is another", { state: { commit: "c2" } }, "amended"],
  ["it is the best of several", { more: { best: { round: 1 } } }, "best"],
  ["its proof is not on record", { spoil: () => [] }, "not on record"],
  [
    "a record was altered",
    { spoil: (entries) => entries.map((entry) => ({ ...entry, at: "2026-05-01T10:04:59.000Z" })) },
    "records were altered",
  ],
  ["it is an hour old", { now: { at: new Date("2026-05-01T11:00:00.000Z") } }, "older than an hour"],
  ["the clock went back", { now: { at: new Date("2026-05-01T09:00:00.000Z") } }, "older than an hour"],
  ["the machine is another", { now: { surroundings: "elsewhere" } }, "is not as it was"],
  ["nobody noted the machine", { evidence: { surroundings: undefined } }, "is not as it was"],
  ["a program changed while it was proven", { machine: { changed: new Date("2026-05-01T09:59:00.000Z") } }, "may have changed"],
  ["nobody can tell whether one did", { machine: { changed: undefined } }, "may have changed"],
  ["the rules changed", { now: { rules: "others" } }, "rules for commands"],
  ["the rules are not on record", { opened: { policyHash: undefined } }, "rules for commands"],
  ["the spec opens what may change", { spec: { box: { verifiers: { reads: ["~/x"] } } } }, "opens or brings"],
  ["a check is brought", { spec: { verifiers: [{ use: "holdout" }] } }, "opens or brings"],
  ["reads could not be traced", { evidence: { notTraced: "noatime" } }, "what its checks read"],
  ["a check could not tell", proofs({ outcome: "unknown" }), "more than the tree"],
  ["a check had no box", proofs({ box: { kind: "none", why: "off" } }), "more than the tree"],
  ["nobody knows of its box", proofs({ box: undefined }), "more than the tree"],
  ["a check had a network", proofs({ box: { ...boxed, network: "open" } }), "more than the tree"],
  ["a check wrote elsewhere", proofs({ box: { ...boxed, writes: ["/x"] } }), "more than the tree"],
  ["base wavers", looked({ state: "unstable" }), "waver"],
  ["tests of base are flaky", looked({ flaky: ["a"] }), "waver"],
  ["tests of base are in quarantine", looked({ quarantined: ["a"] }), "waver"],
])("it is proven again where %s", (_, changed, why) => {
  expect(ask(changed)).toEqual({ kind: "again", why: expect.stringContaining(why) });
});
