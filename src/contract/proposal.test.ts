import { describe, expect, it } from "vitest";
import type { ArtifactRef } from "./artifacts.ts";
import { type CommitProposal, factsOf, isDecided, type ReportProposal } from "./proposal.ts";
import { untrustedText } from "./text.ts";

const artifact = (sha256: string): ArtifactRef => ({ sha256, bytes: 1, truncated: false });

const commit: CommitProposal = {
  kind: "commit",
  commit: "c0",
  tree: "t0",
  changes: [{ path: "a", before: undefined, after: { mode: "100644", blob: "b0" } }],
  diff: artifact("d0"),
  talk: { ended: "finished", summary: untrustedText("done") },
};

const report: ReportProposal = {
  kind: "report",
  items: [{ rank: "risky", commit: "c0", ref: "main", title: "x", why: "y" }],
  refs: [],
  divergence: [],
  summary: "one",
};

describe("factsOf", () => {
  it("tells of a change what it touches, what is kept of it, and that nobody wrote down what its maker was kept to", () => {
    const { changes, displaced, boxes, artifacts, says, tree } = factsOf(commit);

    expect({ changes, displaced, boxes, artifacts, says, tree }).toEqual({
      changes: commit.changes,
      displaced: [],
      boxes: [undefined],
      artifacts: { diff: commit.diff },
      says: "1 file(s)",
      tree: "t0",
    });
  });

  it("has the brief among what is kept, and the box, where they are on record", () => {
    const { artifacts, boxes } = factsOf({ ...commit, box: { kind: "unused" }, brief: { text: artifact("e0"), tokens: 1, cut: [] } });

    expect({ artifacts, boxes }).toEqual({ artifacts: { diff: commit.diff, brief: artifact("e0") }, boxes: [{ kind: "unused" }] });
  });

  it("knows of a report that it touches nothing, keeps nothing and ran nothing", () => {
    expect(factsOf(report)).toEqual({ changes: [], displaced: [], boxes: [], artifacts: {}, says: "a report of 1 item(s)" });
  });
});

it("leaves it to people what becomes of a change, and asks nobody about a report", () => {
  expect([isDecided(commit), isDecided(report)]).toEqual([true, false]);
});
