// Somebody else's change, which a referee judges: no maker is called and nothing moves; else it is a change like any other.

import type { Finding } from "../../contract/evidence.ts";
import type { CheckoutOnDisk } from "../../contract/git.ts";
import type { CommitProposal } from "../../contract/proposal.ts";
import type { Beginning, Protection, Snapshot } from "../../contract/referee.ts";
import type { Round } from "../../contract/round.ts";
import { untrustedText } from "../../contract/text.ts";
import type { CommittedWork } from "../../contract/workshop.ts";
import {
  hiddenFindings,
  hiddenPaths,
  meanwhileFindings,
  passingFindings,
  protectedFindings,
  protectedPaths,
} from "../../guard/protected.ts";
import { decodeText } from "../../std/decode-text.ts";
import type { ProposalKind, Run } from "../run.ts";
import { scanChange } from "../scan-change.ts";
import { commitKind } from "./commit.ts";

/** The change as it was when the run opened. */
export interface ForeignChange {
  /** Where it lies. */
  readonly checkout: Pick<CheckoutOnDisk, "touchedBetween" | "snapshot">;
  /** The commit that is checked out there, or that was named. */
  readonly head: string;
  /** A repository of ours that has its objects. */
  readonly store: string;
  /** What is judged. */
  readonly commit: string;
  /** Undefined where a commit is judged, and not what lies in the checkout. */
  readonly snapshot: Snapshot | undefined;
  readonly begun: Beginning | undefined;
  /** What no change may touch, and what is looked for among ignored files. */
  readonly protection: { readonly change: Protection; readonly hidden: Protection };
  /** The spec's own file, where it lies in the repository. */
  readonly specInRepo: string | undefined;
}

export const foreignKind = (change: ForeignChange): ProposalKind<"commit"> => {
  const { act: _act, keepBest: _keep, actOnBest: _propose, deciding: _deciding, ...looking } = commitKind;
  return {
    ...looking,
    holdsOut: false,
    make: async (round, run) => (await take(round, run, change)).proposal,
    async scan(round, proposal, run) {
      const { findings } = await take(round, run, change);
      return [...findings, ...(await scanChange(round, proposal, run.opened.spec.seal, run.world))];
    },
    async lookAgain({ world }) {
      const { checkout, store, snapshot, protection } = change;
      if (!snapshot) return [];
      const now = await checkout.snapshot(store, hiddenPaths(protection.hidden));
      const paths = now.tree === snapshot.tree ? [] : await world.checkouts.namesBetween(store, snapshot.tree, now.tree);
      return meanwhileFindings(snapshot, now, paths);
    },
  };
};

interface Taken {
  readonly work: CommittedWork;
  readonly findings: readonly Finding[];
}

/** The change as a commit of this round, and what of it nobody may touch. */
async function take(
  round: Round,
  run: Run,
  change: ForeignChange,
): Promise<{ readonly proposal: CommitProposal } & Pick<Taken, "findings">> {
  const { work, findings } = await run.steps(round.id)("take", () => look(round, run, change));
  const talk = { ended: "finished", summary: untrustedText("somebody else's change") } as const;
  return { proposal: { kind: "commit", ...work, talk, box: { kind: "unused" } }, findings };
}

async function look(
  round: Round,
  { opened, world }: Run,
  { checkout, head, store, commit, snapshot, begun, protection, specInRepo }: ForeignChange,
): Promise<Taken> {
  const { workshop } = world;
  await workshop.openForBase(store, round, [commit]);
  const work = await workshop.describe(round, commit);
  const why = protectedPaths(protection.change, specInRepo === undefined ? [] : [specInRepo]);
  return {
    work,
    findings: [
      ...protectedFindings(work.changes, await linksIn(work, round, workshop), why, protection.change.protect),
      ...passingFindings(await checkout.touchedBetween(opened.base.commit, head), work.changes, why),
      ...(snapshot ? hiddenFindings(snapshot.hidden, begun) : []),
    ],
  };
}

/** Where links of the change lead. */
async function linksIn(
  { changes }: CommittedWork,
  round: Round,
  { readBlobs }: Run["world"]["workshop"],
): Promise<ReadonlyMap<string, string>> {
  const links = changes.flatMap(({ path, after }) => (after?.mode === "120000" ? [{ path, blob: after.blob }] : []));
  const targets = await readBlobs(
    round,
    links.map(({ blob }) => blob),
  );
  return new Map(
    links.flatMap(({ path, blob }) => {
      const target = targets.get(blob);
      return target === undefined ? [] : [[path, decodeText(target)] as const];
    }),
  );
}
