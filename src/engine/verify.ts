// Lets the verifiers look at a proposal, one after the other, each in a copy of its own.
import type { Finding, Proof } from "../contract/evidence.ts";
import { factsOf, type KindName, type ProposalOf } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { VerifyOf } from "../contract/verifier.ts";
import type { SealPlan } from "../guard/seal.ts";
import { askPeople } from "./ask-people.ts";
import { timeLeftMs } from "./next-round.ts";
import type { Check, Run } from "./run.ts";
import type { Steps } from "./steps.ts";
import { boxVerifier } from "./worlds/box-world.ts";
import { outOfTime } from "./worlds/guard-proc.ts";
import { createDesk, createVerifierWorld } from "./worlds/verifier-world.ts";

interface ToVerify<K extends KindName> {
  readonly proposal: ProposalOf<K>;
  readonly findings: readonly Finding[];
  readonly sealing: SealPlan;
}

/**
 * One verifier after the other, each in a copy of its own, so that none sees what another left behind. How often each looks is
 * a question of the kind: a change of sealed files is looked at twice.
 */
export async function verifyAll<K extends KindName>(
  round: Round,
  run: Run<K>,
  { proposal, findings, sealing }: ToVerify<K>,
  step: Steps,
): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  const looks = await run.kind.looks(round, proposal, sealing, run);
  for (const [index, verifier] of run.crew.verifiers.entries()) {
    // Nobody's time is taken for what is refused anyway.
    if (verifier.asks && proofs.some(({ outcome, room }) => outcome !== "holds" && room !== "own")) continue;
    for (const { suffix, room, tested } of looks) {
      const name = `${index + 1}${suffix}`;
      const about = { round, proposal, verifier, number: index + 1, name, tested };
      const id = run.opened.spec.verifiers[index]?.id;
      const sight = await step(`verify-${name}`, () => verifyOne(run, about, { findings, proofs }, id));
      proofs.push({ verifier: verifier.name, kind: verifier.kind, ...(id ? { id } : {}), ...sight, ...(room ? { room } : {}) });
    }
  }
  return proofs;
}

/** What was seen of the proposal so far. */
interface SoFar {
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
}

/** Figures are kept of verifiers that have an id: nobody could speak of the others'. */
async function verifyOne<K extends KindName>(bare: Run<K>, about: Omit<Check<K>, "timeLeftMs">, sofar: SoFar, id: string | undefined) {
  const { run, enforced } = boxVerifier(bare);
  const { asks }: VerifyOf<KindName> = about.verifier;
  const { tree } = factsOf(about.proposal);
  const { measured, ...sight } = asks && tree !== undefined ? await askPeople(about.round, tree, asks, run) : await look(run, about, sofar);
  return { ...sight, ...(id && measured ? { measured } : {}), box: enforced() };
}

async function look<K extends KindName>(run: Run<K>, about: Omit<Check<K>, "timeLeftMs">, { findings, proofs }: SoFar) {
  const { opened, journal, meter } = run;
  const { round } = about;
  const { name: verifier }: VerifyOf<KindName> = about.verifier;
  const left = timeLeftMs(opened, journal.state);
  if (left === 0) throw outOfTime(opened.spec.budget);
  const commands = meter.commands(round);
  const calls = meter.calls(round, { maker: verifier });
  const desk = createDesk({ verifier, timeLeftMs: left, findings, proofs, meter: calls }, run);
  try {
    return await run.kind.verify({ ...about, timeLeftMs: left }, run, (rooms) => ({
      ...createVerifierWorld(round.id, left, opened.spec.budget, run, rooms, commands.add),
      desk,
    }));
  } finally {
    await calls.settleAll();
    await commands.settle();
  }
}
