// The heart: work order in, evidence and verdict out. Each step outlives a crash; the judgement is pure and needs no step.
import type { Gathered } from "../contract/connector.ts";
import type { Evidence } from "../contract/evidence.ts";
import type { KindName } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Verdict } from "../contract/verdict.ts";
import { isBestYet, measurementsIn } from "./ends.ts";
import { examine } from "./examine.ts";
import { drawHidden, heldOutEvidence } from "./hold-out.ts";
import { improveAfter } from "./improve-round.ts";
import { lendCaches } from "./lend-caches.ts";
import { KEEP_BEST } from "./names.ts";
import { layPrepared, missingModulesHint } from "./prepare.ts";
import { taintBy, taintWith } from "./read-outside.ts";
import type { Run } from "./run.ts";
import type { Judged } from "./weigh-round.ts";
import { createConnectorWorld } from "./worlds/telling-world.ts";

export async function runRound<K extends KindName>(round: Round, bare: Run<K>): Promise<Judged> {
  const step = bare.steps(round.id);

  const gathered = bare.crew.gather.length === 0 ? [] : await step("gather", () => gatherAll(round, bare));
  const read = taintBy(gathered, bare.opened);
  const hidden = await drawHidden(bare);
  const run = lendCaches(await layPrepared(bare));
  const proposal = await run.kind.make(round, run, { gathered, taint: read, hidden });
  const taint = taintWith(read, proposal);
  const { evidence, verdict } = await examine(round, run, { proposal, taint, hidden }, step);

  const { act } = run.kind;
  if (verdict.kind === "accept" && act) await step("act", () => act(round, proposal, run, verdict.on));
  if (isToKeep(round, run, evidence, verdict)) await step(KEEP_BEST, () => run.kind.keepBest!(round, proposal, run).then(() => ({})));
  await improveAfter(round, run, { evidence, verdict }, step);
  const heldOut = heldOutEvidence(round, run, hidden, verdict);
  const hints = await missingModulesHint(run, evidence.proofs);
  return { evidence: { ...evidence, ...(heldOut ? { heldOut } : {}), ...(hints.length > 0 ? { hints } : {}) }, verdict };
}

/** What is better than all before it is kept: if the run does not end well, it is what is proposed. */
function isToKeep({ number }: Round, { opened, kind, journal }: Run, { metrics, proofs }: Evidence, { kind: ended }: Verdict): boolean {
  if (!metrics || !kind.keepBest || ended === "accept") return false;
  return isBestYet(opened.spec, measurementsIn(journal.state), { number, ...metrics, proofs, because: undefined });
}

/** Of the repository that the spec names: a loop that makes documents learns nothing from its own. */
const gatherAll = (round: Round, run: Run): Promise<readonly Gathered[]> => {
  const { repo, base, cursors, target, folder } = run.opened;
  const order = {
    repo: target?.repo ?? repo,
    baseRef: target?.ref ?? base.ref,
    cursors,
    nowMs: Date.parse(round.openedAt),
    folder,
    loop: round.loop,
  };
  const world = createConnectorWorld(round.id, run);
  return Promise.all(run.crew.gather.map((gather) => gather(order, world)));
};
