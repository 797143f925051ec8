import { expect, it } from "vitest";
import { withProposal } from "../../../test/support/memory-house.ts";
import type { ArtifactRef } from "../../contract/artifacts.ts";
import { LoopError } from "../../contract/errors.ts";
import { artifactsIn, verifyArtifacts } from "./verify-artifacts.ts";

const RUN = "fix-1-t0001";

it("finds every artifact that is on record where it was left, and says how many there are", async () => {
  const { house, entries } = await withProposal();

  const named = new Set(
    entries
      .filter(({ record }) => record.kind !== "receipted")
      .flatMap(({ record }) => artifactsIn(record))
      .map(({ sha256 }) => sha256),
  );
  expect(named.size).toBeGreaterThan(1);
  expect(await verifyArtifacts(house)).toEqual({ artifacts: named.size, problems: [] });
});

it("names the first run of each that is changed or gone, once, and looks at the others all the same", async () => {
  const { house, entries } = await withProposal();
  const [report] = entries.flatMap(({ record }) => (record.kind === "run-rested" ? [record.report] : []));
  const seq = entries.find(({ record }) => artifactsIn(record).some(({ sha256 }) => sha256 === report?.sha256))?.seq;
  const read = async (ref: ArtifactRef): Promise<Uint8Array> => {
    if (ref.sha256 !== report?.sha256) return house.artifacts.read(ref);
    throw new LoopError("journal-damaged", "the artifact was changed", { retry: "never", hint: "It cannot be shown." });
  };

  const { problems } = await verifyArtifacts({ ...house, artifacts: { read } });

  expect(problems).toEqual([{ what: "artifact", seq: undefined, run: RUN, why: `the artifact was changed (${RUN}, record ${seq})` }]);
});

it("takes nothing for an artifact that only looks a little like one", () => {
  const ref = { sha256: "a".repeat(64), bytes: 1, truncated: false };
  const step = (result: unknown) => artifactsIn({ kind: "step-done", roundId: "r", step: "verify", result, tookMs: 1 });

  expect(step({ sights: [{ output: ref }, { output: undefined }] })).toEqual([ref]);
  expect(step([{ ...ref, sha256: "a" }, { ...ref, more: 1 }, { sha256: ref.sha256 }, "text", null])).toEqual([]);
});
